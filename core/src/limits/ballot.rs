//! The voter of a request, and its tags.

/// The voter and the tags of a request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ballot<'a> {
    /// `BY`.
    pub voter: Option<&'a [u8]>,
    /// `TAG`: names and values. If a name comes twice, the first value counts.
    pub tags: &'a [(&'a [u8], &'a [u8])],
}

impl<'a> Ballot<'a> {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.tags.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}
