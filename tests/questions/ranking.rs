//! A model of the ranking of one part, as a simple list, and functions that read the replies of LB.PART.

use redis::Value;

/// The data of a row or an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    /// The score in smallest units.
    pub score: i64,
    pub moment: i64,
    pub meta: Option<String>,
}

/// An entry of the model.
#[derive(Clone, Debug)]
pub struct Entry {
    pub row: Row,
    /// The number of the write that gave the entry its score.
    pub applied: u64,
    pub hidden: bool,
}

/// A ranking, and the rules for the order of its entries.
#[derive(Clone, Default)]
pub struct Ranking {
    pub entries: Vec<Entry>,
    pub ascending: bool,
    pub last: bool,
    pub writes: u64,
}

impl Ranking {
    /// Returns the sort key of a score and a moment.
    fn key(&self, score: i64, moment: i64) -> (i64, i64) {
        (if self.ascending { score } else { -score }, if self.last { -moment } else { moment })
    }

    /// Returns all entries, best first; with `rev`, worst first.
    fn order(&self, rev: bool) -> Vec<&Entry> {
        let mut order: Vec<_> = self.entries.iter().collect();
        order.sort_by_key(|entry| {
            let applied = entry.applied as i64;
            (self.key(entry.row.score, entry.row.moment), if self.last { -applied } else { applied })
        });
        if rev {
            order.reverse();
        }
        order
    }

    /// Returns the visible rows, best first; with `rev`, worst first.
    pub fn rows(&self, rev: bool) -> Vec<Row> {
        self.order(rev).into_iter().filter(|entry| !entry.hidden).map(|entry| entry.row.clone()).collect()
    }

    /// Returns the number of visible members before a member, and the member's entry.
    pub fn find(&self, name: &str, rev: bool) -> Option<(usize, Entry)> {
        let order = self.order(rev);
        let place = order.iter().position(|entry| entry.row.name == name)?;
        let before = order[..place].iter().filter(|entry| !entry.hidden).count();
        Some((before, order[place].clone()))
    }

    /// Returns the number of visible rows before a score and a moment. With `after`, equal rows count too.
    pub fn before(&self, score: i64, moment: i64, after: bool, rev: bool) -> usize {
        let point = self.key(score, moment);
        let is_before = |row: &&Row| {
            let key = self.key(row.score, row.moment);
            (if rev { key > point } else { key < point }) || (after && key == point)
        };
        self.rows(rev).iter().filter(is_before).count()
    }

    /// Adds points at a moment, as a board with AGGREGATE SUM does.
    pub fn add(&mut self, name: &str, points: i64, moment: i64) {
        self.writes += 1;
        let applied = self.writes;
        match self.entries.iter_mut().find(|entry| entry.row.name == name) {
            Some(_) if points == 0 => {}
            Some(entry) => {
                entry.row.score += points;
                entry.row.moment = entry.row.moment.max(moment);
                entry.applied = applied;
            }
            None => {
                let row = Row { name: name.to_owned(), score: points, moment, meta: None };
                self.entries.push(Entry { row, applied, hidden: false });
            }
        }
    }
}

/// A reply: the fields that all replies have, and the other items.
pub struct Told {
    pub part: i64,
    pub parts: i64,
    pub hash: i64,
    pub now: i64,
    pub start: Option<i64>,
    pub members: i64,
    pub rest: Vec<Value>,
}

#[track_caller]
pub fn told(reply: Value) -> Told {
    let Value::Array(items) = reply else { panic!("no array but {reply:?}") };
    assert!(items.len() >= 6, "{items:?}");
    let start = if items[4] == Value::Nil { None } else { Some(int(&items[4])) };
    let [part, parts, hash, now, members] = [0, 1, 2, 3, 5].map(|place| int(&items[place]));
    Told { part, parts, hash, now, start, members, rest: items[6..].to_vec() }
}

#[track_caller]
pub fn int(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        other => panic!("no integer but {other:?}"),
    }
}

/// Reads the rows from a bulk string.
#[track_caller]
pub fn rows(value: &Value, metas: bool) -> Vec<Row> {
    let Value::BulkString(bytes) = value else { panic!("no rows but {value:?}") };
    let (mut rest, mut rows) = (bytes.as_slice(), Vec::new());
    while !rest.is_empty() {
        let score = i64::from_le_bytes(take(&mut rest, 8).try_into().unwrap());
        let moment = u64::from_le_bytes(take(&mut rest, 8).try_into().unwrap()) as i64;
        let length = short(&mut rest);
        let name = String::from_utf8(take(&mut rest, length.into()).to_vec()).expect("a name");
        let meta = if metas { Some(short(&mut rest)).filter(|length| *length != u16::MAX) } else { None };
        let meta = meta.map(|length| String::from_utf8(take(&mut rest, length.into()).to_vec()).unwrap());
        rows.push(Row { name, score, moment, meta });
    }
    rows
}

fn short(rest: &mut &[u8]) -> u16 {
    u16::from_le_bytes(take(rest, 2).try_into().unwrap())
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (taken, left) = rest.split_at(length);
    *rest = left;
    taken
}
