//! The options of a vote: members that were declared, and what their votes are worth.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::Error;
use crate::index::MemberId;
use crate::score::Score;
use crate::time::Millis;

/// The most shown votes that one vote can add.
pub const MAX_WEIGHT: u64 = 1_000_000_000;

/// About what an option takes in the first two maps.
const ENTRY: usize = 88;

/// What an option was declared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its place in the order of declaration, from 1.
    pub number: u32,
    /// How many shown votes one vote adds, 0 to [`MAX_WEIGHT`].
    pub weight: u32,
    /// The shown votes that it starts with.
    pub initial: Score,
    /// When it was given those.
    pub(crate) moment: Millis,
    /// The number of the write that gave them.
    pub(crate) arrival: u64,
}

impl Choice {
    /// A vote for one that was not declared, or without anything else.
    pub(crate) const PLAIN: Self = Self { number: 0, weight: 1, initial: Score::ZERO, moment: 0, arrival: 0 };

    /// Whether it starts with votes.
    pub(crate) fn starts(&self) -> bool {
        self.initial != Score::ZERO
    }
}

/// All options that were declared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choices {
    by_member: BTreeMap<MemberId, Choice>,
    by_number: BTreeMap<u32, MemberId>,
    /// Those that start with votes, by the number of the write that gave them those.
    starting: BTreeMap<u64, MemberId>,
}

impl Choices {
    pub(crate) fn get(&self, id: MemberId) -> Option<&Choice> {
        self.by_member.get(&id)
    }

    pub(crate) fn len(&self) -> usize {
        self.by_member.len()
    }

    /// The number of the option that is declared next.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(crate) fn next_number(&self) -> Result<u32, Error> {
        self.last_number().checked_add(1).ok_or(Error::Full)
    }

    /// The number of the option that was declared last; 0 if none was.
    pub(crate) fn last_number(&self) -> u32 {
        self.by_number.last_key_value().map_or(0, |(last, _)| *last)
    }

    /// Declares an option under a new number, or changes what is known under its own.
    pub(crate) fn set(&mut self, id: MemberId, choice: Choice) {
        if let Some(old) = self.by_member.insert(id, choice) {
            self.starting.remove(&old.arrival);
        }
        self.by_number.insert(choice.number, id);
        if choice.starts() {
            self.starting.insert(choice.arrival, id);
        }
    }

    pub(crate) fn remove(&mut self, id: MemberId) {
        if let Some(choice) = self.by_member.remove(&id) {
            self.by_number.remove(&choice.number);
            self.starting.remove(&choice.arrival);
        }
    }

    /// Options from a number on, in the order of declaration.
    pub(crate) fn from(&self, number: u32) -> impl Iterator<Item = (MemberId, &Choice)> {
        let all = self.by_number.range((Bound::Included(number), Bound::Unbounded));
        all.filter_map(|(_, id)| Some((*id, self.by_member.get(id)?)))
    }

    /// Those that start with votes, in the order in which they were given them, from the number of a
    /// write on.
    pub(crate) fn initials(&self, arrival: u64) -> impl Iterator<Item = (MemberId, &Choice)> {
        self.starting.range(arrival..).filter_map(|(_, id)| Some((*id, self.by_member.get(id)?)))
    }

    /// Whether the write of this number gave one of them its votes.
    pub(crate) fn is_taken(&self, arrival: u64) -> bool {
        self.starting.contains_key(&arrival)
    }

    pub(crate) fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        let old = std::mem::take(&mut self.by_member);
        self.by_member = old.into_iter().map(|(id, choice)| (renumbered(id), choice)).collect();
        let others = self.by_number.values_mut().chain(self.starting.values_mut());
        others.for_each(|id| *id = renumbered(*id));
    }

    pub(crate) fn memory(&self) -> usize {
        self.len().saturating_add(self.starting.len() / 2).saturating_mul(ENTRY)
    }

    pub(crate) fn effort(&self) -> usize {
        self.len() / 4
    }

    /// Panics where something does not hold. Only tests call it.
    pub(crate) fn check(&self) {
        assert!(
            self.by_number
                .iter()
                .all(|(number, id)| self.by_member.get(id).is_some_and(|choice| choice.number == *number))
        );
        assert!(self.starting.iter().all(|(arrival, id)| {
            self.by_member.get(id).is_some_and(|choice| choice.starts() && choice.arrival == *arrival)
        }));
        let starting = self.by_member.values().filter(|choice| choice.starts()).count();
        assert_eq!((self.by_number.len(), self.starting.len()), (self.by_member.len(), starting));
    }
}
