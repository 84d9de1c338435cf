//! What servers answer to INFO.

/// A field of INFO.
pub fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    let of = |line: &'a str| {
        line.split_once(':').filter(|(given, _)| *given == name).map(|(_, value)| value.trim())
    };
    info.lines().find_map(of)
}
