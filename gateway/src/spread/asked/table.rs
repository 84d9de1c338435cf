//! The commands that work over parts: how many fixed arguments each has, which options, which list.

/// The words behind the word of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// So many.
    Words(usize),
    /// A number, and as many members.
    Members,
}

/// An option of commands.
#[derive(Debug, PartialEq, Eq)]
pub struct Opt {
    pub word: &'static str,
    pub value: Value,
    /// Whether it may stand in a command more than once.
    pub repeats: bool,
}

/// What stands between the fixed arguments of a command and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optional {
    Nothing,
    /// Nothing, or so many arguments.
    Words(usize),
    /// Any number of arguments, up to the first option.
    Any,
}

/// What stands behind the options of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Nothing,
    /// Members.
    Members,
    /// Pairs of a number and a member; the word is what errors call them.
    Pairs(&'static str),
}

/// A command that works over parts.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name, in capitals.
    pub name: &'static str,
    /// How many arguments stand behind the key in any case.
    pub fixed: usize,
    pub optional: Optional,
    pub options: &'static [&'static Opt],
    pub list: List,
    /// The options that the gateway adds to it.
    pub own: &'static [Own],
}

/// An option of the gateway alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// `PARTIAL`: an answer without the parts that do not answer.
    Partial,
    /// `TIMEOUT ms`: how long to wait for the parts.
    Timeout,
    /// `WITHRANK`: ranks over all parts in the reply to a write.
    WithRank,
    /// `ESTIMATE`: the rank by samples that may be some seconds old.
    Estimate,
}

impl Own {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Partial => "PARTIAL",
            Self::Timeout => "TIMEOUT",
            Self::WithRank => "WITHRANK",
            Self::Estimate => "ESTIMATE",
        }
    }
}

const fn option(word: &'static str, words: usize) -> Opt {
    Opt { word, value: Value::Words(words), repeats: false }
}

const fn repeated(word: &'static str, words: usize) -> Opt {
    Opt { word, value: Value::Words(words), repeats: true }
}

static VIEW: Opt = option("VIEW", 1);
static PERIOD: Opt = option("PERIOD", 1);
static AT: Opt = option("AT", 1);
static RANKS: Opt = option("RANKS", 1);
static REAL: Opt = option("REAL", 0);
static REV: Opt = option("REV", 0);
static FLAT: Opt = option("FLAT", 0);
static PACKED: Opt = option("PACKED", 0);
static WITHMETA: Opt = option("WITHMETA", 0);
static MEMBERS: Opt = Opt { word: "MEMBERS", value: Value::Members, repeats: false };
static ABOVE: Opt = option("ABOVE", 1);
static BELOW: Opt = option("BELOW", 1);
static FILL: Opt = option("FILL", 0);
static OFFSET: Opt = option("OFFSET", 1);
static COUNT: Opt = option("COUNT", 1);
static ID: Opt = option("ID", 1);
static META: Opt = option("META", 1);
static WITHCHANGE: Opt = option("WITHCHANGE", 0);
static WINDOW: Opt = option("WINDOW", 2);
static NX: Opt = option("NX", 0);
static XX: Opt = option("XX", 0);
static GT: Opt = option("GT", 0);
static LT: Opt = option("LT", 0);
static BY: Opt = option("BY", 1);
static TAG: Opt = repeated("TAG", 2);
static WEIGHT: Opt = option("WEIGHT", 1);
static INITIAL: Opt = option("INITIAL", 1);
static VIEWS: Opt = option("VIEWS", 1);
static ORDER: Opt = option("ORDER", 1);
static AGGREGATE: Opt = option("AGGREGATE", 1);
static TIES: Opt = option("TIES", 1);
static DECIMALS: Opt = option("DECIMALS", 1);
static LEVELS: Opt = option("LEVELS", 1);
static TZ: Opt = option("TZ", 1);
static WEEKSTART: Opt = option("WEEKSTART", 1);
static ORIGIN: Opt = option("ORIGIN", 1);
static CLOCK: Opt = option("CLOCK", 1);
static RETAIN: Opt = option("RETAIN", 1);
static CARRY: Opt = option("CARRY", 1);
static DECAY: Opt = option("DECAY", 1);
static DEDUP: Opt = option("DEDUP", 1);
static SHOWN: Opt = option("SHOWN", 0);
static DECLARED: Opt = option("DECLARED", 0);
static OPENS: Opt = option("OPENS", 1);
static CLOSES: Opt = option("CLOSES", 1);
static LIMIT: Opt = repeated("LIMIT", 4);
/// It belongs to the limit before it.
static BONUS: Opt = repeated("BONUS", 3);
static UNLIMIT: Opt = repeated("UNLIMIT", 1);
static KEEP: Opt = option("KEEP", 1);
static NOTIFYTOP: Opt = option("NOTIFYTOP", 1);
static LIKE: Opt = option("LIKE", 1);
static PART: Opt = option("PART", 3);
static PARTS: Opt = option("PARTS", 1);

