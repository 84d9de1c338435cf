//! The options, one method for each. Every request accepts every option; the server refuses an option that the command
//! does not have.

use redis::ToSingleRedisArg;

use crate::{Page, Request, Row};

/// How members with equal scores are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ranks {
    /// Ranks 1, 2, 3, 4 if the second and the third score are equal: all ranks are different.
    #[default]
    Ordinal,
    /// Ranks 1, 2, 2, 4 if the second and the third score are equal.
    Competition,
    /// Ranks 1, 2, 2, 3 if the second and the third score are equal.
    Dense,
}

impl Ranks {
    /// Returns the word that the command uses for this option.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ordinal => "ORDINAL",
            Self::Competition => "COMPETITION",
            Self::Dense => "DENSE",
        }
    }
}

/// Options that select the data to read, and the form of the reply.
impl<R> Request<R> {
    /// `VIEW view`: a view of the board, such as `day:7`.
    pub fn view(self, view: &str) -> Self {
        self.option("VIEW", view)
    }

    /// `PERIOD period`: a period of the view, such as `-1` or `2019-W12`.
    pub fn period(self, period: &str) -> Self {
        self.option("PERIOD", period)
    }

    /// `AT ms`: the moment of a write, or the moment whose period is read.
    pub fn at(self, ms: i64) -> Self {
        self.option("AT", ms)
    }

    /// `IN name value`: reads the members of one segment alone.
    pub fn in_segment(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.option("IN", name).argument(value.as_ref())
    }

    /// `WITHIN name`: reads the members of the named member's own segment alone; on a write, adds the rank there to the reply.
    pub fn within(self, name: &str) -> Self {
        self.option("WITHIN", name)
    }

    /// `RANKS`: how members with equal scores are numbered.
    pub fn ranks(self, ranks: Ranks) -> Self {
        self.option("RANKS", ranks.as_str())
    }

    /// `REAL`: reads the real votes instead of the shown votes.
    pub fn real(self) -> Self {
        self.flag("REAL")
    }

    /// `REV`: reads the ranking from the last place upwards.
    pub fn rev(self) -> Self {
        self.flag("REV")
    }

    /// `WITHMETA`: adds the texts of the members to the reply.
    pub fn with_meta(self) -> Self {
        self.flag("WITHMETA")
    }

    /// `OFFSET n`: skips the first `n` lines.
    pub fn offset(self, n: u64) -> Self {
        self.option("OFFSET", n)
    }

    /// `COUNT n`: returns at most `n` lines.
    pub fn count(self, n: u64) -> Self {
        self.option("COUNT", n)
    }

    /// `ABOVE n`: returns `n` lines above the member.
    pub fn above(self, n: u64) -> Self {
        self.option("ABOVE", n)
    }

    /// `BELOW n`: returns `n` lines below the member.
    pub fn below(self, n: u64) -> Self {
        self.option("BELOW", n)
    }

    /// `FILL`: adds lines on one side of a member if the other side has too few; adds the empty slices of a counter.
    pub fn fill(self) -> Self {
        self.flag("FILL")
    }

    /// `FROM ms`: the moment of the first slice of a counter.
    pub fn from(self, ms: i64) -> Self {
        self.option("FROM", ms)
    }

    /// `TO ms`: the moment of the last slice of a counter.
    pub fn to(self, ms: i64) -> Self {
        self.option("TO", ms)
    }
}

/// Options of pages.
impl Request<Vec<Row>> {
    /// `PACKED`: returns the rows in one string, which costs the server much less. The ranks are ordinal.
    pub fn packed(self) -> Request<Page> {
        self.flag("PACKED").replies()
    }

    /// `PACKED WITHMETA`: returns the rows and the texts of the members in one string.
    pub fn packed_with_meta(self) -> Request<Page<true>> {
        self.with_meta().flag("PACKED").replies()
    }
}

/// Options of writes.
impl<R> Request<R> {
    /// `ID request`: the id of this request. The server does not apply a repeated request again.
    pub fn id(self, request: impl AsRef<[u8]>) -> Self {
        self.option("ID", request.as_ref())
    }

    /// `META text`: the text that is stored with the member.
    pub fn meta(self, text: impl AsRef<[u8]>) -> Self {
        self.option("META", text.as_ref())
    }

    /// `SEGMENT name value`: puts the members into a segment. It may come once for each dimension.
    pub fn segment(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.option("SEGMENT", name).argument(value.as_ref())
    }

    /// `WITHCHANGE`: adds the score and the rank from before the write to the reply.
    pub fn with_change(self) -> Self {
        self.flag("WITHCHANGE")
    }

    /// `QUIET`: the reply to a write is only the number of items that it has applied. No rank is counted.
    pub fn quiet(self) -> Request<u64> {
        self.flag("QUIET").replies()
    }

    /// `WINDOW n unit`: the rolling view for the rank in the reply to a write, such as 7 and `day`.
    pub fn window(self, n: u64, unit: &str) -> Self {
        self.option("WINDOW", n).argument(unit)
    }

    /// `NX`: writes only a member without a score; makes a board, league or counter only if the key is absent; imports
    /// only members that the board does not have.
    pub fn nx(self) -> Self {
        self.flag("NX")
    }

    /// `XX`: writes only a member that has a score.
    pub fn xx(self) -> Self {
        self.flag("XX")
    }

    /// `GT`: writes only a score that is greater than the present score.
    pub fn gt(self) -> Self {
        self.flag("GT")
    }

    /// `LT`: writes only a score that is smaller than the present score.
    pub fn lt(self) -> Self {
        self.flag("LT")
    }

    /// `MERGE`: adds the imported scores to the scores of members that the board has.
    pub fn merge(self) -> Self {
        self.flag("MERGE")
    }

    /// `ROUND`: rounds each score to the nearest score that the board can hold.
    pub fn round(self) -> Self {
        self.flag("ROUND")
    }

    /// `WEIGHTS weight ...`: one factor for each source.
    pub fn weights<W: AsRef<str>>(self, weights: impl IntoIterator<Item = W>) -> Self {
        let weights = weights.into_iter();
        weights.fold(self.flag("WEIGHTS"), |request, weight| request.argument(weight.as_ref()))
    }
}

/// Options of votes and of counters.
impl<R> Request<R> {
    /// `BY voter` for votes, `BY n` for a counter.
    pub fn by(self, by: impl ToSingleRedisArg) -> Self {
        self.option("BY", by)
    }

    /// `TAG name value`: a tag of the votes.
    pub fn tag(self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        self.option("TAG", name.as_ref()).argument(value.as_ref())
    }

    /// `MEMBER member`: selects this member.
    pub fn member(self, member: impl AsRef<[u8]>) -> Self {
        self.option("MEMBER", member.as_ref())
    }

    /// `WEIGHT n`: how many shown votes one vote adds.
    pub fn weight(self, n: u64) -> Self {
        self.option("WEIGHT", n)
    }

    /// `INITIAL votes`: the shown votes with which an option starts.
    pub fn initial(self, votes: u64) -> Self {
        self.option("INITIAL", votes)
    }
}
