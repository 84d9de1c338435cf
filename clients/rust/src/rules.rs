//! The options that set or change the rules of a board, a league or a counter.

use crate::Request;

/// Options of boards.
impl<R> Request<R> {
    /// `VIEWS views`: the views that the board ranks, such as `all,day,day:7`; in a change, such as `+month,-day:7`.
    pub fn views(self, views: &str) -> Self {
        self.option("VIEWS", views)
    }

    /// `ORDER DESC|ASC`: whether the highest or the lowest score has rank 1.
    pub fn order(self, order: &str) -> Self {
        self.option("ORDER", order)
    }

    /// `AGGREGATE SUM|MAX|MIN|LAST`: how a write changes a score, or how the scores of a member from several sources
    /// are combined.
    pub fn aggregate(self, aggregate: &str) -> Self {
        self.option("AGGREGATE", aggregate)
    }

    /// `TIES FIRST|LAST|LEX|REVLEX`, or `SCORED|JOINED` for a league: which member ranks higher if scores are equal.
    pub fn ties(self, ties: &str) -> Self {
        self.option("TIES", ties)
    }

    /// `DECIMALS digits`: the number of digits after the decimal point.
    pub fn decimals(self, digits: u8) -> Self {
        self.option("DECIMALS", digits)
    }

    /// `LEVELS levels`: scores with several levels, such as `gold:DESC:2000,silver:DESC:2000`.
    pub fn levels(self, levels: &str) -> Self {
        self.option("LEVELS", levels)
    }

    /// `TZ zone`: the time zone of calendar periods.
    pub fn tz(self, zone: &str) -> Self {
        self.option("TZ", zone)
    }

    /// `WEEKSTART day`: the day on which weeks begin.
    pub fn week_start(self, day: &str) -> Self {
        self.option("WEEKSTART", day)
    }

    /// `ORIGIN ms`: the moment from which periods given in seconds are counted.
    pub fn origin(self, ms: i64) -> Self {
        self.option("ORIGIN", ms)
    }

    /// `CLOCK SERVER|EVENT`: whether the present time is the server's time or the time of the events.
    pub fn clock(self, clock: &str) -> Self {
        self.option("CLOCK", clock)
    }

    /// `RETAIN periods`: how many ended periods remain readable, such as `3` or `day=30,week=4`.
    pub fn retain(self, periods: &str) -> Self {
        self.option("RETAIN", periods)
    }

    /// `CARRY shares`: the share of its points that a member carries into the next period, such as `week=0.2`.
    pub fn carry(self, shares: &str) -> Self {
        self.option("CARRY", shares)
    }

    /// `DECAY shares`: the share of its score that a member keeps from one period to the next, such as `day=0.9`.
    pub fn decay(self, shares: &str) -> Self {
        self.option("DECAY", shares)
    }

    /// `DEDUP seconds`: the minimum time for which a request id is remembered.
    pub fn dedup(self, seconds: u64) -> Self {
        self.option("DEDUP", seconds)
    }

    /// `KEEP n`: each view stores only its best `n` members.
    pub fn keep(self, n: u64) -> Self {
        self.option("KEEP", n)
    }

    /// `NOTIFYTOP n`: publishes an event when the members in the first `n` places change.
    pub fn notify_top(self, n: u64) -> Self {
        self.option("NOTIFYTOP", n)
    }

    /// `SEGMENTS dimensions`: the dimensions of segments, such as `country:SUM,guild`; for a change of rules, `+platform,-guild`.
    pub fn segments(self, dimensions: &str) -> Self {
        self.option("SEGMENTS", dimensions)
    }

    /// `PART part OF parts`: makes this part of a spread board. Parts are numbered from 0.
    pub fn part_of(self, part: u16, parts: u16) -> Self {
        self.option("PART", &[part.to_string().as_str(), "OF", &parts.to_string()][..])
    }

    /// `PARTS n`: makes the root of a spread board of `n` parts. With a write: applies it only if the key is one of
    /// `n` parts.
    pub fn parts(self, n: u16) -> Self {
        self.option("PARTS", n)
    }

    /// `LIKE key`: copies the rules of this board.
    pub fn like(self, key: impl AsRef<[u8]>) -> Self {
        self.option("LIKE", key.as_ref())
    }
}

