//! What the writes of several types have in common.

use crate::time::{Millis, TimeSource};

/// An event that is written.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// When it happened; without it, now.
    pub at: Option<Millis>,
    /// The request's id.
    pub request: Option<&'a [u8]>,
    /// Who says what time it is, and whether the write was decided before.
    pub origin: TimeSource,
}
