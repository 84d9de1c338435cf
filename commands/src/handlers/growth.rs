//! The forms of `LB.CATALOG` with which a gateway splits the parts of a board, and makes parts of a plain board.

use leaderboard_core::board::{Effect, Half};
use leaderboard_core::catalog::CatalogEntry;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::time::{Millis, Stamp};
use leaderboard_core::{Board, Error};

use super::catalog::{Asked, set_root};
use crate::argument::Argument;
use crate::arguments::Read;
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::boards::parts;
use crate::options::catalog::number;
use crate::options::writing::NOW;

/// The longest time for which one command holds a part, in milliseconds.
const MAX_HOLD: u64 = 600_000;

/// Carries out `LB.CATALOG key GROW incarnation revision parts`.
pub fn grow(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let (incarnation, revision) = (asked.incarnation()?, asked.revision()?);
    let target = target(&mut asked)?;
    let key = asked.key;
    asked.args.finish()?;
    set_root(call, key, incarnation, |entry, role| {
        role.parts().ok_or(Error::NotARoot).and_then(|present| entry.growing(revision, present, target))
    })
}

/// Carries out `LB.CATALOG key GROWN incarnation parts`.
pub fn grown(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let target = target(&mut asked)?;
    asked.args.finish()?;
    change(call, asked.key, |board| board.finish_growth(incarnation, target))
}

/// Carries out `LB.CATALOG key SPLIT incarnation token number parts ms`.
pub fn split(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    let (own, parts) = numbered(&mut asked)?;
    hold(call, asked, |board, (now, until)| {
        let entry = part_entry(board, incarnation)?;
        if board.schema().role != (Role::Part { number: own, parts }) {
            return Err(Error::Stale("part"));
        }
        board.set_catalog(entry.held(token, now, until)?)
    })
}

/// Carries out `LB.CATALOG key SPREAD incarnation token ms`.
pub fn spread(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    if incarnation == 0 {
        return Err(Error::OutOfRange("incarnation").into());
    }
    let token = token(&mut asked)?;
    if asked.key.bytes().contains(&b'{') {
        return Err(Error::TaggedRoot.into());
    }
    hold(call, asked, |board, times| board.hold_for_parts((incarnation, token), times))
}

/// Carries out `LB.CATALOG key ROOT incarnation token`.
pub fn root(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    asked.args.finish()?;
    let wall = if call.is_decided() { 0 } else { call.wall() };
    change(call, asked.key, |board| board.become_root(incarnation, token, wall))
}

/// Reads the time for which a board takes no writes, and lets `write` note the times when this begins and ends.
pub(super) fn hold(
    call: &Call<impl Host>,
    mut asked: Asked,
    write: impl FnOnce(&mut Board, (Millis, Millis)) -> Result<(), Error>,
) -> Handled {
    let most = number(asked.args.next()?, "ms")?;
    if most > MAX_HOLD {
        return Err(Error::OutOfRange("ms").into());
    }
    let options = Options::read(asked.args, asked.accepted)?;
    call.time_source(&options)?;
    // Replicas get the time of the primary, so that they hold the part for the same time.
    let now = options.get(&NOW).filter(|_| call.is_decided()).unwrap_or_else(|| call.wall());
    let done = keyspace::change_rules(call, asked.key, |board: &mut Board| {
        write(board, (now, now.saturating_add(most)))?;
        let effect = Effect::Applied(Stamp { now, at: now });
        Ok(((), Commit::at(&effect, c"lb.catalog", &options)))
    })?;
    done.ok_or(Error::NoSuchBoard)?;
    call.reply().ok();
    Ok(())
}

/// Carries out `LB.CATALOG key HALVE incarnation token number parts`.
pub fn halve(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    let (number, parts) = numbered(&mut asked)?;
    let half = Half { number, parts };
    asked.args.finish()?;
    // A replica does what the primary has done, whatever its clock shows.
    let wall = if call.is_decided() { 0 } else { call.wall() };
    if !is_key_of(asked.key.bytes(), half) {
        return Err(Error::Stale("key").into());
    }
    change(call, asked.key, |board| {
        // The copy of a plain board is no part yet.
        if board.schema().role == Role::Whole {
            board.catalog().check(incarnation)?;
        } else {
            part_entry(board, incarnation)?;
        }
        board.halve(half, token, wall)
    })
}

/// Carries out `LB.CATALOG key OPEN incarnation token`.
pub fn open(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    asked.args.finish()?;
    change(call, asked.key, |board| {
        let entry = part_entry(board, incarnation)?;
        let opened = entry.opened(token)?;
        board.set_catalog(opened)?;
        Ok(opened != entry)
    })
}

/// Changes a root or part, and replies OK. `write` returns whether anything has changed.
pub(super) fn change(
    call: &Call<impl Host>,
    key: Argument,
    write: impl FnOnce(&mut Board) -> Result<bool, Error>,
) -> Handled {
    let done = keyspace::change_rules(call, key, |board: &mut Board| {
        let is_changed = write(board)?;
        Ok(((), if is_changed { Commit::as_it_is(c"lb.catalog") } else { Commit::NOTHING }))
    })?;
    done.ok_or(Error::NoSuchBoard)?;
    call.reply().ok();
    Ok(())
}

/// Returns the entry of a part of this incarnation.
pub(super) fn part_entry(board: &Board, incarnation: u64) -> Result<CatalogEntry, Error> {
    match board.schema().role {
        Role::Part { .. } => board.bound_entry(incarnation),
        Role::Whole | Role::Root(_) => Err(Error::NotAPart),
    }
}

/// Returns whether a key is the key of this part of a board.
pub(super) fn is_key_of(key: &[u8], half: Half) -> bool {
    let name = key.iter().rposition(|byte| *byte == b'{').and_then(|at| key.get(..at));
    let name = name.and_then(|name| name.strip_suffix(b":"));
    name.is_some_and(|name| half.parts.key(name, half.number) == key)
}

/// Reads the number of a part, and the number of parts.
pub(super) fn numbered(asked: &mut Asked) -> Read<(u16, Parts)> {
    let own = number(asked.args.next()?, "number")?;
    let parts = target(asked)?;
    let own = u16::try_from(own).ok().filter(|own| *own < parts.count());
    Ok((own.ok_or(Error::OutOfRange("number"))?, parts))
}

fn target(asked: &mut Asked) -> Read<Parts> {
    parts(asked.args.next()?, "parts")
}

pub(super) fn token(asked: &mut Asked) -> Read<u64> {
    let token = number(asked.args.next()?, "token")?;
    if token > 0 { Ok(token) } else { Err(Error::OutOfRange("token").into()) }
}
