//! Columns: the numbers that a board keeps for each of its members.

use crate::index::MemberId;
use crate::sorted::Sorted;

/// Bytes of a leaf's number.
pub const LEAF: usize = 4;
/// Bytes of the number of a write.
pub const SEQUENCE: usize = 6;
/// The greatest number of a write: 280 trillion.
pub const MAX_SEQUENCE: u64 = (1 << (8 * SEQUENCE as u32)) - 1;

/// A number that a board keeps for each of its members. It is in the member's record, or in a map beside
/// the records if these were there before the column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub(super) number: u16,
    pub(super) size: u8,
    /// Where it lies in the record.
    pub(super) at: Option<u16>,
}

impl Column {
    /// A column that keeps nothing: no member knows its leaf in such an index.
    pub const NONE: Self = Self { number: u16::MAX, size: LEAF as u8, at: None };

    pub(super) const fn is_none(self) -> bool {
        self.number == Self::NONE.number
    }
}

/// The numbers that are not in records, by column and member.
pub type Beside = Sorted<(u16, MemberId), u64>;

impl Beside {
    /// Takes all of a column out.
    pub fn take_all(&mut self, column: Column) -> Vec<(MemberId, u64)> {
        let from = self.range_from((column.number, MemberId::MIN));
        let all = from.take_while(|((number, _), _)| *number == column.number);
        let all: Vec<_> = all.map(|((_, id), value)| (id, *value)).collect();
        // The last one first, so that little has to move.
        all.iter().rev().for_each(|(id, _)| _ = self.remove((column.number, *id)));
        all
    }
}
