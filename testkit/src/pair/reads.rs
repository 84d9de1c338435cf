//! Random reads: of any period of any view, with options that change ranks, direction and form.

use std::collections::BTreeMap;

use leaderboard_core::schema::Ranks;

use super::time::label;
use super::{Call, Pair, shown};
use crate::board::read::{Ranking, Row};
use crate::board::{Entry, Name, View, bound};
use crate::{Words, words};

/// How many periods ago a period may have ended that is read.
const MOST_BACK: u64 = 6;

static NOBODY: BTreeMap<Name, Entry> = BTreeMap::new();

/// A period of a view.
pub struct Period {
    /// The number of the view.
    pub view: usize,
    /// Whether it is about real votes.
    pub is_real: bool,
    /// None: a period that is not kept, or never will be.
    pub number: Option<u64>,
    /// Whether it is the current one.
    pub is_current: bool,
}

/// The form of rows.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Rows,
    Flat,
    Packed,
}

/// A read: what it reads, and how it is asked for.
pub struct Read {
    /// The members of the period.
    pub ranking: Ranking,
    /// The members of the period before.
    pub previous: Ranking,
    /// The period.
    pub period: Period,
    /// How equal scores are numbered.
    pub ranks: Ranks,
    /// Whether ranks count from the other end.
    pub rev: bool,
    /// Whether texts are asked for.
    pub metas: bool,
    form: Form,
    /// The options of the command.
    pub options: Vec<Words>,
    /// Whether it is about one segment.
    pub is_cut: bool,
}

/// The places from one rank to another. Negative ranks count from the end.
pub fn places(first: i64, last: i64, len: usize) -> (usize, usize) {
    let place = |rank: i64| if rank < 0 { len as i64 + rank } else { rank - 1 };
    let (from, to) = (place(first).max(0), (place(last) + 1).clamp(0, len as i64));
    if from < to { (from as usize, to as usize) } else { (0, 0) }
}

impl Pair {
    /// A random read.
    pub fn read(&mut self) -> Call {
        self.present(|pair| match pair.random.below(100) {
            0..50 => pair.read_rows(),
            50..78 => pair.read_members(),
            78..92 => pair.read_figures(),
            _ => pair.read_board(),
        })
    }

