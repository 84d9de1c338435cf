//! Finds single members: the gateway asks the part of each member.

use std::collections::BTreeMap;
use std::sync::Arc;

use leaderboard_core::schema::Ranks;
use leaderboard_core::{Error, MAX_NAME};

use super::answer::{Answer, Known, Spot, Take};
use super::ask::Question;
use super::operation::Operation;
use super::page::Entry;
use super::ranks::Position;
use super::round::{Gather, Stop};
use super::rows::Packed;
use crate::nodes::Transport;

/// The maximum number of members in one command. While a server answers the command, it does nothing else.
const AT_ONCE: usize = 500;

/// The data of a member's part about the member and its neighbours.
#[derive(Debug)]
pub struct Found {
    pub entry: Entry,
    pub is_hidden: bool,
    pub above: Packed,
    pub below: Packed,
    pub meta: Option<Vec<u8>>,
    /// The number of members of the member's part, without hidden members.
    pub members: u64,
    /// Whether the period has not ended yet.
    pub is_running: bool,
}

impl<T: Transport> Gather<'_, T> {
    /// Returns the entry of a member, and up to `above` and `below` rows of its part on both sides. `None` if the
    /// member has no score, or if its part is silent and the client accepts an answer that lacks it.
    pub async fn find(
        &self,
        member: &[u8],
        above: u64,
        below: u64,
        with_meta: bool,
    ) -> Result<Option<Found>, Stop> {
        let part = self.part_of(member)?;
        let operation = Operation::of(member, above, below).with_meta(with_meta);
        let answers = self.ask_each([part], operation).await?;
        let found = answers.into_iter().next().map(|answer| self.found(answer, with_meta));
        Ok(found.transpose()?.flatten())
    }

    /// Returns the entries of several members, each with the row directly above it and the row directly below it in its
    /// part.
    pub async fn find_each(&self, members: &[Vec<u8>], with_meta: bool) -> Result<Vec<Option<Found>>, Stop> {
        let of_parts = self.by_parts(members)?;
        let operation = |number: &usize| {
            let member = members.get(*number).map(Vec::as_slice).unwrap_or_default();
            Arc::new(Operation::of(member, 1, 1).with_meta(with_meta))
        };
        let questions = of_parts.iter().flat_map(|(part, numbers)| {
            numbers.iter().map(|number| Question { part: *part, operation: operation(number) })
        });
        let mut all: Vec<_> = members.iter().map(|_| None).collect();
        let mut answers = self.ask(questions.collect()).await?.into_iter().peekable();
        for (part, numbers) in &of_parts {
            for number in numbers {
                // A silent part has no answers.
                if let Some(answer) = answers.next_if(|answer| answer.part == *part)
                    && let Some(found) = all.get_mut(*number)
                {
                    *found = self.found(answer, with_meta)?;
                }
            }
        }
        Ok(all)
    }

    fn found(&self, mut answer: Answer, with_meta: bool) -> Take<Option<Found>> {
        let Some(spot) = answer.spot(&self.call.root.schema)? else { return Ok(None) };
        Ok(Some(Found {
            entry: Entry::new(answer.part, spot),
            is_hidden: spot.is_hidden,
            above: answer.rows(with_meta)?,
            below: answer.rows(with_meta)?,
            meta: if with_meta { answer.text()? } else { None },
            members: answer.members,
            is_running: self.scope.is_running(answer.start, answer.now),
        }))
    }

    /// Returns the places in the list of each part's members.
    fn by_parts(&self, members: &[Vec<u8>]) -> Result<BTreeMap<u16, Vec<usize>>, Error> {
        let mut of_parts: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (number, member) in members.iter().enumerate() {
            of_parts.entry(self.part_of(member)?).or_default().push(number);
        }
        Ok(of_parts)
    }

    /// Returns the data of the parts about several members, in the order of the members.
    pub async fn find_all(&self, members: &[Vec<u8>], with_meta: bool) -> Result<Vec<(u16, Known)>, Stop> {
        let operation = |names: &[&[u8]]| Operation::members(names.iter().copied()).with_meta(with_meta);
        let read =
            |answer: &mut Answer, count: usize| answer.members(count, &self.call.root.schema, with_meta);
        self.of_members(members, operation, read).await
    }

    /// Asks the parts about members. Returns for each member its part, and what `read` reads of the part's answer; the default
    /// for members of parts that are left out. `operation` makes the operation for some members, and `read` reads the
    /// answer about this number of members.
    pub async fn of_members<A: Default + Clone>(
        &self,
        members: &[Vec<u8>],
        operation: impl Fn(&[&[u8]]) -> Operation,
        read: impl Fn(&mut Answer, usize) -> Take<Vec<A>>,
    ) -> Result<Vec<(u16, A)>, Stop> {
        let of_parts = self.by_parts(members)?;
        let names = |numbers: &[usize]| -> Vec<&[u8]> {
            numbers.iter().filter_map(|number| members.get(*number).map(Vec::as_slice)).collect()
        };
        let pieces: Vec<_> = of_parts
            .iter()
            .flat_map(|(part, numbers)| numbers.chunks(AT_ONCE).map(|numbers| (*part, numbers)))
            .collect();
        let question = |(part, numbers): &(u16, &[usize])| Question {
            part: *part,
            operation: Arc::new(operation(&names(numbers))),
        };
        let mut found = vec![(0, A::default()); members.len()];
        let mut answers = self.ask(pieces.iter().map(question).collect()).await?.into_iter().peekable();
        for (part, numbers) in pieces {
            if let Some(mut answer) = answers.next_if(|answer| answer.part == part) {
                let known = read(&mut answer, numbers.len())?;
                for (number, known) in numbers.iter().zip(known) {
                    if let Some(found) = found.get_mut(*number) {
                        *found = (part, known);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns the position of each member that has an entry, and `None` for each other member.
    pub async fn positions_of(
        &self,
        found: &[(u16, Known)],
        ranks: Ranks,
    ) -> Result<Vec<Option<Position>>, Stop> {
        let entries: Vec<_> =
            found.iter().filter_map(|(part, known)| Some(Entry::new(*part, known.spot?))).collect();
        let positions = if entries.is_empty() { Vec::new() } else { self.positions(&entries, ranks).await? };
        let mut positions = positions.into_iter();
        Ok(found.iter().map(|(_, known)| known.spot.and_then(|_| positions.next())).collect())
    }

    /// Returns the part of a member.
    pub fn part_of(&self, member: &[u8]) -> Result<u16, Error> {
        match member.len() {
            1..=MAX_NAME => Ok(self.call.root.parts.of(member)),
            _ => Err(Error::Length("member", MAX_NAME)),
        }
    }
}

impl Entry {
    pub const fn new(part: u16, spot: Spot) -> Self {
        let Spot { before, score, moment, is_hidden: _ } = spot;
        Self { score, moment, part, before }
    }
}
