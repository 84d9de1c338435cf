//! The work that is needed to free a value: about how many allocations it has. A server requests this number before
//! it frees a value, so counting must be fast too. Counting stops as soon as the number is known to be great.

/// Counting stops above this number of allocations.
pub const GREAT: usize = 10_000;

/// Returns the sum of efforts. It stops as soon as it is greater than [`GREAT`]. Each item counts as at least one,
/// so the list of items is never longer than the count.
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
