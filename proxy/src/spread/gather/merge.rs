//! Merges the rows of several parts into one order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::order::{Order, Place};
use super::rows::{Packed, Row, Rows};

/// Walks through the rows of several parts in the order of the ranking.
pub struct Merge<'a> {
    order: Order,
    /// For each part with a next row: the place of this row, and the number of the part among the sources.
    heads: BinaryHeap<Reverse<(Place, usize)>>,
    sources: Vec<Source<'a>>,
}

struct Source<'a> {
    part: u16,
    next: Option<Row<'a>>,
    behind: Rows<'a>,
}

/// A row, and the number of its source.
#[derive(Debug, Clone, Copy)]
pub struct Merged<'a> {
    pub row: Row<'a>,
    pub source: usize,
}

impl<'a> Merge<'a> {
    /// Begins with the first row of each of these parts.
    pub fn new(order: Order, parts: impl Iterator<Item = (u16, &'a Packed)>) -> Self {
        let sources: Vec<_> = parts
            .map(|(part, packed)| {
                let mut behind = packed.rows();
                Source { part, next: behind.next(), behind }
            })
            .collect();
        let heads = sources
            .iter()
            .enumerate()
            .filter_map(|(at, source)| Some(Reverse((source.place(order)?, at))))
            .collect();
        Self { order, heads, sources }
    }
}

impl Source<'_> {
    fn place(&self, order: Order) -> Option<Place> {
        let row = self.next?;
        Some(order.place(row.score, row.moment, self.part))
    }
}

impl<'a> Iterator for Merge<'a> {
    type Item = Merged<'a>;

    fn next(&mut self) -> Option<Merged<'a>> {
        let Reverse((_, at)) = self.heads.pop()?;
        let source = self.sources.get_mut(at)?;
        let row = source.next.take()?;
        source.next = source.behind.next();
        if let Some(place) = source.place(self.order) {
            self.heads.push(Reverse((place, at)));
        }
        Some(Merged { row, source: at })
    }
}

#[cfg(test)]
mod tests {
    use leaderboard_core::{Schema, Score};

    use super::super::rows::tests::pack;
    use super::*;

    #[test]
    fn rows_of_all_parts_come_in_one_order() {
        let row = |score, moment, name: &'static [u8]| Row {
            score: Score::from_units(score).unwrap(),
            moment,
            name,
            meta: None,
        };
        // Within one part, equal entries keep the order of the part.
        let parts = [
            (4, vec![row(9, 1, b"a"), row(5, 3, b"d"), row(5, 3, b"c")]),
            (0, vec![row(7, 1, b"b"), row(5, 3, b"z")]),
            (2, vec![]),
        ];
        let packed = parts.map(|(part, rows)| (part, Packed::new(pack(&rows, false).into(), false).unwrap()));
        let order = Order::new(&Schema::default(), false);
        let merged = Merge::new(order, packed.iter().map(|(part, rows)| (*part, rows)));
        let names: Vec<_> = merged.map(|merged| (merged.row.name, merged.source)).collect();
        assert_eq!(names, [(&b"a"[..], 0), (b"b", 1), (b"z", 1), (b"d", 0), (b"c", 0)]);
    }
}
