//! Numbers as people read them.

/// Puts a comma between groups of three digits of the whole part. Levels (`12/5/3`) are grouped one by one.
pub fn grouped(number: &str) -> String {
    number.split('/').map(group).collect::<Vec<_>>().join("/")
}

fn group(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut text = String::from(sign);
    for (place, digit) in digits.chars().enumerate() {
        let left = digits.len().saturating_sub(place);
        if place > 0 && left.is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

/// An amount of memory, with a unit.
pub fn bytes(bytes: u64) -> String {
    let units = ["KB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (bytes / 100, "KB");
    for larger in units.into_iter().skip(1) {
        if tenths < 10_000 {
            break;
        }
        (tenths, unit) = (tenths / 1_000, larger);
    }
    format!("{}.{} {unit}", grouped(&(tenths / 10).to_string()), tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        let cases = [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-1234567", "-1,234,567"),
            ("-123", "-123"),
            ("1234.5678", "1,234.5678"),
            ("12000/5/-3000", "12,000/5/-3,000"),
        ];
        for (number, shown) in cases {
            assert_eq!(grouped(number), shown);
        }
    }

    #[test]
    fn memory_has_a_unit() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (1_560_000, "1.5 MB"),
            (2_000_000_000_000_000, "2,000.0 TB"),
        ];
        for (amount, shown) in cases {
            assert_eq!(bytes(amount), shown);
        }
    }
}
