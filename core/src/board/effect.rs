//! The effect of a write, and the positions in its reply.

use crate::score::Score;
use crate::time::Stamp;

/// The effect of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The write was applied at this time: replicate it, and publish the event.
    Applied(Stamp),
    /// The same request was applied before, or the board already is as requested. Nothing has changed.
    Repeated,
    /// The sender has sent the same attempt again, which was applied before. Nothing has changed now.
    SameAttempt,
    /// A rule or the write's condition did not hold. Nothing has changed.
    HeldBack,
}

impl Effect {
    /// Returns whether the attempt of the sender was applied, now or when it was sent for the first time.
    #[must_use]
    pub const fn is_applied(&self) -> bool {
        matches!(self, Self::Applied(_) | Self::SameAttempt)
    }
}

/// The result of a write. Its effect decides what is replicated, published and replied.
pub trait Written {
    /// Returns the effect of the write.
    fn effect(&self) -> Effect;
}

impl Written for Effect {
    fn effect(&self) -> Effect {
        *self
    }
}

/// A member's score, and its rank from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The exact score.
    pub score: Score,
    /// The ordinal rank.
    pub rank: u64,
}

/// The reply to a write of one member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The effect of the write.
    pub effect: Effect,
    /// The position of the member after the write, if the position was requested and the member has one.
    pub now: Option<Position>,
    /// The member's position before the write, if the position was requested and the member had one.
    pub before: Option<Position>,
}

impl Written for Outcome {
    fn effect(&self) -> Effect {
        self.effect
    }
}

/// The reply to a write of several members: the effect, and the position of each member after the write, if positions were
/// requested.
pub type Outcomes = (Effect, Vec<Option<Position>>);

impl Written for Outcomes {
    fn effect(&self) -> Effect {
        self.0
    }
}
