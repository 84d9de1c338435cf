//! Finishes a command that makes or alters a board: makes the parts that are missing, gives all parts the latest rules,
//! and then sets the state of the root to whole. Any number of gateways can do this at the same time.

use leaderboard_core::catalog::{Hold, State};
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::growth::{Finished, finish};
use super::steps::{Step, carry_out, command, grow, open, shrink};
use super::survey::{Found, Held, hold_parts, is_as_before};
use super::words;
use crate::nodes::{Command, RetryingClient, Transport};
use crate::spread::layout::Share;
use crate::spread::refusal::{error, parts_down};

/// How to finish a command.
#[derive(Debug, Clone, Copy, Default)]
pub struct Completion {
    /// The client gets the reply to its command now, so the root forgets the request.
    pub told: bool,
    /// Parts that somebody altered without the gateway get the rules of the root.
    pub repairs: bool,
    /// Parts that are lost are made again, without their members.
    pub makes_lost: bool,
}

/// Makes a board whole, whose root is given. Returns what was done, in words; `None` if the root has changed in the
/// meantime, so the caller has to read it again.
///
/// # Errors
/// The reply to the client, with the part that prevents the completion.
pub async fn complete<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    how: Completion,
    deadline: Instant,
) -> Result<Option<Vec<String>>, Value> {
    let done = complete_once(sender, name, root, how, deadline).await;
    if done.is_err() && !is_as_before(sender, name, root, deadline).await {
        // The parts belong to a later state of the root.
        return Ok(None);
    }
    done
}

async fn complete_once<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    how: Completion,
    deadline: Instant,
) -> Result<Option<Vec<String>>, Value> {
    let held = hold_parts(sender, name, root.layout, deadline).await;
    let view = View { name, root, held: &held };
    if view.has_merged() {
        if !root.entry.is_moving() {
            view.shrink(sender, deadline).await?;
        }
        return Ok(None);
    }
    if view.has_halves() {
        if !root.entry.is_moving() {
            view.grow(sender, deadline).await?;
        }
        return Ok(None);
    }
    if view.finish_halves(sender, deadline).await? {
        return Ok(None);
    }
    let missing = view.missing(how.makes_lost)?;
    let latest = view.latest();
    let rules = words::rules(&latest.info);
    let mut done = Vec::new();
    let mut commands = Vec::new();
    for number in missing {
        commands.push(view.make(number, latest, &rules));
        let Share { number, of } = root.layout.share(number);
        done.push(format!("made part {number} of {}", of.count()));
    }
    for part in view.parts().filter(|part| !agrees(part, latest)) {
        if part.entry.revision == latest.entry.revision && !how.repairs {
            return Err(view.altered(part.number));
        }
        commands.push(view.give_rules(part.parts.key(name, part.number), latest, &rules));
        done.push(format!("gave part {} the rules with the number {}", part.number, latest.entry.revision));
    }
    if latest.entry.revision > root.entry.revision {
        commands.push(view.give_rules(name.to_vec(), latest, &rules));
        done.push(format!("gave the root the rules with the number {}", latest.entry.revision));
    }
    if !commands.is_empty() {
        if let Step::Stale = carry_out(sender, &commands, root, deadline).await? {
            return Ok(None);
        }
        let held = hold_parts(sender, name, root.layout, deadline).await;
        if !(View { held: &held, ..view }).is_whole(latest)? {
            return Ok(None);
        }
    }
    let is_altered = latest.entry.revision > root.entry.revision;
    if root.entry.is_moving() {
        return Ok(Some(done));
    }
    if root.entry.state == State::Whole && !is_altered && !(how.told && root.entry.request > 0) {
        return Ok(Some(done));
    }
    let whole = view.whole(latest.entry.revision, how.told);
    match carry_out(sender, &[whole], root, deadline).await? {
        Step::Stale => Ok(None),
        Step::Done => {
            match root.entry.state {
                State::Making => done.push("finished LB.CREATE".to_owned()),
                // The rules of a board that was plain have not been altered yet.
                State::Altering if root.entry.revision == 0 => done.push("finished LB.RESHARD".to_owned()),
                State::Altering => done.push("finished LB.ALTER".to_owned()),
                State::Whole | State::Growing | State::Shrinking | State::Ending | State::Restoring => {}
            }
            Ok(Some(done))
        }
    }
}

/// Returns whether a part has these rules.
fn agrees(part: &Found, latest: &Found) -> bool {
    let hash = latest.hash_over(part.parts);
    part.entry.revision == latest.entry.revision && hash.is_none_or(|hash| hash == part.hash)
}

