//! Events of a key that do not report a write: a period has ended, or the members at the top have changed.

use crate::argument::Argument;
use crate::host::Host;

/// Events of a key that do not report a write.
#[derive(Debug, Clone, Copy, Default)]
pub struct News {
    /// A period has ended.
    pub ended: bool,
    /// The members at the top have changed.
    pub top: bool,
}

impl News {
    /// Publishes the events.
    pub fn publish(self, host: &impl Host, key: Argument) {
        if self.ended {
            host.notify(c"lb.period", key);
        }
        if self.top {
            host.notify(c"lb.top", key);
        }
    }
}
