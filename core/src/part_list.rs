//! A list of numbers of parts, as a text such as `0-20,43`.

use std::fmt;

use crate::Error;
use crate::integer::natural;
use crate::parts::Parts;

/// Numbers of parts of one board, in ascending order and each at most once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartList {
    /// The first and the last number of each run of consecutive numbers.
    runs: Vec<(u16, u16)>,
}

impl PartList {
    /// Reads a list of parts of a board. `argument` is named in the error.
    ///
    /// # Errors
    /// [`Error::BadPartList`] unless the text has ascending numbers from 0 to the number of parts less 1.
    pub fn parse(text: &[u8], parts: Parts, argument: &'static str) -> Result<Self, Error> {
        let bad = Error::BadPartList(argument);
        let number = |text: &[u8]| -> Result<u16, Error> {
            let number = natural(text, argument).ok().and_then(|number| u16::try_from(number).ok());
            number.filter(|number| *number < parts.count()).ok_or(bad)
        };
        let mut list = Self::default();
        for run in text.split(|byte| *byte == b',') {
            let mut ends = run.splitn(2, |byte| *byte == b'-');
            let first = number(ends.next().unwrap_or_default())?;
            let last = ends.next().map_or(Ok(first), number)?;
            let is_behind = list.runs.last().is_none_or(|(_, before)| *before < first);
            if !is_behind || last < first {
                return Err(bad);
            }
            list.runs.push((first, last));
        }
        Ok(list)
    }

    /// Adds a number that is greater than all numbers of the list.
    pub fn push(&mut self, part: u16) {
        match self.runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(part) => *last = part,
            _ => self.runs.push((part, part)),
        }
    }

    /// Returns the numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        self.runs.iter().flat_map(|(first, last)| *first..=*last)
    }
}

impl FromIterator<u16> for PartList {
    fn from_iter<I: IntoIterator<Item = u16>>(parts: I) -> Self {
        let mut list = Self::default();
        parts.into_iter().for_each(|part| list.push(part));
        list
    }
}

impl fmt::Display for PartList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (first, last)) in self.runs.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{first}")?;
            if last > first {
                write!(f, "-{last}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<u16>, Error> {
        let parts = Parts::new(64, "PARTS").unwrap();
        Ok(PartList::parse(text.as_bytes(), parts, "parts")?.iter().collect())
    }

    #[test]
    fn lists_are_read_and_written() {
        for (text, parts) in
            [("0", vec![0]), ("63", vec![63]), ("0-3,5,9-10", vec![0, 1, 2, 3, 5, 9, 10]), ("7-7", vec![7])]
        {
            assert_eq!(parse(text), Ok(parts.clone()), "{text}");
            let list: PartList = parts.iter().copied().collect();
            assert_eq!(parse(&list.to_string()), Ok(parts));
        }
        assert_eq!((0..64).collect::<PartList>().to_string(), "0-63");
        assert_eq!([1, 2, 5].into_iter().collect::<PartList>().to_string(), "1-2,5");
    }

    #[test]
    fn lists_that_do_not_ascend_or_reach_too_far_are_refused() {
        for text in [
            "", ",", "1,", "-1", "1-", "a", "64", "0-64", "3-2", "2,2", "2-4,4", "5,1", "1 2", "65536",
            "1-2-3",
        ] {
            assert_eq!(parse(text), Err(Error::BadPartList("parts")), "{text}");
        }
    }
}
