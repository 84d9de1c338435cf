//! Lists in which nothing may occur twice.

/// Returns whether an item occurs twice.
pub fn repeats<T: Ord>(items: impl Iterator<Item = T>) -> bool {
    let mut items: Vec<_> = items.collect();
    items.sort_unstable();
    items.windows(2).any(|pair| pair.first() == pair.last())
}
