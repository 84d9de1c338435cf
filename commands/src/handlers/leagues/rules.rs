//! `LB.LEAGUE.CREATE`, `LB.LEAGUE.ALTER` and `LB.LEAGUE.INFO`.

use leaderboard_core::league::{Reading, Tier, TierAmount};
use leaderboard_core::{Error, League, NativeType};

use super::super::alter;
use super::super::boards::reply_made;
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::boards::NX;

/// Carries out `LB.LEAGUE.CREATE key options`.
pub fn create(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let mut league = League::new(options.league_rules()?)?;
    league.set_prizes(&options.league_prizes(), 0)?;
    let is_new = keyspace::create(call, key, &Commit::as_it_is(c"lb.league.create"), || Ok(league))?;
    reply_made(call, options.has(&NX), is_new, Error::Exists)
}

/// Carries out `LB.LEAGUE.ALTER key [options]`.
pub fn alter(call: &Call<impl Host>) -> Handled {
    alter::alter(call, c"lb.league.alter", Error::NoSuchLeague, |league: &mut League, options, source| {
        let now = league.now_of(source);
        league.alter(&options.league_changes(), now).map(|()| now)
    })
}

/// Carries out `LB.LEAGUE.INFO key [PERIOD period]`.
pub fn info(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    keyspace::read(call, key, |league: Option<&League>| {
        match league {
            Some(league) => reply_info(call, league, &league.read(options.period().unwrap_or_default())?),
            None => call.reply().nil(),
        }
        Ok(())
    })
}

fn reply_info(call: &Call<impl Host>, league: &League, reading: &Reading) {
    let (reply, rules) = (call.reply(), league.rules());
    let now = call.now_of(league);
    let (start, end) = reading.period().map_or((0, 0), |period| (period.start, period.end));
    let amounts = |amount: fn(&Tier) -> TierAmount| {
        rules.tiers.iter().map(|tier| amount(tier).to_string()).collect::<Vec<_>>().join(",").into_bytes()
    };
    let names: Vec<_> = rules.tiers.iter().map(|tier| &*tier.name).collect();
    let words = [
        (&b"tiers"[..], names.join(&b',')),
        (b"promote", amounts(|tier| tier.promote)),
        (b"demote", amounts(|tier| tier.demote)),
        (b"cycle", rules.unit.to_string().into_bytes()),
        (b"ties", rules.ties.to_string().into_bytes()),
        (b"joinuntil", rules.join_until.to_string().into_bytes()),
        (b"tz", rules.calendar.zone.to_string().into_bytes()),
        (b"weekstart", rules.calendar.week_start.to_string().into_bytes()),
        (b"clock", rules.clock.to_string().into_bytes()),
        (
            b"period",
            reading.period().map_or_else(Vec::new, |_| rules.calendar.label(rules.unit, start).into_bytes()),
        ),
    ];
    let numbers = [
        (&b"group"[..], i64::from(rules.group)),
        (b"reward", i64::from(rules.reward)),
        (b"idle", i64::from(rules.idle)),
        (b"retain", i64::from(rules.retain)),
        (b"decimals", i64::from(rules.decimals)),
        (b"origin", rules.calendar.origin.cast_signed()),
        (b"dedup", i64::from(rules.dedup)),
        (b"start", start),
        (b"end", end),
        (b"known", league.members().cast_signed()),
        (b"requests", league.requests(now) as i64),
        (b"now", now.cast_signed()),
        (b"memory", league.memory() as i64),
        (b"prizedays", i64::from(league.prize_days())),
    ];
    let sizes = reading.sizes();
    reply.map(words.len().saturating_add(numbers.len()).saturating_add(3));
    reply.texts(words);
    reply.numbers(numbers);
    reply.bulk(b"members");
    reply.array(sizes.len());
    sizes.iter().for_each(|(members, _)| reply.int(*members));
    reply.bulk(b"groups");
    reply.array(sizes.len());
    sizes.iter().for_each(|(_, groups)| reply.int(*groups));
    reply.bulk(b"prizes");
    let tables: Vec<_> = league.prize_tables().collect();
    reply.array(tables.len());
    tables.iter().for_each(|(tier, table)| reply.bulk(&[tier, &b" "[..], &table.to_bytes()].concat()));
}
