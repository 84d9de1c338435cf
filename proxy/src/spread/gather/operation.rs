//! The operations of `LB.PART` and `LB.GATHER`, as arguments of a command.

use leaderboard_core::Score;
use leaderboard_core::notation::Notation;
use leaderboard_core::part_list::PartList;

use super::super::root::Root;
use super::order::{Order, Side};
use super::page::Entry;

type Words = Vec<Vec<u8>>;

/// An operation. Its arguments do not include the options that say which view and which period are read.
#[derive(Debug, Default)]
pub struct Operation {
    head: Vec<Argument>,
    /// A list of members or points, which follows the options.
    list: Vec<Argument>,
    /// The approximate number of rows, members or points that a part looks up.
    work: u64,
}

#[derive(Debug, Clone)]
enum Argument {
    Word(Vec<u8>),
    /// The side of a point. The word for it can depend on the part.
    Side(PointSide),
}

/// Which equal entries are ahead of a point.
#[derive(Debug, Clone, Copy)]
enum PointSide {
    /// No equal entries.
    Before,
    /// The equal entries of the parts that come before this part in the order of the ranking.
    OfPart(u16),
}

impl Operation {
    fn new<const N: usize>(words: [&[u8]; N]) -> Self {
        Self { head: words.map(word).to_vec(), list: Vec::new(), work: 1 }
    }

    const fn working(mut self, work: u64) -> Self {
        self.work = work.saturating_add(1);
        self
    }

    /// Returns the approximate number of rows, members or points that a part looks up, at least 1.
    pub const fn work(&self) -> u64 {
        self.work
    }

    fn number(mut self, number: u64) -> Self {
        self.head.push(Argument::Word(decimal(number)));
        self
    }

    fn point(mut self, point: &Point) -> Self {
        self.head.extend(point.arguments());
        self
    }

    fn with(mut self, is_wanted: bool, name: &str) -> Self {
        if is_wanted {
            self.head.push(word(name.as_bytes()));
        }
        self
    }

    pub fn with_meta(self, is_wanted: bool) -> Self {
        self.with(is_wanted, "WITHMETA")
    }

    pub fn top(count: u64) -> Self {
        Self::new([b"TOP"]).number(count).working(count)
    }

    /// Returns up to `count` rows of the part, beginning at a place within the part.
    pub fn top_from(place: u64, count: u64) -> Self {
        Self::top(count).with(true, "OFFSET").number(place)
    }

    pub fn of(member: &[u8], above: u64, below: u64) -> Self {
        Self::new([b"OF", member]).with(true, "ABOVE").number(above).with(true, "BELOW").number(below)
    }

    pub fn near(point: &Point, above: u64, below: u64) -> Self {
        Self::new([b"NEAR"]).point(point).number(above).number(below).working(above.saturating_add(below))
    }

    pub fn between(min: &[u8], max: &[u8], count: u64) -> Self {
        Self::new([b"BETWEEN", min, max]).number(count).working(count)
    }

    /// Returns entries at equal distances between two places, including the entries at these places.
    pub fn sample(count: u64, first: u64, last: Option<u64>) -> Self {
        let sample = Self::new([b"SAMPLE"]).number(count).number(first).working(count);
        match last {
            Some(last) => sample.number(last),
            None => sample.with(true, "-1"),
        }
    }

    pub fn stats() -> Self {
        Self::new([b"STATS"])
    }

    pub fn histogram(min: &[u8], max: &[u8], buckets: u64) -> Self {
        Self::new([b"HISTOGRAM", min, max]).number(buckets).working(buckets)
    }

