//! Which parts have the members of a board. While a board grows or shrinks, some shares of the members are in one part of
//! the smaller number of parts, and the others are in two parts of twice this number.
//!
//! ```text
//!  4 parts                0        1        2        3
//!  part 1 was split       0 of 4   2 of 8   3 of 8   2 of 4   3 of 4
//!  place                  0        1        2        3        4
//! ```
//!
//! All code that gathers numbers the parts by their places. The places are in the order of the slots of the members, so
//! the order of equal entries does not change when a part is split.

use leaderboard_core::parts::Parts;

/// The number of bits for the parts of a board that grows or shrinks: half of the greatest number of parts.
const WORDS: usize = 8;

/// The parts of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The number of parts of the root.
    parts: Parts,
    /// A bit for each of these parts that was split.
    split: [u64; WORDS],
}

/// One part: its number, and the number of parts of which it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub number: u16,
    pub of: Parts,
}

impl From<Parts> for Layout {
    fn from(parts: Parts) -> Self {
        Self { parts, split: [0; WORDS] }
    }
}

impl Layout {
    /// Returns the layout of a board over `parts` parts, some of which were split into two.
    pub fn split(parts: Parts, split: impl IntoIterator<Item = u16>) -> Self {
        let mut layout = Self::from(parts);
        for number in split {
            if let Some(word) = layout.split.get_mut(usize::from(number >> 6)) {
                *word |= 1 << (number & 63);
            }
        }
        layout
    }

    /// Returns how many parts there are.
    pub fn count(self) -> u16 {
        self.parts.count().saturating_add(self.split.iter().map(|word| word.count_ones() as u16).sum())
    }

    /// Returns whether a part of the root was split.
    pub fn is_split(self, number: u16) -> bool {
        self.split.get(usize::from(number >> 6)).is_some_and(|word| word >> (number & 63) & 1 == 1)
    }

    /// Returns how many of the parts before this one were split.
    fn split_before(self, number: u16) -> u16 {
        let words = self.split.iter().zip((0_u16..).step_by(64));
        words.fold(0, |sum, (word, first)| {
            let before = match number.saturating_sub(first) {
                0 => 0,
                bits @ 1..64 => word & (1_u64 << bits).wrapping_sub(1),
                _ => *word,
            };
            sum.saturating_add(before.count_ones() as u16)
        })
    }

    /// Returns the place of a part of the root, or of the first half of it.
    fn place(self, number: u16) -> u16 {
        number.saturating_add(self.split_before(number))
    }

    /// Returns the part at a place.
    pub fn share(self, place: u16) -> Share {
        let whole = Share { number: place, of: self.parts };
        if self.split == [0; WORDS] {
            return whole;
        }
        let (mut low, mut high) = (0, self.parts.count());
        while high.saturating_sub(low) > 1 {
            let middle = low.midpoint(high);
            (low, high) = if self.place(middle) <= place { (middle, high) } else { (low, middle) };
        }
        match self.parts.doubled().filter(|_| self.is_split(low)) {
            Some(of) => Share { number: low.saturating_mul(2) | place.saturating_sub(self.place(low)), of },
            None => Share { number: low, of: self.parts },
        }
    }

    /// Returns the place of the part to which a member belongs.
    pub fn of(self, member: &[u8]) -> u16 {
        let number = self.parts.of(member);
        let place = self.place(number);
        match self.parts.doubled().filter(|_| self.is_split(number)) {
            Some(of) => place.saturating_add(of.of(member) & 1),
            None => place,
        }
    }

    /// Returns the slot of the part at a place, of the board with this name.
    pub fn slot(self, name: &[u8], place: u16) -> u16 {
        let Share { number, of } = self.share(place);
        of.slot(name, number)
    }

    /// Returns the key of the part at a place, of the board with this name.
    pub fn key(self, name: &[u8], place: u16) -> Vec<u8> {
        let Share { number, of } = self.share(place);
        of.key(name, number)
    }

    /// Returns bytes that are the same only for the same layout.
    pub fn to_bytes(self) -> Vec<u8> {
        let words = self.split.iter().flat_map(|word| word.to_le_bytes());
        self.parts.count().to_le_bytes().into_iter().chain(words).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(count: u16) -> Parts {
        Parts::new(count, "PARTS").unwrap()
    }

    /// For all boards: the shares follow one another, each member is in the share of its place, and the keys are those
    /// of the parts.
    #[test]
    fn the_places_are_the_shares_in_the_order_of_slots() {
        for count in [2, 4, 64, 128, 512] {
            for step in [1, 2, 3, 63, 64, 65, 1_000] {
                let split: Vec<u16> = (0..count).step_by(step).collect();
                for split in [split.clone(), split[1..].to_vec(), Vec::new()] {
                    let layout = Layout::split(parts(count), split.iter().copied());
                    let mut shares = Vec::new();
                    for number in 0..count {
                        let is_split = split.contains(&number);
                        assert_eq!(layout.is_split(number), is_split);
                        if is_split {
                            shares.extend(
                                [2 * number, 2 * number + 1]
                                    .map(|number| Share { number, of: parts(2 * count) }),
                            );
                        } else {
                            shares.push(Share { number, of: parts(count) });
                        }
                    }
                    assert_eq!(usize::from(layout.count()), shares.len());
                    for (place, share) in (0..).zip(&shares) {
                        assert_eq!(layout.share(place), *share, "{count} {step} {place}");
                        assert_eq!(layout.key(b"game", place), share.of.key(b"game", share.number));
                        assert_eq!(layout.slot(b"game", place), share.of.slot(b"game", share.number));
                    }
                    for member in (0..500_u32).map(|number| number.to_string()) {
                        let share = shares[usize::from(layout.of(member.as_bytes()))];
                        assert_eq!(share.of.of(member.as_bytes()), share.number);
                    }
                }
            }
        }
    }
}
