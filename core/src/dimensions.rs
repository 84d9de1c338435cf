//! The dimensions of a board, as clients declare them: `country:SUM,platform`.

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::Error;
use crate::error::Quoted;
use crate::short_name::ShortName;
use crate::size_class::bytes_of;

/// The maximum number of dimensions of a board.
pub const MAX_DIMENSIONS: usize = 4;
/// The maximum length of the name of a segment, in bytes.
pub const MAX_SEGMENT: usize = 64;
/// The maximum number of changes in one list: all dimensions are dropped, and the same number is added.
const MAX_EDITS: usize = 2 * MAX_DIMENSIONS;

/// The number by which the segments of a dimension are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Metric {
    /// The sum of the scores of the members.
    Sum,
    /// The number of members. The greatest number is the best, for both orders of scores.
    #[default]
    Count,
    /// The best score of a member.
    Best,
}

impl Metric {
    /// Reads the word of a client, in upper or lower case.
    fn parse(word: &[u8]) -> Option<Self> {
        let all = [Self::Sum, Self::Count, Self::Best];
        all.into_iter().find(|metric| word.eq_ignore_ascii_case(metric.word().as_bytes()))
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Sum => "SUM",
            Self::Count => "COUNT",
            Self::Best => "BEST",
        }
    }
}

/// A dimension: its name, and how its segments are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DimensionSpec {
    pub(crate) name: ShortName,
    pub(crate) metric: Metric,
}

impl DimensionSpec {
    /// Reads `name[:SUM|:COUNT|:BEST]`.
    fn parse(word: &[u8]) -> Result<Self, Error> {
        let bad = || Error::BadDimension(Quoted::new(word));
        let mut parts = word.splitn(2, |byte| *byte == b':');
        let name = parts.next().and_then(ShortName::parse).ok_or_else(bad)?;
        let metric = parts.next().map_or(Some(Metric::default()), Metric::parse);
        Ok(Self { name, metric: metric.ok_or_else(bad)? })
    }
}

impl fmt::Display for DimensionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.metric.word())
    }
}

/// A change of the dimensions of a board: the name, and the metric if the dimension is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DimensionEdit {
    spec: DimensionSpec,
    is_added: bool,
}

/// The dimensions of a board, in the order in which they were declared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dimensions(Option<Arc<ArrayVec<DimensionSpec, MAX_DIMENSIONS>>>);

/// Reads `name[:SUM|:COUNT|:BEST][,...]`.
///
/// # Errors
/// [`Error::BadDimension`], [`Error::RepeatedDimension`], [`Error::TooMany`].
pub fn parse_dimensions(text: &[u8]) -> Result<Dimensions, Error> {
    let mut all = Dimensions::default();
    for word in text.split(|byte| *byte == b',') {
        all.add(DimensionSpec::parse(word)?)?;
    }
    Ok(all)
}

/// Reads `+name[:SUM|:COUNT|:BEST]` and `-name`, separated by commas: dimensions to add and to drop.
///
/// # Errors
/// The errors of [`parse_dimensions`]; [`Error::BadEdit`].
pub fn parse_dimension_edits(text: &[u8]) -> Result<Vec<DimensionEdit>, Error> {
    let mut edits: Vec<DimensionEdit> = Vec::new();
    for word in text.split(|byte| *byte == b',') {
        let (is_added, rest) = match word.split_first() {
            Some((b'+', rest)) => (true, rest),
            Some((b'-', rest)) => (false, rest),
            _ => return Err(Error::BadEdit("SEGMENTS", Quoted::new(word))),
        };
        let spec = DimensionSpec::parse(rest)?;
        if !is_added && rest.contains(&b':') {
            return Err(Error::BadDimension(Quoted::new(rest)));
        }
        if edits.iter().any(|other| other.spec.name == spec.name) {
            return Err(Error::RepeatedDimension(spec.name));
        }
        if edits.len() == MAX_EDITS {
            return Err(Error::TooMany("SEGMENTS", MAX_EDITS, "dimensions"));
        }
        edits.push(DimensionEdit { spec, is_added });
    }
    Ok(edits)
}

