//! The rules of a board for its scores, besides the limits of votes.

/// A rule that can hold back a write of scores. The order is that in which the rules are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardRule {
    /// The write is outside of the time in which writes count: `OPENS`, `CLOSES`, `HOURS`. It is also a rule of votes.
    Closed,
    /// The member has not joined a board with `DECLARED`.
    Joined,
    /// The points of an addition, or a new score, are outside of `BOUNDS`.
    Bounds,
    /// The board would have more than `MAXMEMBERS` members.
    Full,
    /// The member would have more than `ATTEMPTS` writes in a period.
    Attempts,
}

impl BoardRule {
    /// All rules, in the order in which they are judged.
    pub const ALL: [Self; 5] = [Self::Closed, Self::Joined, Self::Bounds, Self::Full, Self::Attempts];

    /// Returns the name of the rule, which no limit of votes can have.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Joined => "joined",
            Self::Bounds => "bounds",
            Self::Full => "full",
            Self::Attempts => "attempts",
        }
    }
}
