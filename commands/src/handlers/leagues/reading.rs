//! `LB.LEAGUE.TOP`, `LB.LEAGUE.GROUP` and `LB.LEAGUE.STANDING`.

use leaderboard_core::League;
use leaderboard_core::league::{Group, GroupZone, Place, Standing};

use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::leagues::WITHZONE;
use crate::options::reading::COUNT;

/// Carries out `LB.LEAGUE.TOP key member [options]`.
pub fn top(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    keyspace::read(call, key, |league: Option<&League>| {
        let Some(league) = league else { return nothing(call) };
        let group = league.read(options.period().unwrap_or_default())?.group_of(member);
        rows(call, league, group, &options)
    })
}

/// Carries out `LB.LEAGUE.GROUP key tier group [options]`.
pub fn group(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (tier, number) = (args.next()?, args.count("group")?);
    let options = call.options(args)?;
    keyspace::read(call, key, |league: Option<&League>| {
        let Some(league) = league else { return nothing(call) };
        let group = league.read(options.period().unwrap_or_default())?.group(tier, number)?;
        rows(call, league, group, &options)
    })
}

fn nothing(call: &Call<impl Host>) -> Handled {
    call.reply().array(0);
    Ok(())
}

fn rows(call: &Call<impl Host>, league: &League, group: Option<Group>, options: &Options) -> Handled {
    let reply = call.reply();
    let rows = group.map(|group| group.rows(options.get(&COUNT).unwrap_or(u64::MAX))).unwrap_or_default();
    let zones = group.filter(|_| options.has(&WITHZONE));
    reply.array(rows.len());
    for row in rows {
        reply.array(if zones.is_some() { 5 } else { 4 });
        reply.int(row.rank);
        reply.bulk(league.name(row.id));
        reply.score(row.score, &league.rules().notation());
        match league.meta_of(row.id) {
            Some(meta) => reply.bulk(meta),
            None => reply.nil(),
        }
        zones.iter().for_each(|group| reply.bulk(zone_word(group.zone(row.rank))));
    }
    Ok(())
}

/// Returns the word for what the end of a period means.
const fn zone_word(zone: GroupZone) -> &'static [u8] {
    match zone {
        GroupZone::Promote => b"promote",
        GroupZone::Stay => b"stay",
        GroupZone::Demote => b"demote",
    }
}

/// Carries out `LB.LEAGUE.STANDING key member [options]`.
pub fn standing(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    keyspace::read(call, key, |league: Option<&League>| {
        let reading = league.map(|league| league.read(options.period().unwrap_or_default())).transpose()?;
        let standing = reading.and_then(|reading| reading.standing(member));
        let (reply, Some((league, Standing { place, zone }))) = (call.reply(), league.zip(standing)) else {
            call.reply().nil();
            return Ok(());
        };
        reply.map(6);
        reply_place(call, league.rules().name(place.tier), &place);
        reply.bulk(b"score");
        reply.score(place.score, &league.rules().notation());
        reply.bulk(b"zone");
        reply.bulk(zone_word(zone));
        Ok(())
    })
}

/// Replies with tier, group, rank and members.
pub fn reply_place(call: &Call<impl Host>, tier: &[u8], place: &Place) {
    let reply = call.reply();
    reply.bulk(b"tier");
    reply.bulk(tier);
    for (name, number) in [(&b"group"[..], place.group), (b"rank", place.rank), (b"members", place.members)] {
        reply.bulk(name);
        reply.int(number);
    }
}
