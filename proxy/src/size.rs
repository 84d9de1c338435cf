//! The largest size of the reply to a command, computed from its words before it is sent. The limits of a board bound
//! the size of a row.

use leaderboard_core::MAX_NAME;
use leaderboard_core::board::{MAX_HIDDEN, MAX_META};
use leaderboard_core::counter::MAX_SAMPLES;
use leaderboard_core::dimensions::MAX_SEGMENT;
use leaderboard_core::view::MAX_RETAIN;

use crate::asked::{Asked, Row};

/// The size of numbers, a score and the bytes between them.
const NUMBERS: u64 = 256;
/// The size of a row with a name but without a text.
const NAMED: u64 = MAX_NAME as u64 + NUMBERS;
/// The size of a text.
pub const TEXT: u64 = MAX_META as u64 + 16;
/// The size of a standing: a member with its neighbours.
const STANDING: u64 = 2 * MAX_NAME as u64 + 2 * NUMBERS;
/// The size of a reply that is not a list: a position, or the rules of a board.
const OTHER: u64 = 1 << 10;
/// The size of a period: its label, its ends and its number of members.
const PERIOD: u64 = 96;
/// What a winner has beside its row: its prize, the moment of its claim, and its segment or its tier.
const PRIZE: u64 = 256;
/// The size of a segment in the ranking of segments.
const SEGMENT: u64 = MAX_SEGMENT as u64 + NUMBERS;
/// The size of a slice: its beginning and its count.
const SLICE: u64 = 48;

/// The size of what is known about a part, and the maximum number of parts of a board.
const PART: u64 = 512;
const MAX_PARTS: u64 = 1_024;
/// How many members LB.FIND looks at if it has no `COUNT`.
const FOUND: u64 = 1_000;
/// The size of an option of a campaign.
pub const OPTION: u64 = NAMED + NUMBERS + TEXT;

/// The largest size of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The number of rows, if the reply is a list; else 0.
    pub rows: u64,
    /// The number of bytes.
    pub bytes: u64,
}

impl Size {
    const fn list(rows: u64, row: u64) -> Self {
        Self { rows, bytes: rows.saturating_mul(row) }
    }

    const fn other(bytes: u64) -> Self {
        Self { rows: 0, bytes }
    }
}

/// The largest reply to a command.
pub fn largest(words: &[Vec<u8>]) -> Size {
    let name = words.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    match Row::of(&name).and_then(|row| Asked::read(row, words).ok()) {
        Some(asked) => of_a_board(&asked),
        None => of_others(&name, words),
    }
}

fn of_a_board(asked: &Asked<'_>) -> Size {
    let text = if asked.has("WITHMETA") { TEXT } else { 0 };
    let members = u64::try_from(asked.members().len()).unwrap_or(u64::MAX);
    match asked.row.name {
        "LB.TOP" => Size::list(fixed(asked, 0), NAMED.saturating_add(text)),
        "LB.RANGE" => Size::list(between(asked), NAMED.saturating_add(text)),
        "LB.RANGEBYSCORE" => {
            Size::list(asked.value("COUNT").map_or(u64::MAX, number), NAMED.saturating_add(text))
        }
        "LB.AROUND" => Size::list(around(asked), NAMED.saturating_add(text)),
        "LB.AMONG" => Size::list(members, NAMED.saturating_add(text)),
        "LB.MSCORE" => Size::list(members, NUMBERS.saturating_add(text)),
        "LB.STANDING" => Size::other(STANDING.saturating_add(text)),
        "LB.MSTANDING" => Size::list(members, STANDING.saturating_add(text)),
        "LB.MGETMETA" => Size::list(members, TEXT),
        "LB.GETMETA" => Size::other(TEXT),
        "LB.PRIZES" => Size::list(asked.value("COUNT").map_or(10, number), NAMED.saturating_add(PRIZE)),
        "LB.OPTIONS" => Size::list(asked.value("COUNT").map_or(10, number), OPTION),
        "LB.HISTOGRAM" => Size::other(fixed(asked, 2).saturating_mul(NUMBERS)),
        "LB.PERIODS" => Size::other(PERIOD.saturating_mul(MAX_RETAIN as u64)),
        "LB.PARTS" | "LB.REPAIR" => Size::other(PART.saturating_mul(MAX_PARTS)),
        "LB.HIDDEN" => Size::other(NAMED.saturating_mul(MAX_HIDDEN as u64)),
        _ => Size::other(OTHER),
    }
}

/// The sizes for commands that do not work on boards with parts.
fn of_others(name: &[u8], words: &[Vec<u8>]) -> Size {
    let count = option(words, b"COUNT").map_or(u64::MAX, number);
    match name {
        b"LB.LEAGUE.TOP" | b"LB.LEAGUE.GROUP" => Size::list(count, NAMED.saturating_add(TEXT)),
        b"LB.SEGMENTS" => Size::list(option(words, b"COUNT").map_or(10, number), SEGMENT),
        b"LB.LEAGUE.PRIZES" => {
            Size::list(option(words, b"COUNT").map_or(10, number), NAMED.saturating_add(PRIZE))
        }
        b"LB.FIND" => {
            let text = if words.iter().any(|word| word.eq_ignore_ascii_case(b"WITHMETA")) { TEXT } else { 0 };
            Size::list(option(words, b"COUNT").map_or(FOUND, number), NAMED.saturating_add(text))
        }
        b"LB.HISTORY" => {
            let periods = option(words, b"COUNT").map_or(10, number);
            Size::other(periods.saturating_mul(PERIOD.saturating_add(NUMBERS)))
        }
        b"LB.COUNTER.GET" => Size::other(SLICE.saturating_mul(MAX_SAMPLES as u64)),
        _ => Size::other(OTHER),
    }
}

