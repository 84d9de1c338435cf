//! `LB.CATALOG`: changes the catalogue entry of a root or a part. The commands that only the gateway carries out are
//! refused here.

use leaderboard_core::board::Effect;
use leaderboard_core::catalog::{CatalogEntry, Hold, State};
use leaderboard_core::parts::Role;
use leaderboard_core::time::Stamp;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Error, Schema};

use crate::argument::Argument;
use crate::arguments::{Args, Read};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::boards::parts_or_plain;
use crate::options::catalog::{TOKEN, TOLD, number};
use crate::options::{List, Options};

/// The key and the arguments of one form of the command, and the options that the form accepts.
pub struct Asked<'a> {
    pub(super) key: Argument<'a>,
    pub(super) args: Args<'a>,
    pub(super) accepted: List,
}

impl<'a> Asked<'a> {
    /// Returns the arguments of a form. The key and the word of the form are taken from `args`.
    pub const fn new(key: Argument<'a>, args: Args<'a>, accepted: List) -> Self {
        Self { key, args, accepted }
    }

    /// Reads the incarnation.
    pub(super) fn incarnation(&mut self) -> Read<u64> {
        number(self.args.next()?, "incarnation")
    }

    /// Reads the number of the rules.
    pub(super) fn revision(&mut self) -> Read<u64> {
        number(self.args.next()?, "revision")
    }
}

/// Carries out `LB.CATALOG key WHOLE incarnation revision [TOLD]`.
pub fn whole(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let (incarnation, revision) = (asked.incarnation()?, asked.revision()?);
    let told = Options::read(asked.args, asked.accepted)?.has(&TOLD);
    set_root(call, asked.key, incarnation, |entry, _| entry.completed(revision, told))
}

/// Carries out `LB.CATALOG key ENDING incarnation`.
pub fn ending(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    asked.args.finish()?;
    set_root(call, asked.key, incarnation, |entry, _| Ok(CatalogEntry { state: State::Ending, ..entry }))
}

/// Changes the entry of a root, and replies OK.
///
/// # Errors
/// The errors of [`Board::root_entry`] or `next`.
pub fn set_root(
    call: &Call<impl Host>,
    key: Argument,
    incarnation: u64,
    next: impl FnOnce(CatalogEntry, Role) -> Result<CatalogEntry, Error>,
) -> Handled {
    let changed = keyspace::change_rules(call, key, |board: &mut Board| {
        let entry = board.root_entry(incarnation)?;
        let next = next(entry, board.schema().role)?;
        board.set_catalog(next)?;
        Ok(((), if next == entry { Commit::NOTHING } else { Commit::as_it_is(c"lb.catalog") }))
    })?;
    changed.ok_or(Error::NoSuchBoard)?;
    call.reply().ok();
    Ok(())
}

/// Carries out `LB.CATALOG key DROP incarnation [TOKEN token]`.
pub fn drop(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    let token = Options::read(asked.args, asked.accepted)?.get(&TOKEN);
    let exists = keyspace::read_rules(call, asked.key, |board: Option<&Board>| {
        let Some(board) = board else { return Ok(false) };
        if board.schema().role == Role::Whole && token.is_some() {
            return drop_copy(board, incarnation, token).map_err(Into::into);
        }
        let entry = board.bound_entry(incarnation)?;
        if token.is_some() && entry.hold.map(Hold::token) != token {
            return Err(Error::Stale("token").into());
        }
        // While the root exists, the parts can be found. So the root is the last key that is deleted.
        let is_root = board.schema().role.part().is_none();
        if is_root && board.state() != State::Ending { Err(Error::Stale("state").into()) } else { Ok(true) }
    })?;
    if exists {
        call.host().delete(asked.key);
    }
    call.reply().int(u64::from(exists));
    Ok(())
}

/// Checks that a plain board is the copy that an attempt has made of another one.
fn drop_copy(board: &Board, incarnation: u64, token: Option<u64>) -> Result<bool, Error> {
    let entry = board.catalog();
    entry.check(incarnation)?;
    if entry.hold.map(Hold::token) == token { Ok(true) } else { Err(Error::Stale("token")) }
}

/// Carries out `LB.CATALOG key REBIRTH incarnation new`.
pub fn rebirth(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let (incarnation, new) = (asked.incarnation()?, number(asked.args.next()?, "new")?);
    asked.args.finish()?;
    let changed = keyspace::change_rules(call, asked.key, |board: &mut Board| {
        let entry = board.bound_entry(incarnation)?;
        if board.schema().role.part().is_none() {
            return Err(Error::NotAPart.into());
        }
        board.set_catalog(entry.reborn(new))?;
        Ok(((), Commit::as_it_is(c"lb.catalog")))
    })?;
    changed.ok_or(Error::NoSuchBoard)?;
    call.reply().ok();
    Ok(())
}

/// Carries out `LB.CATALOG key PRIZES incarnation [root]`: replies with the saved root, or gives a root that is being restored the
/// prizes of a saved root.
pub fn prizes(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let incarnation = asked.incarnation()?;
    if asked.args.len() == 0 {
        let saved = keyspace::read_rules(call, asked.key, |board: Option<&Board>| {
            let board = board.ok_or(Error::NoSuchBoard)?;
            board.root_entry(incarnation)?;
            Ok(board.to_bytes())
        })?;
        call.reply().bulk(&saved);
        return Ok(());
    }
    let saved = asked.args.next()?;
    asked.args.finish()?;
    let restored = keyspace::change_rules(call, asked.key, |board: &mut Board| {
        board.restore_prizes(incarnation, saved)?;
        Ok(((), Commit::as_it_is(c"lb.catalog")))
    })?;
    restored.ok_or(Error::NoSuchBoard)?;
    call.reply().ok();
    Ok(())
}

/// Carries out `LB.CATALOG key RULES incarnation revision [options]`.
pub fn rules(call: &Call<impl Host>, mut asked: Asked) -> Handled {
    let (incarnation, revision) = (asked.incarnation()?, asked.revision()?);
    let options = Options::read(asked.args, asked.accepted)?;
    let source = call.time_source(&options)?;
    let (schema, specs) = (options.schema(Schema::default()), options.specs(vec![Spec::new(Kind::All)])?);
    let changed = keyspace::change_rules(call, asked.key, |board: &mut Board| {
        let now = board.now_of(source);
        board.advance(now);
        board.adopt(incarnation, revision, (&schema, &specs, &options.voting()))?;
        let effect = Effect::Applied(Stamp { now, at: now });
        Ok(((), Commit::at(&effect, c"lb.alter", &options)))
    })?;
    changed.ok_or(Error::NoSuchBoard)?;
    call.reply().ok();
    Ok(())
}

/// Refuses `LB.RESHARD key parts`, if its arguments are right.
pub fn reshard(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    args.key()?;
    parts_or_plain(args.next()?, "parts")?;
    args.finish()?;
    Err(Error::OnlyGateway.into())
}

/// Refuses a command that only the gateway carries out, if its arguments are right.
pub fn by_gateway(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    args.key()?;
    call.options(args)?;
    Err(Error::OnlyGateway.into())
}
