//! How much work it takes to free a value: about how many allocations it has. A server asks for this before it frees
//! a value, so counting must be quick too: it stops when the effort is known to be great.

/// Counting ends here.
pub const GREAT: usize = 10_000;

/// The sum of efforts. It is greater than [`GREAT`] if all of them together are. Each item counts as at least one, so
/// that the list of items is never longer than the count.
pub(crate) fn sum(efforts: impl IntoIterator<Item = usize>) -> usize {
    let mut sum = 0_usize;
    for effort in efforts {
        sum = sum.saturating_add(effort.max(1));
        if sum > GREAT {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_an_effort_ends_where_it_is_great() {
        let mut looked_at = 0;
        assert_eq!(sum((0..5).map(|_| 3)), 15);
        assert!(sum((0..1_000_000).map(|_| looked_at += 1).map(|()| 0)) > GREAT);
        assert_eq!(looked_at, GREAT + 1);
    }
}
