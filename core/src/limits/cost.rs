//! What a request would be charged by each rule.

use arrayvec::ArrayVec;

use super::scope::{Part, Scope, Values};
use super::{Limits, MAX_RULES, Rule};
use crate::Error;
use crate::error::Quoted;

/// So many cost are compared one by one; more are sorted.
const FEW: usize = 16;
/// So many bytes of values and lengths are hashed in one piece.
const PIECE: usize = 1024;

/// Who votes, as far as the request says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ballot<'a> {
    /// `BY`.
    pub voter: Option<&'a [u8]>,
    /// `TAG`: names and values. Of two with one name, the first counts.
    pub tags: &'a [(&'a [u8], &'a [u8])],
}

impl<'a> Ballot<'a> {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.tags.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

/// So many votes for one value of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RuleCost {
    /// The hash of the value.
    pub hash: u64,
    pub votes: u64,
}

/// What a request would be charged by each rule of a board, as long as the rules stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    list: Vec<RuleCost>,
    /// Where those of each rule stand in the list. Rules of one scope share them.
    spans: ArrayVec<(usize, usize), MAX_RULES>,
    voter: Option<u64>,
}

impl Cost {
    /// [`hash_of_voter`], if some rule has the scope `voter`, so that it was needed already.
    #[must_use]
    pub const fn voter(&self) -> Option<u64> {
        self.voter
    }

    /// The cost of each rule, in the order of rules. Each hash stands there once.
    pub(super) fn by_rule(&self) -> impl Iterator<Item = &[RuleCost]> {
        self.spans.iter().map(|(from, to)| self.list.get(*from..*to).unwrap_or_default())
    }

    /// Adds what a rule of a new scope cost.
    fn extend(&mut self, scope: &Scope, values: &Values<'_>, votes: &[(&[u8], u64)]) {
        let from = self.list.len();
        if scope.has_member() {
            self.list.extend(votes.iter().map(|(member, votes)| RuleCost {
                hash: hash(values.iter().map(|value| value.unwrap_or(member))),
                votes: *votes,
            }));
            merge(&mut self.list, from);
        } else {
            let votes = votes.iter().fold(0_u64, |sum, (_, votes)| sum.saturating_add(*votes));
            let hash = hash(values.iter().copied().flatten());
            self.list.push(RuleCost { hash, votes });
            if scope.parts() == [Part::Voter] {
                self.voter = Some(hash);
            }
        }
        self.spans.push((from, self.list.len()));
    }
}

impl Limits {
    /// What a request of these votes for members would be charged. All votes for one value of a scope
    /// are one charge, also where a member is named twice.
    ///
    /// # Errors
    /// [`Error::MissingVoter`] or [`Error::MissingTag`] where a rule counts by something that the ballot
    /// does not tell.
    pub fn cost(&self, ballot: &Ballot<'_>, votes: &[(&[u8], u64)]) -> Result<Cost, Error> {
        let (mut cost, mut values) = (Cost::default(), Values::new());
        if votes.len() == 1 {
            cost.list.reserve_exact(self.limits.len());
        }
        for limit in &self.limits {
            match cost.spans.get(limit.alike).copied() {
                Some(span) => cost.spans.push(span),
                None => {
                    let scope = limit.rule.scope();
                    scope.values(ballot, &mut values).map_err(|part| missing(part, &limit.rule))?;
                    cost.extend(scope, &values, votes);
                }
            }
        }
        Ok(cost)
    }
}

fn missing(part: &Part, rule: &Rule) -> Error {
    let name = Quoted::new(rule.name());
    match part {
        Part::Tag(tag) => Error::MissingTag(Quoted::new(tag), name),
        Part::Voter | Part::Member => Error::MissingVoter(name),
    }
}

/// Makes those of one hash from a place on one charge, where the first of them stands.
fn merge(list: &mut Vec<RuleCost>, from: usize) {
    let Some(cost) = list.get_mut(from..).filter(|cost| cost.len() > 1) else { return };
    if cost.len() <= FEW {
        merge_few(cost);
    } else {
        merge_sorted(cost);
    }
    let mut place = 0_usize;
    list.retain(|charge| {
        place = place.saturating_add(1);
        place <= from || charge.votes > 0
    });
}

fn merge_few(mut cost: &mut [RuleCost]) {
    while let Some((first, rest)) = cost.split_first_mut() {
        for same in rest.iter_mut().filter(|charge| charge.hash == first.hash) {
            first.votes = first.votes.saturating_add(std::mem::take(&mut same.votes));
        }
        cost = rest;
    }
}

fn merge_sorted(cost: &mut [RuleCost]) {
    let mut order: Vec<_> = cost.iter().enumerate().map(|(place, charge)| (charge.hash, place)).collect();
    order.sort_unstable();
    for same in order.chunk_by(|(a, _), (b, _)| a == b).filter(|same| same.len() > 1) {
        let mut sum = 0_u64;
        for (_, place) in same {
            if let Some(charge) = cost.get_mut(*place) {
                sum = sum.saturating_add(std::mem::take(&mut charge.votes));
            }
        }
        if let Some(first) = same.first().and_then(|(_, place)| cost.get_mut(*place)) {
            first.votes = sum;
        }
    }
}

/// The 64-bit hash of a voter: what a rule of the scope `voter` counts by.
#[must_use]
pub fn hash_of_voter(voter: &[u8]) -> u64 {
    hash([voter].into_iter())
}

/// The first 64 bits of BLAKE3 over the values of a scope in its order, each with its length (16 bits,
/// little-endian) before it. The same in every process and version, since it is saved.
pub(super) fn hash<'a>(values: impl Iterator<Item = &'a [u8]> + Clone) -> u64 {
    // In one piece it takes a fifth less time than bit by bit.
    let mut piece = ArrayVec::<u8, PIECE>::new();
    let fits = prefixed(values.clone()).all(|(length, value)| {
        piece.try_extend_from_slice(&length).is_ok() && piece.try_extend_from_slice(value).is_ok()
    });
    let hash = if fits {
        blake3::hash(&piece)
    } else {
        let mut hasher = blake3::Hasher::new();
        prefixed(values).for_each(|(length, value)| _ = hasher.update(&length).update(value));
        hasher.finalize()
    };
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

fn prefixed<'a>(values: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = ([u8; 2], &'a [u8])> {
    values.map(|value| (u16::try_from(value.len()).unwrap_or(u16::MAX).to_le_bytes(), value))
}
