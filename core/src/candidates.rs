//! The candidates of a vote: members that were declared, and the weights of their votes.

use crate::Error;
use crate::index::MemberId;
use crate::score::Score;
use crate::sorted::Sorted;
use crate::time::Millis;
use crate::view::{StartingEntries, StartingEntry};

/// The maximum number of shown votes that one vote can add.
pub const MAX_WEIGHT: u64 = 1_000_000_000;

/// The declaration of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The candidate's place in the order of declaration, from 1.
    pub number: u32,
    /// The number by which one vote increases the displayed number of votes, from 0 to [`MAX_WEIGHT`].
    pub weight: u32,
    /// The shown votes that the candidate starts with.
    pub initial: Score,
    /// When the candidate got its initial votes.
    pub(crate) moment: Millis,
    /// The number of the write that gave the candidate its initial votes.
    pub(crate) sequence: u64,
}

impl Candidate {
    /// The values for a member that was not declared. They are also the defaults for a declaration.
    pub(crate) const PLAIN: Self =
        Self { number: 0, weight: 1, initial: Score::ZERO, moment: 0, sequence: 0 };

    /// Returns whether the candidate has initial votes.
    pub(crate) fn starts(&self) -> bool {
        self.initial != Score::ZERO
    }
}

/// All candidates of a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    by_member: Sorted<MemberId, Candidate>,
    by_number: Sorted<u32, MemberId>,
    /// The candidates with initial votes, by the number of the write that gave them these votes.
    starting: Sorted<u64, MemberId>,
}

impl StartingEntries for Candidates {
    fn of(&self, id: MemberId) -> Option<StartingEntry> {
        let Candidate { initial, moment, sequence, .. } =
            *self.get(id).filter(|candidate| candidate.starts())?;
        Some(StartingEntry { id, score: initial, moment, sequence })
    }

    fn first_from(&self, sequence: u64) -> Option<StartingEntry> {
        let (_, id) = self.starting.range_from(sequence).next()?;
        self.of(*id)
    }

    fn count(&self) -> usize {
        self.starting.len()
    }
}

impl Candidates {
    pub(crate) fn get(&self, id: MemberId) -> Option<&Candidate> {
        self.by_member.get(id)
    }

    pub(crate) fn len(&self) -> usize {
        self.by_member.len()
    }

    /// Returns the number of the next candidate that is declared.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(crate) fn next_number(&self) -> Result<u32, Error> {
        self.last_number().checked_add(1).ok_or(Error::Full)
    }

    /// Returns the number of the candidate that was declared last; 0 if there is no candidate.
    pub(crate) fn last_number(&self) -> u32 {
        self.by_number.keys().next_back().unwrap_or(0)
    }

    /// Declares a candidate under a new number, or changes the candidate with this number.
    pub(crate) fn set(&mut self, id: MemberId, candidate: Candidate) {
        if let Some(old) = self.by_member.insert(id, candidate) {
            self.start_no_more(&old);
        }
        self.by_number.insert(candidate.number, id);
        if candidate.starts() {
            self.starting.insert(candidate.sequence, id);
        }
    }

    pub(crate) fn remove(&mut self, id: MemberId) {
        if let Some(candidate) = self.by_member.remove(id) {
            self.by_number.remove(candidate.number);
            self.start_no_more(&candidate);
        }
    }

    /// Forgets that a candidate had initial votes. If it had none, its number of a write can be another candidate's.
    fn start_no_more(&mut self, candidate: &Candidate) {
        if candidate.starts() {
            self.starting.remove(candidate.sequence);
        }
    }

    /// Returns the candidates with this number or a greater number, in the order of declaration.
    pub(crate) fn from(&self, number: u32) -> impl Iterator<Item = (MemberId, &Candidate)> {
        self.by_number.range_from(number).filter_map(|(_, id)| Some((*id, self.by_member.get(*id)?)))
    }

    /// Returns whether the write with this number gave initial votes to a candidate.
    pub(crate) fn is_taken(&self, sequence: u64) -> bool {
        self.starting.get(sequence).is_some()
    }

    pub(crate) fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.by_member.rekey(&renumbered);
        let others = self.by_number.values_mut().chain(self.starting.values_mut());
        others.for_each(|id| *id = renumbered(*id));
    }

    pub(crate) fn memory(&self) -> usize {
        [self.by_number.memory(), self.starting.memory()]
            .into_iter()
            .fold(self.by_member.memory(), usize::saturating_add)
    }

    pub(crate) fn effort(&self) -> usize {
        [self.by_number.allocations(), self.starting.allocations()]
            .into_iter()
            .fold(self.by_member.allocations(), usize::saturating_add)
    }

    /// Panics if an invariant is broken. Only tests call it.
    pub(crate) fn check(&self) {
        assert!(
            self.by_number.iter().all(|(number, id)| self
                .by_member
                .get(*id)
                .is_some_and(|candidate| candidate.number == number))
        );
        assert!(self.starting.iter().all(|(sequence, id)| {
            self.by_member
                .get(*id)
                .is_some_and(|candidate| candidate.starts() && candidate.sequence == sequence)
        }));
        let starting = self.by_member.iter().filter(|(_, candidate)| candidate.starts()).count();
        assert_eq!((self.by_number.len(), self.starting.len()), (self.by_member.len(), starting));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damaged value can give a candidate without initial votes the number of another one's write.
    #[test]
    fn a_candidate_without_initial_votes_leaves_those_of_others() {
        let mut candidates = Candidates::default();
        let initial = Score::from_units(5).unwrap();
        candidates.set(1, Candidate { number: 1, initial, sequence: 7, ..Candidate::PLAIN });
        let plain = Candidate { number: 2, sequence: 7, ..Candidate::PLAIN };
        candidates.set(2, plain);
        candidates.set(2, Candidate { weight: 3, ..plain });
        candidates.check();
        candidates.remove(2);
        candidates.check();
        assert_eq!(candidates.first_from(0).map(|entry| entry.id), Some(1));
    }
}