fn fixed(asked: &Asked<'_>, place: usize) -> u64 {
    asked.fixed.get(place).map_or(0, |word| number(word))
}

/// The number of lines around a member, the member included.
fn around(asked: &Asked<'_>) -> u64 {
    let sides = |word| asked.value(word).map_or(0, number);
    let both = fixed(asked, 1).saturating_mul(2);
    both.saturating_add(sides("ABOVE")).saturating_add(sides("BELOW")).saturating_add(1)
}

/// How many lines two ranks ask for. If the number of members decides, the largest number.
fn between(asked: &Asked<'_>) -> u64 {
    let rank = |place: usize| asked.fixed.get(place).and_then(|word| parsed::<i64>(word));
    match (rank(0), rank(1)) {
        (Some(first), Some(last)) => most_lines(first, last).unwrap_or(u64::MAX),
        // The server refuses such a command.
        _ => 0,
    }
}

/// How many lines two ranks ask for; `None` if the answer depends on the number of members.
pub fn most_lines(first: i64, last: i64) -> Option<u64> {
    match (first > 0, last > 0) {
        (true, false) => None,
        (false, true) => Some(first.unsigned_abs().min(last.unsigned_abs())),
        _ => Some(width(first, last)),
    }
}

/// How many ranks there are from one to another.
pub fn width(first: i64, last: i64) -> u64 {
    last.saturating_sub(first).saturating_add(1).try_into().unwrap_or(0)
}

fn option<'a>(words: &'a [Vec<u8>], name: &[u8]) -> Option<&'a [u8]> {
    let place = words.iter().position(|word| word.eq_ignore_ascii_case(name))?;
    words.get(place.saturating_add(1)).map(Vec::as_slice)
}

/// A number in a command. The server refuses a word that is not a number.
fn number(word: &[u8]) -> u64 {
    parsed(word).unwrap_or(0)
}

fn parsed<N: std::str::FromStr>(word: &[u8]) -> Option<N> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use leaderboard_commands::table::{Command, commands};
    use leaderboard_testkit::calls::shortest;

    use super::*;

    fn of(command: &str) -> Size {
        largest(&command.split(' ').map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>())
    }

    /// Commands whose lists are short: as long as the list in the request, or as the few rules of a board or
    /// a league.
    const SHORT: [&str; 9] = [
        "LB.GETSEGMENT",
        "LB.INFO",
        "LB.MADD",
        "LB.MSET",
        "LB.QUANTILE",
        "LB.VOTE",
        "LB.MVOTE",
        "LB.QUOTA",
        "LB.LEAGUE.INFO",
    ];
    /// Commands that are for programs and not for people. Their lists are as long as the request says.
    const FOR_PROGRAMS: [&str; 2] = ["LB.PART", "LB.COUNTER.MGET"];

    #[test]
    fn every_command_with_a_list_has_a_size() {
        let is_list = |command: &&Command| command.shapes.iter().any(|(_, shape)| shape.contains("..."));
        let is_other = |command: &&Command| largest(&shortest(command, "b")) == Size::other(OTHER);
        let names = commands().filter(is_list).filter(is_other).map(|command| command.name.to_str().unwrap());
        let expected = SHORT.into_iter().chain(FOR_PROGRAMS);
        assert_eq!(names.collect::<BTreeSet<_>>(), expected.collect());
    }

    #[test]
    fn lists_are_as_large_as_their_rows() {
        assert_eq!(of("LB.TOP b 3"), Size::list(3, NAMED));
        assert_eq!(of("lb.top b 3 offset 7 WITHMETA"), Size::list(3, NAMED + TEXT));
        assert_eq!(of("LB.RANGE b -5 -3 REV"), Size::list(3, NAMED));
        assert_eq!(of("LB.RANGE b 1 -1").rows, u64::MAX);
        assert_eq!(of("LB.RANGEBYSCORE b 1 2 COUNT 4"), Size::list(4, NAMED));
        assert_eq!(of("LB.AROUND b ann 5").rows, 11);
        assert_eq!(of("LB.AROUND b ann ABOVE 1 BELOW 2 FILL").rows, 4);
        assert_eq!(of("LB.MSTANDING b MEMBERS 2 a b WITHMETA"), Size::list(2, STANDING + TEXT));
        assert_eq!(of("LB.OPTIONS b 0 COUNT 4").rows, 4);
        assert_eq!(of("LB.PRIZES b 0 COUNT 4 UNCLAIMED"), Size::list(4, NAMED + PRIZE));
        assert_eq!(of("LB.LEAGUE.GROUP l tier 1 COUNT 30 PERIOD -1").rows, 30);
        assert_eq!(of("LB.ADD b 5 ann").rows, 0);
        assert_eq!(of("LB.TOP b x").rows, 0);
    }
}
