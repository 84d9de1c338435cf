//! Random questions about members, scores and the board itself.

use leaderboard_core::schema::Ranks;

use super::reads::Read;
use super::reply::{Expected, Reply};
use super::time::label;
use super::{Call, Pair, shown};
use crate::board::Name;
use crate::{Words, words};

/// Shares of the members, and billionths of them.
const SHARES: [(&str, u64); 8] = [
    ("0", 0),
    ("0.000000001", 1),
    ("0.25", 250_000_000),
    ("0.333333333", 333_333_333),
    ("0.5", 500_000_000),
    ("0.999999999", 999_999_999),
    ("1", 1_000_000_000),
    ("1.0", 1_000_000_000),
];

impl Pair {
    /// A question about members.
    pub fn read_members(&mut self) -> Call {
        let mut read = self.asked();
        let name = self.member();
        let which = self.random.below(7);
        if which < 3 {
            self.cut_within(&mut read, &name);
        }
        match which {
            0 => self.ask_rank(read, name),
            1 => self.ask_score(read, name),
            2 => {
                read.options.extend(read.metas.then(|| words(&["WITHMETA"])));
                let expected = self.standing(&read, &name);
                self.ask("LB.STANDING", vec![name], read, expected)
            }
            3 => self.ask_many("LB.MSTANDING", read, Self::standing),
            4 | 5 => self.ask_many("LB.MSCORE", read, Self::position),
            _ => self.ask_among(read),
        }
    }

    /// A question in any order of its options.
    pub fn ask(&mut self, command: &str, fixed: Words, read: Read, expected: Reply) -> Call {
        let options = self.shuffled(read.options);
        self.call(command, &[fixed, options], expected)
    }

    fn ask_rank(&mut self, read: Read, name: Name) -> Call {
        let place = read.ranking.position(&name, read.ranks, read.rev);
        let expected = place.map_or(Reply::Nil, |(rank, _)| Reply::count(rank));
        self.ask("LB.RANK", vec![name], read, expected)
    }

    fn ask_score(&mut self, read: Read, name: Name) -> Call {
        let place = read.ranking.position(&name, Ranks::Ordinal, false);
        let expected = place.map_or(Reply::Nil, |(_, score)| shown::score(&self.model.rules, &score));
        self.ask("LB.SCORE", vec![name], read, expected)
    }

    /// What LB.STANDING replies.
    pub fn standing(&self, read: &Read, name: &[u8]) -> Reply {
        let Some(standing) = read.ranking.standing(name, read.ranks, read.rev) else { return Reply::Nil };
        let previous = read.previous.position(name, read.ranks, read.rev);
        shown::standing(&self.model, name, &standing, previous, (read.period.is_current, read.metas))
    }

    fn position(&self, read: &Read, name: &[u8]) -> Reply {
        let Some((rank, score)) = read.ranking.position(name, read.ranks, read.rev) else {
            return Reply::Nil;
        };
        let values = vec![Reply::count(rank), shown::score(&self.model.rules, &score)];
        shown::with_meta(&self.model, name, values, read.metas)
    }

    /// The members of a list among the options.
    fn listed(&mut self, read: &mut Read) -> Vec<Name> {
        read.options.extend(read.metas.then(|| words(&["WITHMETA"])));
        let names = self.members(6);
        let count = names.len().to_string().into_bytes();
        read.options.push([vec![b"MEMBERS".to_vec(), count], names.clone()].concat());
        names
    }

    /// Ranks and scores of all members.
    pub fn ask_all(&mut self, read: Read) -> Call {
        let names = self.names.clone();
        let list = words(&["MEMBERS", &names.len().to_string()]);
        let expected = Reply::Array(names.iter().map(|name| self.position(&read, name)).collect());
        self.ask("LB.MSCORE", [list, names].concat(), read, expected)
    }

    fn ask_many(&mut self, command: &str, mut read: Read, reply: fn(&Self, &Read, &[u8]) -> Reply) -> Call {
        let names = self.listed(&mut read);
        let expected = Reply::Array(names.iter().map(|name| reply(self, &read, name)).collect());
        self.ask(command, Words::new(), read, expected)
    }

    fn ask_among(&mut self, mut read: Read) -> Call {
        let names = self.listed(&mut read);
        let rules = &self.model.rules;
        let row = |(place, name, score, rank): (u64, Name, Vec<i64>, u64)| {
            let values = [Reply::count(place), Reply::bulk(name.clone())].to_vec();
            let values = [values, vec![shown::score(rules, &score), Reply::count(rank)]].concat();
            shown::with_meta(&self.model, &name, values, read.metas)
        };
        let among = read.ranking.among(&names, read.ranks, read.rev);
        let expected = Reply::Array(among.into_iter().map(row).collect());
        self.ask("LB.AMONG", Words::new(), read, expected)
    }

