//! The entries of a season: group after group, best first, each with the place of its member. Entries of the open
//! season have their moments too.

use super::members::Places;
use super::seasons::{ComingEntries, ComingSeason};
use crate::Error;
use crate::index::{Key, MemberId};
use crate::league::League;
use crate::league::records::Active;
use crate::league::season::Season;
use crate::repeats::repeats;
use crate::snapshot::chunk::{Emit, PartWriter, items};
use crate::snapshot::wire::{Reader, moment, put_difference, rank_key_of};

pub const ENTRIES: u8 = 8;

/// The bit of a member that was last active in the season.
const ACTIVE: u64 = 1;
/// The bit of a member that was removed after the season ended.
const REMOVED: u64 = 2;
/// How many bits are below a place.
const BITS: u32 = 2;

/// An entry as it is saved.
#[derive(Debug, Clone, Copy, Default)]
struct SavedEntry {
    /// The place of the member; the lowest two bits are [`ACTIVE`] and [`REMOVED`].
    member: u64,
    key: Key,
}

pub fn write(league: &League, season: &Season, places: &Places, emit: Emit) -> u64 {
    let mut part = PartWriter::new(vec![ENTRIES], SavedEntry::default(), emit);
    let is_open = league.seasons.open.as_ref().is_some_and(|open| open.head.number == season.head.number);
    let mut put = |key: Key, id: MemberId| {
        let is_active = league.records.active(id) == Active::In(season.head.number);
        let how =
            if is_active { ACTIVE } else { 0 } | if season.removed.get(id).is_some() { REMOVED } else { 0 };
        let member = places.get(&id).copied().unwrap_or(0) << BITS | how;
        let SavedEntry { member: place, key: before } = part.before;
        put_difference(&mut part.bytes, place, member);
        put_difference(&mut part.bytes, before.rank_key, key.rank_key);
        if is_open {
            put_difference(&mut part.bytes, before.moment, key.moment);
        }
        part.end_item(SavedEntry { member, key });
    };
    match season.live().filter(|_| is_open) {
        Some(live) => {
            for (_, group) in live.groups.in_order() {
                group.index.iter_from(0).for_each(|(key, id)| put(key, id));
            }
        }
        None => season.each(&mut |rank_key, id| put(Key { rank_key, moment: 0 }, id)),
    }
    part.finish()
}

pub fn read(league: &mut League, reader: &mut Reader) -> Result<(), Error> {
    let Some(mut loading) = league.loading.take() else { return Err(Error::Corrupt("an unknown part")) };
    let taken = match &mut loading.season {
        Some(season) => take(league, season, &loading.members, reader),
        None => Err(Error::Corrupt("a part without its season")),
    };
    if let Ok(count) = taken {
        loading.entries = loading.entries.saturating_add(count);
    }
    league.loading = Some(loading);
    taken.map(|_| ())
}

/// Adds the entries of a chunk to the season, or none of them. Returns how many entries the chunk has.
fn take(
    league: &mut League,
    season: &mut ComingSeason,
    members: &[MemberId],
    reader: &mut Reader,
) -> Result<u64, Error> {
    let is_open = season.is_open();
    let saved = items(reader, |reader, before| read_entry(reader, before, is_open))?;
    let ids = saved.iter().map(|entry| {
        let id = usize::try_from(entry.member >> BITS).ok().and_then(|place| members.get(place));
        id.copied().ok_or(Error::Corrupt("a member that was not named"))
    });
    let ids: Vec<_> = ids.collect::<Result<_, _>>()?;
    if repeats(ids.iter()) || ids.iter().any(|id| season.named.contains(id)) {
        return Err(Error::Corrupt("a member comes twice"));
    }
    for (id, entry) in ids.iter().zip(&saved) {
        let how = entry.member & (ACTIVE | REMOVED);
        let is_elsewhere = how == ACTIVE && league.records.active(*id) != Active::Never;
        // A member without [`ACTIVE`] in the open season must have been removed.
        if is_elsewhere || how == ACTIVE | REMOVED || (is_open && how == 0) {
            return Err(Error::Corrupt("where a member was last active"));
        }
    }
    let cursors = season.take(saved.iter().map(|entry| entry.key))?;
    for ((id, entry), cursor) in ids.into_iter().zip(&saved).zip(&cursors) {
        let is_active = entry.member & ACTIVE > 0;
        if entry.member & REMOVED > 0 {
            season.removed.insert(id, ());
        }
        if is_active {
            league.records.set_active(id, Active::In(season.head.number));
        }
        match &mut season.entries {
            ComingEntries::Packed(packer) => packer.push(entry.key.rank_key, id),
            ComingEntries::Live(live) => {
                let group = live.groups.id(cursor.tier, cursor.group).unwrap_or_default();
                if is_active {
                    league.records.set_group(id, group);
                } else {
                    live.moved.insert(id, group);
                }
                live.groups.insert(group, entry.key, id, &mut league.records);
            }
        }
        season.named.insert(id);
        season.go_on(*cursor);
    }
    Ok(saved.len() as u64)
}

fn read_entry(reader: &mut Reader, before: Option<&SavedEntry>, is_open: bool) -> Result<SavedEntry, Error> {
    let before = before.copied().unwrap_or_default();
    let member = reader.difference(before.member)?;
    let rank_key = rank_key_of(reader.difference(before.key.rank_key)?)?;
    let moment = if is_open { moment(reader.difference(before.key.moment)?)? } else { 0 };
    Ok(SavedEntry { member, key: Key { rank_key, moment } })
}
