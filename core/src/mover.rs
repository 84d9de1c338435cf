//! What the core asks of a server that defragments memory: it owns no allocator, so it lends what it
//! holds to somebody who does.

/// Somebody who can move allocations to better places: the server's active defragmentation.
pub trait Mover {
    /// The same value, perhaps elsewhere.
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T>;
    /// The same values, perhaps elsewhere.
    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]>;
    /// The same values with the same capacity, perhaps elsewhere.
    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T>;
    /// Whether to stop for now and go on later.
    fn pause(&mut self) -> bool;
}
