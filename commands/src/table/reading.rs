//! Rankings.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::{names, range, standing, statistics};
use crate::keys::{Access, first};
use crate::options::reading::{
    ABOVE, AT, BELOW, COUNT, FILL, FORM, IN, MEMBERS, OFFSET, PERIOD, RANKS, REAL, REV, UNUSED_RANKS,
    UNUSED_REV, VIEW, WITHIN, WITHMETA,
};
use crate::table::shapes::{INTEGER, PAGE};

/// Why the commands do not work over parts.
const NO_PARTS: OverParts =
    OverParts::Refused("names and past ranks are not gathered from the parts of a board");

rows! {
    Top: range::top => {
        name: c"LB.TOP",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key count",
        options: &[&OFFSET, &WITHMETA, &VIEW, &PERIOD, &AT, &IN, &RANKS, &REAL, &REV, &FORM],
        list: "",
        summary: "Shows the best members",
        complexity: "O(log n + m), m: lines shown",
        worst: Worst { call: "LB.TOP all 10000 WITHMETA RANKS DENSE", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: PAGE,
        errors: &[],
        reply: "An array of [rank, member, score]. WITHMETA appends the meta, or nil, to each. FLAT: one array of the \
                first rank and, for each row, member, score and with WITHMETA the meta or nil. PACKED: an array of \
                the first rank and the rows in [one string](commands.md#rows-in-one-string).",
        notes: "FLAT and PACKED take much less time; each rank is one more than the one before it, so RANKS COMPETITION \
                and DENSE are errors with them. See [Pages in other forms](commands.md#pages-in-other-forms).",
    }
    Range: range::range => {
        name: c"LB.RANGE",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key first last",
        options: &[&WITHMETA, &VIEW, &PERIOD, &AT, &IN, &RANKS, &REAL, &REV, &FORM],
        list: "",
        summary: "Shows the members from one rank to another",
        complexity: "O(log n + m), m: lines shown",
        worst: Worst { call: "LB.RANGE days -10000 -1 WITHMETA VIEW day:7 REV", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: PAGE,
        errors: &[],
        reply: "As LB.TOP.",
        notes: "first and last are ordinal ranks: 1 is the top, -1 the last, both ends included; 0 is an error. \
                RANKS changes how the lines are numbered, not which are shown.",
    }
    RangeByScore: range::by_score => {
        name: c"LB.RANGEBYSCORE",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key min max",
        options: &[&OFFSET, &COUNT, &WITHMETA, &VIEW, &PERIOD, &AT, &IN, &RANKS, &REAL, &REV, &FORM],
        list: "",
        summary: "Shows the members with a score in a range, best first",
        complexity: "O(log n + m), m: lines shown",
        worst: Worst { call: "LB.RANGEBYSCORE all -inf +inf OFFSET 500 COUNT 10000 WITHMETA RANKS COMPETITION", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: PAGE,
        errors: &[],
        reply: "As LB.TOP.",
        notes: "min is the smaller score, whatever the ORDER. `(5` excludes 5. -inf and +inf are allowed.",
    }
    Around: range::around => {
        name: c"LB.AROUND",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key member [count]",
        options: &[&ABOVE, &BELOW, &FILL, &WITHMETA, &VIEW, &PERIOD, &AT, &IN, &WITHIN, &RANKS, &REAL, &REV, &FORM],
        list: "",
        summary: "Shows a member with those above and below it",
        complexity: "O(log n + m), m: lines shown",
        worst: Worst { call: "LB.AROUND all m 10000 WITHMETA RANKS DENSE", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: PAGE,
        errors: &[],
        reply: "As LB.TOP; empty for an unknown member.",
        notes: "The forms are `count`, `ABOVE n`, `BELOW n` and `ABOVE n BELOW n`, each also with FILL; one of them \
                is needed, and count beside ABOVE or BELOW is an error. Shows up to count members on each side, or up to \
                ABOVE and BELOW (0 where one of them is missing). FILL: where one side has too few, the other one shows more. \
                ABOVE 0 BELOW n is the page behind a member, however many came before it meanwhile. A hidden member sees its \
                own line.",
    }
    Rank: standing::rank => {
        name: c"LB.RANK",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT, &IN, &WITHIN, &RANKS, &REAL, &REV],
        list: "",
        summary: "Tells a member's rank",
        complexity: "O(log n)",
        worst: Worst { call: "LB.RANK days m VIEW day:7 PERIOD -1 RANKS DENSE", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::GatheredOrEstimated,
        makes: "",
        shapes: &[("", "rank?")],
        errors: &[],
        reply: "The rank from 1, or nil.",
        notes: "",
    }
    Score: standing::score => {
        name: c"LB.SCORE",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT, &IN, &WITHIN, &UNUSED_RANKS, &REAL, &UNUSED_REV],
        list: "",
        summary: "Tells a member's score",
        complexity: "O(1)",
        worst: Worst { call: "LB.SCORE days m VIEW day:7", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "score?")],
        errors: &[],
        reply: "The score, or nil.",
        notes: "Accepts RANKS and REV, without effect.",
    }
    Scores: standing::scores => {
        name: c"LB.MSCORE",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &IN, &RANKS, &REAL, &REV],
        list: "",
        summary: "Tells the ranks and scores of several members",
        complexity: "O(m log n), m: members given",
        worst: Worst { call: "LB.MSCORE all MEMBERS 10000 m*10000 WITHMETA", most: Most::Micros(50000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[[rank:rank, score:score]?...]"), ("WITHMETA", "[[rank:rank, score:score, meta:text?]?...]")],
        errors: &[],
        reply: "An array of [rank, score], nil for an unknown member. WITHMETA appends the meta, or nil.",
        notes: "",
    }
    Standing: standing::standing => {
        name: c"LB.STANDING",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&WITHMETA, &VIEW, &PERIOD, &AT, &IN, &WITHIN, &RANKS, &REAL, &REV],
        list: "",
        summary: "Tells everything about where a member stands",
        complexity: "O(log n)",
        worst: Worst { call: "LB.STANDING days m VIEW day:7 RANKS DENSE", most: Most::Micros(500) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "{rank:rank, score:score, members:int, percentile:decimal, ahead:[member:text, score:score, gap:score]?, behind:[member:text, score:score, gap:score]?, previous:[rank:rank, score:score]?, change:int?, at:ms?}?"), ("WITHMETA", "{rank:rank, score:score, members:int, percentile:decimal, ahead:[member:text, score:score, gap:score]?, behind:[member:text, score:score, gap:score]?, previous:[rank:rank, score:score]?, change:int?, at:ms?, meta:text?}?")],
        errors: &[],
        reply: "A map: rank, score, members, percentile (share of members ranked at or below it, two decimals; \
                the leader has 100.00), ahead (the member above: [member, score, gap], or nil), behind (the \
                member below, likewise), previous ([rank, score] in the period before, or nil), change (previous \
                rank minus rank, or nil), at (ms: when it got this score; nil in past periods), with WITHMETA \
                meta; nil for an unknown member.",
        notes: "For a hidden member, members and percentile count the member itself beside those that all see. With RANKS COMPETITION and DENSE, \
                all members with the same score are at or below it. With \
                LEVELS, gap is the difference level by level, so a level of it can be negative, and beyond its max.",
    }
    History: names::history => {
        name: c"LB.HISTORY",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key member",
        options: &[&COUNT, &VIEW, &IN, &WITHIN, &RANKS, &REAL, &REV],
        list: "",
        summary: "Tells where a member stood in the last periods",
        complexity: "O(p log n), p: periods listed",
        worst: Worst { call: "LB.HISTORY long m COUNT 1000", most: Most::Micros(10000) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "[[label:text, start:ms?, rank:rank?, score:score?, members:int]...]")],
        errors: &[],
        reply: "An array of [label, start, rank, score, members], one for each period that can be read, the running one first; rank and score \
                are nil where the member was not in. start in ms. For `all`: one entry, with nil for start.",
        notes: "COUNT: periods, 10 by default, at most 1000. With IN and WITHIN, rank and members are those in the segment. A hidden member counts itself.",
    }
    Find: names::find => {
        name: c"LB.FIND",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key cursor pattern",
        options: &[&COUNT, &WITHMETA],
        list: "",
        summary: "Finds members whose names match a pattern, page by page",
        complexity: "O(c (m + log n)), c: COUNT, m: length of the pattern times that of a name",
        worst: Worst { call: "LB.FIND all 0 p*l*a*y*e*r*0*0*0*0*x COUNT 10000", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "[cursor:text, members:[[member:text, score:score?, rank:rank?]...]]"), ("WITHMETA", "[cursor:text, members:[[member:text, score:score?, rank:rank?, meta:text?]...]]")],
        errors: &[],
        reply: "[cursor, members]: the cursor of the next page, 0 after the last page, and [member, score, rank] for each member found; score and rank are those \
                in the default view now, nil for a member that is not in it. WITHMETA appends the meta, or nil, to each.",
        notes: "The pattern is as in SCAN's MATCH: `*`, `?`, `[a-z]`, `[^a]`, and `\\` before a byte that stands for itself; 1 to 512 bytes. Begin with cursor 0; a page \
                can be empty before the last one. COUNT: about how many members a call looks at, 1000 by default, at most 10000; fewer where names and pattern are long. A board of up to 1024 members can come in one page, whatever COUNT says. Members come in no \
                particular order. A member that stays is seen once. A cursor is an error after the board was loaded anew, for example by a restart: begin again. Hidden members are left out: \
                see LB.HIDDEN.",
    }
    Standings: standing::standings => {
        name: c"LB.MSTANDING",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &IN, &RANKS, &REAL, &REV],
        list: "",
        summary: "Tells everything about where several members stand",
        complexity: "O(m log n), m: members given",
        worst: Worst { call: "LB.MSTANDING all MEMBERS 10000 m*10000 WITHMETA RANKS DENSE", most: Most::Micros(200000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[{rank:rank, score:score, members:int, percentile:decimal, ahead:[member:text, score:score, gap:score]?, behind:[member:text, score:score, gap:score]?, previous:[rank:rank, score:score]?, change:int?, at:ms?}?...]"), ("WITHMETA", "[{rank:rank, score:score, members:int, percentile:decimal, ahead:[member:text, score:score, gap:score]?, behind:[member:text, score:score, gap:score]?, previous:[rank:rank, score:score]?, change:int?, at:ms?, meta:text?}?...]")],
        errors: &[],
        reply: "An array of what LB.STANDING replies.",
        notes: "",
    }
    Count: standing::count => {
        name: c"LB.COUNT",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key [min max]",
        options: &[&VIEW, &PERIOD, &AT, &IN, &UNUSED_RANKS, &REAL, &UNUSED_REV],
        list: "",
        summary: "Counts the members, or those with a score in a range",
        complexity: "O(log n)",
        worst: Worst { call: "LB.COUNT days -100 100 VIEW day:7", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "A number; 0 for an absent key.",
        notes: "The range is that of LB.RANGEBYSCORE. Accepts RANKS and REV, without effect.",
    }
    Among: range::among => {
        name: c"LB.AMONG",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &IN, &RANKS, &REAL, &REV],
        list: "",
        summary: "Shows the ranking among some members, such as friends",
        complexity: "O(m log m + m log n), m: members given",
        worst: Worst { call: "LB.AMONG all MEMBERS 10000 m*10000 WITHMETA RANKS DENSE", most: Most::Micros(100000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[[place:rank, member:text, score:score, rank:rank]...]"), ("WITHMETA", "[[place:rank, member:text, score:score, rank:rank, meta:text?]...]")],
        errors: &[],
        reply: "An array of [place, member, score, rank], best first: the place among these members, and the rank \
                among all. WITHMETA appends the meta, or nil, to each.",
        notes: "Members without a score are left out. A member that is named twice counts once. RANKS is for both \
                numbers.",
    }
    Stats: statistics::stats => {
        name: c"LB.STATS",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key",
        options: &[&VIEW, &PERIOD, &AT, &IN, &UNUSED_RANKS, &REAL, &UNUSED_REV],
        list: "",
        summary: "Tells the sum, the mean and the median of the scores",
        complexity: "O(log n)",
        worst: Worst { call: "LB.STATS days VIEW day:7", most: Most::Micros(500) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "{members:int, sum:score?, mean:decimal?, min:score?, max:score?, median:score?}?")],
        errors: &[],
        reply: "A map: members, sum (exact; a string where it does not fit 64 bits), mean (a string with six digits \
                after the point), min, max (the least and the greatest score), median (LB.QUANTILE 0.5); nil for \
                an absent key. Without members, sum is 0 and what follows nil.",
        notes: "With LEVELS, sum and mean are nil. Accepts RANKS and REV, without effect.",
    }
    Quantile: statistics::quantile => {
        name: c"LB.QUANTILE",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key q [q ...]",
        options: &[&VIEW, &PERIOD, &AT, &IN, &UNUSED_RANKS, &REAL, &UNUSED_REV],
        list: "",
        summary: "Tells the scores at shares of the members from the bottom",
        complexity: "O(log n) for each q",
        worst: Worst { call: "LB.QUANTILE all 0.5*1000", most: Most::Micros(5000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[score?...]")],
        errors: &[],
        reply: "An array of scores, one for each q; nil where nobody is ranked.",
        notes: "q is 0 to 1, with at most nine digits. The score is the least one with at least this share of the \
                members at or below it (nearest rank): by value, whatever the ORDER. 0 is the least score, 1 the \
                greatest. At most 1000 shares. Accepts RANKS and REV, without effect.",
    }
    Histogram: statistics::histogram => {
        name: c"LB.HISTOGRAM",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key min max buckets",
        options: &[&VIEW, &PERIOD, &AT, &IN, &UNUSED_RANKS, &REAL, &UNUSED_REV],
        list: "",
        summary: "Counts the members in ranges of scores of equal width",
        complexity: "O(b log n), b: buckets",
        worst: Worst { call: "LB.HISTOGRAM all 0 1000000 10000", most: Most::Micros(50000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[[from:score, to:score, members:int]...]")],
        errors: &[],
        reply: "An array of [from, to, members]. Only the last range includes its end. Empty for an absent key.",
        notes: "min and max are those of LB.RANGEBYSCORE. The first range begins at the least score within these \
                bounds, and the last one ends at the greatest: of `(0` and `9.5` on a board of whole numbers these are 1 and \
                9. -inf and +inf are the ends of the range of all scores, not the scores of members. Edges are scores of the \
                board: where the width is no whole number of smallest units, they are rounded up, so narrow ranges can be \
                empty. With LEVELS, ranges divide the one number that the levels make: edges can be such as `3/20`, and -inf \
                and +inf give edges with a first level beyond its max. Bounds with no score between them are an error. \
                buckets is 1 to 10000. Accepts RANKS and REV, without effect.",
    }
}
