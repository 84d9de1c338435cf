//! Segments of a board's members.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::segments;
use crate::keys::{Access, first};
use crate::options::reading::{AT, COUNT, OFFSET, PERIOD, REAL, REV, VIEW};
use crate::refusal::Code;
use crate::table::shapes::INTEGER;

/// Why the commands do not work over parts.
const NO_PARTS: OverParts = OverParts::Refused("a board over parts has no segments");

rows! {
    Segment: segments::put => {
        name: c"LB.SEGMENT",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member name value [name value ...]",
        options: &[],
        list: "",
        summary: "Puts a member into segments, such as a country and a guild",
        complexity: "O(v log n), v: views",
        worst: Worst { call: "LB.SEGMENT segments m country c1 guild g1", most: Most::Micros(50000) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: INTEGER,
        errors: &[Code::NoBoard],
        reply: "The number of segments that have changed; the error `NOBOARD` if the board does not exist.",
        notes: "name is a dimension of the board (SEGMENTS), value the segment: up to 64 bytes; an empty value takes the member out \
                of its segment. The member takes its scores along in the running periods. Periods that have ended stay as they \
                ended. The member needs no score. See [Segments](commands.md#segments).",
    }
    GetSegment: segments::get => {
        name: c"LB.GETSEGMENT",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT],
        list: "",
        summary: "Tells the segments of a member",
        complexity: "O(log n)",
        worst: Worst { call: "LB.GETSEGMENT segments m VIEW day PERIOD -1", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "{text...}")],
        errors: &[],
        reply: "A map: name and value of each dimension in which the member is in a segment.",
        notes: "With PERIOD or AT of a period that has ended: the segments in which the member ended it.",
    }
    Segments: segments::list => {
        name: c"LB.SEGMENTS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key name",
        options: &[&COUNT, &OFFSET, &VIEW, &PERIOD, &AT, &REAL, &REV],
        list: "",
        summary: "Shows the ranking of the segments of a dimension",
        complexity: "O(log s + m log n), s: segments, m: lines shown; the first read of an ended period O(n log s)",
        worst: Worst { call: "LB.SEGMENTS segments guild COUNT 10000 VIEW day PERIOD -1", most: Most::NanosPerMember(600) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "[[rank:rank, value:text, score:score, members:int]...]")],
        errors: &[],
        reply: "An array of [rank, value, score, members], best first. score is what the dimension says: the sum of the members' \
                scores (a string where it does not fit 64 bits), their number, or their best score.",
        notes: "COUNT: lines shown, 10 by default. A segment without visible members in the period is not in the list. Segments \
                with equal scores are in the order of TIES: by the last command that changed their score, with LEX by value. REV: \
                from the last segment on.",
    }
    SegmentRank: segments::rank => {
        name: c"LB.SEGMENTRANK",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key name value",
        options: &[&VIEW, &PERIOD, &AT, &REAL, &REV],
        list: "",
        summary: "Tells the rank of a segment among the segments of its dimension",
        complexity: "O(log n); in an ended period O(s), s: segments, and the first read of one O(n log s)",
        worst: Worst { call: "LB.SEGMENTRANK segments guild g1 VIEW day PERIOD -1", most: Most::NanosPerMember(600) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "[rank:rank, score:score, members:int]?")],
        errors: &[],
        reply: "[rank, score, members], as LB.SEGMENTS, or nil if no visible member is in the segment.",
        notes: "",
    }
}
