//! The members: names and metas, the tiers that were set for them, and the outcomes of members whose last season is
//! out of reach of RETAIN.

use crate::Error;
use crate::board::MAX_META;
use crate::index::MemberId;
use crate::league::records::Active;
use crate::league::{GroupZone, Last, League, Place};
use crate::members::MAX_NAME;
use crate::repeats::repeats;
use crate::score::Score;
use crate::secret::HashMap;
use crate::snapshot::chunk::{Emit, PartWriter, items};
use crate::snapshot::wire::{Reader, put_bytes, put_number, put_signed, rank_key, start};

pub const MEMBERS: u8 = 2;

/// The flag of a member with a tier for its next join.
const WITH_TIER: u8 = 1;
/// The flag of a member whose last season cannot be read any more.
const WITH_LAST: u8 = 2;
/// The flag of an outcome with a reward.
const REWARDED: u8 = 4;
/// The lower bit of the two bits for the zone of an outcome.
const ZONE: u32 = 3;
const ZONES: [GroupZone; 3] = [GroupZone::Promote, GroupZone::Stay, GroupZone::Demote];

/// The places of all members that are saved.
pub type Places = HashMap<MemberId, u64>;

/// Writes all members that a season contains or of which other data is stored. Returns their places, and the number
/// of members.
pub fn write(league: &League, emit: Emit) -> (Places, u64) {
    let (order, places) = in_order(league);
    let mut part = PartWriter::new(vec![MEMBERS], (), emit);
    for id in order {
        write_member(league, id, &mut part.bytes);
        part.end_item(());
    }
    (places, part.finish())
}

/// Returns the members in the order of the seasons, and then the other members by name.
fn in_order(league: &League) -> (Vec<MemberId>, Places) {
    let (mut order, mut places) = (Vec::new(), Places::default());
    let mut add = |id: MemberId| {
        let place = order.len() as u64;
        if let std::collections::hash_map::Entry::Vacant(entry) = places.entry(id) {
            entry.insert(place);
            order.push(id);
        }
    };
    for season in league.seasons.kept() {
        season.each(&mut |_, id| add(id));
    }
    let is_other = |id: &MemberId| !places.contains_key(id) && league.records.is_known(*id);
    let mut others: Vec<_> = league.records.ids().filter(is_other).collect();
    others.sort_unstable_by(|a, b| league.records.name(*a).cmp(league.records.name(*b)));
    for id in others {
        places.insert(id, order.len() as u64);
        order.push(id);
    }
    (order, places)
}

fn write_member(league: &League, id: MemberId, bytes: &mut Vec<u8>) {
    let records = &league.records;
    put_bytes(bytes, records.name(id));
    put_bytes(bytes, records.meta(id).unwrap_or_default());
    let (tier, last) = (records.tier(id), out_of_reach(league, id));
    let mut flags = if tier.is_some() { WITH_TIER } else { 0 };
    if let Some(last) = &last {
        let zone = ZONES.iter().position(|zone| *zone == last.zone).unwrap_or(0) as u8;
        flags |= WITH_LAST | if last.reward > 0 { REWARDED } else { 0 } | zone << ZONE;
    }
    bytes.push(flags);
    bytes.extend(tier);
    if let Some(Last { start, place, .. }) = last {
        put_signed(bytes, start);
        for number in [place.tier as u64, place.group, place.rank, place.members] {
            put_number(bytes, number);
        }
        put_number(bytes, place.score.descending());
    }
}

/// Returns the outcome of a member whose last season cannot be read any more.
fn out_of_reach(league: &League, id: MemberId) -> Option<Last> {
    match league.records.active(id) {
        Active::Never => None,
        Active::Settled => league.last_of(id),
        Active::In(number) => {
            let dropped = league.seasons.dropped.iter().any(|season| season.head.number == number);
            dropped.then(|| league.last_of(id)).flatten()
        }
    }
}

/// A member that was read.
struct Saved<'a> {
    name: &'a [u8],
    meta: &'a [u8],
    tier: Option<u8>,
    last: Option<Last>,
}

pub fn read(league: &mut League, reader: &mut Reader) -> Result<(), Error> {
    let tiers = league.rules.tiers.len();
    let saved = items(reader, |reader, _| read_member(reader, tiers))?;
    let is_new = |member: &Saved| league.records.find(member.name).is_none();
    if repeats(saved.iter().map(|member| member.name)) || !saved.iter().all(is_new) {
        return Err(Error::Corrupt("a member comes twice"));
    }
    if league.loading.as_ref().is_none_or(|loading| loading.seasons > 0) {
        return Err(Error::Corrupt("members behind a season"));
    }
    for member in saved {
        let id = league.records.insert(member.name)?;
        league.records.set_meta(id, member.meta)?;
        league.records.set_tier(id, member.tier);
        if let Some(last) = member.last {
            league.settled.insert(id, &last);
            league.records.set_active(id, Active::Settled);
        }
        if let Some(loading) = &mut league.loading {
            loading.members.push(id);
        }
    }
    Ok(())
}

fn read_member<'a>(reader: &mut Reader<'a>, tiers: usize) -> Result<Saved<'a>, Error> {
    let (name, meta) = (reader.bytes(1, MAX_NAME)?, reader.bytes(0, MAX_META)?);
    let flags = reader.byte()?;
    let zone = ZONES.get(usize::from(flags >> ZONE)).copied().ok_or(Error::Corrupt("a flag"))?;
    let wrong = Error::Corrupt("a tier");
    let tier = if flags & WITH_TIER > 0 { Some(reader.byte()?) } else { None };
    if tier.is_some_and(|tier| usize::from(tier) >= tiers) {
        return Err(wrong);
    }
    if flags & WITH_LAST == 0 {
        let is_plain = flags & !WITH_TIER == 0;
        return if is_plain {
            Ok(Saved { name, meta, tier, last: None })
        } else {
            Err(Error::Corrupt("a flag"))
        };
    }
    let start = start(reader)?;
    let of_tier = Some(reader.small::<usize>(wrong)?).filter(|tier| *tier < tiers).ok_or(wrong)?;
    let mut count = || reader.small::<u32>(Error::Corrupt("a place")).map(u64::from);
    let (group, rank, members) = (count()?, count()?, count()?);
    if group == 0 || rank == 0 || rank > members {
        return Err(Error::Corrupt("a place"));
    }
    let score = Score::from_descending(rank_key(reader, 0)?);
    let place = Place { tier: of_tier, group, rank, members, score };
    let beyond = (zone == GroupZone::Promote && of_tier.saturating_add(1) == tiers)
        || (zone == GroupZone::Demote && of_tier == 0);
    if beyond {
        return Err(wrong);
    }
    let last = Last { start, place, zone, reward: if flags & REWARDED > 0 { rank } else { 0 } };
    Ok(Saved { name, meta, tier, last: Some(last) })
}
