//! One row a command: everything about it that is said anywhere. Registration, `COMMAND DOCS` and
//! `INFO`, ACL categories and the README's reference all read these rows.

use std::ffi::c_int;

use redis_module::raw;

use crate::call::entry;
use crate::commands::{add, boards, range, remove, restore, set, standing, texts};

/// What the server calls.
pub type Entry =
    unsafe extern "C" fn(*mut raw::RedisModuleCtx, *mut *mut raw::RedisModuleString, c_int) -> c_int;

/// What a command does to its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Adds to it, and so may need memory.
    Write,
    /// Changes it in a way that needs none.
    Alter,
    /// Takes something away.
    Remove,
}

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Where the server enters.
    pub entry: Entry,
    /// What it does to its key.
    pub access: Access,
    /// Whether it takes logarithmic time at the most.
    pub fast: bool,
    /// Its arguments; see [`crate::syntax`].
    pub syntax: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// How long it takes. n: members of the board.
    pub complexity: &'static str,
    /// The version that it came with.
    pub since: &'static str,
    /// What it replies.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reference, which a test makes"))]
    pub reply: &'static str,
    /// What else there is to know.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reference, which a test makes"))]
    pub notes: &'static str,
}

/// All commands, in the order of the reference.
pub static COMMANDS: [Command; 22] = [
    Command {
        name: "LB.CREATE",
        entry: entry!(boards::create),
        access: Access::Write,
        fast: true,
        syntax: "key [VIEWS views] [ORDER DESC|ASC] [AGGREGATE SUM|MAX|MIN|LAST] [TIES FIRST|LAST|LEX] \
                 [DECIMALS digits] [TZ zone] [WEEKSTART MON|TUE|WED|THU|FRI|SAT|SUN] [ORIGIN ms] \
                 [CLOCK SERVER|EVENT] [RETAIN periods] [CARRY shares] [DEDUP seconds]",
        summary: "Makes a board",
        complexity: "O(1)",
        since: "0.1.0",
        reply: "OK; an error if the key exists.",
        notes: "VIEWS: what the board ranks by, such as `all,day,day:7`, see Views; the first one is the \
                default view. TZ: an IANA zone or a fixed offset such as `+08:00`. WEEKSTART: the day that \
                weeks begin on. ORIGIN: what periods of seconds are counted from. RETAIN: how many past \
                periods stay readable, `3` or `day=30,week=4`, up to 10000. CARRY: what members start a \
                period with, as a share of what they got in the last, `week=0.2`. ORDER: which end of the scores is rank 1. AGGREGATE: what a write does to a score: add, keep \
                the greater, keep the smaller, replace. TIES: who ranks higher among equal scores. DECIMALS: \
                digits kept after the point, 0 to 9. CLOCK: see Time. DEDUP: for how many seconds a request id \
                is remembered at the least, up to 315360000; 0: not at all. Defaults: all, DESC, SUM, FIRST, \
                0, UTC, MON, 0, SERVER, 1, nothing carried, 600.",
    },
    Command {
        name: "LB.ALTER",
        entry: entry!(boards::alter),
        access: Access::Alter,
        fast: true,
        syntax: "key [VIEWS changes] [RETAIN periods] [CARRY shares] [DEDUP seconds]",
        summary: "Changes what may change of a board's rules",
        complexity: "O(1); O(p log p) where a view begins to carry over, p: its members in the period",
        since: "0.1.0",
        reply: "OK; an error if the board does not exist.",
        notes: "VIEWS: views to add and to drop, such as `+month,-day:7`. One that is added begins empty, and \
                keeps one past period unless RETAIN says otherwise. At least one option is needed.",
    },
    Command {
        name: "LB.INFO",
        entry: entry!(boards::info),
        access: Access::Read,
        fast: true,
        syntax: "key",
        summary: "Tells a board's rules and size",
        complexity: "O(log r), r: request ids remembered",
        since: "0.1.0",
        reply: "A map: views, order, aggregate, ties, tz, weekstart, clock, retain, carry, decimals, origin, \
                dedup, members (ranked in the default view), requests (ids remembered), now (ms), memory \
                (bytes); nil for an absent key.",
        notes: "",
    },
    Command {
        name: "LB.ADD",
        entry: entry!(add::one),
        access: Access::Write,
        fast: true,
        syntax: "key points member [ID request] [AT ms] [VIEW view] [WITHCHANGE]",
        summary: "Adds points to a member, once for each request id",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "[score, rank, applied]: applied is 1, or 0 for a repeated request. WITHCHANGE: score and rank \
                before the write follow, nil for a new member.",
        notes: "Makes a board with the defaults where the key is absent. What adding means is the board's \
                AGGREGATE. 0 points enter an absent member with score 0.",
    },
    Command {
        name: "LB.ROLLADD",
        entry: entry!(add::rolling),
        access: Access::Write,
        fast: true,
        syntax: "key points member [WINDOW n unit] [ID request] [AT ms] [WITHCHANGE]",
        summary: "Adds points to a member, and tells where it stands in a rolling view",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "As LB.ADD, in the view `unit:n`; without WINDOW in the first rolling view of the board.",
        notes: "An absent key becomes a board with the one view that WINDOW names, `day:7` without it. The \
                points go to all views, as with LB.ADD.",
    },
    Command {
        name: "LB.MADD",
        entry: entry!(add::many),
        access: Access::Write,
        fast: false,
        syntax: "key [ID request] [AT ms] [VIEW view] points member [points member ...]",
        summary: "Adds points to several members as one request, all or nothing",
        complexity: "O(m log n), m: members given",
        since: "0.1.0",
        reply: "An array of [score, rank, applied], one for each pair, as of the end of the command.",
        notes: "A member may stand in the list more than once. There is no limit to the list, but the server \
                does nothing else meanwhile: about a microsecond a member.",
    },
    Command {
        name: "LB.SET",
        entry: entry!(set::set),
        access: Access::Write,
        fast: true,
        syntax: "key score member [NX|XX] [GT|LT] [ID request] [AT ms] [VIEW view] [WITHCHANGE]",
        summary: "Gives a member this score",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "[score, rank, applied], as LB.ADD; applied is 0 where NX, XX, GT or LT holds it back, and nil, \
                nil, 0 for a member that has no score then.",
        notes: "On a SUM board the difference is added to all views. On MAX and MIN boards the score is written even if it \
                is worse. On a LAST board the latest event wins, as with LB.ADD. A write that is held back \
                does not consume its request id.",
    },
    Command {
        name: "LB.REM",
        entry: entry!(remove::remove),
        access: Access::Remove,
        fast: false,
        syntax: "key member [member ...]",
        summary: "Removes members with all that is kept of them",
        complexity: "O(m log n), m: members given",
        since: "0.1.0",
        reply: "How many were removed.",
        notes: "A member's meta goes too, and one that had only a meta counts. Request ids stay: a late retry \
                does not bring a member back. The board stays when it is empty.",
    },
    Command {
        name: "LB.SETMETA",
        entry: entry!(texts::set),
        access: Access::Write,
        fast: true,
        syntax: "key member meta",
        summary: "Keeps a text beside a member; an empty one deletes it",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "OK.",
        notes: "At most 4096 bytes: a display name, a country, a small JSON. Needs no score.",
    },
    Command {
        name: "LB.GETMETA",
        entry: entry!(texts::get),
        access: Access::Read,
        fast: true,
        syntax: "key member",
        summary: "Tells the text beside a member",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "The text, or nil.",
        notes: "",
    },
    Command {
        name: "LB.TOP",
        entry: entry!(range::top),
        access: Access::Read,
        fast: false,
        syntax: "key count [OFFSET n] [WITHMETA] [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE]",
        summary: "Shows the best members",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        reply: "An array of [rank, member, score]; with WITHMETA, the meta or nil follows in each.",
        notes: "",
    },
    Command {
        name: "LB.RANGE",
        entry: entry!(range::range),
        access: Access::Read,
        fast: false,
        syntax: "key first last [WITHMETA] [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE]",
        summary: "Shows the members from one rank to another",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        reply: "As LB.TOP.",
        notes: "Ranks are ordinal here: 1 is the top, -1 the last, both ends included; 0 is an error. RANKS \
                changes how the lines are numbered, not which are shown.",
    },
    Command {
        name: "LB.RANGEBYSCORE",
        entry: entry!(range::by_score),
        access: Access::Read,
        fast: false,
        syntax: "key min max [OFFSET n] [COUNT n] [WITHMETA] [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE]",
        summary: "Shows the members with a score in a range, best first",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        reply: "As LB.TOP.",
        notes: "min is the smaller score, whatever the ORDER. `(5` excludes 5; -inf and +inf are allowed.",
    },
    Command {
        name: "LB.AROUND",
        entry: entry!(range::around),
        access: Access::Read,
        fast: false,
        syntax: "key member count [WITHMETA] [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE]",
        summary: "Shows a member with up to count above and count below it",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        reply: "As LB.TOP; empty for an unknown member.",
        notes: "",
    },
    Command {
        name: "LB.RANK",
        entry: entry!(standing::rank),
        access: Access::Read,
        fast: true,
        syntax: "key member [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE]",
        summary: "Tells a member's rank",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "The rank from 1, or nil.",
        notes: "",
    },
    Command {
        name: "LB.SCORE",
        entry: entry!(standing::score),
        access: Access::Read,
        fast: true,
        syntax: "key member [VIEW view] [PERIOD period] [AT ms]",
        summary: "Tells a member's score",
        complexity: "O(1)",
        since: "0.1.0",
        reply: "The score, or nil.",
        notes: "RANKS is taken too, and changes nothing.",
    },
    Command {
        name: "LB.MSCORE",
        entry: entry!(standing::scores),
        access: Access::Read,
        fast: false,
        syntax: "key [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE] member [member ...]",
        summary: "Tells the ranks and scores of several members",
        complexity: "O(m log n), m: members given",
        since: "0.1.0",
        reply: "An array of [rank, score], nil for an unknown member.",
        notes: "A first member whose name is an option's word is taken for the option: put another member before \
                it.",
    },
    Command {
        name: "LB.STANDING",
        entry: entry!(standing::standing),
        access: Access::Read,
        fast: true,
        syntax: "key member [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE]",
        summary: "Tells everything about where a member stands",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "A map: rank, score, members, percentile (share of members ranked at or below it, two decimals: \
                the leader has 100.00), ahead (the one above: [member, score, gap] or nil), behind (likewise), \
                previous ([rank, score] in the period before, or nil), change (previous rank less rank, or \
                nil), at (ms: when it got this score; nil in past periods); nil for an unknown member.",
        notes: "",
    },
    Command {
        name: "LB.MSTANDING",
        entry: entry!(standing::standings),
        access: Access::Read,
        fast: false,
        syntax: "key [VIEW view] [PERIOD period] [AT ms] [RANKS ORDINAL|COMPETITION|DENSE] member [member ...]",
        summary: "Tells everything about where several members stand",
        complexity: "O(m log n), m: members given",
        since: "0.1.0",
        reply: "An array of what LB.STANDING replies.",
        notes: "As LB.MSCORE.",
    },
    Command {
        name: "LB.COUNT",
        entry: entry!(standing::count),
        access: Access::Read,
        fast: true,
        syntax: "key [min max] [VIEW view] [PERIOD period] [AT ms]",
        summary: "Counts the members, or those with a score in a range",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "A number; 0 for an absent key.",
        notes: "The range is that of LB.RANGEBYSCORE. RANKS is taken too, and changes nothing.",
    },
    Command {
        name: "LB.PERIODS",
        entry: entry!(boards::periods),
        access: Access::Read,
        fast: false,
        syntax: "key view",
        summary: "Lists the periods of a view that can be read",
        complexity: "O(p), p: periods kept",
        since: "0.1.0",
        reply: "An array of [label, start, end, members], newest first, start and end in ms: the current period \
                and those that are kept. Of `all`: one, with nil for start and end.",
        notes: "A view begins with the first write: before that the list is empty.",
    },
    Command {
        name: "LB.RESTORE",
        entry: entry!(restore::restore),
        access: Access::Write,
        fast: false,
        syntax: "key chunk",
        summary: "Rebuilds a board from a piece of a saved one",
        complexity: "O(m log n), m: members in the piece",
        since: "0.1.0",
        reply: "OK.",
        notes: "For append-only files and slot migration, which call it with what the server saved. The first \
                piece makes the board.",
    },
];

#[cfg(test)]
mod tests;
