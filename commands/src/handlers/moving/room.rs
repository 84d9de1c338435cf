//! The memory that a command with a result of any size may use. The server looks at `maxmemory` before a command, not
//! while it runs.

use crate::call::Call;
use crate::host::Host;
use crate::refusal::Refusal;

/// Bytes that the data may grow by, when the command began.
pub struct Room(Option<u64>);

impl Room {
    pub fn of(call: &Call<impl Host>) -> Self {
        Self(call.host().free_memory())
    }

    /// Checks that so many bytes fit.
    ///
    /// # Errors
    /// [`Refusal::OutOfMemory`].
    pub fn check(&self, bytes: usize) -> Result<(), Refusal> {
        let fits = self.0.is_none_or(|free| bytes as u64 <= free);
        if fits { Ok(()) } else { Err(Refusal::OutOfMemory) }
    }
}
