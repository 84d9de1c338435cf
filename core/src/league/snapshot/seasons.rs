//! A saved season without its entries: its start and its rules, and how many members each group has.

use super::head::{read_amounts, write_amounts};
use crate::Error;
use crate::index::{Key, MemberId};
use crate::league::packed::{GroupLengths, PackedSeason};
use crate::league::records::SeasonNumber;
use crate::league::season::{Body, Live, Season, SeasonHead};
use crate::league::zone::Zones;
use crate::league::{League, LeagueTies, MAX_GROUP};
use crate::packed::Packer;
use crate::secret::HashSet;
use crate::snapshot::chunk::{Emit, PartWriter, items};
use crate::snapshot::wire::{Reader, moment, put_number, put_signed, start};
use crate::sorted::Sorted;

pub const SEASON: u8 = 6;
pub const GROUPS: u8 = 7;

/// The flag of the open season.
const OPEN: u8 = 1;
/// The flag of a season that is out of reach of RETAIN but may still be needed.
const HIDDEN: u8 = 2;
/// The maximum number of a season of a saved league.
const LATEST: SeasonNumber = 1 << 30;
const WRONG: Error = Error::Corrupt("a season");
const WRONG_GROUP: Error = Error::Corrupt("a group");

/// A season that is being loaded.
#[derive(Debug, Clone)]
pub struct ComingSeason {
    pub head: SeasonHead,
    /// How many members all groups have together.
    members: u32,
    /// How many members the last group of each tier can have.
    sizes: Vec<u32>,
    /// The number of members of each group that was read.
    shape: GroupLengths,
    cursor: Cursor,
    pub entries: ComingEntries,
    /// The members of all entries that were read.
    pub named: HashSet<MemberId>,
    /// The members that were removed after the season ended.
    pub removed: Sorted<MemberId, ()>,
}

/// The entries of a season that is being loaded.
#[derive(Debug, Clone)]
pub enum ComingEntries {
    Live(Live),
    Packed(Packer),
}

/// The position of the next entry.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cursor {
    pub tier: usize,
    pub group: u64,
    /// How many entries of the group were read, and the key of the last of them.
    taken: u64,
    before: Option<Key>,
}

impl Cursor {
    /// Moves the cursor behind the next entry of a season with these groups. `key` is the key of the entry.
    fn take(&mut self, shape: &GroupLengths, key: Key) -> Result<(), Error> {
        loop {
            match shape.group_len(self.tier, self.group) {
                Some(len) if self.taken < len => break,
                Some(_) => {
                    *self = Self { tier: self.tier, group: self.group.saturating_add(1), ..Self::default() }
                }
                None if self.tier < shape.tiers() => {
                    *self = Self { tier: self.tier.saturating_add(1), ..Self::default() }
                }
                None => return Err(Error::Corrupt("more entries than members of groups")),
            }
        }
        if self.before.is_some_and(|before| key < before) {
            return Err(Error::Corrupt("entries out of order"));
        }
        self.before = Some(key);
        self.taken = self.taken.saturating_add(1);
        Ok(())
    }
}

/// Writes a season. `written` is the number of other seasons that were last written to before this season.
pub fn write(league: &League, season: &Season, written: u64, emit: Emit) {
    let head = &season.head;
    let is_open = league.seasons.open.as_ref().is_some_and(|open| open.head.number == head.number);
    let mut bytes = vec![SEASON, if is_open { OPEN } else { 0 } | if head.hidden { HIDDEN } else { 0 }];
    put_signed(&mut bytes, head.start);
    put_number(&mut bytes, (0..season.tiers()).map(|tier| season.members(tier)).sum());
    put_number(&mut bytes, u64::from(head.zones.reward));
    for (tier, amounts) in head.zones.amounts.iter().enumerate() {
        write_amounts(&mut bytes, *amounts);
        put_number(&mut bytes, u64::from(season.size(tier)));
    }
    put_number(&mut bytes, written);
    if league.rules.ties == LeagueTies::Joined {
        put_number(&mut bytes, head.joined);
    }
    emit(&bytes);
}

/// Reads the next season, without its groups and entries.
pub fn read(league: &mut League, reader: &mut Reader) -> Result<ComingSeason, Error> {
    let flags = reader.byte()?;
    let (is_open, hidden) = (flags & OPEN > 0, flags & HIDDEN > 0);
    let start = start(reader)?;
    let members = reader.small(WRONG)?;
    let reward = reader.small(WRONG)?;
    let (mut amounts, mut sizes) = (Vec::new(), Vec::new());
    for _ in &league.rules.tiers {
        amounts.push(read_amounts(reader)?);
        sizes.push(reader.small(WRONG)?);
    }
    let number = number(league, reader)?;
    let joined = match league.rules.ties {
        LeagueTies::Scored => 0,
        LeagueTies::Joined => moment(reader.number()?)?,
    };
    reader.finish()?;
    let beyond = amounts.last().is_none_or(|(promote, _)| !promote.is_none())
        || amounts.first().is_none_or(|(_, demote)| !demote.is_none());
    let rules = &league.rules;
    let is_start = rules.calendar.period(rules.unit, start).start == start;
    let before = league.loading.as_ref().and_then(|loading| loading.season.as_ref());
    let is_second_open =
        is_open && (league.seasons.open.is_some() || before.is_some_and(ComingSeason::is_open));
    if flags & !(OPEN | HIDDEN) != 0 || beyond || reward > MAX_GROUP || !is_start || is_second_open {
        return Err(WRONG);
    }
    if league.loading.as_ref().and_then(|loading| loading.before).is_some_and(|before| before <= start) {
        return Err(Error::Corrupt("seasons out of order"));
    }
    let zones = Zones { amounts: amounts.into(), reward };
    let head = SeasonHead { start, number, zones, joined, hidden };
    let entries = if is_open {
        ComingEntries::Live(Live::new(sizes.len()))
    } else {
        ComingEntries::Packed(Packer::of_several())
    };
    Ok(ComingSeason {
        head,
        members,
        sizes,
        shape: GroupLengths::default(),
        cursor: Cursor::default(),
        entries,
        named: HashSet::default(),
        removed: Sorted::default(),
    })
}

