//! One board on several keys: the part to which a member belongs, and the keys of the parts in a cluster.
//!
//! A board has `n` parts. Each part contains the members of an equal share of the 16,384 slots of a cluster. The
//! key of a part is the board's name and a hash tag. The slot of the tag is the slot of the name plus the start of
//! the part's share. So the parts are spread evenly over the nodes of the cluster, and the parts of boards with
//! other names begin at other slots.

use std::sync::OnceLock;

use crc16::{State, XMODEM};

use crate::Error;

/// The number of slots of a cluster.
pub const SLOTS: u16 = 16_384;
/// The maximum number of parts of a board.
pub const MAX_PARTS: u16 = 1_024;

/// The number of parts of a board: a power of two, at least 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parts(u16);

impl Parts {
    /// The least number of parts.
    pub const TWO: Self = Self(2);

    /// Returns this number of parts. `option` is named in the error.
    ///
    /// # Errors
    /// [`Error::BadParts`] unless the number is a power of two from 2 to 1,024.
    pub const fn new(number: u16, option: &'static str) -> Result<Self, Error> {
        if number.is_power_of_two() && number >= 2 && number <= MAX_PARTS {
            Ok(Self(number))
        } else {
            Err(Error::BadParts(option, MAX_PARTS))
        }
    }

    /// Returns this number of parts; `None` for 1, which is a plain board. `option` is named in the error.
    ///
    /// # Errors
    /// [`Error::BadPartsOrOne`] unless the number is a power of two from 1 to 1,024.
    pub fn or_plain(number: u64, option: &'static str) -> Result<Option<Self>, Error> {
        let wrong = Error::BadPartsOrOne(option, MAX_PARTS);
        match u16::try_from(number) {
            Ok(1) => Ok(None),
            Ok(number) => Self::new(number, option).map(Some).map_err(|_| wrong),
            Err(_) => Err(wrong),
        }
    }

    /// Returns the number of parts.
    #[must_use]
    pub const fn count(self) -> u16 {
        self.0
    }

    /// Returns twice this number of parts; `None` if a board cannot have so many.
    #[must_use]
    pub const fn doubled(self) -> Option<Self> {
        if self.0 < MAX_PARTS { Some(Self(self.0.saturating_mul(2))) } else { None }
    }

    /// Returns half of this number of parts; `None` if that is no number of parts.
    #[must_use]
    pub const fn halved(self) -> Option<Self> {
        if self.0 > 2 { Some(Self(self.0 >> 1)) } else { None }
    }

    /// Returns the number of slots of each part.
    const fn share(self) -> u16 {
        SLOTS >> self.0.trailing_zeros()
    }

    /// Returns the number of the part to which a member belongs.
    #[must_use]
    pub fn of(self, member: &[u8]) -> u16 {
        slot(member) >> self.share().trailing_zeros()
    }

    /// Returns the slot of a part of the board with the key `name`, which contains no `{`.
    #[must_use]
    pub fn slot(self, name: &[u8], part: u16) -> u16 {
        slot(name).wrapping_add(part.wrapping_mul(self.share())) & (SLOTS.wrapping_sub(1))
    }

    /// Returns the key of a part of the board with the key `name`, which contains no `{`.
    #[must_use]
    pub fn key(self, name: &[u8], part: u16) -> Vec<u8> {
        let slot = self.slot(name, part);
        let tag = tags().get(usize::from(slot)).copied().unwrap_or_default();
        [name, format!(":{{{tag:x}}}").as_bytes()].concat()
    }

    /// Returns the number of the part that has this key, if it is the key of a part of the board with the key `name`.
    #[must_use]
    pub fn number_of(self, name: &[u8], key: &[u8]) -> Option<u16> {
        let tag = key.strip_prefix(name)?.strip_prefix(b":{")?.strip_suffix(b"}")?;
        let number =
            (slot(tag).wrapping_sub(slot(name)) & SLOTS.wrapping_sub(1)) >> self.share().trailing_zeros();
        (self.key(name, number) == key).then_some(number)
    }
}

