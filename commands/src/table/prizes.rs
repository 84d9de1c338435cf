//! Prizes of ended periods, and claims.

use super::{OverParts, rows};
use crate::handlers::prizes;
use crate::keys::{Access, first};
use crate::options::reading::{AT, COUNT, PER, PERIOD, UNCLAIMED, VIEW};
use crate::options::writing::{ID, NOW};
use crate::refusal::Code;

/// Why the commands do not work over parts.
const NO_PARTS: OverParts = OverParts::Refused("a board over parts has no prizes");

rows! {
    Prizes: prizes::list => {
        name: c"LB.PRIZES",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key cursor",
        options: &[&COUNT, &VIEW, &PERIOD, &AT, &PER, &UNCLAIMED],
        list: "",
        summary: "Lists the winners of a period, page by page",
        complexity: "O(t^2 + log n + m), t: places of the table, m: places on the page; with PER the first read of an ended period O(n log s)",
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[
            ("", "[cursor:text, winners:[[rank:rank, member:text, score:score, prize:text, claimed:ms?]...]]"),
            ("PER", "[cursor:text, winners:[[rank:rank, member:text, score:score, prize:text, claimed:ms?, value:text]...]]"),
        ],
        errors: &[],
        reply: "[next, [[rank, member, score, prize, claimed]...]], by rank: claimed is when the prize was claimed (ms), or nil. With PER, \
                each row ends with the value: the segment, and the rank is that in it. Begin with cursor 0. A page can be short: only the next cursor 0 ends the list.",
        notes: "Of the last period that ended, unless PERIOD or AT name another one; of the running period: what would be won now. COUNT: rows on a page, \
                10 by default; a page looks at 1,000 places at the most. VIEW: by default the first view whose running period has prizes. PER: the table with the places in each segment of this \
                dimension. UNCLAIMED: only prizes that can still be claimed. See [Prizes](competitions.md#prizes).",
    }
    Settle: prizes::settle => {
        name: c"LB.SETTLE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key",
        options: &[&VIEW, &PERIOD, &AT, &PER, &NOW],
        list: "",
        summary: "Fixes the winners of an ended period, without a claim",
        complexity: "O(w log w), w: winners of the period; O(log n) if they are fixed",
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "int?")],
        errors: &[Code::NoBoard],
        reply: "The number of winners; 0 if nobody has won. nil if the period is running, or has no prizes any more. The error `NOBOARD` if the board does not exist.",
        notes: "The last period that ended, unless PERIOD or AT name another one. From then on nobody moves up, as after the first claim: hide cheaters before. \
                Again, it changes nothing. The period stays settled if the clock is put back. See [Prizes](competitions.md#prizes).",
    }
    Claim: prizes::claim => {
        name: c"LB.CLAIM",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT, &PER, &ID, &NOW],
        list: "",
        summary: "Claims the prize of a member, once",
        complexity: "O(log n); the first claim of a period O(w log w), w: its winners",
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[
            ("", "[prize:text, rank:rank, claimed:flag]?"),
            ("PER", "[prize:text, rank:rank, claimed:flag, value:text]?"),
        ],
        errors: &[Code::NoBoard, Code::IdReused],
        reply: "[prize, rank, claimed]; claimed is 1 for the first claim and for its retries with the same ID, 0 for any other claim of the same prize. \
                With PER, also the value: the segment. nil if the member has no prize in the period, or if the period is running. The error `NOBOARD` if the board does not exist; \
                `IDREUSED` if the ID claimed another prize.",
        notes: "The last period that ended, unless PERIOD or AT name another one. The first claim of a period fixes all its winners: from then on nobody moves up. \
                An ID is remembered as long as its period, whatever DEDUP says, and whatever PERIOD or AT name by then. See [Prizes](competitions.md#prizes).",
    }
}
