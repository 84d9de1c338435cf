//! Boards as such: making, changing and describing them.

use super::{Access, Command};
use crate::call::entry;
use crate::commands::{boards, restore};

pub static ROWS: [Command; 5] = [
    Command {
        name: "LB.CREATE",
        entry: entry!(boards::create),
        access: Access::Write,
        fast: true,
        syntax: "key [VIEWS views] [ORDER DESC|ASC] [AGGREGATE SUM|MAX|MIN|LAST] [TIES FIRST|LAST|LEX] \
                 [DECIMALS digits] [TZ zone] [WEEKSTART MON|TUE|WED|THU|FRI|SAT|SUN] [ORIGIN ms] \
                 [CLOCK SERVER|EVENT] [RETAIN periods] [CARRY shares] [DEDUP seconds] \
                 [SHOWN] [DECLARED] [OPENS ms] [CLOSES ms] \
                 [LIMIT rule scope max unit [BONUS tag value extra]...]...",
        summary: "Makes a board",
        complexity: "O(1)",
        since: "0.1.0",
        reply: "OK; an error if the key exists.",
        notes: "VIEWS: what the board ranks by, such as `all,day,day:7`, see Views; the first one is the \
                default view. TZ: an IANA zone or a fixed offset such as `+08:00`. WEEKSTART: the day that \
                weeks begin on. ORIGIN: what periods of seconds are counted from. RETAIN: how many past \
                periods stay readable, `3` or `day=30,week=4`, up to 10000. CARRY: what members start a \
                period with, as a share of what they got in the last, `week=0.2`. ORDER: which end of the scores is \
                rank 1. AGGREGATE: what a write does to a score: add, keep \
                the greater, keep the smaller, replace. TIES: who ranks higher among equal scores. DECIMALS: \
                digits kept after the point, 0 to 9. CLOCK: see Time. DEDUP: for how many seconds a request id \
                is remembered at the least, up to 315360000; 0: not at all. SHOWN, DECLARED, OPENS, CLOSES and LIMIT \
                are for votes, see Votes. Defaults: all, DESC, SUM, FIRST, 0, UTC, MON, 0, SERVER, 1, nothing \
                carried, 600, one count, anybody can be voted for, always open, no limits.",
    },
    Command {
        name: "LB.ALTER",
        entry: entry!(boards::alter),
        access: Access::Alter,
        fast: false,
        syntax: "key [VIEWS changes] [RETAIN periods] [CARRY shares] [DEDUP seconds] [OPENS ms] [CLOSES ms] \
                 [LIMIT rule scope max unit [BONUS tag value extra]...]... [UNLIMIT rule]...",
        summary: "Changes what may change of a board's rules",
        complexity: "O(1); O(m log m) where a view begins to carry over, O(m + p) where one ends that, goes, or keeps \
                     fewer periods, m: members, p: periods kept",
        since: "0.1.0",
        reply: "OK; an error if the board does not exist.",
        notes: "VIEWS: views to add and to drop, such as `+month,-day:7`. One that is added begins empty, and \
                keeps one past period unless RETAIN says otherwise. OPENS 0 and CLOSES 0: from the beginning, \
                without end. LIMIT: a rule to add; one of a name that there is takes its place, and goes on with \
                what was used if scope and unit are the same. UNLIMIT: a rule to drop, before others are added. \
                At least one option is needed.",
    },
    Command {
        name: "LB.INFO",
        entry: entry!(boards::info),
        access: Access::Read,
        fast: false,
        syntax: "key",
        summary: "Tells a board's rules and size",
        complexity: "O(log r + p), r: request ids remembered, p: periods kept, of all views",
        since: "0.1.0",
        reply: "A map: views, order, aggregate, ties, tz, weekstart, clock, retain, carry, decimals, origin, \
                dedup, shown, declared (1 or 0), opens, closes (ms, or 0), limit (an array of rules as they are \
                written), members (ranked in the default view), requests (ids remembered), now (ms), memory \
                (bytes); nil for an absent key.",
        notes: "",
    },
    Command {
        name: "LB.PERIODS",
        entry: entry!(boards::periods),
        access: Access::Read,
        fast: false,
        syntax: "key view",
        summary: "Lists the periods of a view that can be read",
        complexity: "O(p), p: periods listed",
        since: "0.1.0",
        reply: "An array of [label, start, end, members], newest first, start and end in ms: the current period \
                and those that are kept. Of `all`: one, with nil for start and end.",
        notes: "A view begins with the first write: before that the list is empty. 10001 periods take some 10 ms.",
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
