//! Prizes of ended periods, and claims.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::prizes;
use crate::keys::{Access, first};
use crate::options::reading::{AT, COUNT, PER, PERIOD, UNCLAIMED, VIEW};
use crate::options::root::{BEST, MAY, ROOT, TAKE};
use crate::options::writing::{ID, NOW};
use crate::refusal::Code;

rows! {
    Prizes: prizes::list => {
        name: c"LB.PRIZES",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key cursor",
        options: &[&COUNT, &VIEW, &PERIOD, &AT, &PER, &UNCLAIMED, &ROOT],
        list: "",
        summary: "Lists the winners of a period, page by page",
        complexity: "O(t^2 + log n + m), t: places of the table, m: places on the page; with PER the first read of an ended period O(n log s)",
        worst: Worst { call: "LB.PRIZES prizes 0 COUNT 1000 PERIOD -1", most: Most::Micros(2000) },
        since: "0.1.0",
        over_parts: OverParts::InRoot,
        makes: "",
        shapes: &[
            ("", "[cursor:text, winners:[[rank:rank, member:text, score:score, prize:text, claimed:ms?]...]]"),
            ("PER", "[cursor:text, winners:[[rank:rank, member:text, score:score, prize:text, claimed:ms?, value:text]...]]"),
            ("ROOT", "[period:[view:text, start:int, table:text, running:flag, fixed:flag]?, page:[cursor:text, winners:[[rank:rank, member:text, score:score, prize:text, claimed:ms?]...]]]"),
        ],
        errors: &[Code::NoBoard, Code::Stale],
        reply: "[next, [[rank, member, score, prize, claimed]...]], by rank: claimed is when the prize was claimed (ms), or nil. With PER, \
                each row ends with the value: the segment, and the rank is that in it. Begin with cursor 0. A page can be short: only the next cursor 0 ends the list.",
        notes: "Of the last period that ended, unless PERIOD or AT name another one; of the running period: what would be won now. COUNT: rows on a page, \
                10 by default; a page looks at 1,000 places at the most. VIEW: by default the first view whose running period has prizes. PER: the table with the places in each segment of this \
                dimension. UNCLAIMED: only prizes that can still be claimed. A gateway sends ROOT to the root of a [board over parts](cluster.md#prizes): the reply has the period, and the page of its winners if they are fixed. See [Prizes](competitions.md#prizes).",
    }
    Settle: prizes::settle => {
        name: c"LB.SETTLE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key",
        options: &[&VIEW, &PERIOD, &AT, &PER, &ROOT, &BEST, &TAKE, &NOW],
        list: "",
        summary: "Fixes the winners of an ended period, without a claim",
        complexity: "O(w log w), w: winners of the period; O(log n) if they are fixed",
        worst: Worst { call: "LB.SETTLE prizes PERIOD -1", most: Most::NanosPerMember(100) },
        since: "0.1.0",
        over_parts: OverParts::InRoot,
        makes: "",
        shapes: &[("", "int?"), ("ROOT", "[view:text, start:int, table:text, running:flag, fixed:flag]?"), ("ROOT BEST", "int?"), ("ROOT TAKE", "int")],
        errors: &[Code::NoBoard, Code::Stale],
        reply: "The number of winners; 0 if nobody has won. nil if the period is running, or has no prizes any more. The error `NOBOARD` if the board does not exist.",
        notes: "The last period that ended, unless PERIOD or AT name another one. From then on nobody moves up, as after the first claim: hide cheaters before. \
                Again, it changes nothing. The period stays settled if the clock is put back. A gateway sends ROOT, BEST and TAKE to the root of a [board over parts](cluster.md#prizes): with ROOT alone the reply is the period, BEST gives \
                the best members of all parts, and TAKE takes the prizes of members that were removed. See [Prizes](competitions.md#prizes).",
    }
    Claim: prizes::claim => {
        name: c"LB.CLAIM",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT, &PER, &ID, &ROOT, &MAY, &NOW],
        list: "",
        summary: "Claims the prize of a member, once",
        complexity: "O(log n); the first claim of a period O(w log w), w: its winners",
        worst: Worst { call: "LB.CLAIM prizes m PERIOD -1 ID r", most: Most::NanosPerMember(100) },
        since: "0.1.0",
        over_parts: OverParts::InRoot,
        makes: "",
        shapes: &[
            ("", "[prize:text, rank:rank, claimed:flag]?"),
            ("PER", "[prize:text, rank:rank, claimed:flag, value:text]?"),
            ("ROOT", "[prize:text, rank:rank, claimed:flag]? | [view:text, start:int, table:text, running:flag, fixed:flag]"),
        ],
        errors: &[Code::NoBoard, Code::IdReused, Code::Stale],
        reply: "[prize, rank, claimed]; claimed is 1 for the first claim and for its retries with the same ID, 0 for any other claim of the same prize. \
                With PER, also the value: the segment. nil if the member has no prize in the period, or if the period is running. The error `NOBOARD` if the board does not exist; \
                `IDREUSED` if the ID claimed another prize.",
        notes: "The last period that ended, unless PERIOD or AT name another one. The first claim of a period fixes all its winners: from then on nobody moves up. \
                An ID is remembered while RETAIN keeps its period and for PRIZEDAYS days after its end, whatever DEDUP says, and whatever PERIOD or AT name by then. A gateway sends ROOT to the root of a [board over parts](cluster.md#prizes), and MAY when the member's part says that the member may have the prize; without MAY \
                the reply to a first claim is the period, and nothing is claimed. See [Prizes](competitions.md#prizes).",
    }
}
