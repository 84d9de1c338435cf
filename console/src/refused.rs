//! Who was held back most in about the last hour, as far as requests came through this gateway's HTTP API: approximate counts in
//! memory of fixed size.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How many boards have counts. A new board takes the place of the one that was held back least lately.
const MOST_BOARDS: usize = 64;
/// How many names of a kind are counted in a slice of time.
const MOST_NAMES: usize = 100;
/// How many slices there are, the current one included, and how long each is.
const SLICES: usize = 7;
const SLICE: Duration = Duration::from_secs(600);
/// The longest name in characters. The end of a longer one is left out.
const LONGEST: usize = 128;
/// The longest tags of a voter in bytes, all together. Longer ones are left out.
const LONGEST_TAGS: usize = 256;

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Who {
    Voter,
    /// The address that a vote came from.
    Address,
    /// A tag of a vote, as `name=value`.
    Tag,
    /// A member whose points were held back.
    Member,
}

/// A name and how often it was held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub who: Who,
    pub name: String,
    /// At least [`Self::count`] less [`Self::over`], and at most `count`.
    pub count: u64,
    /// By how much the count can be too great.
    pub over: u64,
    /// When and why it was held back the last time.
    pub last: Cause,
}

/// Why a request was held back, and when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cause {
    /// The rule.
    pub rule: String,
    /// The time in milliseconds since the Unix epoch.
    pub at: i64,
    /// The tags of the request, its address as the tag `ip`. Only voters have them.
    pub tags: Vec<(String, String)>,
}

impl Cause {
    fn now(rule: &str) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        Self { rule: rule.to_owned(), at, tags: Vec::new() }
    }

    /// The same with the tags among these names.
    fn with_tags(&self, whose: &[(Who, String)]) -> Self {
        let tag = |(who, name): &(Who, String)| match who {
            Who::Address => Some(("ip".to_owned(), name.clone())),
            Who::Tag => name.split_once('=').map(|(tag, value)| (tag.to_owned(), value.to_owned())),
            Who::Voter | Who::Member => None,
        };
        let length = whose.iter().map(|(_, name)| name.len()).fold(0, usize::saturating_add);
        let tags = if length > LONGEST_TAGS { Vec::new() } else { whose.iter().filter_map(tag).collect() };
        Self { tags, ..self.clone() }
    }
}

/// The count of a name in a slice of time.
#[derive(Debug)]
struct Count {
    count: u64,
    over: u64,
    last: Cause,
}

/// Counts of names that are exact for names that are held back often: the algorithm Space-Saving of Metwally, Agrawal and El Abbadi
/// (2005). A new name takes the place of the one with the smallest count, and its count.
#[derive(Debug, Default)]
struct Sketch(HashMap<String, Count>);

impl Sketch {
    fn note(&mut self, name: &str, last: Cause) {
        if let Some(noted) = self.0.get_mut(name) {
            noted.count = noted.count.saturating_add(1);
            noted.last = last;
            return;
        }
        let mut over = 0;
        if self.0.len() >= MOST_NAMES {
            let least = self.0.iter().min_by_key(|(_, noted)| noted.count);
            let least = least.map(|(name, noted)| (name.clone(), noted.count));
            if let Some((name, count)) = least {
                self.0.remove(&name);
                over = count;
            }
        }
        self.0.insert(name.to_owned(), Count { count: over.saturating_add(1), over, last });
    }
}

/// The counts of a slice of time.
#[derive(Debug, Default)]
struct Slice {
    number: u64,
    names: HashMap<Who, Sketch>,
}

/// The counts of all boards.
#[derive(Debug)]
pub struct Refusals {
    begun: Instant,
    boards: Mutex<HashMap<String, VecDeque<Slice>>>,
}

impl Default for Refusals {
    fn default() -> Self {
        Self { begun: Instant::now(), boards: Mutex::default() }
    }
}

impl Refusals {
    /// Notes that a request to a board was held back by a rule, and whose it was.
    pub fn note(&self, key: &str, rule: &str, whose: &[(Who, String)]) {
        self.note_in(self.slice(), key, &Cause::now(rule), whose);
    }

    fn slice(&self) -> u64 {
        self.begun.elapsed().as_secs().div_euclid(SLICE.as_secs())
    }

    fn note_in(&self, number: u64, key: &str, cause: &Cause, whose: &[(Who, String)]) {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        if !boards.contains_key(key) && boards.len() >= MOST_BOARDS {
            let last = |slices: &VecDeque<Slice>| slices.back().map(|slice| slice.number);
            let oldest = boards.iter().min_by_key(|(_, slices)| last(slices)).map(|(key, _)| key.clone());
            oldest.and_then(|key| boards.remove(&key));
        }
        let slices = boards.entry(key.to_owned()).or_default();
        if slices.back().is_none_or(|slice| slice.number != number) {
            slices.push_back(Slice { number, ..Slice::default() });
        }
        while slices.len() > SLICES {
            slices.pop_front();
        }
        let Some(slice) = slices.back_mut() else { return };
        for (who, name) in whose {
            let name: String = name.chars().take(LONGEST).collect();
            let cause = if *who == Who::Voter { cause.with_tags(whose) } else { cause.clone() };
            slice.names.entry(*who).or_default().note(&name, cause);
        }
    }

    /// The names that were held back most on a board, at most `most` of each kind, with the greatest counts first.
    pub fn most(&self, key: &str, most: usize) -> Vec<Refused> {
        self.most_in(self.slice(), key, most)
    }

