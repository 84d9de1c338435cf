//! All rules of a board as one value, from which another board can be made.

use super::{Board, Carry, Decays, Retain};
use crate::campaign::RuleChanges;
use crate::parts::Parts;
use crate::schema::Schema;
use crate::view::{Kind, Spec};

/// All rules of a board. Members and candidates are not included.
#[derive(Debug, Clone)]
pub struct Rules {
    /// How scores change and are ordered.
    pub schema: Schema,
    /// The board's views, the default view first.
    pub specs: Vec<Spec>,
    /// The rules of writes, as changes to a board without such rules.
    pub voting: RuleChanges,
}

impl Default for Rules {
    fn default() -> Self {
        let specs = vec![Spec::new(Kind::All)];
        Self { schema: Schema::default(), specs, voting: RuleChanges::default() }
    }
}

impl Board {
    /// Returns all rules of the board.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            schema: self.schema.clone(),
            specs: self.specs().copied().collect(),
            voting: self.write_rules(),
        }
    }

    /// Returns a hash of all rules that affect reads and writes, below 2^63. The root of a board and all its parts
    /// have the same hash, even if they got their rules by different changes. Boards of different incarnations have
    /// different hashes.
    #[must_use]
    pub fn rules_hash(&self) -> u64 {
        let known = self.rules_hash.get();
        if known != 0 {
            debug_assert_eq!(known, self.hash_rules(), "the rules have changed without a note");
            return known;
        }
        let hash = self.hash_rules();
        self.rules_hash.set(hash);
        hash
    }

    /// Notes that the rules may have changed.
    pub(super) fn rules_changed(&self) {
        self.rules_hash.set(0);
    }

    fn hash_rules(&self) -> u64 {
        self.rules_hash_over(self.schema.role.parts())
    }

    /// Returns the hash that these rules have on a board over this number of parts.
    #[must_use]
    pub fn rules_hash_over(&self, parts: Option<Parts>) -> u64 {
        let Schema { order, aggregate, ties, decimals, levels, clock, dedup, calendar, .. } = &self.schema;
        let Schema { shown, declared, keep, notify_top, segments, .. } = &self.schema;
        let levels = levels.as_ref().map(ToString::to_string).unwrap_or_default();
        let views: Vec<_> = self.specs().map(|spec| spec.kind.to_string()).collect();
        let window = self.voting_window();
        let incarnation = parts.map_or(0, |_| self.catalog().incarnation);
        let text = format!(
            "{order} {aggregate} {ties} {decimals} {levels} {clock} {dedup} {} {} {} {shown} {declared} {keep} {notify_top} {} \
             {} {} {} {} {} {}",
            calendar.zone,
            calendar.week_start,
            calendar.origin,
            parts.map_or(0, Parts::count),
            views.join(","),
            // `RETAIN` may have a number for the view `all`. This number has no effect.
            Retain::of(self.specs()),
            Carry::of(self.specs()),
            Decays::of(self.specs()),
            window.opens,
            window.closes,
        );
        let incarnation = (incarnation > 0).then(|| incarnation.to_string());
        // Boards without dimensions keep the hash that earlier versions compute.
        let segments = (!segments.is_empty()).then(|| format!("SEGMENTS {segments}"));
        let limits = self
            .limits()
            .map(|rule| rule.to_string())
            .chain(segments)
            .chain(self.score_rules(parts.is_some()));
        let mut hash = blake3::Hasher::new();
        std::iter::once(text).chain(limits).chain(incarnation).for_each(|text| {
            hash.update(text.as_bytes()).update(b"\n");
        });
        let first = hash.finalize().as_bytes().first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(first) >> 1
    }
}

