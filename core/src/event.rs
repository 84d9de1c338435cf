//! The part that writes of several types have in common.

use crate::time::{Millis, TimeSource};

/// An event to be written.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// When it happened; `None` means now.
    pub at: Option<Millis>,
    /// The request's id.
    pub request: Option<&'a [u8]>,
    /// Where the time comes from, and whether the write was decided before.
    pub origin: TimeSource,
}
