//! The parts that writes of points, scores and votes share: default boards, the options of a write, and the reply to
//! it.

use leaderboard_core::board::{Effect, Outcome, Position, Positions, Write};
use leaderboard_core::notation::Notation;
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Error, Schema};

use crate::argument::Argument;
use crate::call::Call;
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::reading::{AT, VIEW};
use crate::options::writing::{ATTEMPT, FORCE, ID, META, QUIET, WITHCHANGE};
use crate::refusal::Refusal;

/// Returns the answer to a write to one member. `view` is the number of the view of the reply.
pub fn answer(
    board: &Board,
    outcome: Outcome,
    (view, member): (usize, &[u8]),
    within: Option<usize>,
) -> Answer {
    let within = within.map(|dimension| board.rank_within(view, member, dimension));
    Answer { outcome, notation: board.schema().notation(), within }
}

/// Returns the board that the first write makes.
pub fn default_board(call: &Call<impl Host>) -> Result<Board, Refusal> {
    board_with(call, &[Kind::All])
}

/// Returns a new board with these views, if a write may make a board.
pub fn board_with(call: &Call<impl Host>, views: &[Kind]) -> Result<Board, Refusal> {
    call.may_make_board()?;
    let specs: Vec<_> = views.iter().map(|kind| Spec::new(*kind)).collect();
    Ok(Board::new(Schema::default(), &specs)?)
}

/// Works like [`keyspace::write`], but checks that the key holds the part that the options name. An absent part is not
/// made.
pub fn write_board<'c, A>(
    call: &Call<impl Host>,
    key: Argument,
    options: &Options,
    create: impl FnOnce() -> Result<Board, Refusal>,
    write: impl FnOnce(&mut Board) -> Result<(A, Commit<'c>), Refusal>,
) -> Result<A, Refusal> {
    let expected = options.expected();
    let create = || expected.check(None).map_err(Refusal::from).and_then(|()| create());
    keyspace::write(call, key, create, |board: &mut Board| {
        expected.check(Some(board))?;
        write(board)
    })
}

/// Checks that members belong to the board, if the board is a part. A command from the primary or the append-only file
/// is not checked.
pub fn check_own<'m>(
    call: &Call<impl Host>,
    board: &Board,
    members: impl IntoIterator<Item = &'m [u8]>,
) -> Result<(), Refusal> {
    if call.is_decided() { Ok(()) } else { Ok(board.check_own(members)?) }
}

/// Returns the write that these options describe.
pub fn write_of<'a>(call: &Call<impl Host>, options: &Options<'a>) -> Result<Write<'a>, Refusal> {
    if options.has(&ATTEMPT) && !options.has(&ID) {
        return Err(Error::MissingOption("ID").into());
    }
    let origin = call.time_source(options)?;
    Ok(Write {
        at: options.get(&AT),
        request: options.text(&ID),
        attempt: options.get(&ATTEMPT).unwrap_or_default(),
        origin,
        positions: positions(origin, options),
        view: options.text(&VIEW),
        meta: options.text(&META),
        segments: &[],
        force: options.has(&FORCE),
    })
}

/// Returns the positions that the reply includes. Nobody reads the reply to a write that another server decided.
pub fn positions(origin: TimeSource, options: &Options) -> Positions {
    match origin {
        TimeSource::Decided { .. } => Positions::None,
        _ if options.has(&QUIET) => Positions::None,
        _ if options.has(&WITHCHANGE) => Positions::BeforeAndAfter,
        _ => Positions::After,
    }
}

/// The outcome of a write to one member, and the rank of the member in its own segment if the client asks for it: `None` for a
/// member that has none.
pub struct Answer {
    pub outcome: Outcome,
    pub notation: Notation,
    pub within: Option<Option<u64>>,
}

/// Replies to a write of one member: with the number of applied items if the write wants no positions, and else with
/// the score, the rank and whether the write was applied. Then the position before the write and the rank within the
/// segment follow, if the client asks for them.
pub fn reply(call: &Call<impl Host>, answer: &Answer, positions: Positions) {
    let Answer { outcome, notation, within } = answer;
    let with_change = match positions {
        Positions::None => return applied(call, outcome.effect, 1),
        Positions::After => false,
        Positions::BeforeAndAfter => true,
    };
    let reply = call.reply();
    reply.array(match (with_change, within) {
        (false, None) => 3,
        (false, Some(_)) => 4,
        (true, None) => 5,
        (true, Some(_)) => 6,
    });
    position(call, outcome.now, notation);
    reply.int(u64::from(outcome.effect.is_applied()));
    if with_change {
        position(call, outcome.before, notation);
    }
    match within {
        Some(Some(rank)) => reply.int(*rank),
        Some(None) => reply.nil(),
        None => {}
    }
}

/// Replies with the number of items that a write of this many items has applied: all or none.
pub fn applied(call: &Call<impl Host>, effect: Effect, items: usize) {
    call.reply().int(if effect.is_applied() { items as u64 } else { 0 });
}

/// The outcome of a write to several members.
pub struct Answers<'a> {
    pub effect: Effect,
    /// The positions of the members, if the write wants positions.
    pub places: &'a [Option<Position>],
    pub notation: Notation,
    /// The number of items in the list of the write.
    pub items: usize,
}

/// Replies to a write of several members: with the number of applied items if the write wants no positions, and else
/// with the score, the rank and whether the write was applied, for each item.
pub fn reply_many(call: &Call<impl Host>, answers: &Answers, positions: Positions) {
    let Answers { effect, places, notation, items } = answers;
    if positions == Positions::None {
        return applied(call, *effect, *items);
    }
    let reply = call.reply();
    reply.array(places.len());
    for place in *places {
        reply.array(3);
        position(call, *place, notation);
        reply.int(u64::from(effect.is_applied()));
    }
}

/// Replies with a score and a rank, or with two nils.
pub fn position(call: &Call<impl Host>, position: Option<Position>, notation: &Notation) {
    let reply = call.reply();
    match position {
        Some(Position { score, rank }) => {
            reply.score(score, notation);
            reply.int(rank);
        }
        None => {
            reply.nil();
            reply.nil();
        }
    }
}
