//! A prize table: the prizes of the places of a period, as an organiser writes them: `1=gold,2-10=silver,1-25%=badge`.

use std::fmt::Write as _;

use crate::Error;
use crate::amount::Bound;
use crate::error::Quoted;
use crate::schema::Schema;
use crate::score::{Decimal, Score};
use crate::size_class::{bytes_of, round_up};

/// The maximum number of places of a table.
pub const MAX_PLACES: usize = 100;
/// The maximum length of a prize, in bytes.
pub const MAX_PRIZE: usize = 64;
/// The maximum length of a table as text.
pub const MAX_TABLE: usize = 16 * 1024;
/// The last place of a table of a board over parts.
const MOST_OVER_PARTS: u32 = 1_000;
/// The maximum length of the score of a place.
const MAX_SCORE: usize = 64;
/// A share of all members, in hundredths of a percent.
const WHOLE: u64 = 10_000;
/// The number of digits after the point of a share in percent.
const DECIMALS: u8 = 2;

/// The members that win a prize.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// The members from one rank to another one, including both.
    Ranks(u32, u32),
    /// The members from a rank to a share of all members, in hundredths of a percent.
    Share(u32, u32),
    /// The members with this score or a greater one, as text.
    AtLeast(Box<[u8]>),
    /// The members with this score or a smaller one, as text.
    AtMost(Box<[u8]>),
}

/// The prizes of a period: the first place that holds a rank decides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrizeTable(Box<[(Place, Box<[u8]>)]>);

/// Neighbouring ranks with one prize.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Band {
    /// The first and the last rank, from 1.
    pub first: u64,
    pub last: u64,
    /// The number of the place in the table.
    pub place: u8,
}

impl PrizeTable {
    /// Reads `place=prize[,place=prize...]`. A place is a rank (`1`), ranks (`2-10`), a share of the members (`1-25%`), or
    /// scores (`>=100`, `<=100`). The empty text is the empty table.
    ///
    /// # Errors
    /// [`Error::BadPlace`], [`Error::BadPrize`], [`Error::TooMany`].
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let mut places = Vec::new();
        for entry in text.split(|byte| *byte == b',') {
            if places.len() == MAX_PLACES {
                return Err(Error::TooMany("PRIZES", MAX_PLACES, "places"));
            }
            places.push(read_entry(entry)?);
        }
        Ok(Self(places.into()))
    }

    /// Returns whether nobody wins anything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the table as text, from which it can be read again.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for (place, prize) in &self.0 {
            if !text.is_empty() {
                text.push(b',');
            }
            text.extend_from_slice(&place.to_bytes());
            text.push(b'=');
            text.extend_from_slice(prize);
        }
        text
    }

    /// Returns the prize of a place, by its number.
    pub(crate) fn prize(&self, place: u8) -> &[u8] {
        self.0.get(usize::from(place)).map_or(b"", |(_, prize)| prize)
    }

    /// Checks that the scores of places are scores of boards with this schema.
    ///
    /// # Errors
    /// [`Error::NotLevels`] and the other errors of bounds.
    pub(crate) fn check(&self, schema: &Schema) -> Result<(), Error> {
        self.0.iter().try_for_each(|(place, _)| place.scores(schema).map(|_| ()))
    }

    /// Checks that the table can be that of a board over parts: its places are ranks up to [`MOST_OVER_PARTS`], because the
    /// parts know the moments of these places in ended periods.
    ///
    /// # Errors
    /// [`Error::NotWithParts`].
    pub(crate) fn check_over_parts(&self) -> Result<(), Error> {
        self.0.iter().try_for_each(|(place, _)| match place {
            Place::Ranks(_, last) if *last <= MOST_OVER_PARTS => Ok(()),
            Place::Ranks(..) => Err(Error::NotWithParts("a place beyond 1000 in PRIZES")),
            Place::Share(..) => Err(Error::NotWithParts("a share of the members in PRIZES")),
            Place::AtLeast(_) | Place::AtMost(_) => Err(Error::NotWithParts("a score in PRIZES")),
        })
    }

    /// Returns the last rank that a table of a board over parts has a prize for; 0 for an empty table.
    #[must_use]
    pub fn last_rank(&self) -> u32 {
        let last =
            |(place, _): &(Place, Box<[u8]>)| if let Place::Ranks(_, last) = place { *last } else { 0 };
        self.0.iter().map(last).max().unwrap_or(0)
    }

    /// Returns the prize of a rank, from a table of a board over parts.
    #[must_use]
    pub fn prize_of(&self, rank: u64) -> Option<&[u8]> {
        let holds = |(place, _): &&(Place, Box<[u8]>)| matches!(place, Place::Ranks(first, last) if (u64::from(*first)..=u64::from(*last)).contains(&rank));
        self.0.iter().find(holds).map(|(_, prize)| &**prize)
    }

    /// Returns the ranks that win, in order, for a ranking of `members` members. `span` returns how many members are ahead
    /// of a range of scores, and how many are in it.
    pub(crate) fn bands(
        &self,
        members: u64,
        schema: &Schema,
        span: impl Fn(Score, Score) -> (u64, u64),
    ) -> Vec<Band> {
        let mut bands: Vec<Band> = Vec::with_capacity(self.0.len());
        for (number, (place, _)) in (0_u8..).zip(&self.0) {
            let (mut first, last) = place.ranks(members, schema, &span);
            let last = last.min(members);
            // The ranks between the places before belong to this place.
            let mut new = Vec::new();
            for taken in &bands {
                if taken.last < first || first > last {
                    continue;
                }
                if taken.first > first {
                    let last = last.min(taken.first.saturating_sub(1));
                    new.push(Band { first, last, place: number });
                }
                first = taken.last.saturating_add(1);
            }
            if first <= last {
                new.push(Band { first, last, place: number });
            }
            if !new.is_empty() {
                bands.append(&mut new);
                bands.sort_unstable_by_key(|band| band.first);
            }
        }
        bands
    }

    /// Returns the number of bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let texts = self.0.iter().map(|(place, prize)| {
            let score = match place {
                Place::AtLeast(score) | Place::AtMost(score) => round_up(score.len()),
                Place::Ranks(..) | Place::Share(..) => 0,
            };
            round_up(prize.len()).saturating_add(score)
        });
        texts.fold(bytes_of::<(Place, Box<[u8]>)>(self.0.len()), usize::saturating_add)
    }
}

