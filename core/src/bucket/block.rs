//! A sorted sequence of entries in one allocation of words. Each entry is a row of bits.
//!
//! The first two words are the bases of units and moments. The rows follow without gaps. A row has four fields: the
//! distances of the id, the units, the moment and the sequence from their bases. The id is in the lowest bits.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "rows follow from len and the widths of the fields, which rebuild keeps within the words"
)]

use std::mem;

use super::{Points, bits};
use crate::bits::{ones, width};
use crate::index::MemberId;
use crate::mover::Mover;
use crate::prefetch::prefetch;
use crate::size_class::round_up;

/// The maximum number of entries of a block.
pub const MOST: usize = 128;
/// The number of bits before the rows.
const HEAD: usize = 2 * bits::WORD;
/// The number of fields of a row.
const FIELDS: usize = 4;
/// The number of bytes of a word.
const BYTES: usize = size_of::<u64>();

/// One entry, unpacked.
pub type MemberPoints = (MemberId, Points);

/// The bases and widths by which a block turns entries into fields. The base of units is a result of [`rank`].
#[derive(Debug, Clone, Copy)]
struct Encoding {
    first: MemberId,
    units: u64,
    moment: u64,
    sequence: u64,
    widths: [u8; FIELDS],
}

/// Returns the units as an unsigned number that keeps their order.
const fn rank(units: i64) -> u64 {
    units.cast_unsigned() ^ (1 << 63)
}

const fn unrank(rank: u64) -> i64 {
    (rank ^ (1 << 63)).cast_signed()
}

const fn low_bytes(number: u64) -> [u8; 6] {
    let [a, b, c, d, e, f, ..] = number.to_le_bytes();
    [a, b, c, d, e, f]
}

impl Encoding {
    /// Returns the encoding for these entries. The field of units can store more values than are used. Half of the
    /// unused values are below the least units.
    fn around(rows: &[MemberPoints]) -> Self {
        let [mut units, mut moments, mut sequences] = [(u64::MAX, 0); 3];
        let widen = |(least, most): &mut (u64, u64), value: u64| {
            (*least, *most) = ((*least).min(value), (*most).max(value));
        };
        for (_, points) in rows {
            widen(&mut units, rank(points.units));
            widen(&mut moments, points.moment);
            widen(&mut sequences, points.sequence);
        }
        let first = rows.first().map_or(0, |row| row.0);
        let last = rows.last().map_or(first, |row| row.0);
        let spread = units.1.saturating_sub(units.0);
        let spare = ones(width(spread).into()) - spread;
        Self {
            first,
            units: units.0.saturating_sub(spare / 2),
            moment: moments.0,
            sequence: sequences.0,
            widths: [
                width(u64::from(last - first)),
                width(units.1.saturating_sub(units.0.saturating_sub(spare / 2))),
                width(moments.1.saturating_sub(moments.0)),
                width(sequences.1.saturating_sub(sequences.0)),
            ],
        }
    }

    /// Returns the fields of an entry, or `None` if the fields are not wide enough for it.
    fn pack(&self, (id, points): MemberPoints) -> Option<[u64; FIELDS]> {
        let fields = [
            u64::from(id.checked_sub(self.first)?),
            rank(points.units).checked_sub(self.units)?,
            points.moment.checked_sub(self.moment)?,
            points.sequence.checked_sub(self.sequence)?,
        ];
        fields.iter().zip(self.widths).all(|(field, bits)| width(*field) <= bits).then_some(fields)
    }
}

/// Up to [`MOST`] entries. An empty block has no allocation.
#[derive(Debug, Clone)]
pub struct Block {
    /// The base of the ids, and the block's key in the directory. No id is less than it.
    pub first: MemberId,
    len: u8,
    /// The widths of the fields in bits: id, units, moment and sequence.
    widths: [u8; FIELDS],
    /// The base of the sequences, which have at most six bytes. The low byte comes first.
    sequence: [u8; 6],
    words: Option<Box<[u64]>>,
}

const _: () = assert!(size_of::<Block>() == 32 && MOST <= u8::MAX as usize);

impl Block {
    pub const EMPTY: Self = Self { first: 0, len: 0, widths: [0; FIELDS], sequence: [0; 6], words: None };

    /// Returns a block of these entries, in the smallest allocation that holds them.
    pub fn of(rows: &[MemberPoints]) -> Self {
        if rows.is_empty() {
            return Self::EMPTY;
        }
        let encoding = Encoding::around(rows);
        let mut block = Self {
            first: encoding.first,
            len: u8::try_from(rows.len()).unwrap_or(u8::MAX),
            widths: encoding.widths,
            sequence: low_bytes(encoding.sequence),
            words: None,
        };
        let mut words = vec![0; round_up(block.used()) / BYTES].into_boxed_slice();
        (words[0], words[1]) = (encoding.units, encoding.moment);
        block.words = Some(words);
        for (at, row) in rows.iter().enumerate() {
            block.put(at, encoding.pack(*row).unwrap_or_default());
        }
        block
    }

    pub fn len(&self) -> usize {
        self.len.into()
    }

    pub fn bytes(&self) -> usize {
        size_of_val(self.words())
    }

    fn words(&self) -> &[u64] {
        self.words.as_deref().unwrap_or_default()
    }

    const fn sequence(&self) -> u64 {
        let [a, b, c, d, e, f] = self.sequence;
        u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
    }

    fn width(&self) -> usize {
        self.widths.iter().map(|width| usize::from(*width)).sum()
    }

