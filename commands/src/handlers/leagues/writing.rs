//! `LB.LEAGUE.JOIN`, `LB.LEAGUE.ADD`, `LB.LEAGUE.REM`, `LB.LEAGUE.TIER` and `LB.LEAGUE.SETMETA`.

use leaderboard_core::board::Effect;
use leaderboard_core::league::{GroupZone, Joining, Last, Place};
use leaderboard_core::notation::Notation;
use leaderboard_core::{Error, Event, League};

use super::reading::reply_place;
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::handlers::writing;
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::leagues::META;
use crate::options::reading::AT;
use crate::options::writing::ID;
use crate::refusal::Refusal;

fn write_of<'a>(call: &Call<impl Host>, options: &Options<'a>) -> Result<Event<'a>, Refusal> {
    Ok(Event { at: options.get(&AT), request: options.text(&ID), origin: call.time_source(options)? })
}

/// The data of the reply to a join.
struct Answer {
    joining: Joining,
    /// The names of the current and of the last tier, and the label of the last period.
    tier: Vec<u8>,
    last_tier: Vec<u8>,
    last_period: String,
    notation: Notation,
}

impl Answer {
    fn new(league: &League, joining: Joining) -> Self {
        let rules = league.rules();
        let name =
            |place: Option<Place>| place.map(|place| rules.name(place.tier).to_vec()).unwrap_or_default();
        let last_period = joining.last.map(|last| rules.calendar.label(rules.unit, last.start));
        Self {
            joining,
            tier: name(joining.place),
            last_tier: name(joining.last.map(|last| last.place)),
            last_period: last_period.unwrap_or_default(),
            notation: rules.notation(),
        }
    }
}

/// Carries out `LB.LEAGUE.JOIN key member [options]`.
pub fn join(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let (write, meta) = (write_of(call, &options)?, options.text(&META));
    let answer = keyspace::change(call, key, |league: &mut League| {
        let joining = league.join(&write, member, meta)?;
        let event = if joining.joined { c"lb.league.join" } else { c"lb.league.setmeta" };
        // If the member has already joined, this does not count as a repeated request.
        let is_nothing = joining.effect == Effect::Repeated;
        let commit = if is_nothing { Commit::NOTHING } else { Commit::written(&joining, event, &options) };
        Ok((Answer::new(league, joining), commit))
    })?;
    reply_join(call, &answer.ok_or(Error::NoSuchLeague)?);
    Ok(())
}

fn reply_join(call: &Call<impl Host>, answer: &Answer) {
    let (reply, joining) = (call.reply(), &answer.joining);
    reply.map(7);
    match &joining.place {
        Some(place) => reply_place(call, &answer.tier, place),
        None => {
            for name in [&b"tier"[..], b"group", b"rank", b"members"] {
                reply.bulk(name);
                reply.nil();
            }
        }
    }
    reply.bulk(b"joined");
    reply.int(u64::from(joining.joined));
    reply.bulk(b"waiting");
    reply.int(u64::from(joining.waiting));
    reply.bulk(b"last");
    match &joining.last {
        Some(last) => reply_last(call, answer, last),
        None => reply.nil(),
    }
}

fn reply_last(call: &Call<impl Host>, answer: &Answer, last: &Last) {
    let reply = call.reply();
    reply.map(8);
    reply.bulk(b"period");
    reply.bulk(answer.last_period.as_bytes());
    reply_place(call, &answer.last_tier, &last.place);
    reply.bulk(b"score");
    reply.score(last.place.score, &answer.notation);
    reply.bulk(b"outcome");
    reply.bulk(match last.zone {
        GroupZone::Promote => b"promoted",
        GroupZone::Stay => b"stayed",
        GroupZone::Demote => b"demoted",
    });
    reply.bulk(b"reward");
    reply.int(last.reward);
}

/// Carries out `LB.LEAGUE.ADD key points member [options]`.
pub fn add(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (points, member) = (args.decimal("points")?, args.member()?);
    let options = call.options(args)?;
    let write = write_of(call, &options)?;
    let answer = keyspace::change(call, key, |league: &mut League| {
        let outcome = league.add(&write, points, member)?;
        let commit = Commit::written(&outcome, c"lb.league.add", &options);
        Ok(((outcome, league.rules().notation()), commit))
    })?;
    let (outcome, notation) = answer.ok_or(Error::NoSuchLeague)?;
    let positions = writing::positions(write.origin, &options);
    writing::reply(call, &writing::Answer { outcome, notation, within: None }, positions);
    Ok(())
}

/// Carries out `LB.LEAGUE.REM key member [member ...]`.
pub fn remove(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let source = call.time_source_before(&mut args)?;
    let list = args.rest();
    let members = args.members()?;
    let removed = keyspace::change(call, key, |league: &mut League| {
        // The period that the members leave depends on the current time.
        let now = league.now_of(source);
        let removed = members.iter().filter(|member| league.remove(member, now)).count();
        let change = KeyChange { event: c"lb.league.rem", sent: Sent::AsOf(now, list) };
        Ok((removed, Commit { count: None, change: (removed > 0).then_some(change) }))
    })?;
    call.reply().int(removed.unwrap_or(0) as u64);
    Ok(())
}

/// Carries out `LB.LEAGUE.TIER key member tier`.
pub fn tier(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (member, tier) = (args.member()?, args.next()?);
    args.finish()?;
    let done = keyspace::change(call, key, |league: &mut League| {
        let changed = league.set_tier(member, tier)?;
        Ok(((), if changed { Commit::as_it_is(c"lb.league.tier") } else { Commit::NOTHING }))
    })?;
    done.ok_or(Error::NoSuchLeague)?;
    call.reply().ok();
    Ok(())
}

/// Carries out `LB.LEAGUE.SETMETA key member meta`.
pub fn meta(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let meta = args.meta()?;
    args.finish()?;
    let done = keyspace::change(call, key, |league: &mut League| {
        let changed = league.set_meta(member, meta)?;
        Ok(((), if changed { Commit::as_it_is(c"lb.league.setmeta") } else { Commit::NOTHING }))
    })?;
    done.ok_or(Error::NoSuchLeague)?;
    call.reply().ok();
    Ok(())
}
