//! Commands that make, change and describe boards.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::{boards, restore};
use crate::keys::{Access, KeyArgument, Place, first};
use crate::options::boards::{
    AGGREGATE, ATTEMPTS, BOUNDS, CARRY, CLOCK, CLOCK_NOW, CLOSES, DECAY, DECIMALS, DECLARED, DEDUP, EDITS,
    HOURS, INCARNATION, KEEP, LEVELS, LIKE, MAXMEMBERS, NOTIFYTOP, NX, OPENS, ORDER, ORIGIN, PART, PARTS,
    PRIZEDAYS, PRIZES, REQUEST, RESTORING, RETAIN, REVISION, SEGMENT_EDITS, SEGMENTS, SHOWN, TIES, TZ, VIEWS,
    WEEKSTART,
};
use crate::options::voting::{LIMIT, UNLIMIT};
use crate::refusal::Code;
use crate::table::shapes::{MADE, OK};
use leaderboard_core::Board;

rows! {
    Create: boards::create => {
        name: c"LB.CREATE",
        keys: &[first(Access::Write), KeyArgument { place: Place::Behind(c"LIKE", 2), access: Access::Read }],
        fast: true,
        arguments: "key",
        options: &[&VIEWS, &ORDER, &AGGREGATE, &TIES, &DECIMALS, &LEVELS, &TZ, &WEEKSTART, &ORIGIN, &CLOCK, &RETAIN, &CARRY, &DECAY, &DEDUP, &SHOWN, &DECLARED, &OPENS, &CLOSES, &HOURS, &ATTEMPTS, &MAXMEMBERS, &BOUNDS, &PRIZES, &PRIZEDAYS, &LIMIT, &KEEP, &NOTIFYTOP, &SEGMENTS, &PART, &PARTS, &LIKE, &NX, &INCARNATION, &REVISION, &REQUEST, &RESTORING],
        list: "",
        summary: "Makes a board",
        complexity: "O(1)",
        worst: Worst { call: "LB.CREATE new VIEWS all,hour,day,week,month,hour:2,hour:3,hour:4,day:2,day:3,day:4,day:5,day:6,day:7,week:2,week:366 RETAIN 10000", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::Changed,
        makes: "the board",
        shapes: MADE,
        errors: &[Code::BoardExists, Code::NoBoard],
        reply: "OK; the error `BOARDEXISTS` if the key holds a board. With NX: 1 if it made the board, 0 if there is one.",
        notes: "[Options of a board](commands.md#options-of-a-board) lists the meaning and the default of each option. NX leaves \
                a board alone that exists, whatever the other options. LIKE: takes all rules of another board, but \
                for what other options say; its members and declared options stay there. VIEWS replaces its list of \
                views; a view that both lists have keeps its RETAIN, CARRY and DECAY, unless that option names it. PRIZES of a view that the new list lacks are an error. \
                BOUNDS are the numbers that LB.INFO shows. What the other board is of PART and PARTS \
                stays there. LIMIT adds a rule, or replaces the one \
                of this name. Without the other board: the error `NOBOARD`. In a cluster, both keys have to be in one \
                slot. PART and PARTS: see [Boards over many nodes](commands.md#boards-over-many-nodes). COPY of a root or part is refused. \
                Servers do not ask a module about RENAME, EXPIRE, MOVE, SET and DEL of a key: only the gateway refuses them. INCARNATION, REVISION, REQUEST \
                and RESTORING are for gateways: see LB.CATALOG.",
    }
    Alter: boards::alter => {
        name: c"LB.ALTER",
        keys: &[first(Access::Alter)],
        fast: false,
        arguments: "key",
        options: &[&EDITS, &RETAIN, &CARRY, &DECAY, &DEDUP, &DECLARED, &OPENS, &CLOSES, &HOURS, &ATTEMPTS, &MAXMEMBERS, &BOUNDS, &PRIZES, &PRIZEDAYS, &LIMIT, &UNLIMIT, &KEEP, &NOTIFYTOP, &SEGMENT_EDITS, &REVISION, &REQUEST, &CLOCK_NOW],
        list: "",
        summary: "Changes what may change of a board's rules",
        complexity: "O(1); O(m log m) where a view begins to carry over or to decay, O(m + p) where one ends that, goes, or keeps \
                     fewer periods, O(m) where KEEP lets members fall out, m: members, p: periods kept",
        worst: Worst { call: "LB.ALTER days DECAY day=0.5", most: Most::NanosPerMember(50) },
        since: "0.1.0",
        over_parts: OverParts::Changed,
        makes: "",
        shapes: OK,
        errors: &[Code::NoBoard, Code::Stale],
        reply: "OK; the error `NOBOARD` if the board does not exist; `STALE` if REVISION is not the next number.",
        notes: "VIEWS: views to add and to drop, such as `+month,-day:7`. An added view begins empty, and keeps \
                one past period unless RETAIN says otherwise. CARRY and DECAY: a new share counts from the next \
                boundary on. 0 ends it at once: the running period keeps what members brought into it. OPENS 0 means from the beginning, CLOSES 0 without \
                end. An empty HOURS, `ATTEMPTS 0 all`, `MAXMEMBERS 0` and `BOUNDS -inf +inf` end their rules. PRIZES: a table for the periods that end from now on; an empty one ends it. DECLARED begins, and does not end. LIMIT: a rule to add. It replaces a rule with the same name, and keeps the used votes if \
                scope and unit are the same. UNLIMIT: a rule to drop; rules are dropped before others are added. \
                SEGMENTS: dimensions to add and to drop, such as `+guild:SUM,-country`. An added one begins without segments, in kept periods, too. \
                NOW, which comes alone, moves a clock of events forward without a write, so that periods end. \
                At least one option is needed. REVISION and REQUEST are for gateways: see LB.CATALOG. The rules of the root of a board over many nodes get the next number, \
                and its state is `altering` until all parts have them.",
    }
    Info: boards::info => {
        name: c"LB.INFO",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[],
        list: "",
        summary: "Tells a board's rules and size",
        complexity: "O(log r + p), r: request ids remembered, p: periods kept, of all views; O(k) for the root of k parts",
        worst: Worst { call: "LB.INFO long", most: Most::Micros(500) },
        since: "0.1.0",
        over_parts: OverParts::Changed,
        makes: "",
        shapes: &[("", "{views:text, order:text, aggregate:text, ties:text, tz:text, weekstart:text, clock:text, retain:text, carry:text, decay:text, levels:text, segments:text, hours:text, attempts:text, bounds:text, decimals:int, origin:ms, dedup:int, shown:flag, declared:flag, keep:int, opens:ms, closes:ms, maxmembers:int, prizedays:int, payouts:int, notifytop:int, members:int, hidden:int, requests:int, now:ms, memory:int, last:ms, incarnation:big, revision:big, request:big, target:int, grown:int, token:big, until:ms, parts:int, part:int?, schema:big, keys:[text...], state:text, limit:[text...], prizes:[text...], writes:int, repeated:int, votes:int, held_back:{int...}, segment_counts:{int...}}?")],
        errors: &[],
        reply: "A map: views, order, aggregate, ties, tz, weekstart, clock, retain, carry, decay, levels, segments (the dimensions), hours and attempts (as they are written, or empty), bounds (the least and the greatest number that pass, or empty), decimals, origin, \
                dedup, shown, declared (1 or 0), keep, opens, closes (ms, or 0), maxmembers (or 0), prizedays, payouts (ended periods whose winners are fixed), notifytop, members (that all see in \
                the default view), hidden (members), requests (ids remembered), now (ms), memory (bytes), last (the time of the last write, ms, or 0), incarnation, revision and request (of a root or part, or 0: see LB.CATALOG), target (twice the parts of a root that grows or shrinks, or 0), grown (the schema with that number of parts, or 0), token and until (of a part that takes no writes while it is split or merged, or 0; until is 0 for a copy), parts (of a [board over many nodes](commands.md#boards-over-many-nodes), or 0), part (which of them, or nil), \
                schema (a hash of the rules), keys (of the root: those of the parts; else an empty array), state (of a root: whole, making, altering, growing, shrinking, ending or restoring), limit and prizes (arrays of the rules and of the tables as they are \
                written), writes (of scores and votes, applied), repeated (requests that were applied before), votes \
                (requests to vote that were counted), held_back (a map: rule, and how many writes it held back), segment_counts (a map: dimension, and how many segments have members); nil for an absent key.",
        notes: "writes, repeated, votes and held_back count since the board was made or loaded. A copy begins with \
                those of its source. In held_back, `closed` stands for OPENS, CLOSES and HOURS, `joined` for DECLARED, `bounds`, `full` and `attempts` for BOUNDS, MAXMEMBERS \
                and ATTEMPTS; the other rules are limits of votes. LB.ALTER forgets the count of \
                a limit that it drops.",
    }
    Periods: boards::periods => {
        name: c"LB.PERIODS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key view",
        options: &[],
        list: "",
        summary: "Lists the periods of a view that can be read",
        complexity: "O(p), p: periods listed",
        worst: Worst { call: "LB.PERIODS long minute", most: Most::Micros(100000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[[label:text, start:ms?, end:ms?, members:int]...]")],
        errors: &[],
        reply: "An array of [label, start, end, members] for the current period and the kept ones, newest first; \
                start and end in ms. For `all`: one entry, with nil for start and end.",
        notes: "`all` begins with the board. Other views begin with the first write; before that, their list is \
                empty. A list of 10001 periods takes about 10 ms.",
    }
    Restore: restore::restore::<Board> => {
        name: c"LB.RESTORE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key chunk",
        options: &[],
        list: "",
        summary: "Rebuilds a board from a piece of a saved one",
        complexity: "O(m log n), m: members in the piece",
        worst: Worst { call: "LB.RESTORE new chunk", most: Most::Micros(500) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "a board, with the first piece",
        shapes: OK,
        errors: &[],
        reply: "OK.",
        notes: "Append-only files and slot migration call it with pieces of a saved board. The first piece makes \
                the board. The board takes no commands until the last piece. Saved before that, it stays unfinished: on a \
                replica, after a restart, or where a dump of it was restored, the next piece goes on with it. Until the last piece, \
                the pieces take memory beside the board.",
    }
}