/// The root of a board, and what the keys of its parts hold.
#[derive(Clone, Copy)]
struct View<'a> {
    name: &'a [u8],
    root: &'a Found,
    held: &'a [Held],
}

impl<'a> View<'a> {
    fn numbered(&self) -> impl Iterator<Item = (u16, &'a Held)> {
        (0..).zip(self.held)
    }

    /// Returns the parts of this board that exist.
    fn parts(&self) -> impl Iterator<Item = &'a Found> {
        let (layout, incarnation) = (self.root.layout, self.root.entry.incarnation);
        let found = self.numbered().filter_map(move |(place, held)| {
            let Share { number, of } = layout.share(place);
            held.part_of(of, number)
        });
        found.filter(move |part| part.entry.incarnation == incarnation)
    }

    /// Returns whether a part of this board was split, and the layout does not say so: another gateway has just split it, or
    /// a server that took over has lost that the board was growing.
    fn has_halves(&self) -> bool {
        let half = |(place, held): (u16, &'a Held)| match held {
            Held::Part(part) => {
                let Share { number, of } = self.root.layout.share(place);
                Some(part.parts) == of.doubled()
                    && part.number >> 1 == number
                    && part.entry.incarnation == self.root.entry.incarnation
                    && part.entry.incarnation > 0
            }
            _ => false,
        };
        self.numbered().any(half)
    }

    /// Returns whether two parts of this board were merged, and the layout does not say so: another gateway has just merged
    /// them, or a server that took over has lost that the board was shrinking.
    fn has_merged(&self) -> bool {
        let merged = |(place, held): (u16, &'a Held)| match held {
            Held::Part(part) => {
                let Share { number, of } = self.root.layout.share(place);
                part.entry.target == Some(of)
                    && (Some(part.parts), part.number) == (of.halved(), number >> 1)
                    && part.entry.incarnation == self.root.entry.incarnation
            }
            _ => false,
        };
        self.numbered().any(merged)
    }

    /// Finishes what servers that took over have lost of the last growth of the board. Returns whether there was anything.
    async fn finish_halves<T: Transport>(
        &self,
        sender: &RetryingClient<T>,
        deadline: Instant,
    ) -> Result<bool, Value> {
        if self.root.parts == Parts::TWO && !self.root.entry.is_moving() {
            return self.open_copies(sender, deadline).await;
        }
        let Some(old) = self.root.parts.halved().filter(|_| !self.root.entry.is_moving()) else {
            return Ok(false);
        };
        let root = Found { parts: old, layout: old.into(), ..self.root.clone() };
        let pair = (&root, self.root.parts);
        finish(sender, self.name, pair, self.held, deadline).await.map(|done| done != Finished::Nothing)
    }

    /// Opens the copies of the plain board that has become this root. Returns whether there was anything.
    async fn open_copies<T: Transport>(
        &self,
        sender: &RetryingClient<T>,
        deadline: Instant,
    ) -> Result<bool, Value> {
        let copies = self.parts().filter_map(|part| match part.entry.hold {
            Some(Hold::Copy { token }) => Some((part.number, token)),
            _ => None,
        });
        let open = |(number, token)| open(self.name, self.root, Parts::TWO, number, token);
        let commands: Vec<_> = copies.map(open).collect();
        if !commands.is_empty() {
            carry_out(sender, &commands, self.root, deadline).await?;
        }
        Ok(!commands.is_empty())
    }

    /// Notes in the root that the board is growing.
    async fn grow<T: Transport>(&self, sender: &RetryingClient<T>, deadline: Instant) -> Result<(), Value> {
        let Some(target) = self.root.parts.doubled() else { return Ok(()) };
        self.begin(grow(self.name, self.root, target), sender, deadline).await
    }

    /// Notes in the root that the board is shrinking.
    async fn shrink<T: Transport>(&self, sender: &RetryingClient<T>, deadline: Instant) -> Result<(), Value> {
        self.begin(shrink(self.name, self.root), sender, deadline).await
    }

    async fn begin<T: Transport>(
        &self,
        command: Command,
        sender: &RetryingClient<T>,
        deadline: Instant,
    ) -> Result<(), Value> {
        let mut commands = Vec::new();
        if self.root.entry.state != State::Whole {
            commands.push(self.whole(self.root.entry.revision, false));
        }
        commands.push(command);
        carry_out(sender, &commands, self.root, deadline).await.map(|_| ())
    }

    /// Returns the numbers of the parts that have to be made.
    ///
    /// # Errors
    /// If a key holds something else, if a part is lost, or if a server does not answer.
    fn missing(&self, makes_lost: bool) -> Result<Vec<u16>, Value> {
        let silent = self.held.iter().filter(|held| **held == Held::Silent).count();
        if silent > 0 {
            return Err(parts_down(silent, self.root.layout));
        }
        // A part that was written belongs to a board that was whole. Then a part that is missing is a lost part.
        let was_whole = self.parts().any(|part| part.info.number("last").unwrap_or_default() > 0);
        let may_make = makes_lost || (self.root.entry.state == State::Making && !was_whole);
        let mut missing = Vec::new();
        for (number, held) in self.numbered() {
            match held {
                Held::Absent if may_make => missing.push(number),
                Held::Absent => return Err(self.lost(number)),
                Held::Refused(error) => return Err(error.clone()),
                Held::Part(part) => self.check(number, part)?,
                Held::Root(_) | Held::Plain(_) | Held::Other | Held::Silent => return Err(self.other(number)),
            }
        }
        Ok(missing)
    }

    fn check(&self, number: u16, part: &Found) -> Result<(), Value> {
        let share = self.root.layout.share(number);
        if (part.parts, part.number) != (share.of, share.number) {
            return Err(self.other(number));
        }
        if part.entry.incarnation == self.root.entry.incarnation {
            return Ok(());
        }
        let name = self.name.escape_ascii();
        Err(error(&format!(
            "PARTSDOWN part {number} belongs to another board that had this name: LB.REPAIR {name} FORCE deletes it"
        )))
    }

    fn lost(&self, number: u16) -> Value {
        let Share { number, of } = self.root.layout.share(number);
        let (parts, name) = (of.count(), self.name.escape_ascii());
        error(&format!(
            "PARTSDOWN part {number} of {parts} is lost, with its members: LB.REPAIR {name} FORCE makes it again, empty"
        ))
    }

    fn altered(&self, number: u16) -> Value {
        let name = self.name.escape_ascii();
        error(&format!(
            "ERR the parts do not agree: part {number} has rules of its own: LB.REPAIR {name} gives it those of the root"
        ))
    }

    fn other(&self, number: u16) -> Value {
        let key = self.root.layout.key(self.name, number);
        error(&format!("PARTSDOWN the key of part {number} holds something else: {}", key.escape_ascii()))
    }

    /// Returns the root or part with the latest rules. A server that takes over can have lost the last change of the
    /// rules, so this may be a part.
    fn latest(&self) -> &'a Found {
        let root = self.root;
        self.parts().fold(
            root,
            |latest, part| {
                if part.entry.revision > latest.entry.revision { part } else { latest }
            },
        )
    }

    /// Returns whether all parts exist and have these rules.
    fn is_whole(&self, latest: &Found) -> Result<bool, Value> {
        self.missing(false)?;
        let is_other = |part: &&Found| part.entry.revision == latest.entry.revision && !agrees(part, latest);
        if let Some(part) = self.parts().find(is_other) {
            return Err(self.altered(part.number));
        }
        Ok(self.parts().all(|part| agrees(part, latest)))
    }

    fn make(&self, number: u16, latest: &Found, rules: &[Vec<u8>]) -> Command {
        let Share { number, of } = self.root.layout.share(number);
        let numbers = [
            ("PART", u64::from(number)),
            ("OF", of.count().into()),
            ("INCARNATION", self.root.entry.incarnation),
            ("REVISION", latest.entry.revision),
        ];
        let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
        let numbers = numbers.chain(["NX".to_owned()]).map(String::into_bytes);
        let key = of.key(self.name, number);
        command(&[b"LB.CREATE", &key], rules.iter().cloned().chain(numbers))
    }

    fn give_rules(&self, key: Vec<u8>, latest: &Found, rules: &[Vec<u8>]) -> Command {
        let numbers = [self.root.entry.incarnation, latest.entry.revision];
        let numbers = numbers.map(|number| number.to_string().into_bytes());
        command(&[b"LB.CATALOG", &key, b"RULES"], numbers.into_iter().chain(rules.iter().cloned()))
    }

    fn whole(&self, revision: u64, told: bool) -> Command {
        let numbers = [self.root.entry.incarnation, revision].map(|number| number.to_string().into_bytes());
        let told = told.then(|| b"TOLD".to_vec());
        command(&[b"LB.CATALOG", self.name, b"WHOLE"], numbers.into_iter().chain(told))
    }
}
