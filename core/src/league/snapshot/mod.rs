//! A league as bytes, in chunks like the chunks of a board (see [`crate::snapshot`]):
//!
//! ```text
//!  head      format, rules, clock
//!  members   name, meta, tier of the next join, outcome of the last season if it is out of reach
//!  season    start, rules, tiers, whether it is open, number of seasons that were last written before it
//!                                                                          (for each season, latest first)
//!  groups    of a season: number of members of each group
//!  entries   of a season: group after group, best first: member, score; also moment if the season is open
//!  tables    of prizes, and the moments at which they were set
//!  winners   of a tier in a period: member, prize, group, rank, score, claim
//!  requests  request ids that are remembered, oldest first, with their age
//!  end       the number of items of each part
//! ```
//!
//! Members are named in the order of the entries of the seasons, and then the other members by name. After that, a
//! part refers to a member by its place in the list of names. The bytes do not depend on the work that was done
//! between commands.

mod entries;
mod head;
mod members;
mod seasons;

use super::League;
use super::records::SeasonNumber;
use crate::Error;
use crate::index::MemberId;
use crate::secret::HashSet;
use crate::snapshot::chunk::{Emit, read_end, write_end};
use crate::snapshot::prizes::{self, OpenPayout, TABLES, WINNERS};
use crate::snapshot::requests;
use crate::snapshot::wire::Reader;
use seasons::ComingSeason;

const END: u8 = 5;

/// Data that a league has only while it is being loaded.
#[derive(Debug, Clone, Default)]
pub struct Loading {
    /// The members, by their places.
    members: Vec<MemberId>,
    /// The season whose entries are being loaded.
    season: Option<ComingSeason>,
    /// The version of the format in which the league was saved.
    format: u8,
    /// The numbers of the seasons that were read.
    numbers: HashSet<SeasonNumber>,
    /// How many seasons, groups and entries were read.
    seasons: u64,
    groups: u64,
    entries: u64,
    /// The start of the last season that was read. The next season must begin before it.
    before: Option<i64>,
    /// The payout whose winners are being read.
    payout: Option<OpenPayout>,
}

impl League {
    pub(super) fn save_chunks(&self, mut emit: impl FnMut(&[u8])) {
        let emit: Emit = &mut emit;
        head::write(self, emit);
        let (places, members) = members::write(self, emit);
        let [mut seasons, mut groups, mut entries] = [0_u64; 3];
        let mut numbers: Vec<_> = self.seasons.kept().map(|season| season.head.number).collect();
        numbers.sort_unstable();
        for season in self.seasons.kept() {
            seasons = seasons.saturating_add(1);
            let written = numbers.partition_point(|number| *number < season.head.number);
            seasons::write(self, season, written as u64, emit);
            groups = groups.saturating_add(seasons::write_groups(season, emit));
            entries = entries.saturating_add(entries::write(self, season, &places, emit));
        }
        let put_name = |chunk: &mut Vec<u8>, tier: u8| chunk.push(tier);
        let [tables, winners] = prizes::write(self.prizes.as_deref(), put_name, emit);
        let requests = requests::write(self.requests.as_deref(), self.last, self.keep(), emit);
        write_end(END, &[members, seasons, groups, entries, requests, tables, winners], emit);
    }

    pub(super) fn load_head(chunk: &[u8]) -> Result<Self, Error> {
        let (mut league, format) = head::read(chunk)?;
        league.loading = Some(Box::new(Loading { format, ..Loading::default() }));
        Ok(league)
    }

    pub(super) fn load_next(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        if self.loading.is_none() {
            return Err(Error::Exists);
        }
        let mut reader = Reader(chunk);
        let kind = reader.byte()?;
        if matches!(kind, seasons::SEASON | requests::REQUESTS | END) {
            self.check_coming()?;
        }
        if kind != WINNERS {
            self.finish_payout()?;
        }
        match kind {
            members::MEMBERS => members::read(self, &mut reader)?,
            seasons::SEASON => {
                let next = seasons::read(self, &mut reader)?;
                self.finish_season();
                self.begin_season(next);
            }
            seasons::GROUPS => seasons::read_groups(self, &mut reader)?,
            entries::ENTRIES => entries::read(self, &mut reader)?,
            TABLES => self.read_tables(&mut reader)?,
            WINNERS => self.read_winners(&mut reader)?,
            requests::REQUESTS => {
                let (last, keep) = (self.last, self.keep());
                requests::read(&mut self.requests, last, keep, &mut reader)?;
                self.finish_season();
            }
            END => {
                let counts = self.counts_loaded();
                let has_prizes = self.loading.as_ref().is_some_and(|loading| loading.format >= head::PRIZES);
                let expected = if has_prizes { &counts[..] } else { counts.get(..5).unwrap_or_default() };
                read_end(&mut reader, expected)?;
                self.finish_season();
                self.loading = None;
            }
            _ => return Err(Error::Corrupt("an unknown part")),
        }
        Ok(kind == END)
    }

    fn read_tables(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let tiers = self.rules.tiers.len();
        let name = |reader: &mut Reader| {
            let tier = reader.byte()?;
            if usize::from(tier) < tiers { Ok(tier) } else { Err(prizes::WRONG) }
        };
        let schema = self.prize_schema();
        let read = prizes::read_tables(reader, name, |table| table.check(&schema))?;
        if self.prizes.is_some() {
            return Err(prizes::WRONG);
        }
        self.prizes = Some(Box::new(read));
        Ok(())
    }

    fn read_winners(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let (Some(known), Some(loading)) = (&mut self.prizes, &mut self.loading) else {
            return Err(prizes::WRONG);
        };
        prizes::read_winners(known, &mut loading.payout, reader, |_| false)
    }

    /// Stores the payout whose last chunk was read.
    fn finish_payout(&mut self) -> Result<(), Error> {
        match (&mut self.prizes, &mut self.loading) {
            (Some(known), Some(loading)) => prizes::finish(known, &mut loading.payout),
            _ => Ok(()),
        }
    }

    fn counts_loaded(&self) -> [u64; 7] {
        let loading = self.loading.as_deref();
        let [seasons, groups, entries] =
            loading.map_or([0; 3], |loading| [loading.seasons, loading.groups, loading.entries]);
        let members = loading.map_or(0, |loading| loading.members.len() as u64);
        let [tables, winners] = prizes::counts(self.prizes.as_deref());
        [members, seasons, groups, entries, requests::count(self.requests.as_deref()), tables, winners]
    }

    /// Returns the season that is being loaded.
    fn coming(&mut self) -> Result<&mut ComingSeason, Error> {
        let season = self.loading.as_mut().and_then(|loading| loading.season.as_mut());
        season.ok_or(Error::Corrupt("a part without its season"))
    }
}

#[cfg(test)]
mod tests;
