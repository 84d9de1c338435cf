//! Merges two lists that are in order.

/// Returns the items of two lists in order, each with the number of its list. `is_behind` says whether an item of the
/// first list comes behind an item of the second list.
pub fn merge<T>(
    low: impl Iterator<Item = T>,
    high: impl Iterator<Item = T>,
    is_behind: impl Fn(&T, &T) -> bool,
) -> impl Iterator<Item = (usize, T)> {
    let (mut low, mut high) = (low.peekable(), high.peekable());
    std::iter::from_fn(move || {
        let takes_high = match (low.peek(), high.peek()) {
            (Some(one), Some(other)) => is_behind(one, other),
            (one, _) => one.is_none(),
        };
        if takes_high { high.next().map(|item| (1, item)) } else { low.next().map(|item| (0, item)) }
    })
}