fn read_entry(entry: &[u8]) -> Result<(Place, Box<[u8]>), Error> {
    let bad = || Error::BadPlace(Quoted::new(entry));
    let least = entry.strip_prefix(b">=");
    let most = entry.strip_prefix(b"<=");
    let rest = least.or(most).unwrap_or(entry);
    let at = rest.iter().position(|byte| *byte == b'=').ok_or_else(bad)?;
    let (place, prize) = (rest.get(..at).ok_or_else(bad)?, rest.get(at.saturating_add(1)..).ok_or_else(bad)?);
    if prize.is_empty() || prize.len() > MAX_PRIZE {
        return Err(Error::BadPrize(Quoted::new(prize), MAX_PRIZE));
    }
    let place = match (least, most) {
        (None, None) => Place::of_ranks(place).ok_or_else(bad)?,
        (least, _) => {
            let is_score =
                place.len() <= MAX_SCORE && matches!(Bound::parse(place, "PRIZES"), Ok(Bound::Included(_)));
            if !is_score {
                return Err(bad());
            }
            if least.is_some() { Place::AtLeast(place.into()) } else { Place::AtMost(place.into()) }
        }
    };
    Ok((place, prize.into()))
}

fn rank(digits: &[u8]) -> Option<u32> {
    let is_plain = digits.iter().all(u8::is_ascii_digit);
    let number: u32 = std::str::from_utf8(digits).ok().filter(|_| is_plain)?.parse().ok()?;
    Some(number).filter(|number| *number > 0)
}

impl Place {
    /// Reads `rank`, `first-last`, or `first-share%`.
    fn of_ranks(text: &[u8]) -> Option<Self> {
        let Some(at) = text.iter().position(|byte| *byte == b'-') else {
            return rank(text).map(|rank| Self::Ranks(rank, rank));
        };
        let first = rank(text.get(..at)?)?;
        let last = text.get(at.saturating_add(1)..)?;
        match last.strip_suffix(b"%") {
            None => rank(last).filter(|last| *last >= first).map(|last| Self::Ranks(first, last)),
            Some(share) => {
                let share =
                    Decimal::parse(share, "PRIZES").and_then(|share| share.to_score(DECIMALS, "PRIZES"));
                let share = u32::try_from(share.ok()?.units()).ok()?;
                (share > 0 && u64::from(share) <= WHOLE).then_some(Self::Share(first, share))
            }
        }
    }

    /// Returns the scores that win; `None` for a place of ranks, `Some(None)` if no score of the board wins.
    #[expect(clippy::option_option, reason = "the inner option belongs to the range of scores")]
    fn scores(&self, schema: &Schema) -> Result<Option<Option<(Score, Score)>>, Error> {
        let bound = |text| Bound::parse(text, "PRIZES");
        Ok(match self {
            Self::Ranks(..) | Self::Share(..) => None,
            Self::AtLeast(score) => Some(schema.score_range(bound(score)?, Bound::Highest)?),
            Self::AtMost(score) => Some(schema.score_range(Bound::Lowest, bound(score)?)?),
        })
    }

