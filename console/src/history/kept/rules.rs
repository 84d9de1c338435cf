//! The names of rules that held something back. LB.INFO names only the rules that a board has now. So that a rule that was dropped keeps
//! its line in the plots, each gateway remembers the names: from the readings of each minute, and from the list of counters that a sweep
//! reads. This costs the server nothing more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use leaderboard_client::Info;

use super::reading::{held_back_by, rule_of};
use super::{Kept, Subject};

/// The rules of boards that are no limits of votes. A board has them without a name of its own.
const OF_BOARDS: [&str; 5] = ["closed", "joined", "bounds", "full", "attempts"];
/// How many boards have names, and how many rules of a board.
const MOST_BOARDS: usize = 500;
const MOST_RULES: usize = 64;

/// The figures of each board by what the keys of its counters begin with.
type Names = BTreeMap<String, BTreeSet<String>>;

/// The names that are known.
#[derive(Debug, Default)]
pub struct Rules(Mutex<Names>);

impl Rules {
    fn names(&self) -> MutexGuard<'_, Names> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, start: &str) -> BTreeSet<String> {
        self.names().get(start).cloned().unwrap_or_default()
    }

    fn note<'a>(&self, start: &str, figures: impl Iterator<Item = &'a str>) {
        let mut names = self.names();
        for rule in figures.filter_map(rule_of) {
            if !names.contains_key(start) && names.len() >= MOST_BOARDS {
                return;
            }
            let rules = names.entry(start.to_owned()).or_default();
            if rules.len() < MOST_RULES {
                rules.insert(rule.to_owned());
            }
        }
    }
}

impl Kept {
    /// Remembers the rules of a board among these figures.
    pub fn note_rules<'a>(&self, of: Subject<'_>, figures: impl Iterator<Item = &'a str>) {
        if let Some(start) = self.key(of, "") {
            self.rules.note(&start, figures);
        }
    }

    /// Remembers the rules of all boards: the keys of all counters, by what they begin with. Boards without counters are forgotten.
    pub fn note_all_rules(&self, found: &Names) {
        self.rules.names().retain(|start, _| found.contains_key(start));
        for (start, keys) in found {
            self.rules.note(start, keys.iter().filter_map(|key| key.strip_prefix(start.as_str())));
        }
    }

    /// The rules of a board that may have counters, each once: those that it has now, in their order, and then others.
    pub fn rules(&self, key: &str, told: Option<&Info>) -> Vec<String> {
        let start = self.key(Subject::Board(key), "").unwrap_or_default();
        let now = told.map(Info::held_back).unwrap_or_default().into_iter().map(|(rule, _)| rule);
        let mut rules: Vec<String> = Vec::new();
        for rule in now.chain(OF_BOARDS.map(str::to_owned)).chain(self.rules.of(&start)) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }

    /// The lines of the plot of what rules held back: labels, and names of counters.
    pub(super) fn lines_by_rule(&self, key: &str, told: Option<&Info>) -> Vec<(String, String)> {
        self.rules(key, told).into_iter().map(|rule| (rule.clone(), held_back_by(&rule))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bounded_and_leave_with_their_board() {
        let kept = Kept::new("lb", false);
        let many: Vec<String> = (0..1_000).map(|number| held_back_by(&number.to_string())).collect();
        kept.note_rules(Subject::Board("songs"), many.iter().map(String::as_str));
        assert_eq!(kept.rules("songs", None).len(), OF_BOARDS.len() + MOST_RULES);
        for number in 0..1_000 {
            kept.note_rules(Subject::Board(&number.to_string()), ["votes", "held_back:daily"].into_iter());
        }
        assert_eq!(kept.rules.names().len(), MOST_BOARDS);
        let keys = ["votes", "held_back:voter:day"].map(|figure| format!("lb:board:a%3Ab:{figure}"));
        kept.note_all_rules(&BTreeMap::from([("lb:board:a%3Ab:".to_owned(), BTreeSet::from(keys))]));
        assert_eq!(kept.rules.names().len(), 1);
        assert_eq!(kept.rules("a:b", None).last().map(String::as_str), Some("voter:day"));
    }
}
