//! What writes of points and scores share: the way from options to a write, and from its outcome to
//! replicas, listeners and the client.

use std::cmp::Ordering;
use std::ffi::CStr;

use leaderboard_core::board::{Condition, Effect, Outcome, Position, Write};
use leaderboard_core::time::{Millis, Stamp};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Schema};

use crate::argument::Argument;
use crate::call::Call;
use crate::options::Options;
use crate::refusal::Refusal;
use crate::stats;
use crate::words::{self, Word};

/// A new board for a first write.
pub fn default_board() -> Result<Board, Refusal> {
    board_with(Kind::All)
}

/// A new board with one view.
pub fn board_with(kind: Kind) -> Result<Board, Refusal> {
    Ok(Board::new(Schema::default(), &[Spec::new(kind)])?)
}

/// The write that these options ask for.
pub fn write_of<'a>(call: &Call, options: &'a Options) -> Result<Write<'a>, Refusal> {
    let origin = call.origin(options.at, options.now)?;
    Ok(Write {
        at: options.at,
        request: options.id.as_ref().map(Argument::bytes),
        origin,
        with_change: options.with_change,
        view: options.view_name(),
    })
}

/// What replicas are sent: the write as it was decided, so that no clock, no remembered id and no
/// setting of theirs has a say.
pub struct Resolved<'a> {
    /// The command's name.
    pub command: &'static CStr,
    /// Its arguments before the options; the key first.
    pub fixed: &'a [Argument],
    /// Its conditions: they hold, but belong to what the request id stands for.
    pub condition: Condition,
    /// The request's id.
    pub id: Option<Argument>,
    /// Other options that it does not do without, with their values.
    pub other: Vec<Argument>,
    /// Its arguments behind the options.
    pub list: &'a [Argument],
}

impl<'a> Resolved<'a> {
    /// A write of one member: its key, value and member.
    pub fn new(command: &'static CStr, all: &'a [Argument], options: &Options) -> Self {
        let fixed = all.get(..3).unwrap_or_default();
        Self { command, fixed, condition: options.condition, id: options.id, other: Vec::new(), list: &[] }
    }
}

impl Resolved<'_> {
    fn send(&self, call: &Call, stamp: Stamp) {
        let at = [words::get(Word::At), words::AT.get(stamp.at)];
        if let ([key, value, member], true) = (self.fixed, self.is_plain() && stamp.at == stamp.now) {
            // The forms of nearly all writes, without a list on the way.
            let (key, value, member) = (*key, *value, *member);
            match self.id {
                None => call.replicate_five(self.command, [key, value, member, at[0], at[1]]),
                Some(id) => {
                    let words = [key, value, member, words::get(Word::Id), id, at[0], at[1]];
                    call.replicate_seven(self.command, words);
                }
            }
            return;
        }
        let id = self.id.map(|id| [words::get(Word::Id), id]);
        let now = (stamp.at != stamp.now).then(|| [words::get(Word::Now), words::NOW.get(stamp.now)]);
        let options = id
            .into_iter()
            .flatten()
            .chain(self.other.iter().copied())
            .chain(at)
            .chain(now.into_iter().flatten());
        let conditions = conditions(self.condition).into_iter().flatten().map(words::get);
        let all =
            self.fixed.iter().copied().chain(conditions).chain(options).chain(self.list.iter().copied());
        call.replicate(self.command, &all.collect::<Vec<_>>());
    }

    fn is_plain(&self) -> bool {
        self.list.is_empty() && self.other.is_empty() && self.condition == Condition::default()
    }
}

/// Sends a command on that depends on the moment, with the board's now.
pub fn replicate_at(call: &Call, command: &CStr, all: &[Argument], options: &Options, now: Millis) {
    if options.now.is_some() {
        call.replicate(command, all);
    } else {
        let now = [words::get(Word::Now), words::NOW.get(now)];
        call.replicate(command, &all.iter().copied().chain(now).collect::<Vec<_>>());
    }
}

fn conditions(condition: Condition) -> [Option<Word>; 2] {
    let present = condition.present.map(|wanted| if wanted { Word::Xx } else { Word::Nx });
    let compared =
        condition.compared.map(|wanted| if wanted == Ordering::Less { Word::Lt } else { Word::Gt });
    [present, compared]
}

/// Ends a write: counts it, and where it was applied, sends it on and tells who listens.
pub fn finish(call: &Call, effect: Effect, resolved: &Resolved, event: &CStr) {
    stats::written(effect);
    let Effect::Applied(stamp) = effect else { return };
    resolved.send(call, stamp);
    if let Some(key) = resolved.fixed.first() {
        call.changed(*key, event);
    }
}

/// Replies with score, rank and whether the write was applied; `before` only where it was asked for.
pub fn reply(call: &Call, outcome: &Outcome, with_change: bool, decimals: u8) {
    let reply = call.reply();
    reply.array(if with_change { 5 } else { 3 });
    position(call, outcome.now, decimals);
    reply.int(u64::from(matches!(outcome.effect, Effect::Applied(_))));
    if with_change {
        position(call, outcome.before, decimals);
    }
}

/// Replies with a score and a rank, or twice nil.
pub fn position(call: &Call, position: Option<Position>, decimals: u8) {
    let reply = call.reply();
    match position {
        Some(Position { score, rank }) => {
            reply.score(score, decimals);
            reply.int(rank);
        }
        None => {
            reply.nil();
            reply.nil();
        }
    }
}
