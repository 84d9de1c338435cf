//! Rows of a ranking, as a part packs them into one string: score (8 bytes), moment (8), length of the name (2), name.
//! If texts are included, the length of the text (2) and the text follow. The lowest byte of a number comes first.

use bytes::Bytes;
use leaderboard_core::Score;

/// The length that means: this member has no text.
const NO_TEXT: u16 = u16::MAX;

/// A row of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    pub score: Score,
    pub moment: u64,
    pub name: &'a [u8],
    pub meta: Option<&'a [u8]>,
}

/// Rows in one string, which has been checked.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    bytes: Bytes,
    count: u64,
    with_meta: bool,
}

impl Packed {
    /// Checks packed rows. `None` if the bytes are not whole rows.
    pub fn new(bytes: Bytes, with_meta: bool) -> Option<Self> {
        let mut rows = Rows { left: &bytes, with_meta };
        let count = u64::try_from(rows.by_ref().count()).ok()?;
        rows.left.is_empty().then_some(())?;
        Some(Self { bytes, count, with_meta })
    }

    /// Returns how many rows the string has.
    pub const fn count(&self) -> u64 {
        self.count
    }

    pub fn rows(&self) -> Rows<'_> {
        Rows { left: &self.bytes, with_meta: self.with_meta }
    }
}

/// Reads packed rows one after another.
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    left: &'a [u8],
    with_meta: bool,
}

impl<'a> Rows<'a> {
    /// Returns the next row, and the bytes behind it.
    fn split(&self) -> Option<(Row<'a>, &'a [u8])> {
        let (score, left) = self.left.split_first_chunk()?;
        let (moment, left) = left.split_first_chunk()?;
        let (length, left) = left.split_first_chunk()?;
        let (name, mut left) = left.split_at_checked(u16::from_le_bytes(*length).into())?;
        let mut meta = None;
        if self.with_meta {
            let (length, behind) = left.split_first_chunk()?;
            left = behind;
            let length = u16::from_le_bytes(*length);
            if length != NO_TEXT {
                let (text, behind) = left.split_at_checked(length.into())?;
                (meta, left) = (Some(text), behind);
            }
        }
        let score = Score::from_units(i64::from_le_bytes(*score))?;
        Some((Row { score, moment: u64::from_le_bytes(*moment), name, meta }, left))
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        let (row, left) = self.split()?;
        self.left = left;
        Some(row)
    }
}

/// Packs rows.
pub fn pack<'a>(rows: impl Iterator<Item = Row<'a>>, with_meta: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in rows {
        bytes.extend_from_slice(&row.score.units().to_le_bytes());
        bytes.extend_from_slice(&row.moment.to_le_bytes());
        put_text(&mut bytes, Some(row.name));
        if with_meta {
            put_text(&mut bytes, row.meta);
        }
    }
    bytes
}

/// Appends the length of a text, then the text. Texts of a board are short enough for this length.
fn put_text(bytes: &mut Vec<u8>, text: Option<&[u8]>) {
    let length = text.and_then(|text| u16::try_from(text.len()).ok());
    bytes.extend_from_slice(&length.unwrap_or(NO_TEXT).to_le_bytes());
    bytes.extend_from_slice(text.unwrap_or_default());
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Packs rows as a part does.
    pub fn pack(rows: &[Row], with_meta: bool) -> Vec<u8> {
        super::pack(rows.iter().copied(), with_meta)
    }

    fn row<'a>(score: i64, name: &'a str, meta: Option<&'a str>) -> Row<'a> {
        let score = Score::from_units(score).unwrap();
        Row { score, moment: 7, name: name.as_bytes(), meta: meta.map(str::as_bytes) }
    }

    #[test]
    fn rows_lead_back() {
        let rows = [row(-5, "anna", Some("")), row(i64::MAX, "", None), row(0, "bob", Some("text"))];
        let packed = Packed::new(pack(&rows, true).into(), true).unwrap();
        assert_eq!((packed.count(), packed.rows().collect::<Vec<_>>()), (3, rows.to_vec()));
        let plain = Packed::new(pack(&rows, false).into(), false).unwrap();
        assert!(plain.rows().all(|row| row.meta.is_none()) && plain.count() == 3);
        assert_eq!(Packed::new(Bytes::new(), true).unwrap().count(), 0);
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let bytes = pack(&[row(1, "anna", Some("text"))], true);
        for length in 1..bytes.len() {
            assert!(Packed::new(bytes[..length].to_vec().into(), true).is_none(), "{length}");
        }
        assert!(Packed::new([&bytes[..], b"x"].concat().into(), true).is_none());
    }
}
