//! What a command comes to for everybody but its client. The outcome decides it; [`Call::carry_out`]
//! executes it, in one place.
//!
//! [`Call::carry_out`]: crate::call::Call::carry_out

use std::ffi::CStr;

use leaderboard_core::board::{Effect, Written};
use leaderboard_core::time::{Millis, Stamp};

use crate::options::Options;
use crate::options::writing::NOW;
use crate::stats::Count;

/// What a command comes to.
pub struct Commit<'a> {
    /// What is counted.
    pub count: Option<Count>,
    /// What has changed; nothing where the key is as it was.
    pub change: Option<Change<'a>>,
}

/// A change of a key.
pub struct Change<'a> {
    /// The keyspace event.
    pub event: &'static CStr,
    /// What replicas are sent.
    pub sent: Sent<'a>,
}

/// What replicas and the append-only file are sent.
pub enum Sent<'a> {
    /// The command as it came.
    AsItIs,
    /// The command as it came, with the board's now where it did not have that yet.
    WithNow(Option<Millis>),
    /// The command as it was decided at a moment.
    Decided(&'a Options<'a>, Stamp),
}

impl<'a> Commit<'a> {
    /// Nothing to tell.
    pub const NOTHING: Self = Self { count: None, change: None };

    /// A change that is sent on as it came.
    pub const fn as_it_is(event: &'static CStr) -> Self {
        Self { count: None, change: Some(Change { event, sent: Sent::AsItIs }) }
    }

    /// A change that depends on the board's now.
    pub fn at(answer: &impl Written, event: &'static CStr, options: &Options) -> Self {
        let Effect::Applied(stamp) = answer.effect() else { return Self::NOTHING };
        let now = (!options.has(&NOW)).then_some(stamp.now);
        Self { count: None, change: Some(Change { event, sent: Sent::WithNow(now) }) }
    }

    /// A write of points, scores or votes.
    pub fn written(answer: &impl Written, event: &'static CStr, options: &'a Options<'a>) -> Self {
        let (count, sent) = match answer.effect() {
            Effect::Applied(stamp) => (Count::Written, Some(Sent::Decided(options, stamp))),
            Effect::Repeated => (Count::Repeated, None),
            Effect::HeldBack => (Count::HeldBack, None),
        };
        Self { count: Some(count), change: sent.map(|sent| Change { event, sent }) }
    }

    /// A vote that a rule held back.
    pub const VOTE_HELD_BACK: Self = Self { count: Some(Count::VoteHeldBack), change: None };
}