    /// Looks at the board as it is now. That changes nothing: if the clock goes back before the next write, no period has
    /// ended.
    pub fn present<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let now = self.model.now(self.wall);
        let written = (!self.model.is_at(now)).then(|| self.model.clone());
        self.model.advance(now);
        let seen = look(self);
        if let Some(written) = written {
            self.model = written;
        }
        seen
    }

    /// A rank of a list, counted from one of its ends, or a little beyond.
    pub fn rank(&mut self, len: usize) -> i64 {
        let end = len as i64 + 3;
        match self.random.within(-end..end) {
            0 => 1,
            rank => rank,
        }
    }

    fn period(&mut self) -> (Period, Vec<Words>) {
        let view = self.random.below(self.model.views.len() as u64) as usize;
        let is_real = self.model.rules.shown && self.random.percent(40);
        let most = self.model.rules.retain.min(MOST_BACK) as i64 + 3;
        let back = if self.random.percent(60) { 0 } else { self.random.within(-1..most) };
        self.period_of(view, is_real, back)
    }

    /// The period of a view that ended this many periods ago, and the options that name it.
    pub fn period_of(&mut self, number: usize, is_real: bool, back: i64) -> (Period, Vec<Words>) {
        let view = if is_real { &self.model.real[number] } else { &self.model.views[number] };
        let (kind, current) = (view.kind, view.current);
        let mut options = Vec::new();
        if number > 0 || self.random.percent(20) {
            options.push(words(&["VIEW", kind.name]));
        }
        options.extend(is_real.then(|| words(&["REAL"])));
        let Some(current) = current.filter(|_| back != 0 || self.random.percent(10)) else {
            return (Period { view: number, is_real, number: current, is_current: true }, options);
        };
        let chosen = (current as i64 - back) as u64;
        options.push(match self.random.below(3) {
            0 => words(&["PERIOD", &(-back).to_string()]),
            1 => words(&["PERIOD", &label(kind, chosen)]),
            _ => {
                let into = *self.random.pick(&[0, 1, kind.length / 2, kind.length - 1]);
                words(&["AT", &(chosen * kind.length + into).to_string()])
            }
        });
        (Period { view: number, is_real, number: Some(chosen), is_current: back == 0 }, options)
    }

    /// The members of a period, or of the one this many periods before it.
    pub fn entries(&self, period: &Period, back: u64) -> &BTreeMap<Name, Entry> {
        let views = if period.is_real { &self.model.real } else { &self.model.views };
        let view: &View = &views[period.view];
        match (period.number, view.current) {
            (Some(number), _) if !(period.is_current && back == 0) => {
                number.checked_sub(back).and_then(|number| view.past.get(&number)).unwrap_or(&NOBODY)
            }
            _ if back > 0 => &NOBODY,
            _ => &view.entries,
        }
    }

    /// A period to read, and how.
    pub fn asked(&mut self) -> Read {
        let (period, options) = self.period();
        let mut read = self.plainly(period, options);
        read.ranks = *self.random.pick(&[Ranks::Ordinal, Ranks::Ordinal, Ranks::Competition, Ranks::Dense]);
        (read.rev, read.metas) = (self.random.percent(30), self.random.percent(25));
        if read.ranks != Ranks::Ordinal || self.random.percent(10) {
            read.options.push(words(&["RANKS", &format!("{:?}", read.ranks).to_uppercase()]));
        }
        read.options.extend(read.rev.then(|| words(&["REV"])));
        self.cut_in(&mut read);
        read
    }

    /// A read of this period without further options.
    pub fn plainly(&self, period: Period, options: Vec<Words>) -> Read {
        let ranking = self.model.ranking(self.entries(&period, 0));
        let previous = self.model.ranking(self.entries(&period, 1));
        let (ranks, rev, metas, form) = (Ranks::Ordinal, false, false, Form::Rows);
        Read { ranking, previous, period, ranks, rev, metas, form, options, is_cut: false }
    }

    fn read_rows(&mut self) -> Call {
        let mut read = self.asked();
        read.options.extend(read.metas.then(|| words(&["WITHMETA"])));
        let forms = [Form::Rows, Form::Rows, Form::Flat, Form::Packed];
        if read.ranks == Ranks::Ordinal {
            read.form = *self.random.pick(&forms);
        }
        let all = read.ranking.rows(read.ranks, read.rev);
        match self.random.below(4) {
            0 => self.top(read, &all),
            1 => self.range(read, &all),
            2 => self.between(read),
            _ => self.around(read),
        }
    }

    /// A command that shows rows.
    pub fn rows(&mut self, mut read: Read, command: &str, fixed: Words, rows: &[Row]) -> Call {
        let expected = match read.form {
            Form::Rows => shown::rows(&self.model, rows, read.metas),
            Form::Flat => shown::flat(&self.model, rows, read.metas),
            Form::Packed => {
                let moments = read.period.is_current.then(|| self.entries(&read.period, 0));
                shown::packed(&self.model, rows, moments, read.metas)
            }
        };
        match read.form {
            Form::Rows => {}
            Form::Flat => read.options.push(words(&["FLAT"])),
            Form::Packed => read.options.push(words(&["PACKED"])),
        }
        let options = self.shuffled(read.options);
        self.call(command, &[fixed, options], expected)
    }

    fn top(&mut self, mut read: Read, all: &[Row]) -> Call {
        let count = self.random.below(all.len() as u64 + 3);
        let offset = if self.random.percent(50) { self.random.below(all.len() as u64 + 2) } else { 0 };
        if offset > 0 {
            read.options.push(words(&["OFFSET", &offset.to_string()]));
        }
        let rows: Vec<Row> = all.iter().skip(offset as usize).take(count as usize).cloned().collect();
        self.rows(read, "LB.TOP", words(&[count.to_string()]), &rows)
    }

    fn range(&mut self, read: Read, all: &[Row]) -> Call {
        let (first, last) = (self.rank(all.len()), self.rank(all.len()));
        let (from, to) = places(first, last, all.len());
        self.rows(read, "LB.RANGE", words(&[first.to_string(), last.to_string()]), &all[from..to])
    }

    /// Two bounds, and the rows between them.
    pub fn bounds(&mut self, read: &Read) -> (Words, Vec<Row>) {
        let scores: Vec<_> = read.ranking.seen(false).iter().map(|line| line.score.clone()).collect();
        let rules = &self.model.rules;
        let [min, max] = [(); 2].map(|()| bound::any(rules, &scores, &mut self.random));
        let holds = |score: &[i64]| min.is_below(rules, score) && max.is_above(rules, score);
        let rows = read.ranking.where_score(holds, read.ranks, read.rev);
        (words(&[min.text, max.text]), rows)
    }

    fn between(&mut self, mut read: Read) -> Call {
        let (fixed, all) = self.bounds(&read);
        let offset = if self.random.percent(30) { self.random.below(all.len() as u64 + 2) } else { 0 };
        let count = if self.random.percent(30) { self.random.below(4) } else { u64::MAX };
        if offset > 0 {
            read.options.push(words(&["OFFSET", &offset.to_string()]));
        }
        if count < u64::MAX {
            read.options.push(words(&["COUNT", &count.to_string()]));
        }
        let rows: Vec<Row> = all.into_iter().skip(offset as usize).take(count as usize).collect();
        self.rows(read, "LB.RANGEBYSCORE", fixed, &rows)
    }

    fn around(&mut self, mut read: Read) -> Call {
        let (name, fill) = (self.member(), self.random.percent(40));
        self.cut_within(&mut read, &name);
        let most = read.ranking.seen(false).len() as u64 + 2;
        let [above, below] = [self.random.below(most), self.random.below(most)];
        let (sides, mut fixed) = match self.random.below(4) {
            0 => ([above, below], Words::new()),
            1 => ([above, 0], Words::new()),
            2 => ([0, below], Words::new()),
            _ => ([above; 2], words(&[above.to_string()])),
        };
        let is_counted = !fixed.is_empty();
        fixed.insert(0, name.clone());
        if !is_counted {
            let has = |side: u64, other: u64| side > 0 || other == 0;
            let [above, below] = sides;
            give(&mut read.options, "ABOVE", above, has(above, below));
            give(&mut read.options, "BELOW", below, below > 0);
        }
        read.options.extend(fill.then(|| words(&["FILL"])));
        let rows = read.ranking.around(&name, sides, fill, read.ranks, read.rev);
        self.rows(read, "LB.AROUND", fixed, &rows)
    }
}

fn give(options: &mut Vec<Words>, name: &str, value: u64, is_given: bool) {
    if is_given {
        options.push(words(&[name, &value.to_string()]));
    }
}