/// Returns the key of the board of which a key may be a part: what stands before its hash tag.
#[must_use]
pub fn board_of(key: &[u8]) -> Option<&[u8]> {
    let colon = key.iter().position(|byte| *byte == b'{')?.checked_sub(1)?;
    let (name, tag) = key.split_at_checked(colon)?;
    let digits = tag.strip_prefix(b":{")?.strip_suffix(b"}")?;
    let is_hexadecimal = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    is_hexadecimal.then_some(name)
}

/// Returns the slot of all bytes of a name. If a key has a hash tag, a cluster uses only the bytes of the tag.
#[must_use]
pub fn slot(name: &[u8]) -> u16 {
    State::<XMODEM>::calculate(name) & (SLOTS.wrapping_sub(1))
}

/// Returns, for each slot, the least number whose hexadecimal text has this slot.
fn tags() -> &'static [u32] {
    static TAGS: OnceLock<Box<[u32]>> = OnceLock::new();
    TAGS.get_or_init(find_tags)
}

/// Finds the number for each slot. This takes about a millisecond, and a server does it once.
fn find_tags() -> Box<[u32]> {
    let (mut tags, mut left) = (vec![None; usize::from(SLOTS)], SLOTS);
    // The checksums of all numbers so far. The checksum of a number is computed from the checksum of its digits
    // without the last digit.
    let mut sums: Vec<u16> = Vec::new();
    for number in 0_u32.. {
        if left == 0 {
            break;
        }
        let before = if number < 16 { None } else { sums.get((number >> 4) as usize) };
        let sum = followed(before.copied().unwrap_or_default(), digit(number & 15));
        sums.push(sum);
        let tag = tags.get_mut(usize::from(sum & SLOTS.wrapping_sub(1)));
        if let Some(tag @ None) = tag {
            *tag = Some(number);
            left = left.wrapping_sub(1);
        }
    }
    tags.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns the checksum of some bytes followed by one more byte. `sum` is the checksum of the bytes before.
fn followed(sum: u16, byte: u8) -> u16 {
    let [high, low] = sum.to_be_bytes();
    u16::from_be_bytes([low, 0]) ^ State::<XMODEM>::calculate(&[high ^ byte])
}

fn digit(number: u32) -> u8 {
    char::from_digit(number, 16).map_or(0, |digit| digit as u8)
}

/// The members of a board: all members, the members of one part, or no members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// The board itself has all members.
    #[default]
    Whole,
    /// The board has the members of one part.
    Part {
        /// The number of the part, from 0.
        number: u16,
        /// How many parts there are.
        parts: Parts,
    },
    /// The board has the rules of a board with this number of parts, but no members.
    Root(Parts),
}

impl Role {
    /// Returns the number of parts of the board; `None` for a whole board.
    #[must_use]
    pub const fn parts(self) -> Option<Parts> {
        match self {
            Self::Whole => None,
            Self::Part { parts, .. } | Self::Root(parts) => Some(parts),
        }
    }

    /// Returns the number of this part; `None` if the board is not a part.
    #[must_use]
    pub const fn part(self) -> Option<u16> {
        match self {
            Self::Part { number, .. } => Some(number),
            Self::Whole | Self::Root(_) => None,
        }
    }

    /// Returns the keys of the parts of the board with the key `name`. There are keys only if this is the root.
    pub fn keys(self, name: &[u8]) -> impl ExactSizeIterator<Item = Vec<u8>> {
        let parts = if let Self::Root(parts) = self { Some(parts) } else { None };
        (0..parts.map_or(0, Parts::count))
            .map(move |part| parts.map_or_else(Vec::new, |parts| parts.key(name, part)))
    }

    /// Checks that a member belongs to this board or part.
    ///
    /// # Errors
    /// [`Error::WrongPart`].
    pub fn check(self, member: &[u8]) -> Result<(), Error> {
        let Self::Part { number, parts } = self else { return Ok(()) };
        match parts.of(member) {
            own if own == number => Ok(()),
            other => Err(Error::WrongPart(other)),
        }
    }

