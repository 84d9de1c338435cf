//! The reads after a step. They are made from one seed, because there are so many of them.

use super::Slice;

/// One end of the range of a read.
#[derive(Debug, Clone, Copy)]
pub enum Edge {
    None,
    /// A moment at this distance from the start of a slice, in milliseconds.
    Of(Slice, i64),
    Epoch,
    End,
}

/// A read of a precision.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub from: Edge,
    pub to: Edge,
    pub fill: bool,
    /// The moment of the read after now, in milliseconds. A negative number is before now.
    pub shift: i64,
}

/// An endless sequence of reads. The same seed gives the same reads.
#[derive(Debug, Clone)]
pub struct Looks(u64);

impl Looks {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number from 0 to below `most`.
    const fn below(&mut self, most: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most) as i64
    }

    const fn edge(&mut self) -> Edge {
        let slice = match self.below(7) {
            0..4 => Slice::Back(self.below(6) - 1),
            _ => Slice::Oldest(self.below(5) - 2),
        };
        match self.below(13) {
            0..3 => Edge::None,
            3..6 => Edge::Of(slice, 0),
            6..9 => Edge::Of(slice, -1),
            9..11 => Edge::Of(slice, self.below(1_000)),
            11 => Edge::Epoch,
            _ => Edge::End,
        }
    }

    const fn shift(&mut self) -> i64 {
        match self.below(9) {
            0..5 => 0,
            5..7 => self.below(5_000),
            7 => self.below(400_000_000),
            _ => -self.below(100_000),
        }
    }
}

impl Iterator for Looks {
    type Item = Look;

    fn next(&mut self) -> Option<Look> {
        let fill = self.below(2) == 0;
        Some(Look { from: self.edge(), to: self.edge(), fill, shift: self.shift() })
    }
}