    fn most_in(&self, number: u64, key: &str, most: usize) -> Vec<Refused> {
        let boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let first = number.saturating_sub(u64::try_from(SLICES).unwrap_or(u64::MAX).saturating_sub(1));
        let slices = boards.get(key).into_iter().flatten().filter(|slice| slice.number >= first);
        let mut sums: HashMap<(Who, &str), Refused> = HashMap::new();
        for (who, sketch) in slices.flat_map(|slice| &slice.names) {
            for (name, noted) in &sketch.0 {
                let none =
                    || Refused { who: *who, name: name.clone(), count: 0, over: 0, last: Cause::default() };
                let sum = sums.entry((*who, name)).or_insert_with(none);
                sum.count = sum.count.saturating_add(noted.count);
                sum.over = sum.over.saturating_add(noted.over);
                // The slices come in the order of time.
                sum.last = noted.last.clone();
            }
        }
        let mut all: Vec<_> = sums.into_values().collect();
        all.sort_unstable_by(|one, other| {
            (other.count, one.who, &one.name).cmp(&(one.count, other.who, &other.name))
        });
        let mut left: HashMap<Who, usize> = HashMap::new();
        all.retain(|one| {
            let shown = left.entry(one.who).or_default();
            *shown = shown.saturating_add(1);
            *shown <= most
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(refusals: &Refusals, number: u64) -> Vec<(Who, String, u64, u64)> {
        let most = refusals.most_in(number, "songs", 3);
        most.into_iter().map(|one| (one.who, one.name, one.count, one.over)).collect()
    }

    fn by(rule: &str) -> Cause {
        Cause { rule: rule.to_owned(), ..Cause::default() }
    }

    fn voter(name: &str) -> [(Who, String); 1] {
        [(Who::Voter, name.to_owned())]
    }

    #[test]
    fn names_are_counted_by_kind_for_an_hour() {
        let refusals = Refusals::default();
        let both = [(Who::Voter, "ann".to_owned()), (Who::Address, "203.0.113.9".to_owned())];
        refusals.note_in(0, "songs", &by("daily"), &both);
        refusals.note_in(2, "songs", &by("daily"), &voter("ann"));
        let address = |count| (Who::Address, "203.0.113.9".to_owned(), count, 0);
        let ann = |count| (Who::Voter, "ann".to_owned(), count, 0);
        assert_eq!(counts(&refusals, 6), [ann(2), address(1)]);
        assert_eq!(counts(&refusals, 7), [ann(1)]);
        assert_eq!(refusals.most("other", 3), []);
    }

    #[test]
    fn the_last_cause_of_a_voter_has_its_tags() {
        let refusals = Refusals::default();
        let whose =
            [voter("ann")[0].clone(), (Who::Address, "::1".to_owned()), (Who::Tag, "device=a=b".to_owned())];
        refusals.note_in(0, "songs", &by("daily"), &whose);
        refusals.note_in(1, "songs", &by("addresses"), &whose);
        refusals.note_in(1, "songs", &by("flood"), &whose[1..]);
        let last = |who| refusals.most_in(1, "songs", 3).into_iter().find(|one| one.who == who).unwrap().last;
        let tags = [("ip", "::1"), ("device", "a=b")].map(|(tag, value)| (tag.to_owned(), value.to_owned()));
        assert_eq!(last(Who::Voter), Cause { tags: tags.to_vec(), ..by("addresses") });
        assert_eq!(last(Who::Address), by("flood"));
        let long = [voter("ann")[0].clone(), (Who::Tag, format!("device={}", "x".repeat(LONGEST_TAGS)))];
        refusals.note_in(1, "songs", &by("daily"), &long);
        assert_eq!(last(Who::Voter), by("daily"));
    }

    #[test]
    fn each_kind_has_its_own_places() {
        let refusals = Refusals::default();
        for number in 0..9 {
            refusals.note_in(0, "songs", &by("daily"), &voter(&number.to_string()));
            refusals.note_in(0, "songs", &by("daily"), &voter(&number.to_string()));
        }
        refusals.note_in(0, "songs", &by("daily"), &[(Who::Address, "::1".to_owned())]);
        let kinds: Vec<_> = refusals.most_in(0, "songs", 3).into_iter().map(|one| one.who).collect();
        assert_eq!(kinds, [Who::Voter, Who::Voter, Who::Voter, Who::Address]);
    }

    #[test]
    fn who_is_held_back_often_stays_among_many_others() {
        let refusals = Refusals::default();
        for number in 0..5_000 {
            refusals.note_in(0, "songs", &by("daily"), &voter(&number.to_string()));
            if number % 10 == 0 {
                refusals.note_in(0, "songs", &by("daily"), &voter("bot"));
            }
        }
        let (_, name, count, over) = counts(&refusals, 0).remove(0);
        assert_eq!(name, "bot");
        assert!(count >= 500 && count - over <= 500, "{count} {over}");
    }

    #[test]
    fn memory_is_bounded() {
        let refusals = Refusals::default();
        for number in 0..200_u64 {
            refusals.note_in(number, &number.to_string(), &by("daily"), &voter(&"x".repeat(1_000)));
            refusals.note_in(number, "songs", &by("daily"), &voter("ann"));
        }
        let boards = refusals.boards.lock().unwrap();
        assert!(boards.len() <= MOST_BOARDS && boards["songs"].len() == SLICES);
    }
}
