//! The effects of a command beyond its reply: counters, replication, events. See [`Call::carry_out`].
//!
//! [`Call::carry_out`]: crate::call::Call::carry_out

use std::ffi::CStr;

use leaderboard_core::board::{Effect, Written};
use leaderboard_core::time::{Millis, Stamp};

use crate::argument::Argument;
use crate::host::Count;
use crate::options::Options;
use crate::options::boards::CLOCK_NOW;
use crate::options::writing::NOW;
use crate::word::Stream;

pub struct Commit<'a> {
    /// The counter to increase.
    pub count: Option<Count>,
    /// The change of the key; `None` if the key is unchanged.
    pub change: Option<KeyChange<'a>>,
}

pub struct KeyChange<'a> {
    pub event: &'static CStr,
    pub sent: Sent<'a>,
}

/// Sends other commands instead of the client's command.
pub type SendInstead<'a> = Box<dyn Fn(&dyn Stream) + 'a>;

/// The commands for replicas and the append-only file.
pub enum Sent<'a> {
    /// The unchanged command.
    AsItIs,
    /// The command without the options that only concern this server. If a time is given here, it is added as the
    /// board's time.
    Kept(&'a Options<'a>, Option<Millis>),
    /// The command, with the times that were decided. If the client's words already say this, they are sent unchanged,
    /// because the server then builds no command.
    Decided(&'a Options<'a>, Stamp),
    /// The key, the value's time, and these arguments. This is for a command whose list takes the place of options.
    AsOf(Millis, &'a [Argument<'a>]),
    /// Other commands instead of the command.
    Instead(SendInstead<'a>),
}

impl<'a> Commit<'a> {
    /// No effect.
    pub const NOTHING: Self = Self { count: None, change: None };

    /// Returns a change whose command is sent to replicas unchanged.
    pub const fn as_it_is(event: &'static CStr) -> Self {
        Self { count: None, change: Some(KeyChange { event, sent: Sent::AsItIs }) }
    }

    /// Returns a change that depends on the board's time.
    pub fn at(answer: &impl Written, event: &'static CStr, options: &'a Options<'a>) -> Self {
        let Effect::Applied(stamp) = answer.effect() else { return Self::NOTHING };
        let now = (!options.has(&NOW) && !options.has(&CLOCK_NOW)).then_some(stamp.now);
        Self { count: None, change: Some(KeyChange { event, sent: Sent::Kept(options, now) }) }
    }

    /// Returns a change whose command is sent to replicas without the options that only concern this server, and with the board's
    /// time, if the change depends on it.
    pub const fn kept(event: &'static CStr, options: &'a Options<'a>, now: Option<Millis>) -> Self {
        Self { count: None, change: Some(KeyChange { event, sent: Sent::Kept(options, now) }) }
    }

    /// Returns the effects of a write of points, scores or votes.
    pub fn written(answer: &impl Written, event: &'static CStr, options: &'a Options<'a>) -> Self {
        let (count, sent) = match answer.effect() {
            Effect::Applied(stamp) => (Count::Written, Some(Sent::Decided(options, stamp))),
            Effect::Repeated | Effect::SameAttempt => (Count::Repeated, None),
            Effect::HeldBack => (Count::HeldBack, None),
        };
        Self { count: Some(count), change: sent.map(|sent| KeyChange { event, sent }) }
    }

    /// The effect of a vote that a rule did not allow ("held back").
    pub const VOTE_HELD_BACK: Self = Self { count: Some(Count::VoteHeldBack), change: None };
}
