//! How much work it is to free something: about how many allocations it has. A server asks for that before it
//! frees a value, so counting must not take long either: it ends where the effort is great in any case.

/// Counting ends here.
pub const GREAT: usize = 10_000;

/// The sum of efforts. It is greater than [`GREAT`] if all of them together are. Each counts as one at the least, so
/// that the list itself is never longer than what is counted.
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
