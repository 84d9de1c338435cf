//! Patterns of names, with the rules of SCAN's `MATCH`: `*` is any bytes, `?` one byte, `[abc]`, `[a-z]` and `[^abc]` one byte
//! of a class, and `\` takes the special meaning from the byte behind it.
//!
//! The rules are those of `stringmatchlen` of Redis. Each part but `*` takes exactly one byte, so only the last `*` has to be
//! tried at other places, and the work is at most the length of the pattern times the length of the name.

/// Returns whether a name matches a pattern.
pub(crate) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read) = (0_usize, 0_usize);
    // The place behind the last `*`, and the byte of the name at which the rest is tried.
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = name.get(read) {
        if pattern.get(at) == Some(&b'*') {
            at = at.saturating_add(1);
            star = Some((at, read));
        } else if let Some(next) = one(pattern, at, *byte) {
            (at, read) = (next, read.saturating_add(1));
        } else if let Some((behind, tried)) = star {
            (at, read) = (behind, tried.saturating_add(1));
            star = Some((behind, read));
        } else {
            return false;
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

/// Matches one byte with the part of a pattern at a place. Returns the place behind the part.
fn one(pattern: &[u8], at: usize, byte: u8) -> Option<usize> {
    let behind = at.saturating_add(1);
    match pattern.get(at)? {
        b'?' => Some(behind),
        b'[' => class(pattern, behind, byte),
        b'\\' if behind < pattern.len() => {
            (pattern.get(behind) == Some(&byte)).then_some(behind.saturating_add(1))
        }
        other => (*other == byte).then_some(behind),
    }
}

/// Matches a byte with the class whose first byte is at a place. A class without its end goes on to the end of the pattern.
fn class(pattern: &[u8], mut at: usize, byte: u8) -> Option<usize> {
    let excludes = pattern.get(at) == Some(&b'^');
    at = at.saturating_add(usize::from(excludes));
    let mut is_in = false;
    loop {
        let rest = pattern.get(at..).unwrap_or_default();
        let taken = match *rest {
            [b'\\', escaped, ..] => {
                is_in |= escaped == byte;
                2
            }
            [b']', ..] => {
                at = at.saturating_add(1);
                break;
            }
            [] => break,
            [first, b'-', last, ..] => {
                is_in |= (first.min(last)..=first.max(last)).contains(&byte);
                3
            }
            [own, ..] => {
                is_in |= own == byte;
                1
            }
        };
        at = at.saturating_add(taken);
    }
    (is_in != excludes).then_some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A word for word translation of `stringmatchlen` in util.c of Redis 7.0, which tries every place for each `*`.
    fn model(mut pattern: &[u8], mut name: &[u8]) -> bool {
        while let (Some(first), Some(byte)) = (pattern.first(), name.first()) {
            match first {
                b'*' => {
                    while pattern.get(1) == Some(&b'*') {
                        pattern = &pattern[1..];
                    }
                    return pattern.len() == 1
                        || (0..=name.len()).any(|from| model(&pattern[1..], &name[from..]));
                }
                b'?' => name = &name[1..],
                b'[' => {
                    pattern = &pattern[1..];
                    let not = pattern.first() == Some(&b'^');
                    pattern = if not { &pattern[1..] } else { pattern };
                    let mut found = false;
                    loop {
                        if pattern.len() >= 2 && pattern[0] == b'\\' {
                            pattern = &pattern[1..];
                            found |= pattern[0] == *byte;
                        } else if pattern.is_empty() || pattern[0] == b']' {
                            break;
                        } else if pattern.len() >= 3 && pattern[1] == b'-' {
                            let (mut start, mut end) = (pattern[0], pattern[2]);
                            if start > end {
                                std::mem::swap(&mut start, &mut end);
                            }
                            pattern = &pattern[2..];
                            found |= *byte >= start && *byte <= end;
                        } else {
                            found |= pattern[0] == *byte;
                        }
                        pattern = &pattern[1..];
                    }
                    if found == not {
                        return false;
                    }
                    name = &name[1..];
                    if pattern.is_empty() {
                        break;
                    }
                }
                _ => {
                    if *first == b'\\' && pattern.len() >= 2 {
                        pattern = &pattern[1..];
                    }
                    if pattern[0] != *byte {
                        return false;
                    }
                    name = &name[1..];
                }
            }
            pattern = &pattern[1..];
        }
        if name.is_empty() {
            while pattern.first() == Some(&b'*') {
                pattern = &pattern[1..];
            }
        }
        pattern.is_empty() && name.is_empty()
    }

    #[test]
    fn patterns_are_those_of_scan() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("ann*", "anna", true),
            ("*na", "anna", true),
            ("*n?a*", "anna", true),
            ("a?", "a", false),
            ("[a-c]nn", "bnn", true),
            ("[c-a]nn", "bnn", true),
            ("[^a-c]nn", "bnn", false),
            ("[]", "a", false),
            ("[^]", "a", true),
            ("[ab", "b", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("a\\", "a\\", true),
            ("[\\]]", "]", true),
            ("*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    proptest! {
        #[test]
        fn a_name_matches_as_in_redis(pattern in r"[abc*?\[\]\\^-]{0,8}", name in r"[abc\\^*-]{0,6}") {
            prop_assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), model(pattern.as_bytes(), name.as_bytes()));
        }
    }
}
