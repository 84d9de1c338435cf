//! Points, scores and texts of members.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::{add, hide, remove, set, texts};
use crate::keys::{Access, first};
use crate::options::reading::{AT, MEMBERS, VIEW, WITHIN};
use crate::options::writing::{
    ATTEMPT, COMPARED, FORCE, ID, INCARNATION, META, NOW, PARTS, PRESENT, QUIET, SEGMENT, SET_VIEW, WINDOW,
    WITHCHANGE,
};
use crate::refusal::Code;
use crate::table::shapes::{INTEGER, OK, WRITE, WRITES};

rows! {
    Add: add::one => {
        name: c"LB.ADD",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key points member",
        options: &[&ID, &AT, &VIEW, &META, &SEGMENT, &WITHIN, &WITHCHANGE, &QUIET, &FORCE, &PARTS, &INCARNATION, &ATTEMPT, &NOW],
        list: "",
        summary: "Adds points to a member, once for each request id",
        complexity: "O(log n)",
        worst: Worst { call: "LB.ADD wide 5 m ID r META text WITHCHANGE", most: Most::Micros(1000) },
        since: "0.1.0",
        over_parts: OverParts::Written,
        makes: "a board with the defaults",
        shapes: WRITE,
        errors: &[Code::HeldBack],
        reply: "[score, rank, applied]: applied is 1, or 0 for a repeated request. WITHCHANGE appends score and \
                rank from before the write, nil for a new member. WITHIN appends the rank in the member's own segment, or nil. \
                QUIET: only the number of applied items, 1 or 0.",
        notes: "The board's AGGREGATE defines what adding \
                means. 0 points enter an absent member with score 0. META sets the member's text in the same step, if \
                the write is applied; an empty one deletes it. SEGMENT puts the member into a segment of a dimension in the same step, \
                also only if the write is applied; an empty value takes it out. It may come once for each dimension. See \
                [Segments](commands.md#segments). A write that a [rule of the board](commands.md#rules-for-scores) holds back is the error \
                `HELDBACK rule ms`. FORCE passes all rules, and is no attempt. \
                QUIET is for programs that write and do not read the place: no rank is counted. It cannot be used with WITHCHANGE or WITHIN.",
    }
    RollAdd: add::rolling => {
        name: c"LB.ROLLADD",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key points member",
        options: &[&WINDOW, &ID, &AT, &SEGMENT, &WITHIN, &WITHCHANGE, &QUIET, &FORCE, &PARTS, &INCARNATION, &ATTEMPT, &NOW],
        list: "",
        summary: "Adds points to a member, and tells where it stands in a rolling view",
        complexity: "O(log n)",
        worst: Worst { call: "LB.ROLLADD wide 5 m ID r WITHCHANGE", most: Most::Micros(1000) },
        since: "0.1.0",
        over_parts: OverParts::Written,
        makes: "a board with one view, that of WINDOW or `day:7`",
        shapes: WRITE,
        errors: &[Code::HeldBack],
        reply: "As LB.ADD, in the view `unit:n`; without WINDOW, in the first rolling view of the board.",
        notes: "The points go to all views, as with LB.ADD.",
    }
    AddMany: add::many => {
        name: c"LB.MADD",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key",
        options: &[&ID, &AT, &VIEW, &SEGMENT, &QUIET, &FORCE, &PARTS, &INCARNATION, &ATTEMPT, &NOW],
        list: "points member [points member ...]",
        summary: "Adds points to several members as one request, all or nothing",
        complexity: "O(m log n), m: members given",
        worst: Worst { call: "LB.MADD all ID r 1:m*10000", most: Most::Micros(500000) },
        since: "0.1.0",
        over_parts: OverParts::Written,
        makes: "a board with the defaults",
        shapes: WRITES,
        errors: &[Code::HeldBack],
        reply: "An array of [score, rank, applied], one for each pair, as of the end of the command. QUIET: only the number of \
                applied pairs, all or 0.",
        notes: "A member may appear in the list more than once. The list has no limit, but the server does \
                nothing else meanwhile. A member takes about 1 microsecond on a board of thousands, 2 to 3 on a \
                board of a million, and twice as much with five views.",
    }
    Set: set::set => {
        name: c"LB.SET",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key score member",
        options: &[&PRESENT, &COMPARED, &ID, &AT, &SET_VIEW, &META, &SEGMENT, &WITHIN, &WITHCHANGE, &QUIET, &FORCE, &PARTS, &INCARNATION, &ATTEMPT, &NOW],
        list: "",
        summary: "Gives a member this score",
        complexity: "O(log n); O(log n + w) on MAX and MIN boards, w: periods that its rolling views add up",
        worst: Worst { call: "LB.SET wide 5 m ID r META text WITHCHANGE", most: Most::Micros(50000) },
        since: "0.1.0",
        over_parts: OverParts::Written,
        makes: "a board with the defaults",
        shapes: WRITE,
        errors: &[Code::HeldBack],
        reply: "[score, rank, applied], as LB.ADD. If NX, XX, GT or LT holds the write back, applied is 0, score \
                and rank are as of the board's now, and a clock of events does not move. A member without a score \
                gives nil, nil, 0.",
        notes: "NX cannot be given together with GT or LT, as in ZADD. On a SUM board, the difference is added to \
                all views. On MAX and MIN boards, the score is written even if it is worse. It counts from the period of its AT on, and replaces what the member had in \
                all other periods, also where it is the member's own score. On a LAST board, the latest event \
                wins, as with LB.ADD. A write that is held back does not use up its request id. META: as LB.ADD.",
    }
    SetMany: set::many => {
        name: c"LB.MSET",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key",
        options: &[&ID, &AT, &SET_VIEW, &SEGMENT, &QUIET, &FORCE, &PARTS, &INCARNATION, &ATTEMPT, &NOW],
        list: "score member [score member ...]",
        summary: "Gives several members these scores as one request, all or nothing",
        complexity: "O(m log n), m: members given",
        worst: Worst { call: "LB.MSET all ID r 1:m*10000", most: Most::Micros(200000) },
        since: "0.1.0",
        over_parts: OverParts::Written,
        makes: "a board with the defaults",
        shapes: WRITES,
        errors: &[Code::HeldBack],
        reply: "As LB.MADD.",
        notes: "Does what LB.SET does, one pair after another. A member may appear in the list more than once.",
    }
    Rem: remove::remove => {
        name: c"LB.REM",
        keys: &[first(Access::Remove)],
        fast: false,
        arguments: "key member [member ...]",
        options: &[],
        list: "",
        summary: "Removes members with all that is kept of them",
        complexity: "O(m (log n + p)), m: members given, p: periods kept, of all views",
        worst: Worst { call: "LB.REM segments m*1000", most: Most::Micros(80000) },
        since: "0.1.0",
        over_parts: OverParts::Listed,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of removed members.",
        notes: "Removes a member's meta, too. A member that had only a meta counts. Request ids stay: a late \
                retry does not bring a member back. The board stays when it is empty.",
    }
    RemRange: remove::by_rank => {
        name: c"LB.REMRANGE",
        keys: &[first(Access::Remove)],
        fast: false,
        arguments: "key first last",
        options: &[],
        list: "",
        summary: "Removes the members from one rank to another",
        complexity: "O(m (log n + p)), m: members removed, p: periods kept, of all views",
        worst: Worst { call: "LB.REMRANGE days 1 -1", most: Most::NanosPerMember(2000) },
        since: "0.1.0",
        over_parts: OverParts::Changed,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of removed members.",
        notes: "The ranks are those of LB.RANGE in the default view. The members go as with LB.REM; replicas get \
                their names. On a board over many nodes, the gateway finds the members, at most 100000, and then removes them as with \
                LB.REM, whatever their ranks are by then.",
    }
    RemRangeByScore: remove::by_score => {
        name: c"LB.REMRANGEBYSCORE",
        keys: &[first(Access::Remove)],
        fast: false,
        arguments: "key min max",
        options: &[&PARTS, &INCARNATION],
        list: "",
        summary: "Removes the members with a score in a range",
        complexity: "O(m (log n + p)), m: members removed, p: periods kept, of all views",
        worst: Worst { call: "LB.REMRANGEBYSCORE days -inf +inf", most: Most::NanosPerMember(2000) },
        since: "0.1.0",
        over_parts: OverParts::Changed,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of removed members.",
        notes: "The range is that of LB.RANGEBYSCORE in the default view. The members go as with LB.REM; replicas \
                get their names.",
    }
    Hide: hide::hide => {
        name: c"LB.HIDE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member [member ...]",
        options: &[],
        list: "",
        summary: "Hides members from all others",
        complexity: "O(m log n + p), m: members given, p: periods kept, of all views",
        worst: Worst { call: "LB.HIDE segments m*1000", most: Most::Micros(80000) },
        since: "0.1.0",
        over_parts: OverParts::Listed,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of members that were not hidden before.",
        notes: "A hidden member goes on playing. LB.RANK, LB.SCORE, LB.MSCORE, LB.STANDING, LB.MSTANDING, LB.AROUND \
                and the replies to its writes show it where it would be. For all others it is not there: not in \
                lines, counts, statistics, neighbours or ranks, in no period, and not in what LB.EXPORT, LB.UNION and \
                LB.INTER read. See [Hidden members](commands.md#hidden-members). The member needs no score. A board can hide \
                at most 1000 members.",
    }
    Unhide: hide::unhide => {
        name: c"LB.UNHIDE",
        keys: &[first(Access::Remove)],
        fast: false,
        arguments: "key member [member ...]",
        options: &[],
        list: "",
        summary: "Shows hidden members again, with all that they got meanwhile",
        complexity: "O(m log n + p), m: members given, p: periods kept, of all views",
        worst: Worst { call: "LB.UNHIDE hidden m*1000", most: Most::Micros(80000) },
        since: "0.1.0",
        over_parts: OverParts::Listed,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of members that were hidden before.",
        notes: "With KEEP, the current periods are cut to their best n members again, so the member or others may fall \
                out. See [Keeping the best](commands.md#keeping-the-best).",
    }
    Hidden: hide::list => {
        name: c"LB.HIDDEN",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[],
        list: "",
        summary: "Lists the hidden members",
        complexity: "O(h log h), h: hidden members",
        worst: Worst { call: "LB.HIDDEN hidden", most: Most::Micros(5000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[text...]")],
        errors: &[],
        reply: "An array of members, by name.",
        notes: "",
    }
    SetMeta: texts::set => {
        name: c"LB.SETMETA",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member meta",
        options: &[&PARTS, &INCARNATION, &NOW],
        list: "",
        summary: "Keeps a text beside a member; an empty one deletes it",
        complexity: "O(log n); O(log n + p) where a text is deleted, p: periods kept, of all views",
        worst: Worst { call: "LB.SETMETA days m text", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::Changed,
        makes: "a board with the defaults",
        shapes: OK,
        errors: &[],
        reply: "OK.",
        notes: "At most 4096 bytes, such as a display name, a country, or a small JSON. The member needs no \
                score.",
    }
    GetMeta: texts::get => {
        name: c"LB.GETMETA",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[],
        list: "",
        summary: "Tells the text beside a member",
        complexity: "O(log n)",
        worst: Worst { call: "LB.GETMETA all m", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "text?")],
        errors: &[],
        reply: "The text, or nil.",
        notes: "",
    }
    GetMetaOfMany: texts::get_many => {
        name: c"LB.MGETMETA",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&MEMBERS],
        list: "",
        summary: "Tells the texts beside several members",
        complexity: "O(m log n), m: members given",
        worst: Worst { call: "LB.MGETMETA all MEMBERS 10000 m*10000", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[text?...]")],
        errors: &[],
        reply: "An array of texts, nil where there is none.",
        notes: "",
    }
}
