//! Memory that is counted when it is allocated and freed, so that the lists need not be walked.

use crate::size_class::bytes_of;

/// Memory on the heap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes, as allocators round them.
    pub bytes: usize,
    pub allocations: usize,
}

impl Footprint {
    /// A list of `len` items. Lists grow and shrink by size classes of the allocator, so their capacity follows from
    /// their length.
    pub const fn list<T>(len: usize) -> Self {
        Self { bytes: bytes_of::<T>(len), allocations: if len == 0 { 0 } else { 1 } }
    }

    pub const fn add(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.allocations = self.allocations.saturating_add(other.allocations);
    }

    pub const fn take(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_sub(other.bytes);
        self.allocations = self.allocations.saturating_sub(other.allocations);
    }
}