/// Reads the number of a season: the number of other seasons that were last written to before it. In format 1, it
/// is the number of seasons that begin before it.
fn number(league: &mut League, reader: &mut Reader) -> Result<SeasonNumber, Error> {
    let loading = league.loading.as_mut().ok_or(WRONG)?;
    let number = if loading.format == 1 {
        LATEST.saturating_sub(loading.seasons as SeasonNumber)
    } else {
        reader.small(WRONG)?
    };
    if number > LATEST || !loading.numbers.insert(number) {
        return Err(WRONG);
    }
    league.seasons.take_number(number);
    Ok(number)
}

/// Writes how many members each group has.
pub fn write_groups(season: &Season, emit: Emit) -> u64 {
    let mut part = PartWriter::new(vec![GROUPS], (), emit);
    for tier in 0..season.tiers() {
        for group in 0..season.count(tier) {
            put_number(&mut part.bytes, tier as u64);
            put_number(&mut part.bytes, season.group_len(tier, group));
            part.end_item(());
        }
    }
    part.finish()
}

pub fn read_groups(league: &mut League, reader: &mut Reader) -> Result<(), Error> {
    let tiers = league.rules.tiers.len();
    let groups = items(reader, |reader, before: Option<&(usize, u32)>| {
        let group = (reader.small(WRONG_GROUP)?, reader.small(WRONG_GROUP)?);
        let least = before.map_or(0, |(tier, _)| *tier);
        if (least..tiers).contains(&group.0) && group.1 <= MAX_GROUP { Ok(group) } else { Err(WRONG_GROUP) }
    })?;
    let coming = league.coming()?;
    let goes_on = groups.first().is_none_or(|(tier, _)| tier.saturating_add(1) >= coming.shape.tiers());
    let members = groups
        .iter()
        .fold(u64::from(coming.shape.len()), |sum, (_, len)| sum.saturating_add(u64::from(*len)));
    if !goes_on || coming.cursor.taken > 0 || members > u64::from(coming.members) {
        return Err(WRONG_GROUP);
    }
    groups.iter().for_each(|(tier, len)| coming.push(*tier, *len));
    if let Some(loading) = &mut league.loading {
        loading.groups = loading.groups.saturating_add(groups.len() as u64);
    }
    Ok(())
}

impl ComingSeason {
    /// Begins all tiers up to `tier`, and appends a group to this tier.
    fn push(&mut self, tier: usize, len: u32) {
        self.begin_tiers(tier.saturating_add(1));
        self.shape.push_group(len);
        if let ComingEntries::Live(live) = &mut self.entries {
            live.groups.open(tier, self.sizes.get(tier).copied().unwrap_or(0));
        }
    }

    fn begin_tiers(&mut self, tiers: usize) {
        for size in self.sizes.iter().take(tiers).skip(self.shape.tiers()) {
            self.shape.push_tier(*size);
        }
    }

    /// Returns the cursor after each of the next entries. `keys` are the keys of these entries.
    pub fn take(&self, keys: impl Iterator<Item = Key>) -> Result<Vec<Cursor>, Error> {
        let mut cursor = self.cursor;
        keys.map(|key| cursor.take(&self.shape, key).map(|()| cursor)).collect()
    }

    pub fn go_on(&mut self, cursor: Cursor) {
        self.cursor = cursor;
    }

    pub const fn is_open(&self) -> bool {
        matches!(self.entries, ComingEntries::Live(_))
    }
}

impl League {
    /// Checks that the season that is being loaded is complete.
    pub(super) fn check_coming(&self) -> Result<(), Error> {
        let coming = self.loading.as_ref().and_then(|loading| loading.season.as_ref());
        let is_whole = |coming: &ComingSeason| {
            coming.shape.len() == coming.members && coming.named.len() == coming.members as usize
        };
        if coming.is_none_or(is_whole) { Ok(()) } else { Err(Error::Corrupt("a part is missing")) }
    }

    /// Stores the season whose groups and entries are read next.
    pub(super) fn begin_season(&mut self, season: ComingSeason) {
        if let Some(loading) = &mut self.loading {
            loading.before = Some(season.head.start);
            loading.seasons = loading.seasons.saturating_add(1);
            loading.season = Some(season);
        }
    }

    /// Adds the season that was being loaded to the league. It must be complete, and no member may occur twice in
    /// it.
    pub(super) fn finish_season(&mut self) {
        let Some(mut coming) = self.loading.as_mut().and_then(|loading| loading.season.take()) else {
            return;
        };
        coming.begin_tiers(coming.sizes.len());
        let ComingSeason { head, sizes, shape, entries, removed, .. } = coming;
        match entries {
            ComingEntries::Live(mut live) => {
                for (tier, size) in sizes.into_iter().enumerate() {
                    live.groups.set_size(tier, size);
                }
                self.seasons.open = Some(Box::new(Season { head, body: Body::Live(live), removed }));
            }
            ComingEntries::Packed(packer) => {
                if let Some(packed) = PackedSeason::new(shape, packer) {
                    self.seasons.insert(Season { head, body: Body::Packed(Box::new(packed)), removed });
                }
            }
        }
    }
}
