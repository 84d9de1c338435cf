//! Memory that is counted when it is allocated and freed, so that no walk through the lists is needed.

use crate::size_class::bytes_of;

/// Memory on the heap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The number of bytes, rounded as allocators round them.
    pub bytes: usize,
    pub allocations: usize,
}

impl Footprint {
    /// Returns the memory of a list of `len` items. Lists grow and shrink by size classes of the allocator, so
    /// their capacity can be computed from their length.
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
