//! The entry of one command: it may ask its parts more than once, with one deadline.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::time::Instant;

use super::gate::{Busy, Gate, Place, Ticket};

/// How one command enters the gate. Time in the queue does not count as time of the parts: the deadline of the command
/// follows from the moment when it enters.
pub struct Entry<'a> {
    gate: &'a Gate,
    ticket: Ticket,
    deadline: OnceLock<Instant>,
}

impl<'a> Entry<'a> {
    /// Returns the entry of a command that has not entered yet.
    pub const fn new(gate: &'a Gate, ticket: Ticket) -> Self {
        Self { gate, ticket, deadline: OnceLock::new() }
    }

    /// Waits for the places of the command. Returns them with the deadline of the command. A command that asks its
    /// parts a second time keeps its deadline.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn enter(&self) -> Result<(Place<'a>, Instant), Busy> {
        let ticket = match self.deadline.get() {
            None => self.ticket,
            Some(deadline) => {
                let (came, timeout) = (Instant::now(), deadline.saturating_duration_since(Instant::now()));
                Ticket { came, timeout, ..self.ticket }
            }
        };
        let place = self.gate.enter(ticket).await?;
        Ok((place, self.deadline()))
    }

    /// Returns the deadline of the command. It begins to run now at the latest.
    pub fn deadline(&self) -> Instant {
        *self.deadline.get_or_init(|| after(self.ticket.timeout))
    }

    /// Returns until when a command waits for the result of another command that enters in its place.
    pub fn patience(&self) -> Instant {
        after(self.gate.patience().saturating_add(self.ticket.timeout))
    }
}

fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now)
}
