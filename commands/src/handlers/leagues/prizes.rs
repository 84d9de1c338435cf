//! `LB.LEAGUE.PRIZES` and `LB.LEAGUE.CLAIM`.

use leaderboard_core::calendar::When;
use leaderboard_core::{Error, League};

use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::handlers::prizes::page;
use crate::host::Host;
use crate::keyspace;
use crate::options::writing::ID;

/// Carries out `LB.LEAGUE.PRIZES key cursor [options]`.
pub fn list(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let cursor = args.count("cursor")?;
    let options = call.options(args)?;
    let page = page(cursor, &options)?;
    let when = options.period().unwrap_or(When::Back(1));
    keyspace::read(call, key, |league: Option<&League>| {
        let reply = call.reply();
        let rows = league.map(|league| league.prize_rows(when, page, call.now_of(league))).transpose()?;
        let (next, rows) = rows.unwrap_or_default();
        reply.array(2);
        reply.text(next);
        reply.array(rows.len());
        for row in rows {
            let Some(league) = league else { continue };
            reply.array(7);
            reply.bulk(league.rules().name(row.tier));
            reply.int(row.group);
            reply.int(row.rank);
            reply.bulk(&row.member);
            reply.score(row.score, &league.rules().notation());
            reply.bulk(&row.prize);
            match row.claimed {
                Some(claimed) => reply.int(claimed),
                None => reply.nil(),
            }
        }
        Ok(())
    })
}

/// Carries out `LB.LEAGUE.CLAIM key member [options]`.
pub fn claim(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let source = call.time_source(&options)?;
    let when = options.period().unwrap_or(When::Back(1));
    let claimed = keyspace::change(call, key, |league: &mut League| {
        let claimed = league.claim_prize(member, when, options.text(&ID), source)?;
        let commit = Commit::at(&claimed, c"lb.league.claim", &options);
        Ok((claimed, commit))
    })?;
    let (reply, claimed) = (call.reply(), claimed.ok_or(Error::NoSuchLeague)?);
    match claimed.prize {
        Some(prize) => {
            reply.array(3);
            reply.bulk(&prize.prize);
            reply.int(prize.rank);
            reply.int(u64::from(claimed.is_first));
        }
        None => reply.nil(),
    }
    Ok(())
}
