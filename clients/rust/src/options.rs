//! The options by name. Any request takes any of them; the server says which ones a command knows.

use redis::ToSingleRedisArg;

use crate::{Page, Request, Row};

/// How equal scores are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ranks {
    /// 1, 2, 3, 4
    #[default]
    Ordinal,
    /// 1, 2, 2, 4
    Competition,
    /// 1, 2, 2, 3
    Dense,
}

impl Ranks {
    /// The word of the option.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ordinal => "ORDINAL",
            Self::Competition => "COMPETITION",
            Self::Dense => "DENSE",
        }
    }
}

/// What is read, and how.
impl<R> Request<R> {
    /// `VIEW view`: a view of the board, such as `day:7`.
    pub fn view(self, view: &str) -> Self {
        self.option("VIEW", view)
    }

    /// `PERIOD period`: a period of the view, such as `-1` or `2019-W12`.
    pub fn period(self, period: &str) -> Self {
        self.option("PERIOD", period)
    }

    /// `AT ms`: when a write happened, or the period of a read.
    pub fn at(self, ms: i64) -> Self {
        self.option("AT", ms)
    }

    /// `RANKS`: how equal scores are numbered.
    pub fn ranks(self, ranks: Ranks) -> Self {
        self.option("RANKS", ranks.as_str())
    }

    /// `REAL`: the real votes instead of the shown votes.
    pub fn real(self) -> Self {
        self.flag("REAL")
    }

    /// `REV`: from the last place.
    pub fn rev(self) -> Self {
        self.flag("REV")
    }

    /// `WITHMETA`: with the texts beside the members.
    pub fn with_meta(self) -> Self {
        self.flag("WITHMETA")
    }

    /// `OFFSET n`: leave so many lines out.
    pub fn offset(self, n: u64) -> Self {
        self.option("OFFSET", n)
    }

    /// `COUNT n`: at most so many lines.
    pub fn count(self, n: u64) -> Self {
        self.option("COUNT", n)
    }

    /// `ABOVE n`: so many lines above the member.
    pub fn above(self, n: u64) -> Self {
        self.option("ABOVE", n)
    }

    /// `BELOW n`: so many lines below the member.
    pub fn below(self, n: u64) -> Self {
        self.option("BELOW", n)
    }

    /// `FILL`: more lines where others are missing.
    pub fn fill(self) -> Self {
        self.flag("FILL")
    }

    /// `FROM ms`: the first slice of a counter.
    pub fn from(self, ms: i64) -> Self {
        self.option("FROM", ms)
    }

    /// `TO ms`: the last slice of a counter.
    pub fn to(self, ms: i64) -> Self {
        self.option("TO", ms)
    }
}

/// Pages.
impl Request<Vec<Row>> {
    /// `PACKED`: the rows in one string, which costs the server much less. Ranks are ordinal.
    pub fn packed(self) -> Request<Page> {
        self.flag("PACKED").replies()
    }

    /// `PACKED WITHMETA`: the same with the texts beside the members.
    pub fn packed_with_meta(self) -> Request<Page<true>> {
        self.with_meta().flag("PACKED").replies()
    }
}

/// What is written, and when.
impl<R> Request<R> {
    /// `ID request`: the id of this request. A repeat is not applied again.
    pub fn id(self, request: impl AsRef<[u8]>) -> Self {
        self.option("ID", request.as_ref())
    }

    /// `META text`: the text beside the member.
    pub fn meta(self, text: impl AsRef<[u8]>) -> Self {
        self.option("META", text.as_ref())
    }

    /// `WITHCHANGE`: with score and rank from before the write.
    pub fn with_change(self) -> Self {
        self.flag("WITHCHANGE")
    }

    /// `WINDOW n unit`: the rolling view of a write, such as 7 and `day`.
    pub fn window(self, n: u64, unit: &str) -> Self {
        self.option("WINDOW", n).argument(unit)
    }

    /// `NX`: only a member without a score; only a board that does not exist; leave members alone that the board has.
    pub fn nx(self) -> Self {
        self.flag("NX")
    }

    /// `XX`: only a member with a score.
    pub fn xx(self) -> Self {
        self.flag("XX")
    }

    /// `GT`: only a greater score.
    pub fn gt(self) -> Self {
        self.flag("GT")
    }

    /// `LT`: only a smaller score.
    pub fn lt(self) -> Self {
        self.flag("LT")
    }

    /// `MERGE`: add to the members that the board has.
    pub fn merge(self) -> Self {
        self.flag("MERGE")
    }

    /// `ROUND`: to the nearest score that the board can hold.
    pub fn round(self) -> Self {
        self.flag("ROUND")
    }

    /// `WEIGHTS weight ...`: a factor for each source.
    pub fn weights<W: AsRef<str>>(self, weights: impl IntoIterator<Item = W>) -> Self {
        let weights = weights.into_iter();
        weights.fold(self.flag("WEIGHTS"), |request, weight| request.argument(weight.as_ref()))
    }
}

/// Votes and counts.
impl<R> Request<R> {
    /// `BY voter` of votes, `BY n` of a counter.
    pub fn by(self, by: impl ToSingleRedisArg) -> Self {
        self.option("BY", by)
    }

    /// `TAG name value`: a tag of the votes.
    pub fn tag(self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        self.option("TAG", name.as_ref()).argument(value.as_ref())
    }

    /// `MEMBER member`: of this member.
    pub fn member(self, member: impl AsRef<[u8]>) -> Self {
        self.option("MEMBER", member.as_ref())
    }

    /// `WEIGHT n`: how many shown votes one vote adds.
    pub fn weight(self, n: u64) -> Self {
        self.option("WEIGHT", n)
    }

    /// `INITIAL votes`: the shown votes that an option starts with.
    pub fn initial(self, votes: u64) -> Self {
        self.option("INITIAL", votes)
    }
}