impl Dimensions {
    /// Returns whether the board has no dimension.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.specs().is_empty()
    }

    pub(crate) fn specs(&self) -> &[DimensionSpec] {
        self.0.as_deref().map_or(&[], |specs| specs.as_slice())
    }

    /// Returns the number of the dimension with this name.
    ///
    /// # Errors
    /// [`Error::NoSuchDimension`].
    pub fn find(&self, name: &[u8]) -> Result<usize, Error> {
        let missing = || Error::NoSuchDimension(Quoted::new(name));
        let wanted = ShortName::parse(name).ok_or_else(missing)?;
        self.specs().iter().position(|spec| spec.name == wanted).ok_or_else(missing)
    }

    /// Returns the name of a dimension, by its number.
    pub fn names(&self) -> impl ExactSizeIterator<Item = ShortName> {
        self.specs().iter().map(|spec| spec.name)
    }

    /// Returns whether the segments of any dimension are ranked by sums.
    pub(crate) fn have_sums(&self) -> bool {
        self.specs().iter().any(|spec| spec.metric == Metric::Sum)
    }

    fn add(&mut self, spec: DimensionSpec) -> Result<(), Error> {
        let mut specs: ArrayVec<_, MAX_DIMENSIONS> = self.specs().iter().copied().collect();
        if specs.iter().any(|other| other.name == spec.name) {
            return Err(Error::RepeatedDimension(spec.name));
        }
        specs.try_push(spec).map_err(|_| Error::TooMany("SEGMENTS", MAX_DIMENSIONS, "dimensions"))?;
        self.0 = Some(Arc::new(specs));
        Ok(())
    }

    /// Returns the dimensions after these changes.
    ///
    /// # Errors
    /// [`Error::NoSuchDimension`], [`Error::RepeatedDimension`], [`Error::TooMany`].
    pub(crate) fn edited(&self, edits: &[DimensionEdit]) -> Result<Self, Error> {
        let mut all = self.clone();
        for DimensionEdit { spec, .. } in edits.iter().filter(|edit| !edit.is_added) {
            let dropped = all.find(spec.name.as_bytes())?;
            let mut left: ArrayVec<_, MAX_DIMENSIONS> = all.specs().iter().copied().collect();
            left.remove(dropped);
            all.0 = if left.is_empty() { None } else { Some(Arc::new(left)) };
        }
        edits.iter().filter(|edit| edit.is_added).try_for_each(|edit| all.add(edit.spec))?;
        Ok(all)
    }

    pub(crate) fn memory(&self) -> usize {
        self.0.as_ref().map_or(0, |_| bytes_of::<ArrayVec<DimensionSpec, MAX_DIMENSIONS>>(1))
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, spec) in self.specs().iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{spec}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_read_and_shown() {
        let shown = |text: &str| parse_dimensions(text.as_bytes()).map(|all| all.to_string());
        assert_eq!(shown("country:SUM,guild").as_deref(), Ok("country:SUM,guild:COUNT"));
        assert_eq!(shown("a:best,b:count").as_deref(), Ok("a:BEST,b:COUNT"));
        for bad in ["", "a,", "a:", "a:MAX", "a b", "a:SUM:SUM", "ä"] {
            assert!(matches!(shown(bad), Err(Error::BadDimension(_))), "{bad}");
        }
        assert!(matches!(shown("a,b,a:SUM"), Err(Error::RepeatedDimension(_))));
        assert_eq!(shown("a,b,c,d,e"), Err(Error::TooMany("SEGMENTS", 4, "dimensions")));
    }

    #[test]
    fn dimensions_are_added_and_dropped() {
        let board = parse_dimensions(b"a,b:SUM").unwrap();
        let after = |text: &str| {
            parse_dimension_edits(text.as_bytes())
                .and_then(|edits| board.edited(&edits))
                .map(|all| all.to_string())
        };
        assert_eq!(after("+c:BEST,-a").as_deref(), Ok("b:SUM,c:BEST"));
        assert_eq!(after("-a,-b").as_deref(), Ok(""));
        assert!(matches!(after("+a"), Err(Error::RepeatedDimension(_))));
        assert!(matches!(after("-a,+a"), Err(Error::RepeatedDimension(_))));
        assert!(matches!(after("-c"), Err(Error::NoSuchDimension(_))));
        assert!(matches!(after("c"), Err(Error::BadEdit(..))));
        assert!(matches!(after("-a:COUNT"), Err(Error::BadDimension(_))));
        assert_eq!(after("+c,+d,+e"), Err(Error::TooMany("SEGMENTS", 4, "dimensions")));
    }
}
