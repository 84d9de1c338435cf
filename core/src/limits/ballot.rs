//! The voter and the tags of a request to vote.

/// The voter and the tags of a request to vote.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ballot<'a> {
    /// The voter (`BY`).
    pub voter: Option<&'a [u8]>,
    /// Names and values of tags (`TAG`). If a name is given twice, the first value is used.
    pub tags: &'a [(&'a [u8], &'a [u8])],
}

impl<'a> Ballot<'a> {
    /// The ballot of a write of scores, which has no voter.
    pub const NOBODY: Self = Self { voter: None, tags: &[] };

    /// Returns the value of a tag; `None` if the ballot does not have this tag.
    #[must_use]
    pub fn tag(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.tags.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}
