//! The operations of `LB.PART`, as arguments of a command.

use leaderboard_core::Score;
use leaderboard_core::notation::Notation;

use super::order::Side;

type Words = Vec<Vec<u8>>;

/// An operation. Its arguments do not include the options that say which view and which period are read.
#[derive(Debug, Clone, Default)]
pub struct Operation {
    head: Words,
    /// A list of members or points, which follows the options.
    list: Words,
}

impl Operation {
    fn new<const N: usize>(words: [&[u8]; N]) -> Self {
        Self { head: words.map(<[u8]>::to_vec).to_vec(), list: Vec::new() }
    }

    fn number(mut self, number: u64) -> Self {
        self.head.push(number.to_string().into_bytes());
        self
    }

    fn point(mut self, point: &Point) -> Self {
        self.head.extend(point.words());
        self
    }

    fn with(mut self, is_wanted: bool, word: &str) -> Self {
        if is_wanted {
            self.head.push(word.as_bytes().to_vec());
        }
        self
    }

    pub fn with_meta(self, is_wanted: bool) -> Self {
        self.with(is_wanted, "WITHMETA")
    }

    pub fn top(count: u64) -> Self {
        Self::new([b"TOP"]).number(count)
    }

    /// Returns up to `count` rows of the part, beginning at a place within the part.
    pub fn top_from(place: u64, count: u64) -> Self {
        Self::top(count).with(true, "OFFSET").number(place)
    }

    pub fn of(member: &[u8], above: u64, below: u64) -> Self {
        Self::new([b"OF", member]).with(true, "ABOVE").number(above).with(true, "BELOW").number(below)
    }

    pub fn near(point: &Point, above: u64, below: u64) -> Self {
        Self::new([b"NEAR"]).point(point).number(above).number(below)
    }

    pub fn between(min: &[u8], max: &[u8], count: u64) -> Self {
        Self::new([b"BETWEEN", min, max]).number(count)
    }

    /// Returns entries at equal distances between two places, including the entries at these places.
    pub fn sample(count: u64, first: u64, last: Option<u64>) -> Self {
        let sample = Self::new([b"SAMPLE"]).number(count).number(first);
        match last {
            Some(last) => sample.number(last),
            None => sample.with(true, "-1"),
        }
    }

    pub fn stats() -> Self {
        Self::new([b"STATS"])
    }

    pub fn histogram(min: &[u8], max: &[u8], buckets: u64) -> Self {
        Self::new([b"HISTOGRAM", min, max]).number(buckets)
    }

    pub fn members<'a>(members: impl ExactSizeIterator<Item = &'a [u8]>) -> Self {
        let mut list = vec![b"MEMBERS".to_vec(), members.len().to_string().into_bytes()];
        list.extend(members.map(<[u8]>::to_vec));
        Self { list, ..Self::new([b"MOF"]) }
    }

    pub fn places(points: &[Point]) -> Self {
        let mut list = vec![b"PLACES".to_vec(), points.len().to_string().into_bytes()];
        list.extend(points.iter().flat_map(Point::words));
        Self { list, ..Self::new([b"MNEAR"]) }
    }

    /// Returns the voters of a member, or of the whole part.
    pub fn voters(member: Option<&[u8]>) -> Self {
        match member {
            Some(member) => Self::new([b"VOTERS", b"MEMBER", member]),
            None => Self::new([b"VOTERS"]),
        }
    }

    /// Returns the whole command for a key, with these options.
    pub fn command(self, key: &[u8], options: Words) -> Words {
        let mut words = Vec::with_capacity(self.head.len().saturating_add(self.list.len()).saturating_add(7));
        words.extend([b"LB.PART".to_vec(), key.to_vec()]);
        words.extend(self.head);
        words.extend(options);
        words.extend(self.list);
        words
    }
}

/// A place between entries, by score and moment.
#[derive(Debug, Clone)]
pub struct Point {
    score: Vec<u8>,
    moment: Vec<u8>,
    side: Side,
}

impl Point {
    pub fn new(notation: &Notation, score: Score, moment: u64, side: Side) -> Self {
        let score = notation.text(score).to_string().into_bytes();
        Self { score, moment: moment.to_string().into_bytes(), side }
    }

    #[must_use]
    pub fn on(&self, side: Side) -> Self {
        Self { side, ..self.clone() }
    }

    fn words(&self) -> [Vec<u8>; 3] {
        [self.score.clone(), self.moment.clone(), self.side.word().to_vec()]
    }
}