/// Options of competitions: rules that hold back writes of scores. The error of such a write is of the kind
/// [`Kind::HeldBack`](crate::Kind::HeldBack).
impl<R> Request<R> {
    /// `DECLARED`: allows scores and votes only for members that have joined or were declared.
    pub fn declared(self) -> Self {
        self.flag("DECLARED")
    }

    /// `OPENS ms`: holds back writes and votes before this moment.
    pub fn opens(self, ms: i64) -> Self {
        self.option("OPENS", ms)
    }

    /// `CLOSES ms`: holds back writes and votes from this moment on.
    pub fn closes(self, ms: i64) -> Self {
        self.option("CLOSES", ms)
    }

    /// `HOURS hours`: holds back writes and votes outside of these hours of the week, such as
    /// `mon-fri=18:00-20:00,sat-sun=10:00-22:00`. An empty text ends the rule.
    pub fn hours(self, hours: &str) -> Self {
        self.option("HOURS", hours)
    }

    /// `ATTEMPTS n unit`: holds back a member's writes after its first `n` in a unit of time, such as `day`. 0 ends the rule.
    pub fn attempts(self, n: u64, unit: &str) -> Self {
        self.option("ATTEMPTS", n).argument(unit)
    }

    /// `MAXMEMBERS n`: holds back writes of more than `n` members. 0 ends the rule.
    pub fn max_members(self, n: u64) -> Self {
        self.option("MAXMEMBERS", n)
    }

    /// `BOUNDS min max`: holds back points and scores outside of this range, such as `("0", "+inf")`. `-inf` and `+inf` end the rule.
    pub fn bounds(self, min: &str, max: &str) -> Self {
        self.option("BOUNDS", min).argument(max)
    }

    /// `FORCE`: lets a write pass all rules of scores.
    pub fn force(self) -> Self {
        self.flag("FORCE")
    }

    /// `NOW ms`, in a change of rules: moves a clock of events forward.
    pub fn move_clock(self, ms: i64) -> Self {
        self.option("NOW", ms)
    }
}

/// Options of campaigns.
impl<R> Request<R> {
    /// `SHOWN`: counts real votes and shown votes separately.
    pub fn shown(self) -> Self {
        self.flag("SHOWN")
    }

    /// `LIMIT rule scope max unit`, with its bonuses, such as `["daily", "voter", "8", "day"]`. This option can be
    /// repeated.
    pub fn limit(self, words: &[&str]) -> Self {
        self.option("LIMIT", words)
    }

    /// `UNLIMIT rule`: removes this rule. This option can be repeated.
    pub fn unlimit(self, rule: &str) -> Self {
        self.option("UNLIMIT", rule)
    }
}

/// Options of leagues and counters.
impl<R> Request<R> {
    /// `TIERS names`: the tiers of a league, the lowest first, such as `bronze,silver,gold`.
    pub fn tiers(self, names: &str) -> Self {
        self.option("TIERS", names)
    }

    /// `PROMOTE amounts`: how many members of a group move up, one amount for each tier: `10` or `20%`.
    pub fn promote(self, amounts: &str) -> Self {
        self.option("PROMOTE", amounts)
    }

    /// `DEMOTE amounts`: how many members of a group move down, one amount for each tier.
    pub fn demote(self, amounts: &str) -> Self {
        self.option("DEMOTE", amounts)
    }

    /// `CYCLE unit`: the length of a period of a league.
    pub fn cycle(self, unit: &str) -> Self {
        self.option("CYCLE", unit)
    }

    /// `GROUP size`: the maximum number of members in a group.
    pub fn group(self, size: u64) -> Self {
        self.option("GROUP", size)
    }

    /// `REWARD n`: how many ranks of each group get a reward.
    pub fn reward(self, n: u64) -> Self {
        self.option("REWARD", n)
    }

    /// `JOINUNTIL share`: the share of a period, from its start, in which members can join it.
    pub fn join_until(self, share: &str) -> Self {
        self.option("JOINUNTIL", share)
    }

    /// `IDLE n`: how many tiers a member loses for each whole period that it does not join.
    pub fn idle(self, n: u64) -> Self {
        self.option("IDLE", n)
    }

    /// `PRECISIONS precisions`: the lengths of a counter's slices in seconds, such as `1,60,3600`; in a change,
    /// `+10,-5`.
    pub fn precisions(self, precisions: &str) -> Self {
        self.option("PRECISIONS", precisions)
    }

    /// `SAMPLES n`: how many slices of each precision are stored.
    pub fn samples(self, n: u64) -> Self {
        self.option("SAMPLES", n)
    }
}
