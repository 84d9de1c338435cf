//! The memory that a command with a result of any size may use. The server checks `maxmemory` before a command, not
//! while the command runs.

use crate::call::Call;
use crate::host::Host;
use crate::refusal::Refusal;

/// The number of bytes that the data could grow by when the command began.
pub struct Room(Option<u64>);

impl Room {
    pub fn of(call: &Call<impl Host>) -> Self {
        Self(call.host().free_memory())
    }

    /// Checks that this number of bytes fits.
    ///
    /// # Errors
    /// [`Refusal::OutOfMemory`].
    pub fn check(&self, bytes: usize) -> Result<(), Refusal> {
        let fits = self.0.is_none_or(|free| bytes as u64 <= free);
        if fits { Ok(()) } else { Err(Refusal::OutOfMemory) }
    }
}
