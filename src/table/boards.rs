//! Boards as such: making, changing and describing them.

use super::{Access, first, rows};
use crate::commands::{boards, restore};
use crate::options::boards::{
    AGGREGATE, CARRY, CLOCK, CLOSES, DECIMALS, DECLARED, DEDUP, EDITS, OPENS, ORDER, ORIGIN, RETAIN, SHOWN,
    TIES, TZ, VIEWS, WEEKSTART,
};
use crate::options::voting::{LIMIT, UNLIMIT};
use crate::options::writing::NOW;
use leaderboard_core::Board;

rows! {
    CREATE: boards::create => {
        name: c"LB.CREATE",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key",
        options: &[&VIEWS, &ORDER, &AGGREGATE, &TIES, &DECIMALS, &TZ, &WEEKSTART, &ORIGIN, &CLOCK, &RETAIN, &CARRY, &DEDUP, &SHOWN, &DECLARED, &OPENS, &CLOSES, &LIMIT],
        list: "",
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
    }
    ALTER: boards::alter => {
        name: c"LB.ALTER",
        keys: &[first(Access::Alter)],
        fast: false,
        arguments: "key",
        options: &[&EDITS, &RETAIN, &CARRY, &DEDUP, &OPENS, &CLOSES, &LIMIT, &UNLIMIT, &NOW],
        list: "",
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
    }
    INFO: boards::info => {
        name: c"LB.INFO",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[],
        list: "",
        summary: "Tells a board's rules and size",
        complexity: "O(log r + p), r: request ids remembered, p: periods kept, of all views",
        since: "0.1.0",
        reply: "A map: views, order, aggregate, ties, tz, weekstart, clock, retain, carry, decimals, origin, \
                dedup, shown, declared (1 or 0), opens, closes (ms, or 0), limit (an array of rules as they are \
                written), members (ranked in the default view), requests (ids remembered), now (ms), memory \
                (bytes); nil for an absent key.",
        notes: "",
    }
    PERIODS: boards::periods => {
        name: c"LB.PERIODS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key view",
        options: &[],
        list: "",
        summary: "Lists the periods of a view that can be read",
        complexity: "O(p), p: periods listed",
        since: "0.1.0",
        reply: "An array of [label, start, end, members], newest first, start and end in ms: the current period \
                and those that are kept. Of `all`: one, with nil for start and end.",
        notes: "A view begins with the first write: before that the list is empty. 10001 periods take some 10 ms.",
    }
    RESTORE: restore::restore::<Board> => {
        name: c"LB.RESTORE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key chunk",
        options: &[],
        list: "",
        summary: "Rebuilds a board from a piece of a saved one",
        complexity: "O(m log n), m: members in the piece",
        since: "0.1.0",
        reply: "OK.",
        notes: "For append-only files and slot migration, which call it with what the server saved. The first \
                piece makes the board, which takes no writes until the last one has come.",
    }
}
