//! What listeners learn of a key besides its changes: a period has ended, others stand at the top.

use crate::argument::Argument;
use crate::call::Call;
use crate::host::Host;
use crate::native::Native;
use crate::value::Value;

/// Events of a key besides its changes.
#[derive(Debug, Clone, Copy, Default)]
pub struct News {
    /// A period has ended.
    pub ended: bool,
    /// Others stand at the top.
    pub top: bool,
}

impl News {
    /// The events of a value that a command has changed.
    pub fn of<T: Native>(call: &Call<impl Host>, key: Argument, value: &mut Value<T>) -> Self {
        let host = call.host();
        // While a file is loaded, time stands still: what ended since then is published afterwards.
        let now = |data: &T| if host.is_loading() { data.last_write() } else { call.now_of(data) };
        let ended = value.follow_ends(now, |value| host.follow_ends(value, key));
        Self { ended: ended && host.publishes_ends(), top: value.data.has_new_top() }
    }

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
