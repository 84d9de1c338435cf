//! The number of votes of a request that each rule counts.

use arrayvec::ArrayVec;

use super::ballot::Ballot;
use super::rule::{MAX_RULES, Rule};
use super::scope::{Scope, ScopePart, Values};
use crate::Error;
use crate::error::Quoted;

/// Up to this number of costs are compared one by one. More costs are sorted.
const FEW: usize = 16;
/// Up to this number of bytes of values and lengths are hashed in one piece.
const PIECE: usize = 1024;

/// The votes for one value of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValueCost {
    /// The hash of the value.
    pub hash: u64,
    pub votes: u64,
}

/// The cost of a request for each rule of a board. It is valid as long as the rules stay the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    list: List,
    /// For each rule, the range of the list that contains its costs. Rules with the same scope share their costs.
    spans: ArrayVec<(usize, usize), MAX_RULES>,
    voter: Option<u64>,
}

/// Costs. The costs of one vote are at most one for each rule. They need no allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "there is one for each request, on the stack")]
enum List {
    Few(ArrayVec<ValueCost, MAX_RULES>),
    Many(Vec<ValueCost>),
}

impl Default for List {
    fn default() -> Self {
        Self::Few(ArrayVec::new_const())
    }
}

impl List {
    fn push(&mut self, cost: ValueCost) {
        match self {
            Self::Few(few) => few.push(cost),
            Self::Many(many) => many.push(cost),
        }
    }

    fn as_slice(&self) -> &[ValueCost] {
        match self {
            Self::Few(few) => few,
            Self::Many(many) => many,
        }
    }

    fn len(&self) -> usize {
        self.as_slice().len()
    }
}

impl Cost {
    /// Returns the cost of votes for members, for each of these rules. Each rule comes with the number of the first
    /// rule that has the same scope. All votes for one value of a scope are one cost, even if a member is named
    /// twice.
    ///
    /// # Errors
    /// [`Error::MissingVoter`] or [`Error::MissingTag`] if a rule needs a voter or a tag that the ballot does not
    /// have.
    pub(super) fn of<'a>(
        rules: impl ExactSizeIterator<Item = (&'a Rule, usize)>,
        ballot: &Ballot<'_>,
        votes: &[(&[u8], u64)],
    ) -> Result<Self, Error> {
        let (mut cost, mut values) = (Self::default(), Values::new());
        if votes.len() > 1 {
            cost.list = List::Many(Vec::new());
        }
        for (rule, same_scope) in rules {
            match cost.spans.get(same_scope).copied() {
                Some(span) => cost.spans.push(span),
                None => {
                    let scope = rule.scope();
                    scope.values(ballot, &mut values).map_err(|part| missing(part, rule))?;
                    cost.extend(scope, &values, votes);
                }
            }
        }
        Ok(cost)
    }

    /// Returns [`hash_of_voter`], if a rule with the scope `voter` needed it.
    pub(crate) const fn voter(&self) -> Option<u64> {
        self.voter
    }

    /// Returns the costs of each rule, in the order of the rules. Each hash occurs only once in the costs of a
    /// rule.
    pub(super) fn by_rule(&self) -> impl Iterator<Item = &[ValueCost]> {
        let list = self.list.as_slice();
        self.spans.iter().map(|(from, to)| list.get(*from..*to).unwrap_or_default())
    }

    /// Adds the costs of a rule with a new scope.
    fn extend(&mut self, scope: &Scope, values: &Values<'_>, votes: &[(&[u8], u64)]) {
        let from = self.list.len();
        if scope.has_member() {
            for (member, votes) in votes {
                let hash = hash(values.iter().map(|value| value.unwrap_or(member)));
                self.list.push(ValueCost { hash, votes: *votes });
            }
            if let List::Many(list) = &mut self.list {
                merge(list, from);
            }
        } else {
            let votes = votes.iter().fold(0_u64, |sum, (_, votes)| sum.saturating_add(*votes));
            let hash = hash(values.iter().copied().flatten());
            self.list.push(ValueCost { hash, votes });
            if scope.parts() == [ScopePart::Voter] {
                self.voter = Some(hash);
            }
        }
        self.spans.push((from, self.list.len()));
    }
}

fn missing(part: &ScopePart, rule: &Rule) -> Error {
    let name = Quoted::new(rule.name());
    match part {
        ScopePart::Tag(tag) => Error::MissingTag(Quoted::new(tag), name),
        ScopePart::Voter | ScopePart::Member => Error::MissingVoter(name),
    }
}

/// Merges costs with the same hash, from a place in the list on. The sum is stored at the place of the first of
/// them.
fn merge(list: &mut Vec<ValueCost>, from: usize) {
    let Some(costs) = list.get_mut(from..).filter(|costs| costs.len() > 1) else { return };
    if costs.len() <= FEW {
        merge_few(costs);
    } else {
        merge_sorted(costs);
    }
    let mut place = 0_usize;
    list.retain(|cost| {
        place = place.saturating_add(1);
        place <= from || cost.votes > 0
    });
}

fn merge_few(mut costs: &mut [ValueCost]) {
    while let Some((first, rest)) = costs.split_first_mut() {
        for same in rest.iter_mut().filter(|cost| cost.hash == first.hash) {
            first.votes = first.votes.saturating_add(std::mem::take(&mut same.votes));
        }
        costs = rest;
    }
}

fn merge_sorted(costs: &mut [ValueCost]) {
    let mut order: Vec<_> = costs.iter().enumerate().map(|(place, cost)| (cost.hash, place)).collect();
    order.sort_unstable();
    for same in order.chunk_by(|(a, _), (b, _)| a == b).filter(|same| same.len() > 1) {
        let mut sum = 0_u64;
        for (_, place) in same {
            if let Some(cost) = costs.get_mut(*place) {
                sum = sum.saturating_add(std::mem::take(&mut cost.votes));
            }
        }
        if let Some(first) = same.first().and_then(|(_, place)| costs.get_mut(*place)) {
            first.votes = sum;
        }
    }
}

/// Returns the 64-bit hash of a voter. A rule with the scope `voter` counts by this hash.
pub(crate) fn hash_of_voter(voter: &[u8]) -> u64 {
    hash([voter].into_iter())
}

/// Returns the first 64 bits of BLAKE3 over the values of a scope, in their order. Before each value comes its
/// length (16 bits, little-endian). The hash is saved, so it must be the same in every process and version.
pub(super) fn hash<'a>(values: impl Iterator<Item = &'a [u8]> + Clone) -> u64 {
    // Hashing one piece takes a fifth less time than hashing each value separately.
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