    /// A question about all scores of a period.
    pub fn read_figures(&mut self) -> Call {
        let read = self.asked();
        match self.random.below(5) {
            0 => {
                let expected = Reply::count(read.ranking.seen(false).len() as u64);
                self.ask("LB.COUNT", Words::new(), read, expected)
            }
            1 => {
                let (fixed, rows) = self.bounds(&read);
                self.ask("LB.COUNT", fixed, read, Reply::count(rows.len() as u64))
            }
            2 => {
                let expected = shown::stats(&self.model.rules, read.ranking.stats(), read.ranking.mean());
                self.ask("LB.STATS", Words::new(), read, expected)
            }
            3 if self.model.rules.levels.is_empty() => self.ask_histogram(read),
            _ => self.ask_quantile(read),
        }
    }

    fn ask_quantile(&mut self, read: Read) -> Call {
        let shares: Vec<_> = (0..1 + self.random.below(3)).map(|_| *self.random.pick(&SHARES)).collect();
        let fixed = words(&shares.iter().map(|(text, _)| text).collect::<Vec<_>>());
        let score = |score: Option<Vec<i64>>| {
            score.map_or(Reply::Nil, |score| shown::score(&self.model.rules, &score))
        };
        let scores = shares.iter().map(|(_, billionths)| score(read.ranking.quantile(*billionths)));
        let expected = Reply::Array(scores.collect());
        self.ask("LB.QUANTILE", fixed, read, expected)
    }

    fn ask_histogram(&mut self, read: Read) -> Call {
        let seen = read.ranking.seen(false);
        let mut end = || {
            let score = if seen.is_empty() { 0 } else { self.random.pick(&seen).score[0] };
            score.saturating_add(self.random.within(-3..4)).max(-i64::MAX)
        };
        let (one, other) = (end(), end());
        let (low, high, buckets) = (one.min(other), one.max(other), self.random.below(12) + 1);
        let rules = &self.model.rules;
        let bucket = |(from, to, members): (i64, i64, u64)| {
            let [from, to] = [from, to].map(|edge| shown::score(rules, &[edge]));
            Reply::Array(vec![from, to, Reply::count(members)])
        };
        let rows = read.ranking.histogram(low, high, buckets);
        let expected = Reply::Array(rows.into_iter().map(bucket).collect());
        let [low, high] = [low, high].map(|end| crate::board::score::shown(rules, &[end]));
        self.ask("LB.HISTOGRAM", words(&[low, high, buckets.to_string()]), read, expected)
    }

    /// A question about the board, or about the texts of members.
    pub fn read_board(&mut self) -> Call {
        match self.random.below(5) {
            0 => {
                let name = self.member();
                let expected = shown::meta(&self.model, &name);
                self.call("LB.GETMETA", &[vec![name]], expected)
            }
            1 => {
                let names = self.members(6);
                self.ask_metas(names)
            }
            2 => self.ask_hidden(),
            3 => {
                let number = self.random.below(self.model.views.len() as u64) as usize;
                self.ask_periods(number).unwrap_or_else(|| self.ask_info())
            }
            _ => self.ask_info(),
        }
    }

    /// The texts of these members.
    pub fn ask_metas(&mut self, names: Vec<Name>) -> Call {
        let expected = Reply::Array(names.iter().map(|name| shown::meta(&self.model, name)).collect());
        let list = words(&["MEMBERS", &names.len().to_string()]);
        self.call("LB.MGETMETA", &[list, names], expected)
    }

    /// The hidden members.
    pub fn ask_hidden(&mut self) -> Call {
        let hidden = self.model.hidden.iter().map(|name| Reply::bulk(name.clone())).collect();
        self.call("LB.HIDDEN", &[], Reply::Array(hidden))
    }

    /// The periods of a view. Nothing for a view of which the contract does not say when it begins.
    pub fn ask_periods(&mut self, number: usize) -> Option<Call> {
        let (view, model) = (&self.model.views[number], &self.model);
        let members = |entries| Reply::count(model.ranking(entries).seen(false).len() as u64);
        let row = |number: u64| {
            let [start, end] = [number, number + 1].map(|number| Reply::count(number * view.kind.length));
            let entries =
                if view.current == Some(number) { Some(&view.entries) } else { view.past.get(&number) };
            let members = entries.map_or(Reply::Int(0), members);
            Reply::Array(vec![Reply::bulk(label(view.kind, number)), start, end, members])
        };
        let rows = match (view.first, view.current) {
            _ if !view.kind.is_period() => {
                vec![Reply::Array(vec![Reply::bulk("all"), Reply::Nil, Reply::Nil, members(&view.entries)])]
            }
            _ if !model.is_written() => Vec::new(),
            (Some(first), Some(current)) => (first..=current).rev().map(row).collect(),
            _ => return None,
        };
        let name = words(&[view.kind.name]);
        Some(self.call("LB.PERIODS", &[name], Reply::Array(rows)))
    }

    /// Counts of the board, and its time.
    pub fn ask_info(&mut self) -> Call {
        let now = self.model.now(self.wall);
        let members = self.model.ranking(&self.model.views[0].entries).seen(false).len();
        let fields = vec![
            ("members", Reply::count(members as u64)),
            ("requests", Reply::count(self.model.remembered(now) as u64)),
            ("now", Reply::count(now)),
        ];
        self.call("LB.INFO", &[], Expected::Fields(fields))
    }
}