const READ: &[Own] = &[Own::Partial, Own::Timeout];
const RANKED: &[Own] = &[Own::Partial, Own::Timeout, Own::Estimate];
const WRITE: &[Own] = &[Own::Timeout, Own::WithRank];
const CHANGE: &[Own] = &[Own::Timeout];

/// A command without a list.
const fn row(name: &'static str, fixed: usize, options: &'static [&'static Opt], own: &'static [Own]) -> Row {
    Row { name, fixed, optional: Optional::Nothing, options, list: List::Nothing, own }
}

static ROWS: &[Row] = &[
    row("LB.TOP", 1, &[&OFFSET, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV, &FLAT, &PACKED], READ),
    row("LB.RANGE", 2, &[&WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV, &FLAT, &PACKED], READ),
    row(
        "LB.RANGEBYSCORE",
        2,
        &[&OFFSET, &COUNT, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV, &FLAT, &PACKED],
        READ,
    ),
    Row {
        optional: Optional::Words(1),
        ..row(
            "LB.AROUND",
            1,
            &[&ABOVE, &BELOW, &FILL, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV, &FLAT, &PACKED],
            READ,
        )
    },
    row("LB.RANK", 1, &[&VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], RANKED),
    row("LB.SCORE", 1, &[&VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ),
    row("LB.MSCORE", 0, &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ),
    row("LB.AMONG", 0, &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ),
    row("LB.STANDING", 1, &[&WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ),
    row("LB.MSTANDING", 0, &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ),
    Row {
        optional: Optional::Words(2),
        ..row("LB.COUNT", 0, &[&VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ)
    },
    row("LB.STATS", 0, &[&VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ),
    Row {
        optional: Optional::Any,
        ..row("LB.QUANTILE", 1, &[&VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ)
    },
    row("LB.HISTOGRAM", 3, &[&VIEW, &PERIOD, &AT, &RANKS, &REAL, &REV], READ),
    row("LB.PERIODS", 1, &[], READ),
    row("LB.HIDDEN", 0, &[], READ),
    row("LB.GETMETA", 1, &[], READ),
    row("LB.MGETMETA", 0, &[&MEMBERS], READ),
    row("LB.INFO", 0, &[], CHANGE),
    row("LB.ADD", 2, &[&ID, &AT, &VIEW, &META, &WITHCHANGE], WRITE),
    row("LB.ROLLADD", 2, &[&WINDOW, &ID, &AT, &WITHCHANGE], WRITE),
    Row { list: List::Pairs("points and members"), ..row("LB.MADD", 0, &[&ID, &AT, &VIEW], WRITE) },
    row("LB.SET", 2, &[&NX, &XX, &GT, &LT, &ID, &AT, &VIEW, &META, &WITHCHANGE], WRITE),
    Row { list: List::Pairs("scores and members"), ..row("LB.MSET", 0, &[&ID, &AT, &VIEW], WRITE) },
    row("LB.SETMETA", 2, &[], CHANGE),
    row("LB.REMRANGEBYSCORE", 2, &[], CHANGE),
    Row { list: List::Members, ..row("LB.REM", 0, &[], &[]) },
    Row { list: List::Members, ..row("LB.HIDE", 0, &[], &[]) },
    Row { list: List::Members, ..row("LB.UNHIDE", 0, &[], &[]) },
    row("LB.VOTE", 2, &[&BY, &TAG, &ID, &AT], WRITE),
    Row { list: List::Pairs("votes and members"), ..row("LB.MVOTE", 0, &[&BY, &TAG, &ID, &AT], WRITE) },
    row("LB.OPTION", 1, &[&WEIGHT, &INITIAL, &META], CHANGE),
    row(
        "LB.CREATE",
        0,
        &[
            &VIEWS, &ORDER, &AGGREGATE, &TIES, &DECIMALS, &LEVELS, &TZ, &WEEKSTART, &ORIGIN, &CLOCK, &RETAIN,
            &CARRY, &DECAY, &DEDUP, &SHOWN, &DECLARED, &OPENS, &CLOSES, &LIMIT, &BONUS, &KEEP, &NOTIFYTOP,
            &LIKE, &NX, &PART, &PARTS,
        ],
        CHANGE,
    ),
    row(
        "LB.ALTER",
        0,
        &[
            &VIEWS, &RETAIN, &CARRY, &DECAY, &DEDUP, &OPENS, &CLOSES, &LIMIT, &BONUS, &UNLIMIT, &KEEP,
            &NOTIFYTOP,
        ],
        CHANGE,
    ),
];

impl Row {
    /// The command of this name, in any case.
    pub fn of(name: &[u8]) -> Option<&'static Self> {
        ROWS.iter().find(|row| row.name.as_bytes().eq_ignore_ascii_case(name))
    }

    /// Its option of this word, in any case.
    pub fn option(&self, word: &[u8]) -> Option<&'static Opt> {
        self.options.iter().copied().find(|option| option.word.as_bytes().eq_ignore_ascii_case(word))
    }

    /// The option of the gateway of this word, in any case.
    pub fn own_option(&self, word: &[u8]) -> Option<Own> {
        self.own.iter().copied().find(|own| own.word().as_bytes().eq_ignore_ascii_case(word))
    }
}
