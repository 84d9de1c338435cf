//! Random changes that are no writes of scores: hidden and removed members, texts, altered rules, and calls that are
//! refused.

use leaderboard_core::schema::Ranks;

use super::reply::{Expected, Reply};
use super::{Call, Pair, placing};
use crate::board::{KINDS, Model, Name, bound};
use crate::{Words, words};

impl Pair {
    /// A random change.
    pub fn change(&mut self) -> Call {
        self.advance();
        self.changed = self.wall;
        match self.random.below(100) {
            // Segments of hidden members alone show little.
            0..20 if self.is_segmented && self.random.percent(70) => self.unhide(),
            0..20 => self.hide(),
            20..40 => self.unhide(),
            40..52 => self.remove(),
            52..56 => self.remove_range(),
            56..60 => self.remove_between(),
            60..75 => self.set_meta(),
            75..80 if self.model.rules.shown => self.declare(),
            75..85 => self.alter_dedup(),
            85..93 => self.alter_keep(),
            93..96 => self.alter_retain(),
            96 if self.can_drop() => self.drop_view(),
            _ => self.add_view(),
        }
    }

    fn hide(&mut self) -> Call {
        let names = self.members(3);
        self.hide_all(names)
    }

    fn unhide(&mut self) -> Call {
        let mut names = self.members(3);
        if self.random.percent(10) {
            names.extend(self.model.hidden.iter().cloned());
        }
        self.unhide_all(names)
    }

    /// The contract does not say whether a member counts that was hidden and nothing else.
    fn remove(&mut self) -> Call {
        let mut names = if self.random.percent(50) { self.members(1) } else { self.members(3) };
        names.retain(|name| !self.model.is_only_unreadable(name));
        if names.is_empty() {
            names.push(b"stranger".to_vec());
        }
        let removed: Vec<Option<bool>> =
            self.command(|model| names.iter().map(|name| model.remove(name)).collect());
        let count = |what| removed.iter().filter(|removed| **removed == what).count() as u64;
        let (surely, perhaps) = (count(Some(true)), count(None));
        let expected = Expected::Between(surely, surely + perhaps);
        self.call("LB.REM", &[names], expected)
    }

    fn remove_range(&mut self) -> Call {
        let rows = self.model.ranking(&self.model.views[0].entries).rows(Ranks::Ordinal, false);
        let (first, last) = (self.rank(rows.len()), self.rank(rows.len()));
        let (from, to) = super::reads::places(first, last, rows.len());
        let names: Vec<Name> = rows[from..to].iter().map(|(_, name, _)| name.clone()).collect();
        let rest = words(&[first.to_string(), last.to_string()]);
        self.remove_all("LB.REMRANGE", rest, &names)
    }

    fn remove_between(&mut self) -> Call {
        let ranking = self.model.ranking(&self.model.views[0].entries);
        let scores: Vec<_> =
            ranking.rows(Ranks::Ordinal, false).into_iter().map(|(_, _, score)| score).collect();
        let rules = &self.model.rules;
        let [min, max] = [(); 2].map(|()| bound::any(rules, &scores, &mut self.random));
        let holds = |score: &[i64]| min.is_below(rules, score) && max.is_above(rules, score);
        let rows = ranking.where_score(holds, Ranks::Ordinal, false);
        let names: Vec<Name> = rows.into_iter().map(|(_, name, _)| name).collect();
        self.remove_all("LB.REMRANGEBYSCORE", words(&[min.text, max.text]), &names)
    }

    fn remove_all(&mut self, command: &str, rest: Words, names: &[Name]) -> Call {
        self.command(|model| names.iter().for_each(|name| _ = model.remove(name)));
        self.call(command, &[rest], Reply::count(names.len() as u64))
    }

    fn set_meta(&mut self) -> Call {
        let (name, text) = (self.member(), self.text());
        self.model.change_meta(&name, &text);
        self.call("LB.SETMETA", &[vec![name, text]], Reply::Ok)
    }

    fn declare(&mut self) -> Call {
        let (name, weight) = (self.member(), self.random.below(5) as i64);
        let is_changed = self.model.weights.insert(name.clone(), weight) != Some(weight);
        let mut options = vec![words(&["WEIGHT", &weight.to_string()])];
        let placed = self.placed(25);
        options.extend(placed.iter().map(placing::option));
        self.command(|model| {
            let moves =
                placed.iter().filter(|(dimension, value)| model.place(&name, dimension, value)).count();
            if is_changed || moves > 0 {
                model.drop_periods();
            }
        });
        let options = self.shuffled(options);
        self.call("LB.OPTION", &[vec![name], options], Reply::Ok)
    }

