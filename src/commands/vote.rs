//! `LB.VOTE` and `LB.MVOTE`.

use std::ffi::CStr;

use leaderboard_core::board::{Condition, Effect, Position, Verdict};
use leaderboard_core::calendar::Unit;
use leaderboard_core::time::Millis;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Error, Schema};

use super::writing::{self, Resolved, position, write_of};
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::keyspace;
use crate::options::{Name, Options};
use crate::refusal::Refusal;
use crate::words::{self, Word};
use crate::{stats, voting};

const OPTIONS: [Name; 5] = [Name::By, Name::Tag, Name::Id, Name::At, Name::Now];

/// A new board for a first vote.
pub fn default_board() -> Result<Board, Refusal> {
    let units = [Unit::Hour, Unit::Day, Unit::Week, Unit::Month];
    let kinds = units.map(|unit| Kind::Periods { unit, count: 1 });
    let specs: Vec<_> = [Kind::All].into_iter().chain(kinds).map(Spec::new).collect();
    Ok(Board::new(Schema::default(), &specs)?)
}

/// `LB.VOTE key votes member [options]`
pub fn one(call: &Call) -> Handled {
    let mut args = call.args();
    let fixed = args.rest().get(..3).unwrap_or_default();
    let key = args.key()?;
    let (votes, member) = (args.votes()?, args.member()?);
    let options = args.options(&OPTIONS)?;
    let (write, tags) = (write_of(call, &options)?, voting::tags(&options));
    let ballot = voting::ballot(&options, &tags);
    let (verdict, decimals) = keyspace::write(call, key, default_board, |board| {
        let verdict = board.vote(&write, &ballot, (member, votes))?;
        Ok(((verdict, board.schema().decimals), true))
    })?;
    match verdict {
        Verdict::HeldBack { rule, wait } => held_back(call, &rule, wait),
        Verdict::Accepted(outcome) => {
            finish(call, outcome.effect, c"LB.VOTE", fixed, &options, &[]);
            accepted(call, &[outcome.now], outcome.effect, decimals);
        }
    }
    Ok(())
}

/// `LB.MVOTE key [options] votes member [votes member ...]`
pub fn many(call: &Call) -> Handled {
    let mut args = call.args();
    let fixed = args.rest().get(..1).unwrap_or_default();
    let key = args.key()?;
    let options = args.leading_options(&OPTIONS)?;
    let list = args.rest();
    let incomplete = |refusal| match refusal {
        Refusal::Arity => Error::IncompleteList("votes and members").into(),
        other => other,
    };
    let mut pairs = Vec::with_capacity(args.len() / 2);
    while args.len() > 0 || pairs.is_empty() {
        let votes = args.votes().map_err(incomplete)?;
        pairs.push((args.member().map_err(incomplete)?, votes));
    }
    let (write, tags) = (write_of(call, &options)?, voting::tags(&options));
    let ballot = voting::ballot(&options, &tags);
    let (verdict, decimals) = keyspace::write(call, key, default_board, |board| {
        let verdict = board.vote_many(&write, &ballot, &pairs)?;
        Ok(((verdict, board.schema().decimals), true))
    })?;
    match verdict {
        Verdict::HeldBack { rule, wait } => held_back(call, &rule, wait),
        Verdict::Accepted((effect, positions)) => {
            finish(call, effect, c"LB.MVOTE", fixed, &options, list);
            accepted(call, &positions, effect, decimals);
        }
    }
    Ok(())
}

/// Sends votes on with who cast them: replicas keep count of limits and voters, too.
fn finish(
    call: &Call,
    effect: Effect,
    command: &'static CStr,
    fixed: &[Argument],
    options: &Options,
    list: &[Argument],
) {
    let by = options.by.iter().flat_map(|voter| [words::get(Word::By), *voter]);
    let tags = options.tags.iter().flat_map(|[name, value]| [words::get(Word::Tag), *name, *value]);
    let (other, condition) = (by.chain(tags).collect(), Condition::default());
    let resolved = Resolved { command, fixed, condition, id: options.id, other, list };
    writing::finish(call, effect, &resolved, c"lb.vote");
}

fn accepted(call: &Call, positions: &[Option<Position>], effect: Effect, decimals: u8) {
    let reply = call.reply();
    reply.array(2);
    reply.int(1);
    reply.array(positions.len());
    for at in positions {
        reply.array(3);
        position(call, *at, decimals);
        reply.int(u64::from(matches!(effect, Effect::Applied(_))));
    }
}

fn held_back(call: &Call, rule: &[u8], wait: Option<Millis>) {
    stats::vote_held_back();
    let reply = call.reply();
    reply.array(3);
    reply.int(0);
    reply.bulk(rule);
    until(call, wait);
}

/// Replies with the milliseconds until something starts anew; -1 where it never does.
pub fn until(call: &Call, wait: Option<Millis>) {
    match wait {
        Some(wait) => call.reply().int(wait),
        None => call.reply().signed(-1),
    }
}