    pub fn members<'a>(members: impl ExactSizeIterator<Item = &'a [u8]>) -> Self {
        let mut list = vec![word(b"MEMBERS"), Argument::Word(decimal(members.len() as u64))];
        list.extend(members.map(word));
        Self { list, ..Self::new([b"MOF"]) }
    }

    /// Asks which of these members may have a prize of the period.
    pub fn may_win<'a>(members: impl ExactSizeIterator<Item = &'a [u8]>) -> Self {
        Self { head: vec![word(b"MAYWIN")], ..Self::members(members) }
    }

    pub fn places(points: &[Point]) -> Self {
        let mut list = vec![word(b"PLACES"), Argument::Word(decimal(points.len() as u64))];
        list.extend(points.iter().flat_map(Point::arguments));
        Self { list, ..Self::new([b"MNEAR"]) }.working(points.len() as u64)
    }

    /// Returns the voters of a member, or of the whole part.
    pub fn voters(member: Option<&[u8]>) -> Self {
        match member {
            Some(member) => Self::new([b"VOTERS", b"MEMBER", member]),
            None => Self::new([b"VOTERS"]),
        }
    }

    /// Returns the command for the key of a part, with these options.
    pub fn for_part(&self, key: Vec<u8>, part: u16, order: Order, options: &[Vec<u8>]) -> Words {
        let side = |side: PointSide| match side {
            PointSide::OfPart(own) => order.side(own, part).word().to_vec(),
            PointSide::Before => Side::Before.word().to_vec(),
        };
        self.words(vec![b"LB.PART".to_vec(), key], options, side)
    }

    /// Returns the command for several parts of a board that are on one node, with these options.
    pub fn for_parts(&self, root: &Root, parts: &PartList, options: &[Vec<u8>]) -> Words {
        let side = |side: PointSide| match side {
            PointSide::OfPart(own) => decimal(own.into()),
            PointSide::Before => Side::Before.word().to_vec(),
        };
        let count = decimal(root.parts.count().into());
        let parts = parts.to_string().into_bytes();
        self.words(vec![b"LB.GATHER".to_vec(), root.name.clone(), count, parts], options, side)
    }

    fn words(&self, mut words: Words, options: &[Vec<u8>], side: impl Fn(PointSide) -> Vec<u8>) -> Words {
        let all = self.head.len().saturating_add(self.list.len()).saturating_add(options.len());
        words.reserve_exact(all);
        let of = |argument: &Argument| match argument {
            Argument::Word(word) => word.clone(),
            Argument::Side(of) => side(*of),
        };
        words.extend(self.head.iter().map(of));
        words.extend_from_slice(options);
        words.extend(self.list.iter().map(of));
        words
    }
}

/// A place between entries, by score and moment.
#[derive(Debug, Clone)]
pub struct Point {
    score: Vec<u8>,
    moment: Vec<u8>,
    side: PointSide,
}

impl Point {
    /// Returns the place ahead of all entries with this score and this moment.
    pub fn ahead_of(notation: &Notation, score: Score, moment: u64) -> Self {
        Self::new(notation, score, moment, PointSide::Before)
    }

    /// Returns the place of an entry in the ranking of the whole board. In the entry's own part, it is ahead of all
    /// equal entries.
    pub fn of(notation: &Notation, entry: &Entry) -> Self {
        Self::new(notation, entry.score, entry.moment, PointSide::OfPart(entry.part))
    }

    fn new(notation: &Notation, score: Score, moment: u64, side: PointSide) -> Self {
        Self { score: notation.text(score).to_string().into_bytes(), moment: decimal(moment), side }
    }

    fn arguments(&self) -> [Argument; 3] {
        [Argument::Word(self.score.clone()), Argument::Word(self.moment.clone()), Argument::Side(self.side)]
    }
}

fn word(word: &[u8]) -> Argument {
    Argument::Word(word.to_vec())
}

fn decimal(number: u64) -> Vec<u8> {
    itoa::Buffer::new().format(number).as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use leaderboard_core::Schema;

    use super::*;

    /// Tests that servers that do not know the number of a part as a side are never sent one.
    #[test]
    fn a_part_alone_gets_the_side_in_words() {
        let schema = Schema::default();
        let entry = Entry { score: Score::from_units(5).unwrap(), moment: 7, part: 3, before: 0 };
        let operation = Operation::places(&[Point::of(&schema.notation(), &entry)]);
        let side = |part, from_last| {
            let words = operation.for_part(b"key".to_vec(), part, Order::new(&schema, from_last), &[]);
            String::from_utf8(words.last().unwrap().clone()).unwrap()
        };
        assert_eq!([2, 3, 4].map(|part| side(part, false)), ["AFTER", "BEFORE", "BEFORE"]);
        assert_eq!([2, 3, 4].map(|part| side(part, true)), ["BEFORE", "BEFORE", "AFTER"]);
    }
}