    /// Returns the bit at which a row begins.
    fn start(&self, at: usize) -> usize {
        HEAD + at * self.width()
    }

    /// Returns the number of bytes that the entries need.
    fn used(&self) -> usize {
        self.start(self.len()).div_ceil(8)
    }

    fn encoding(&self) -> Option<Encoding> {
        match self.words() {
            [units, moment, ..] => Some(Encoding {
                first: self.first,
                units: *units,
                moment: *moment,
                sequence: self.sequence(),
                widths: self.widths,
            }),
            _ => None,
        }
    }

    /// Returns the place of an id as `Ok`, or the place where it is to be inserted as `Err`.
    #[inline]
    pub fn find(&self, id: MemberId) -> Result<usize, usize> {
        let Some(wanted) = id.checked_sub(self.first).map(u64::from) else {
            return Err(0);
        };
        let (words, count, width) = (self.words(), usize::from(self.widths[0]), self.width());
        let field = |at: usize| bits::get(words, HEAD + at * width, count);
        let (mut low, mut len) = (0, self.len());
        while len > 1 {
            let half = len / 2;
            low = if field(low + half) <= wanted { low + half } else { low };
            len -= half;
        }
        if len == 0 {
            return Err(0);
        }
        match field(low) {
            found if found == wanted => Ok(low),
            found => Err(low + usize::from(found < wanted)),
        }
    }

    fn id(&self, at: usize) -> MemberId {
        self.first + bits::get(self.words(), self.start(at), self.widths[0].into()) as MemberId
    }

    /// Returns the points at a place.
    #[inline]
    pub fn points(&self, at: usize) -> Points {
        let (words, [ids, units, moments, sequences]) = (self.words(), self.widths.map(usize::from));
        let start = self.start(at) + ids;
        Points {
            units: unrank(words[0] + bits::get(words, start, units)),
            moment: words[1] + bits::get(words, start + units, moments),
            sequence: self.sequence() + bits::get(words, start + units + moments, sequences),
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = MemberPoints> + '_ {
        (0..self.len()).map(|at| (self.id(at), self.points(at)))
    }

    pub fn ids(&self) -> impl Iterator<Item = MemberId> + '_ {
        (0..self.len()).map(|at| self.id(at))
    }

    /// Returns the entries, in a list with room for one more.
    pub fn unpacked(&self) -> Vec<MemberPoints> {
        let mut rows = Vec::with_capacity(self.len() + 1);
        rows.extend(self.rows());
        rows
    }

    fn put(&mut self, at: usize, fields: [u64; FIELDS]) {
        let (mut start, widths) = (self.start(at), self.widths);
        let words = self.words.as_deref_mut().unwrap_or_default();
        for (field, width) in fields.into_iter().zip(widths) {
            bits::put(words, start, width.into(), field);
            start += usize::from(width);
        }
    }

    /// Replaces the points of the member at a place.
    pub fn replace(&mut self, at: usize, id: MemberId, points: Points) {
        if let Some(fields) = self.encoding().and_then(|encoding| encoding.pack((id, points))) {
            return self.put(at, fields);
        }
        let mut rows = self.unpacked();
        rows[at].1 = points;
        *self = Self::of(&rows);
    }

    /// Inserts an entry at the place that [`find`](Self::find) returned, in a block that is not full.
    pub fn insert(&mut self, at: usize, id: MemberId, points: Points) {
        let fits = self.start(self.len() + 1).div_ceil(8) <= self.bytes();
        match self.encoding().and_then(|encoding| encoding.pack((id, points))) {
            Some(fields) if fits => {
                let (from, to, by) = (self.start(at), self.start(self.len()), self.width());
                bits::raise(self.words.as_deref_mut().unwrap_or_default(), from, to, by);
                self.len += 1;
                self.put(at, fields);
            }
            _ => {
                let mut rows = self.unpacked();
                rows.insert(at, (id, points));
                *self = Self::of(&rows);
            }
        }
    }

    /// Removes the entry at a place. Memory is freed only when a third of it is unused, so that it need not be
    /// allocated again soon.
    pub fn remove(&mut self, at: usize) {
        let (from, to, by) = (self.start(at + 1), self.start(self.len()), self.width());
        bits::lower(self.words.as_deref_mut().unwrap_or_default(), from, to, by);
        self.len -= 1;
        if self.len == 0 || round_up(self.used()) * 3 <= self.bytes() * 2 {
            *self = Self::of(&self.unpacked());
        }
    }

    /// Prefetches all of the block's memory.
    #[inline]
    pub fn prefetch(&self) {
        let (lines, rest) = self.words().as_chunks::<8>();
        lines.iter().for_each(prefetch);
        if let Some(last) = rest.last() {
            prefetch(last);
        }
    }

    pub fn relocate(&mut self, mover: &mut impl Mover) {
        self.words = mem::take(&mut self.words).map(|words| mover.relocate_slice(words));
    }

    /// Walks through the block. Panics if an invariant is broken.
    pub fn check(&self) {
        assert!(self.len() <= MOST);
        assert_eq!(self.words.is_none(), self.len == 0, "memory without entries");
        assert!(self.used() <= self.bytes() || self.len == 0);
        assert_eq!(self.bytes() % 16, 0);
        for (at, id) in self.ids().enumerate() {
            assert_eq!(self.find(id), Ok(at), "{id} out of order");
        }
        assert!(self.ids().zip(self.ids().skip(1)).all(|(a, b)| a < b));
    }
}
