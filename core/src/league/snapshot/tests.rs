#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

use proptest::prelude::*;

use crate::board::PrizePage;
use crate::calendar::{Unit, When};
use crate::event::Event;
use crate::league::{Alter, League, PrizeChanges, Rules, Tier, TierAmount};
use crate::native::{NativeType, Work};
use crate::prizes::PrizeTable;
use crate::time::{Clock, TimeSource};
use crate::{Decimal, Error};

const DAY: u64 = 86_400_000;

/// Returns a league in its fourth day with data in each part.
fn league(works: bool) -> League {
    let names: [&[u8]; 3] = [b"low", b"mid", b"top"];
    let (promote, demote) = ([2, 1, 0].map(TierAmount::Count), [0, 1, 2].map(TierAmount::Count));
    let rules = Rules::new(Tier::all(&names, &promote, &demote).unwrap(), Unit::Day);
    let mut league = League::new(Rules { group: 3, reward: 1, clock: Clock::Event, ..rules }).unwrap();
    let origin = TimeSource::Client { wall: 0, max_future: 0 };
    for day in 0..4_u64 {
        for number in (0..20_u64).filter(|number| (number + day) % 3 > 0) {
            let (at, name) = (Some(day * DAY + number / 2), format!("member{number}"));
            let id = number.to_le_bytes();
            let event = Event { at, request: Some(&id), origin };
            league.join(&event, name.as_bytes(), Some(&id[..number as usize % 5])).unwrap();
            league.add(&event, Decimal::whole((number * 7 % 10) as i64), name.as_bytes()).unwrap();
        }
        while works && league.work(0) == Work::Now {}
    }
    assert!(league.remove(b"member3", 3 * DAY) && league.remove(b"member4", 3 * DAY));
    assert_eq!(league.set_tier(b"new", b"mid"), Ok(true));
    league.alter(&Alter { reward: Some(2), ..Alter::default() }, 3 * DAY).unwrap();
    league
}

fn chunks(league: &League) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    league.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn load(chunks: &[Vec<u8>]) -> Result<League, Error> {
    let mut league = League::load(chunks.first().ok_or(Error::Corrupt("nothing"))?)?;
    for chunk in &chunks[1..] {
        league.load_chunk(chunk)?;
    }
    if league.is_loading() { Err(Error::Loading) } else { Ok(league) }
}

#[test]
fn what_was_worked_off_does_not_show() {
    let saved = chunks(&league(false));
    assert_eq!(saved, chunks(&league(true)));
    let loaded = load(&saved).unwrap();
    loaded.check();
    assert_eq!(chunks(&loaded), saved);
}

#[test]
fn the_first_format_is_read() {
    let saved = chunks(&league(true));
    let mut old = saved.clone();
    // The last byte of a head is the rule for equal scores. Formats 1 and 2 do not have it.
    old[0].pop();
    old[0][1] = 1;
    // The last two numbers of the end are those of tables and winners. Formats 1 to 3 do not have them.
    let end = old.last_mut().unwrap();
    end.truncate(end.len() - 2);
    // The last number of a season gives the order of writes. Format 1 does not have it.
    old.iter_mut().filter(|chunk| chunk[0] == super::seasons::SEASON).for_each(|chunk| _ = chunk.pop());
    let loaded = load(&old).unwrap();
    loaded.check();
    assert_eq!(chunks(&loaded), saved);
}

#[test]
fn every_part_is_needed_once() {
    let saved = chunks(&league(true));
    for at in 1..saved.len() {
        let mut without = saved.clone();
        without.remove(at);
        assert!(load(&without).is_err(), "without chunk {at}");
        let mut twice = saved.clone();
        twice.insert(at, saved[at].clone());
        assert!(load(&twice).is_err(), "with chunk {at} twice");
    }
}

/// Checks that damaged bytes are refused or are loaded as a sound league.
fn try_damaged(damaged: &[Vec<u8>]) {
    if let Ok(league) = load(damaged) {
        league.check();
        let saved = chunks(&league);
        assert_eq!(chunks(&load(&saved).unwrap()), saved);
    }
}

/// Returns the chunks of a league with prizes, of which somebody has claimed one.
fn with_prizes() -> Vec<Vec<u8>> {
    let mut league = league(true);
    let table = PrizeTable::parse(b"1=gold,1-100%=badge").unwrap();
    let tier = league.rules().name(0).into();
    league.set_prizes(&PrizeChanges { tables: vec![(tier, table)], days: Some(9) }, 0).unwrap();
    let page = PrizePage { cursor: 0, count: 9, unclaimed: false };
    let won = (1..9).find_map(|back| {
        let rows = league.prize_rows(When::Back(back), page, league.last()).unwrap().1;
        Some((back, rows.first()?.member.clone()))
    });
    let (back, member) = won.unwrap();
    let origin = TimeSource::Decided { now: None };
    assert!(league.claim_prize(&member, When::Back(back), Some(b"id"), origin).unwrap().is_first);
    chunks(&league)
}

#[test]
fn damaged_bytes_do_no_harm() {
    damage_each_byte(&chunks(&league(true)));
    damage_each_byte(&with_prizes());
}

fn damage_each_byte(saved: &[Vec<u8>]) {
    for (number, chunk) in saved.iter().enumerate() {
        for at in 0..chunk.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, chunk[at] ^ 1, chunk[at].wrapping_add(1)] {
                let mut damaged = saved.to_vec();
                damaged[number][at] = byte;
                try_damaged(&damaged);
            }
            let mut short = saved.to_vec();
            short[number].truncate(at);
            assert!(load(&short).is_err());
        }
    }
}

proptest! {
    #[test]
    fn damage_in_many_places_does_no_harm(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6),
        order in any::<Option<(prop::sample::Index, prop::sample::Index)>>(),
    ) {
        let mut damaged = chunks(&league(true));
        for (number, at, byte) in damage {
            let number = number.index(damaged.len());
            let at = at.index(damaged[number].len());
            damaged[number][at] = byte;
        }
        if let Some((a, b)) = order {
            let (a, b) = (a.index(damaged.len()), b.index(damaged.len()));
            damaged.swap(a, b);
        }
        try_damaged(&damaged);
    }
}
