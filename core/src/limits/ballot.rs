//! Who votes.

/// Who votes, as the request says it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ballot<'a> {
    /// `BY`.
    pub voter: Option<&'a [u8]>,
    /// `TAG`: names and values. Of two with one name, the first counts.
    pub tags: &'a [(&'a [u8], &'a [u8])],
}

impl<'a> Ballot<'a> {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.tags.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}
