//! The first chunk of a saved league, its head: the format, the rules, the clock.

use crate::Error;
use crate::league::{League, LeagueTies, MAX_TIERS, Rules, Tier, TierAmount};
use crate::share::Share;
use crate::snapshot::chunk::Emit;
use crate::snapshot::rules::{
    CLOCKS, WRONG_SCHEMA, code, one_of, read_calendar, read_share, read_unit, write_calendar, write_share,
    write_unit,
};
use crate::snapshot::wire::{Reader, moment, put_bytes, put_number};

const HEAD: u8 = 1;
/// The rules for equal scores, by their codes. The codes are saved: never change them.
const ALL_TIES: [LeagueTies; 2] = [LeagueTies::Scored, LeagueTies::Joined];

/// The version of the format. It is increased when older software cannot read the new format. The formats before can be read
/// too: format 1 does not contain the order in which seasons were written to, format 2 does not contain the rule for equal scores, and
/// format 3 does not contain prizes.
const FORMAT: u8 = 4;
/// The first format with the rule for equal scores.
const TIES: u8 = 3;
/// The first format with prizes.
pub const PRIZES: u8 = 4;
/// The maximum length of the name of a tier that is read. The rules check other properties of names.
const MAX_NAME: usize = crate::league::rules::MAX_TIER_NAME;

pub fn write(league: &League, emit: Emit) {
    let rules = &league.rules;
    let mut head = vec![HEAD, FORMAT, rules.decimals, code(&CLOCKS, &rules.clock)];
    write_calendar(&mut head, &rules.calendar);
    write_unit(&mut head, rules.unit);
    for number in [rules.group, rules.reward, rules.dedup, rules.retain, rules.idle] {
        put_number(&mut head, u64::from(number));
    }
    write_share(&mut head, Some(rules.join_until));
    put_number(&mut head, league.last);
    put_number(&mut head, rules.tiers.len() as u64);
    for tier in &rules.tiers {
        put_bytes(&mut head, &tier.name);
        write_amounts(&mut head, (tier.promote, tier.demote));
    }
    head.push(code(&ALL_TIES, &rules.ties));
    emit(&head);
}

/// Reads a head. Returns the league, and the version of its format.
pub fn read(chunk: &[u8]) -> Result<(League, u8), Error> {
    let mut reader = Reader(chunk);
    if reader.byte()? != HEAD {
        return Err(Error::Corrupt("it does not begin with a head"));
    }
    let format = reader.byte()?;
    if !(1..=FORMAT).contains(&format) {
        return Err(Error::Corrupt("another format"));
    }
    let (decimals, clock) = (reader.byte()?, one_of(&mut reader, &CLOCKS)?);
    let calendar = read_calendar(&mut reader)?;
    let unit = reader.byte()?;
    let unit = read_unit(&mut reader, unit)?;
    let mut number = || reader.small(WRONG_SCHEMA);
    let [group, reward, dedup, retain, idle] = [number()?, number()?, number()?, number()?, number()?];
    let join_until: Share = read_share(&mut reader)?.ok_or(WRONG_SCHEMA)?;
    let last = moment(reader.number()?)?;
    let count = reader.number()?;
    if count > MAX_TIERS as u64 {
        return Err(WRONG_SCHEMA);
    }
    let tiers = (0..count).map(|_| read_tier(&mut reader)).collect::<Result<_, _>>()?;
    let ties = if format < TIES { LeagueTies::default() } else { one_of(&mut reader, &ALL_TIES)? };
    reader.finish()?;
    let rules = Rules {
        tiers,
        unit,
        ties,
        group,
        reward,
        calendar,
        decimals,
        clock,
        dedup,
        retain,
        idle,
        join_until,
    };
    let mut league = League::new(rules).map_err(|_| WRONG_SCHEMA)?;
    league.last = last;
    Ok((league, format))
}

fn read_tier(reader: &mut Reader) -> Result<Tier, Error> {
    let name = reader.bytes(1, MAX_NAME)?.into();
    let (promote, demote) = read_amounts(reader)?;
    Ok(Tier { name, promote, demote })
}

/// Writes how many members move up, and how many members move down.
pub fn write_amounts(bytes: &mut Vec<u8>, (promote, demote): (TierAmount, TierAmount)) {
    for amount in [promote, demote] {
        // The lowest bit is 1 for a share and 0 for a count.
        put_number(
            bytes,
            match amount {
                TierAmount::Count(count) => u64::from(count) << 1,
                TierAmount::Share(share) => u64::from(share) << 1 | 1,
            },
        );
    }
}

pub fn read_amounts(reader: &mut Reader) -> Result<(TierAmount, TierAmount), Error> {
    let mut amount = || -> Result<TierAmount, Error> {
        let number = reader.number()?;
        let value = u32::try_from(number >> 1).map_err(|_| WRONG_SCHEMA)?;
        let amount = if number & 1 == 0 { TierAmount::Count(value) } else { TierAmount::Share(value) };
        if amount.is_possible() { Ok(amount) } else { Err(WRONG_SCHEMA) }
    };
    Ok((amount()?, amount()?))
}