impl Board {
    /// Returns each rule of scores of the board as text, besides `OPENS` and `CLOSES`. Boards without such a rule keep the hash
    /// that they had. Over parts, the root alone has the prizes, so they are left out.
    fn score_rules(&self, is_over_parts: bool) -> Vec<String> {
        let RuleChanges { hours, attempts, max_members, bounds, prizes, prize_days, .. } = self.write_rules();
        let hours = hours.map(|hours| format!("HOURS {hours}"));
        let attempts = attempts.flatten().map(|attempts| format!("ATTEMPTS {attempts}"));
        let max_members = max_members.map(|max| format!("MAXMEMBERS {max}"));
        let bounds = bounds.map(|bounds| format!("BOUNDS {bounds}"));
        let prize_days = prize_days.filter(|_| !is_over_parts).map(|days| format!("PRIZEDAYS {days}"));
        let prizes = prizes.iter().filter(|_| !is_over_parts);
        let prizes = prizes.map(|change| format!("PRIZES {}", change.to_bytes().escape_ascii()));
        [hours, attempts, max_members, bounds, prize_days].into_iter().flatten().chain(prizes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Alter, parse_edits, parse_views};
    use crate::parts::Role;
    use crate::share::Share;
    use proptest::prelude::*;
    use proptest::sample::subsequence;

    fn parts() -> Parts {
        Parts::new(64, "PARTS").unwrap()
    }

    fn changes() -> impl Strategy<Value = Alter> {
        let views = subsequence(vec!["+week", "+month", "-day", "+day:3"], 0..=4);
        let views = views.prop_map(|edits| match edits.as_slice() {
            [] => Vec::new(),
            edits => parse_edits(edits.join(",").as_bytes()).unwrap(),
        });
        let retain = prop_oneof![
            Just(None),
            (1..9_u32).prop_map(|number| Some(Retain::All(number))),
            (1..9_u32).prop_map(|number| Some(Retain::Each(vec![(Kind::parse(b"day").unwrap(), number)])))
        ];
        let share = || proptest::option::of(0..4_u8);
        let shares = (share(), share()).prop_map(|(carry, decay)| {
            let day = Kind::parse(b"day").unwrap();
            let of = |percent: u8| Share::parse(format!("0.{percent}").as_bytes(), "CARRY").unwrap();
            let list = |percent: Option<u8>| percent.map(|percent| (day, of(percent))).into_iter().collect();
            (Carry(list(carry)), Decays(list(decay)))
        });
        let numbers = (proptest::option::of(0..3_u32), proptest::option::of(0..3_u32));
        let hours = (proptest::option::of(0..3_u64), proptest::option::of(0..9_u64));
        (views, retain, shares, numbers, hours).prop_map(
            |(views, retain, (carry, decay), (dedup, notify_top), (opens, closes))| {
                let voting = RuleChanges { opens, closes, ..RuleChanges::default() };
                Alter {
                    views,
                    retain,
                    carry,
                    decay,
                    dedup,
                    keep: None,
                    declared: false,
                    notify_top,
                    segments: Vec::new(),
                    voting,
                    now: 0,
                }
            },
        )
    }

    /// Returns the published rules of a board, as text. Two boards have equal hashes if and only if these texts are
    /// equal.
    fn published(board: &Board) -> String {
        let Schema { dedup, notify_top, .. } = board.schema();
        let views: Vec<_> = board.specs().map(|spec| spec.kind.to_string()).collect();
        let shares = (Carry::of(board.specs()).to_string(), Decays::of(board.specs()).to_string());
        let retain = Retain::of(board.specs()).to_string();
        format!("{dedup} {notify_top} {views:?} {shares:?} {retain} {:?}", board.voting_window())
    }

    proptest! {
        #[test]
        fn the_hash_is_that_of_the_rules_whatever_led_there(
            one in proptest::collection::vec(changes(), 0..5),
            other in proptest::collection::vec(changes(), 0..5),
        ) {
            let made = |role| {
                let schema = Schema { role, ..Schema::default() };
                Board::new(schema, &parse_views(b"all,day").unwrap()).unwrap()
            };
            let after = |mut board: Board, changes: &[Alter]| {
                changes.iter().for_each(|change| _ = board.alter(change));
                board
            };
            let root = after(made(Role::Root(parts())), &one);
            let part = after(made(Role::Part { number: 63, parts: parts() }), &one);
            prop_assert_eq!(root.rules_hash(), part.rules_hash());
            prop_assert!(root.rules_hash() < 1 << 63);
            // One board is made with these rules. The other board gets the same rules by changes.
            let Rules { schema, specs, voting } = root.rules();
            let mut again = Board::new(schema, &specs).unwrap();
            again.alter(&Alter { voting, ..Alter::default() }).unwrap();
            prop_assert_eq!(again.rules_hash(), root.rules_hash());
            let other = after(made(Role::Root(parts())), &other);
            prop_assert_eq!(published(&root) == published(&other), root.rules_hash() == other.rules_hash());
            prop_assert_ne!(after(made(Role::Whole), &one).rules_hash(), root.rules_hash());
        }
    }
}
