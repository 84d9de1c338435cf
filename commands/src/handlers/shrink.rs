//! The forms of `LB.CATALOG` with which a gateway merges the parts of a board, and makes a plain board of two parts.

use leaderboard_core::board::Half;
use leaderboard_core::catalog::{Hold, State};
use leaderboard_core::{Board, Error};

use super::catalog::Asked;
use super::growth::{change, hold, is_key_of, numbered, part_entry, token};
use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::options::boards::{parts, parts_or_plain};

/// Carries out `LB.CATALOG key SHRINK incarnation revision parts`.
pub fn shrink(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let (incarnation, revision) = (asked.incarnation()?, asked.revision()?);
    let target = parts_or_plain(asked.args.next()?, "parts")?;
    asked.args.finish()?;
    change(call, asked.key, |board| board.begin_shrinking(incarnation, revision, target))
}

/// Carries out `LB.CATALOG key SHRUNK incarnation parts`.
pub fn shrunk(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let target = parts(asked.args.next()?, "parts")?;
    asked.args.finish()?;
    change(call, asked.key, |board| board.finish_shrinking(incarnation, target))
}

/// Carries out `LB.CATALOG key HOLD incarnation token ms`.
pub fn hold_root(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    hold(call, asked, |board, (now, until)| {
        let entry = board.root_entry(incarnation)?;
        if entry.state != State::Shrinking || entry.target.is_some() {
            return Err(Error::Stale("state"));
        }
        board.set_catalog(entry.held(token, now, until)?)
    })
}

/// Carries out `LB.CATALOG key SAVED incarnation token`.
pub fn saved(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    asked.args.finish()?;
    let bytes = keyspace::read_rules(call, asked.key, |board: Option<&Board>| {
        let board = board.ok_or(Error::NoSuchBoard)?;
        if part_entry(board, incarnation)?.hold.map(Hold::token) != Some(token) {
            return Err(Error::Stale("token").into());
        }
        Ok(board.to_bytes())
    })?;
    call.reply().bulk(&bytes);
    Ok(())
}

/// Carries out `LB.CATALOG key GIVE incarnation token`.
pub fn give(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    asked.args.finish()?;
    let wall = wall(call);
    change(call, asked.key, |board| {
        let entry = part_entry(board, incarnation)?;
        let given = entry.given(token, wall)?;
        board.set_catalog(given)?;
        Ok(given != entry)
    })
}

/// Carries out `LB.CATALOG key MERGE incarnation token number parts board`.
pub fn merge(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    let (number, parts) = numbered(&mut asked)?;
    let other = asked.args.next()?;
    asked.args.finish()?;
    let (wall, half) = (wall(call), Half { number, parts });
    if !is_key_of(asked.key.bytes(), half) {
        return Err(Error::Stale("key").into());
    }
    let other = Board::from_bytes(other)?;
    change(call, asked.key, |board| {
        part_entry(board, incarnation)?;
        board.merge(&other, half, token, wall)
    })
}

/// Carries out `LB.CATALOG key PLAIN incarnation token board board`.
pub fn plain(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = token(&mut asked)?;
    let (low, high) = (asked.args.next()?, asked.args.next()?);
    asked.args.finish()?;
    let (low, high, wall) = (Board::from_bytes(low)?, Board::from_bytes(high)?, wall(call));
    change(call, asked.key, |board| board.become_plain([&low, &high], (incarnation, token), wall))
}

/// Returns the server's clock. A replica does what the primary has done, whatever its clock shows.
fn wall(call: &Call<impl Host>) -> u64 {
    if call.is_decided() { 0 } else { call.wall() }
}