    /// Applies a change whose moment is the board's now.
    pub fn command<T>(&mut self, apply: impl FnOnce(&mut Model) -> T) -> T {
        self.model.command(self.model.now(self.wall), apply)
    }

    /// Sets one option.
    pub fn alter(&mut self, option: &str, value: &str, is_possible: bool) -> Call {
        if is_possible {
            self.model.drop_periods();
        }
        let expected = if is_possible { Expected::Reply(Reply::Ok) } else { Expected::Error(Vec::new()) };
        self.call("LB.ALTER", &[words(&[option, value])], expected)
    }

    fn alter_dedup(&mut self) -> Call {
        if !self.model.ids_are_sure(self.model.now(self.wall)) {
            return self.alter_retain();
        }
        let dedup = *self.random.pick(&[0, 1, 10, 600, 315_360_000]);
        self.model.set_dedup(dedup);
        self.alter("DEDUP", &dedup.to_string(), true)
    }

    fn alter_keep(&mut self) -> Call {
        // Segments of a few members alone show little.
        let is_large = self.is_segmented && self.random.percent(70);
        let keep = *self.random.pick(if is_large { &[0, 0, 8, 150] } else { &[0, 1, 2, 3, 5, 8, 150][..] });
        let is_possible = self.command(|model| model.set_keep(keep));
        self.alter("KEEP", &keep.to_string(), is_possible)
    }

    fn alter_retain(&mut self) -> Call {
        let retain = *self.random.pick(&[0, 1, 3, 40]);
        self.model.set_retain(retain);
        self.alter("RETAIN", &retain.to_string(), true)
    }

    fn can_drop(&self) -> bool {
        self.model.views.len() > 1
    }

    /// Drops a view, but not the default one.
    fn drop_view(&mut self) -> Call {
        let number = 1 + self.random.below(self.model.views.len() as u64 - 1) as usize;
        let name = self.model.views[number].kind.name;
        self.model.drop_view(number);
        for sent in &mut self.sent {
            sent.view = 0;
        }
        self.alter("VIEWS", &format!("-{name}"), true)
    }

    fn add_view(&mut self) -> Call {
        let (kind, now) = (*self.random.pick(KINDS), self.model.now(self.wall));
        let is_possible = self.model.add_view(kind, now);
        self.alter("VIEWS", &format!("+{}", kind.name), is_possible)
    }

    /// Refused, whatever the board.
    pub fn nonsense(&mut self) -> Call {
        let at = self.model.last.max(self.wall).to_string();
        let fine = format!("0.{}1", "0".repeat(usize::from(self.model.rules.decimals)));
        let bad: [(&str, &[&str]); 17] = [
            ("LB.ADD", &["1", "", "AT", &at]),
            ("LB.ADD", &["1e5", "member", "AT", &at]),
            ("LB.ADD", &["nan", "member", "AT", &at]),
            ("LB.ADD", &["1", "member", "ID", "", "AT", &at]),
            ("LB.ADD", &["1", "member", "AT", &at, "AT", &at]),
            ("LB.ADD", &["1", "member", "AT", &at, "VIEW", "month"]),
            ("LB.ADD", &[&fine, "member", "ID", "never", "AT", &at]),
            ("LB.SET", &["1", "member", "NX", "XX", "AT", &at]),
            ("LB.SET", &["1", "member", "NX", "GT", "AT", &at]),
            ("LB.SET", &["1", "member", "GT", "LT", "AT", &at]),
            ("LB.MADD", &["AT", &at, "1", "member", "2"]),
            ("LB.RANGE", &["0", "1"]),
            ("LB.TOP", &["5", "FLAT", "RANKS", "DENSE"]),
            ("LB.TOP", &["5", "PERIOD", "0", "AT", &at]),
            ("LB.TOP", &["5", "VIEW", "month"]),
            ("LB.AROUND", &["member", "1", "ABOVE", "1"]),
            ("LB.MSCORE", &["MEMBERS", "2", "member"]),
        ];
        let (command, rest) = *self.random.pick(&bad);
        let rest = words(rest);
        self.call(command, &[rest], Expected::Error(Vec::new()))
    }
}
