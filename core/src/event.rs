//! The data that writes of several types have in common.

use crate::time::{Millis, TimeSource};

/// An event to be written.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// When the event happened; `None` means now.
    pub at: Option<Millis>,
    /// The request's id.
    pub request: Option<&'a [u8]>,
    /// The source of the time, which also shows whether another server decided the write.
    pub origin: TimeSource,
}
