//! Finds members by patterns of their names, page by page.
//!
//! Members come in the order of the hashes of their names, and a cursor is a place in this order. A member that stays keeps
//! its place while others come and go, so it is seen exactly once. The keys of the hashes are drawn anew when a board is
//! loaded. A cursor contains a mark of the keys, so that one of other keys is refused. It fits into a signed number of 64 bits.

use super::Board;
use crate::Error;
use crate::glob;
use crate::index::MemberId;

/// The maximum length of a pattern, in bytes.
pub const MAX_PATTERN: usize = 512;
/// The maximum number of members that one page looks at.
pub const MAX_FOUND: u64 = 10_000;
/// A member counts as one more for each such product of the lengths of its name and the pattern, which bounds the work.
const WORK: usize = 1_024;
/// The bits of a cursor below its mark.
const PLACE_BITS: u32 = 48;

impl Board {
    /// Returns the members whose names match a pattern, and the cursor of the next page; 0 after the last page. The first page
    /// has the cursor 0. A page looks at about `count` members. Hidden members are left out.
    ///
    /// # Errors
    /// [`Error::BadCursor`] for a cursor of another board, or from before the board was loaded.
    pub fn find_members(
        &self,
        cursor: u64,
        pattern: &[u8],
        count: u64,
    ) -> Result<(u64, Vec<MemberId>), Error> {
        let mark = u64::from(self.members.mark());
        let place = cursor & ((1 << PLACE_BITS) - 1);
        if cursor > 0 && (cursor >> PLACE_BITS != mark || place == 0) {
            return Err(Error::BadCursor("LB.FIND"));
        }
        let (mut found, mut left) = (Vec::new(), count);
        let next = self.members.walk(place, |id, name| {
            if glob::matches(pattern, name) && !self.is_hidden(id) {
                found.push(id);
            }
            let work = name.len().saturating_mul(pattern.len()).div_euclid(WORK) as u64;
            left = left.saturating_sub(work.saturating_add(1));
            left > 0
        });
        Ok((next.map_or(0, |place| mark << PLACE_BITS | place), found))
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::Schema;
    use crate::board::{Write, parse_views};
    use crate::score::Decimal;
    use crate::time::TimeSource;

    #[derive(Debug, Clone)]
    enum Step {
        Add(u16),
        Remove(Index),
        Page(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (0..2_000_u16).prop_map(Step::Add),
            2 => any::<Index>().prop_map(Step::Remove),
            2 => (1..400_u64).prop_map(Step::Page),
        ]
    }

    fn add(board: &mut Board, name: &str) {
        let write = Write::new(TimeSource::Client { wall: 1, max_future: 0 });
        board.add(&write, Decimal::whole(1), name.as_bytes()).unwrap();
    }

    fn page(board: &Board, cursor: u64, count: u64) -> (u64, Vec<String>) {
        let (next, found) = board.find_members(cursor, b"m*", count).unwrap();
        let name = |id: &MemberId| String::from_utf8(board.name(*id).to_vec()).unwrap();
        (next, found.iter().map(name).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn a_member_that_stays_is_seen_once_while_others_come_and_go(
            begin in 0..3_000_u16,
            steps in proptest::collection::vec(step(), 1..60),
        ) {
            let mut board = Board::new(Schema::default(), &parse_views(b"all").unwrap()).unwrap();
            // Whether each member has been there all the time, and how often it was seen.
            let mut members: BTreeMap<String, (bool, u64)> = BTreeMap::new();
            for number in 0..begin {
                add(&mut board, &format!("m{number}"));
                members.insert(format!("m{number}"), (true, 0));
            }
            let (mut cursor, mut is_over) = (0, false);
            let pages = steps.into_iter().chain((0..3_000).map(|_| Step::Page(500)));
            for step in pages {
                match step {
                    Step::Add(number) => {
                        let name = format!("m{}", u32::from(number) * 7);
                        add(&mut board, &name);
                        members.entry(name).or_insert((false, 0));
                    }
                    Step::Remove(which) if !members.is_empty() => {
                        let name = members.keys().nth(which.index(members.len())).unwrap().clone();
                        _ = board.remove(name.as_bytes());
                        members.remove(&name);
                    }
                    Step::Page(count) if !is_over => {
                        let is_large = board.members.is_large();
                        let (next, found) = page(&board, cursor, count);
                        prop_assert!(!is_large || found.len() as u64 <= count, "{} of {count}", found.len());
                        for name in found {
                            members.get_mut(&name).unwrap().1 += 1;
                        }
                        (cursor, is_over) = (next, next == 0);
                    }
                    _ => {}
                }
            }
            prop_assert!(is_over);
            for (name, (stayed, seen)) in members {
                prop_assert!(if stayed { seen == 1 } else { seen <= 1 }, "{name} was seen {seen} times");
            }
        }
    }

    #[test]
    fn a_cursor_of_another_board_is_refused() {
        let make = || {
            let mut board = Board::new(Schema::default(), &parse_views(b"all").unwrap()).unwrap();
            (0..2_000).for_each(|number| add(&mut board, &format!("m{number}")));
            board
        };
        let (one, other) = (make(), make());
        let (cursor, _) = one.find_members(0, b"*", 100).unwrap();
        assert!(one.find_members(cursor, b"*", 100).is_ok());
        assert!(other.find_members(cursor, b"*", 100).is_err());
        assert!(one.find_members(1, b"*", 100).is_err());
    }

    #[test]
    fn long_names_and_long_patterns_take_more_pages() {
        let mut board = Board::new(Schema::default(), &parse_views(b"all").unwrap()).unwrap();
        (0..300).for_each(|number| add(&mut board, &format!("{}{number}", "a".repeat(500))));
        let pattern = "*a".repeat(255) + "*";
        let (next, found) = board.find_members(0, pattern.as_bytes(), 1_000).unwrap();
        assert!(next > 0 && (2..20).contains(&found.len()), "{}", found.len());
    }
}