    /// Returns the first and the last rank that win. The last one is before the first one if nobody wins.
    fn ranks(&self, members: u64, schema: &Schema, span: impl Fn(Score, Score) -> (u64, u64)) -> (u64, u64) {
        match self {
            Self::Ranks(first, last) => (u64::from(*first), u64::from(*last)),
            Self::Share(first, share) => {
                (u64::from(*first), members.saturating_mul(u64::from(*share)).div_ceil(WHOLE))
            }
            Self::AtLeast(_) | Self::AtMost(_) => match self.scores(schema) {
                Ok(Some(Some((low, high)))) => {
                    let (before, within) = span(low, high);
                    (before.saturating_add(1), before.saturating_add(within))
                }
                _ => (1, 0),
            },
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Ranks(first, last) if first == last => write!(text, "{first}"),
            Self::Ranks(first, last) => write!(text, "{first}-{last}"),
            Self::Share(first, share) => {
                let share = Score::from_units(i64::from(*share)).unwrap_or_default();
                write!(text, "{first}-{}%", share.display(DECIMALS))
            }
            Self::AtLeast(score) => return [b">=".as_slice(), score].concat(),
            Self::AtMost(score) => return [b"<=".as_slice(), score].concat(),
        };
        text.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

    use super::*;
    use proptest::prelude::*;

    fn table(text: &str) -> PrizeTable {
        PrizeTable::parse(text.as_bytes()).unwrap()
    }

    /// Returns how many members have at least the score `low`, if the member at rank r has the score 100 - r.
    fn span(low: Score, _: Score) -> (u64, u64) {
        (0, u64::try_from(100 - low.units().min(100)).unwrap())
    }

    #[test]
    fn the_first_place_that_holds_a_rank_wins() {
        let bands = table("1=a,1-5%=b,1-25%=c,30=d,>=60=e").bands(50, &Schema::default(), span);
        let named: Vec<_> = bands.iter().map(|band| (band.first, band.last, band.place)).collect();
        assert_eq!(named, [(1, 1, 0), (2, 3, 1), (4, 13, 2), (14, 29, 4), (30, 30, 3), (31, 40, 4)]);
        assert_eq!(table("1-25%=c").bands(0, &Schema::default(), span), []);
        assert_eq!(table("5-10=c").bands(4, &Schema::default(), span), []);
        let one = table("1-0.01%=x").bands(1, &Schema::default(), span);
        assert_eq!(one, [Band { first: 1, last: 1, place: 0 }], "a share is rounded up");
    }

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["1=gold", "2-10=a=b", "1-2.5%=\u{1f3c6}", ">=1/2/3=x,<=-5.5=y", ""] {
            assert_eq!(table(text).to_bytes(), text.as_bytes());
        }
        assert_eq!(table("3-3=a,1-100.00%=b").to_bytes(), b"3=a,1-100%=b");
        let long = format!("1={}", "x".repeat(65));
        for text in [
            "1",
            "0=a",
            "2-1=a",
            "a=b",
            "1-=a",
            "1-0%=a",
            "1-101%=a",
            "1-5.001%=a",
            ">=x=a",
            ">=(5=a",
            "1=",
            ",",
            &long,
            "1=a,",
        ] {
            assert!(PrizeTable::parse(text.as_bytes()).is_err(), "{text}");
        }
        let many = |count| vec!["1=a"; count].join(",");
        assert!(
            PrizeTable::parse(many(100).as_bytes()).is_ok()
                && PrizeTable::parse(many(101).as_bytes()).is_err()
        );
    }

    proptest! {
        #[test]
        fn bands_are_those_of_each_rank(
            places in proptest::collection::vec((1..40_u32, 0..40_u32, any::<bool>()), 0..8),
            members in 0..40_u64,
        ) {
            let text: Vec<_> = places.iter().map(|(first, more, is_share)| match is_share {
                true => format!("{first}-{}%=x", more + 1),
                false => format!("{first}-{}=x", first + more),
            }).collect();
            let bands = table(&text.join(",")).bands(members, &Schema::default(), span);
            for rank in 1..=members {
                let holds = |(first, more, is_share): &(u32, u32, bool)| {
                    let last = match is_share {
                        true => (members * u64::from(more + 1)).div_ceil(100),
                        false => u64::from(first + more),
                    };
                    (u64::from(*first)..=last).contains(&rank)
                };
                let expected = places.iter().position(holds);
                let found: Vec<_> = bands.iter().filter(|band| (band.first..=band.last).contains(&rank)).collect();
                prop_assert!(found.len() <= 1);
                prop_assert_eq!(found.first().map(|band| usize::from(band.place)), expected);
            }
            prop_assert!(bands.windows(2).all(|pair| pair[0].last < pair[1].first));
            prop_assert!(bands.iter().all(|band| band.last <= members));
        }
    }
}
