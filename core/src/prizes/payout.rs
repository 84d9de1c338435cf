//! The winners of an ended period, fixed by the first claim, or when the order of the period is no longer kept.

use std::collections::BTreeMap;

use super::{Band, PrizeTable};
use crate::requests::RequestHash;
use crate::score::Score;
use crate::size_class::{bytes_of, round_up};
use crate::sorted::Sorted;
use crate::time::Millis;

/// A winner, with what is left of its place when the order is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Winner {
    pub member: Box<[u8]>,
    pub score: Score,
    /// When the prize was claimed; 0 if it was not.
    pub claimed: Millis,
    /// The ordinal rank, from 1: in the segment, for a table of segments.
    pub rank: u32,
    /// The place of the member's segment in the ranking of segments, from 0.
    pub segment: u32,
    /// The number of the prize in the list of prizes.
    pub prize: u8,
    /// Whether the member was removed without a claim: nobody gets the prize.
    pub is_removed: bool,
}

impl Winner {
    /// Returns the winner's place in the order of pages.
    pub(crate) const fn place(&self) -> (u32, u32) {
        (self.segment, self.rank)
    }
}

/// Names of segments, by their ascending places in the ranking of segments.
pub(crate) type Segments = Box<[(u32, Box<[u8]>)]>;

/// The winners of a period, and their claims.
#[derive(Debug, Clone)]
pub(crate) struct Payout {
    /// The end of the period.
    pub end: i64,
    prizes: Box<[Box<[u8]>]>,
    /// The segments with winners, for a table of segments: their places in the ranking of segments, and their names.
    segments: Segments,
    winners: Box<[Winner]>,
    /// The numbers of the winners, in the order of their names.
    by_name: Box<[u32]>,
    /// The requests that claimed, by the number of the winner.
    requests: Sorted<u32, RequestHash>,
    /// How many prizes can still be claimed.
    left: u32,
    /// How many prizes were claimed.
    claims: u32,
    /// Whether somebody has settled the period without a claim.
    is_settled: bool,
}

/// The winners of a period while they are written down, segment by segment.
#[derive(Debug, Default)]
pub(crate) struct WinnerList {
    winners: Vec<Winner>,
    /// The prizes that have winners.
    prizes: Vec<Box<[u8]>>,
    /// The places of the table with winners, and their numbers in `prizes`.
    numbers: BTreeMap<u8, u8>,
}

impl WinnerList {
    /// Adds the winners of a band: their ranks, names and scores.
    pub(crate) fn add(
        &mut self,
        (table, band): (&PrizeTable, Band),
        segment: u32,
        rows: impl Iterator<Item = (u64, Box<[u8]>, Score)>,
    ) {
        let prize = *self.numbers.entry(band.place).or_insert_with(|| {
            self.prizes.push(table.prize(band.place).into());
            u8::try_from(self.prizes.len().saturating_sub(1)).unwrap_or(u8::MAX)
        });
        self.winners.extend(rows.map(|(rank, member, score)| Winner {
            member,
            score,
            claimed: 0,
            rank: u32::try_from(rank).unwrap_or(u32::MAX),
            segment,
            prize,
            is_removed: false,
        }));
    }

    pub(crate) const fn len(&self) -> usize {
        self.winners.len()
    }

    /// Returns the payout of a period that ends at `end`; `None` if it has no winners.
    pub(crate) fn payout(self, end: i64, segments: Segments) -> Option<Payout> {
        (!self.winners.is_empty()).then(|| Payout::new(end, self.prizes, segments, self.winners))
    }
}

impl Payout {
    /// Returns the payout with these winners, in the order of their segments and ranks.
    pub(crate) fn new(end: i64, prizes: Vec<Box<[u8]>>, segments: Segments, winners: Vec<Winner>) -> Self {
        let winners: Box<[Winner]> = winners.into();
        let mut by_name: Vec<u32> = (0_u32..).zip(&winners).map(|(number, _)| number).collect();
        by_name.sort_unstable_by_key(|number| winners.get(*number as usize).map(|winner| &winner.member));
        let count = |those: fn(&Winner) -> bool| {
            u32::try_from(winners.iter().filter(|winner| those(winner)).count()).unwrap_or(u32::MAX)
        };
        let claims = count(|winner| winner.claimed > 0);
        let left = count(|winner| winner.claimed == 0 && !winner.is_removed);
        Self {
            end,
            prizes: prizes.into(),
            segments,
            winners,
            by_name: by_name.into(),
            requests: Sorted::default(),
            left,
            claims,
            is_settled: false,
        }
    }

