//! Points, scores and texts of members.

use super::{Access, first, rows};
use crate::commands::{add, remove, set, texts};
use crate::options::reading::{AT, VIEW};
use crate::options::writing::{COMPARED, ID, NOW, PRESENT, SET_VIEW, WINDOW, WITHCHANGE};

rows! {
    ADD: add::one => {
        name: c"LB.ADD",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key points member",
        options: &[&ID, &AT, &VIEW, &WITHCHANGE, &NOW],
        list: "",
        summary: "Adds points to a member, once for each request id",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "[score, rank, applied]: applied is 1, or 0 for a repeated request. WITHCHANGE: score and rank \
                before the write follow, nil for a new member.",
        notes: "Makes a board with the defaults where the key is absent. What adding means is the board's \
                AGGREGATE. 0 points enter an absent member with score 0.",
    }
    ROLLADD: add::rolling => {
        name: c"LB.ROLLADD",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key points member",
        options: &[&WINDOW, &ID, &AT, &WITHCHANGE, &NOW],
        list: "",
        summary: "Adds points to a member, and tells where it stands in a rolling view",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "As LB.ADD, in the view `unit:n`; without WINDOW in the first rolling view of the board.",
        notes: "An absent key becomes a board with the one view that WINDOW names, `day:7` without it. The \
                points go to all views, as with LB.ADD.",
    }
    MADD: add::many => {
        name: c"LB.MADD",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key",
        options: &[&ID, &AT, &VIEW, &NOW],
        list: "points member [points member ...]",
        summary: "Adds points to several members as one request, all or nothing",
        complexity: "O(m log n), m: members given",
        since: "0.1.0",
        reply: "An array of [score, rank, applied], one for each pair, as of the end of the command.",
        notes: "A member may stand in the list more than once. There is no limit to the list, but the server \
                does nothing else meanwhile: about a microsecond a member on a board of thousands, two to three among \
                a million, and twice as much with five views.",
    }
    SET: set::set => {
        name: c"LB.SET",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key score member",
        options: &[&PRESENT, &COMPARED, &ID, &AT, &SET_VIEW, &WITHCHANGE, &NOW],
        list: "",
        summary: "Gives a member this score",
        complexity: "O(log n); O(log n + w) on MAX and MIN boards, w: periods that its rolling views add up",
        since: "0.1.0",
        reply: "[score, rank, applied], as LB.ADD; applied is 0 where NX, XX, GT or LT holds it back, and nil, \
                nil, 0 for a member without a score. What is held back does not move a clock of events: score and \
                rank are as of the board's now.",
        notes: "On a SUM board the difference is added to all views. On MAX and MIN boards the score is written even if it \
                is worse. On a LAST board the latest event wins, as with LB.ADD. A write that is held back \
                does not consume its request id.",
    }
    REM: remove::remove => {
        name: c"LB.REM",
        keys: &[first(Access::Remove)],
        fast: false,
        arguments: "key member [member ...]",
        options: &[],
        list: "",
        summary: "Removes members with all that is kept of them",
        complexity: "O(m (log n + p)), m: members given, p: periods kept, of all views",
        since: "0.1.0",
        reply: "How many were removed.",
        notes: "A member's meta goes too, and one that had only a meta counts. Request ids stay: a late retry \
                does not bring a member back. The board stays when it is empty.",
    }
    SETMETA: texts::set => {
        name: c"LB.SETMETA",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member meta",
        options: &[],
        list: "",
        summary: "Keeps a text beside a member; an empty one deletes it",
        complexity: "O(log n); O(log n + p) where a text is deleted, p: periods kept, of all views",
        since: "0.1.0",
        reply: "OK.",
        notes: "At most 4096 bytes: a display name, a country, a small JSON. Needs no score.",
    }
    GETMETA: texts::get => {
        name: c"LB.GETMETA",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[],
        list: "",
        summary: "Tells the text beside a member",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "The text, or nil.",
        notes: "",
    }
}
