//! `LB.VOTE` and `LB.MVOTE`.

use leaderboard_core::board::{Effect, Positions, Verdict, Written};
use leaderboard_core::calendar::Unit;
use leaderboard_core::time::Millis;
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, Error};

use super::writing::{Answers, applied, board_with, reply_many, write_board, write_of};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::options::Options;
use crate::refusal::Refusal;

/// Returns the board that the first vote makes.
pub fn default_board(call: &Call<impl Host>) -> Result<Board, Refusal> {
    let [hour, day, week, month] =
        [Unit::Hour, Unit::Day, Unit::Week, Unit::Month].map(|unit| Kind::Periods { unit, count: 1 });
    board_with(call, &[Kind::All, hour, day, week, month])
}

/// Carries out `LB.VOTE key votes member [options]`.
pub fn one(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (votes, member) = (args.votes()?, args.member()?);
    let options = call.options(args)?;
    let (write, tags) = (write_of(call, &options)?, options.tags());
    let ballot = options.ballot(&tags);
    let (verdict, notation) = write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            let verdict = board.vote(&write, &ballot, (member, votes))?;
            let commit = commit(&verdict, &options);
            Ok(((verdict, board.schema().notation()), commit))
        },
    )?;
    match verdict {
        Verdict::HeldBack { rule, wait } => held_back(call, &rule, wait, write.positions),
        Verdict::Accepted(outcome) => {
            let (effect, places) = (outcome.effect, &[outcome.now]);
            accepted(call, &Answers { effect, places, notation, items: 1 }, write.positions);
        }
    }
    Ok(())
}

/// Carries out `LB.MVOTE key [options] votes member [votes member ...]`.
pub fn many(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.leading_options(&mut args)?;
    let incomplete = |refusal| match refusal {
        Refusal::Arity => Error::IncompleteList("votes and members").into(),
        other => other,
    };
    let mut pairs = Vec::with_capacity(args.len() / 2);
    while args.len() > 0 || pairs.is_empty() {
        let votes = args.votes().map_err(incomplete)?;
        pairs.push((args.member().map_err(incomplete)?, votes));
    }
    let (write, tags) = (write_of(call, &options)?, options.tags());
    let ballot = options.ballot(&tags);
    let (verdict, notation) = write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            let verdict = board.vote_many(&write, &ballot, &pairs)?;
            let commit = commit(&verdict, &options);
            Ok(((verdict, board.schema().notation()), commit))
        },
    )?;
    match verdict {
        Verdict::HeldBack { rule, wait } => held_back(call, &rule, wait, write.positions),
        Verdict::Accepted((effect, places)) => {
            let answers = Answers { effect, places: &places, notation, items: pairs.len() };
            accepted(call, &answers, write.positions);
        }
    }
    Ok(())
}

fn commit<'a, T: Written>(verdict: &Verdict<T>, options: &'a Options<'a>) -> Commit<'a> {
    match verdict {
        Verdict::HeldBack { .. } => Commit::VOTE_HELD_BACK,
        Verdict::Accepted(answer) => Commit::written(answer, c"lb.vote", options),
    }
}

fn accepted(call: &Call<impl Host>, answers: &Answers, positions: Positions) {
    if positions != Positions::None {
        call.reply().array(2);
        call.reply().int(1);
    }
    reply_many(call, answers, positions);
}

fn held_back(call: &Call<impl Host>, rule: &[u8], wait: Option<Millis>, positions: Positions) {
    if positions == Positions::None {
        return applied(call, Effect::HeldBack, 0);
    }
    let reply = call.reply();
    reply.array(3);
    reply.int(0);
    reply.bulk(rule);
    until(call, wait);
}

/// Replies with the milliseconds until a rule allows votes again, or with -1 if it never does.
pub fn until(call: &Call<impl Host>, wait: Option<Millis>) {
    match wait {
        Some(wait) => call.reply().int(wait),
        None => call.reply().signed(-1),
    }
}