    /// Checks that this is a part of a board with `wanted` parts, or a whole board if `wanted` is `None`.
    ///
    /// # Errors
    /// [`Error::NoPart`].
    pub fn check_share(self, wanted: Option<Parts>) -> Result<(), Error> {
        match (self, wanted) {
            (Self::Part { parts, .. }, Some(wanted)) if parts == wanted => Ok(()),
            (Self::Whole, None) => Ok(()),
            (_, wanted) => Err(Error::NoPart(wanted.map_or(1, Parts::count))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(number: u16) -> Parts {
        Parts::new(number, "PARTS").unwrap()
    }

    #[test]
    fn only_powers_of_two_are_numbers_of_parts() {
        let taken: Vec<_> = (0..=u16::MAX).filter(|number| Parts::new(*number, "PARTS").is_ok()).collect();
        assert_eq!(taken, [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
    }

    #[test]
    fn keys_of_parts_are_known_by_their_form() {
        for (count, number) in
            [2, 64, 1_024].into_iter().flat_map(|count| [0, 1, count - 1].map(|part| (count, part)))
        {
            let key = parts(count).key(b"game:eu", number);
            assert_eq!(board_of(&key), Some(&b"game:eu"[..]));
            assert_eq!(parts(count).number_of(b"game:eu", &key), Some(number));
            assert_eq!(parts(count).number_of(b"game", &key), None);
        }
        let second_half = parts(4).key(b"game", 1);
        assert_eq!([parts(2), parts(8)].map(|parts| parts.number_of(b"game", &second_half)), [None, Some(2)]);
        // This tag has the slot of a part, but a smaller number has it, too.
        let tag = (0..u32::MAX)
            .map(|number| format!("{number:x}"))
            .filter(|tag| slot(tag.as_bytes()) == slot(b"game"));
        let second = format!("game:{{{}}}", tag.take(2).last().unwrap());
        assert_eq!(parts(2).number_of(b"game", second.as_bytes()), None);
        for other in ["game", "game:{}", "game:{x}", "game{1}", "{1}", ":{1", "game:{1}:day", "game:{1}{2}"] {
            assert_eq!(board_of(other.as_bytes()), None, "{other}");
        }
        assert_eq!(board_of(b":{1}"), Some(&b""[..]));
    }

    /// The first value is from the algorithm's description. The slots are the slots that servers return for these
    /// keys.
    #[test]
    fn slots_are_those_of_a_cluster() {
        assert_eq!(State::<XMODEM>::calculate(b"123456789"), 0x31c3);
        assert_eq!([slot(b"foo"), slot(b"bar"), slot(b"")], [12_182, 5_061, 0]);
    }

    #[test]
    fn tags_are_the_least_numbers() {
        let mut tags = vec![None; usize::from(SLOTS)];
        for number in 0_u32..400_000 {
            tags[usize::from(slot(format!("{number:x}").as_bytes()))].get_or_insert(number);
        }
        assert!(tags.iter().copied().eq(super::tags().iter().copied().map(Some)));
    }

    #[test]
    fn each_part_has_its_share_of_the_slots() {
        for number in [2, 64, 1024] {
            let parts = parts(number);
            for member in (0..10_000).map(|number: u32| number.to_string()) {
                let share = u32::from(SLOTS / number);
                assert_eq!(
                    u32::from(parts.of(member.as_bytes())),
                    u32::from(slot(member.as_bytes())) / share
                );
            }
        }
    }

    #[test]
    fn keys_lie_evenly_behind_the_slot_of_the_name_with_the_least_tags() {
        let parts = parts(64);
        for part in 0..64 {
            let key = String::from_utf8(parts.key(b"game", part)).unwrap();
            let tag = key.strip_prefix("game:{").and_then(|rest| rest.strip_suffix('}')).unwrap();
            let wanted = (slot(b"game") + part * 256) % SLOTS;
            assert_eq!(slot(tag.as_bytes()), wanted);
            let least = u32::from_str_radix(tag, 16).unwrap();
            assert!((0..least).all(|number| slot(format!("{number:x}").as_bytes()) != wanted));
        }
    }
}