    /// Returns the payout with the claims that these requests made. `None` if there are no winners, or if a member wins
    /// twice.
    pub(crate) fn loaded(
        (end, is_settled): (i64, bool),
        (prizes, segments): (Vec<Box<[u8]>>, Segments),
        winners: Vec<Winner>,
        requests: Vec<(u32, RequestHash)>,
    ) -> Option<Self> {
        if winners.is_empty() {
            return None;
        }
        let mut payout = Self { is_settled, ..Self::new(end, prizes, segments, winners) };
        let name = |number: &u32| payout.winners.get(*number as usize).map(|winner| &winner.member);
        let repeats = payout.by_name.windows(2).any(|pair| pair.first().map(name) == pair.last().map(name));
        requests.into_iter().for_each(|(number, request)| _ = payout.requests.insert(number, request));
        (!repeats).then_some(payout)
    }

    /// Returns the number of a winner.
    pub(crate) fn find(&self, member: &[u8]) -> Option<u32> {
        let name = |number: &u32| self.winners.get(*number as usize).map(|winner| &*winner.member);
        let at = self.by_name.binary_search_by_key(&Some(member), name).ok()?;
        self.by_name.get(at).copied()
    }

    /// Returns a winner, by its number.
    pub(crate) fn winner(&self, number: u32) -> Option<&Winner> {
        self.winners.get(number as usize)
    }

    /// Returns all winners, in order.
    pub(crate) const fn winners(&self) -> &[Winner] {
        &self.winners
    }

    /// Returns the number of the first winner behind a place.
    pub(crate) fn behind(&self, place: (u32, u32)) -> usize {
        self.winners.partition_point(|winner| winner.place() <= place)
    }

    /// Returns the prize of a winner.
    pub(crate) fn prize(&self, winner: &Winner) -> &[u8] {
        self.prizes.get(usize::from(winner.prize)).map_or(b"", |prize| prize)
    }

    /// Returns the segment of a winner, in a payout of a table of segments.
    pub(crate) fn segment(&self, winner: &Winner) -> Option<&[u8]> {
        let at = self.segments.binary_search_by_key(&winner.segment, |(place, _)| *place).ok()?;
        self.segments.get(at).map(|(_, name)| &**name)
    }

    /// Notes a claim that was not made before.
    pub(crate) fn claim(&mut self, number: u32, now: Millis, request: Option<RequestHash>) {
        if let Some(winner) = self.winners.get_mut(number as usize) {
            winner.claimed = now.max(1);
            self.left = self.left.saturating_sub(1);
            self.claims = self.claims.saturating_add(1);
            request.map(|request| self.requests.insert(number, request));
        }
    }

    /// Takes the prize from a member that did not claim it. Returns whether it had one.
    pub(crate) fn remove(&mut self, member: &[u8]) -> bool {
        let found = self.find(member).and_then(|number| self.winners.get_mut(number as usize));
        let Some(winner) = found.filter(|winner| winner.claimed == 0 && !winner.is_removed) else {
            return false;
        };
        winner.is_removed = true;
        self.left = self.left.saturating_sub(1);
        true
    }

    /// Returns the requests that claimed, with the numbers of their winners.
    pub(crate) fn requests(&self) -> impl Iterator<Item = (u32, RequestHash)> {
        self.requests.iter().map(|(number, request)| (number, *request))
    }

    /// Forgets the request that claimed the prize of a winner. The claim stays.
    pub(crate) fn forget_request(&mut self, number: u32) {
        self.requests.remove(number);
    }

    /// Returns the request that claimed the prize of a winner.
    pub(crate) fn request(&self, number: u32) -> Option<RequestHash> {
        self.requests.get(number).copied()
    }

    /// Returns whether every prize was claimed, or belongs to nobody.
    pub(crate) const fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Returns whether nobody has claimed a prize or settled the period. Then the payout is gone when the clock is put back.
    pub(crate) const fn is_untouched(&self) -> bool {
        self.claims == 0 && !self.is_settled
    }

    /// Notes that somebody has settled the period without a claim.
    pub(crate) const fn settle(&mut self) {
        self.is_settled = true;
    }

    /// Returns whether somebody has settled the period without a claim.
    pub(crate) const fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Returns the number of bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let names = self.winners.iter().map(|winner| &winner.member);
        let segments = self.segments.iter().map(|(_, name)| name);
        let texts = names.chain(segments).chain(&self.prizes).map(|text| round_up(text.len()));
        let lists = [
            bytes_of::<Winner>(self.winners.len()),
            bytes_of::<(u32, Box<[u8]>)>(self.segments.len()),
            bytes_of::<Box<[u8]>>(self.prizes.len()),
            bytes_of::<u32>(self.by_name.len()),
            self.requests.memory(),
        ];
        texts.chain(lists).fold(0, usize::saturating_add)
    }

    /// Returns about how many allocations there are.
    pub(crate) const fn effort(&self) -> usize {
        self.winners.len().saturating_add(self.segments.len()).saturating_add(self.requests.allocations())
    }
}
