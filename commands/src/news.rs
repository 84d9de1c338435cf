//! What listeners learn of a key besides its changes: a period has ended, others stand at the top.

use crate::argument::Argument;
use crate::host::Host;

/// Events of a key besides its changes.
#[derive(Debug, Clone, Copy, Default)]
pub struct News {
    /// A period has ended.
    pub ended: bool,
    /// Others stand at the top.
    pub top: bool,
}

impl News {
    /// Publishes them.
    pub fn publish(self, host: &impl Host, key: Argument) {
        if self.ended {
            host.notify(c"lb.period", key);
        }
        if self.top {
            host.notify(c"lb.top", key);
        }
    }
}
