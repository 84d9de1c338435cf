//! A page of a ranking in one string.

use redis::Value;

use super::reading::{Items, Parsed, bytes, reply, unsigned};
use super::{Name, Row, Score};

/// The length that means that the member has no text.
const NO_TEXT: u16 = u16::MAX;

/// A page that the server sent as one string. With `TEXTS`, it contains the texts of the members.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Page<const TEXTS: bool = false> {
    /// The rows, in order.
    pub rows: Vec<PageRow>,
}

/// A row of a [`Page`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageRow {
    /// The rank, from 1.
    pub rank: u64,
    /// The name of the member.
    pub member: Name,
    /// The member's score in the board's smallest units. With two decimals, 1050 units are 10.5.
    pub units: i64,
    /// The moment when the member got this score, in ms. In past periods, a substitute replaces a moment that is not
    /// known.
    pub moment: u64,
    /// The text of the member, if the request asked for texts and the member has one.
    pub meta: Option<Vec<u8>>,
}

impl PageRow {
    /// Returns the score as other replies write it, for a board with this number of decimals: `10.5`, never `10.50`.
    pub fn score(&self, decimals: u8) -> Score {
        let digits = usize::from(decimals);
        let text = format!("{:0>width$}", self.units.unsigned_abs(), width = digits.saturating_add(1));
        let (whole, fraction) = text.split_at(text.len().saturating_sub(digits));
        let (sign, fraction) = (if self.units < 0 { "-" } else { "" }, fraction.trim_end_matches('0'));
        let point = if fraction.is_empty() { "" } else { "." };
        Score(format!("{sign}{whole}{point}{fraction}"))
    }
}

impl<const TEXTS: bool> Page<TEXTS> {
    /// Returns the rows in the form of other replies, for a board with this number of decimals.
    pub fn into_rows(self, decimals: u8) -> Vec<Row> {
        let row = |row: PageRow| {
            let score = row.score(decimals);
            Row { rank: row.rank, member: row.member, score, meta: row.meta }
        };
        self.rows.into_iter().map(row).collect()
    }

    fn read(value: Value) -> Parsed<Self> {
        let mut items = Items::of(value)?;
        if items.left() == 0 {
            return Ok(Self::default());
        }
        let (mut rank, packed) = (items.next(unsigned)?, items.next(bytes)?);
        items.end()?;
        let (mut left, mut rows) = (packed.as_slice(), Vec::new());
        while !left.is_empty() {
            let row = row(rank, &mut left, TEXTS);
            rows.push(row.ok_or("the rows do not hold together")?);
            rank = rank.saturating_add(1);
        }
        Ok(Self { rows })
    }
}

/// Reads a row and removes it from the front of `left`.
fn row(rank: u64, left: &mut &[u8], has_text: bool) -> Option<PageRow> {
    let (units, moment) = (take(left)?, take(left)?);
    let length = u16::from_le_bytes(take(left)?);
    let member = Name(left.split_off(..usize::from(length))?.to_vec());
    let mut row = PageRow {
        rank,
        member,
        units: i64::from_le_bytes(units),
        moment: u64::from_le_bytes(moment),
        meta: None,
    };
    let length = if has_text { u16::from_le_bytes(take(left)?) } else { NO_TEXT };
    if length != NO_TEXT {
        row.meta = Some(left.split_off(..usize::from(length))?.to_vec());
    }
    Some(row)
}

fn take<const N: usize>(left: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, behind) = left.split_first_chunk()?;
    *left = behind;
    Some(*taken)
}

reply!(Page, Page::read);
reply!(Page<true>, Page::read);
