//! Rankings.

use super::rows;
use crate::commands::{range, standing};
use crate::keys::{Access, first};
use crate::options::reading::{AT, COUNT, OFFSET, PERIOD, RANKS, REAL, UNUSED_RANKS, VIEW, WITHMETA};

rows! {
    TOP: range::top => {
        name: c"LB.TOP",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key count",
        options: &[&OFFSET, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "",
        summary: "Shows the best members",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        makes: "",
        reply: "An array of [rank, member, score]. WITHMETA appends the meta, or nil, to each.",
        notes: "",
    }
    RANGE: range::range => {
        name: c"LB.RANGE",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key first last",
        options: &[&WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "",
        summary: "Shows the members from one rank to another",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        makes: "",
        reply: "As LB.TOP.",
        notes: "first and last are ordinal ranks: 1 is the top, -1 the last, both ends included; 0 is an error. \
                RANKS changes how the lines are numbered, not which are shown.",
    }
    RANGEBYSCORE: range::by_score => {
        name: c"LB.RANGEBYSCORE",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key min max",
        options: &[&OFFSET, &COUNT, &WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "",
        summary: "Shows the members with a score in a range, best first",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        makes: "",
        reply: "As LB.TOP.",
        notes: "min is the smaller score, whatever the ORDER. `(5` excludes 5. -inf and +inf are allowed.",
    }
    AROUND: range::around => {
        name: c"LB.AROUND",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key member count",
        options: &[&WITHMETA, &VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "",
        summary: "Shows a member with up to count above and count below it",
        complexity: "O(log n + m), m: lines shown",
        since: "0.1.0",
        makes: "",
        reply: "As LB.TOP; empty for an unknown member.",
        notes: "",
    }
    RANK: standing::rank => {
        name: c"LB.RANK",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "",
        summary: "Tells a member's rank",
        complexity: "O(log n)",
        since: "0.1.0",
        makes: "",
        reply: "The rank from 1, or nil.",
        notes: "",
    }
    SCORE: standing::score => {
        name: c"LB.SCORE",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT, &UNUSED_RANKS, &REAL],
        list: "",
        summary: "Tells a member's score",
        complexity: "O(1)",
        since: "0.1.0",
        makes: "",
        reply: "The score, or nil.",
        notes: "Accepts RANKS, without effect.",
    }
    MSCORE: standing::scores => {
        name: c"LB.MSCORE",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "member [member ...]",
        summary: "Tells the ranks and scores of several members",
        complexity: "O(m log n), m: members given",
        since: "0.1.0",
        makes: "",
        reply: "An array of [rank, score], nil for an unknown member.",
        notes: "If the name of the first member is the word of an option, it is read as the option: put another \
                member before it.",
    }
    STANDING: standing::standing => {
        name: c"LB.STANDING",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "",
        summary: "Tells everything about where a member stands",
        complexity: "O(log n)",
        since: "0.1.0",
        makes: "",
        reply: "A map: rank, score, members, percentile (share of members ranked at or below it, two decimals; \
                the leader has 100.00), ahead (the member above: [member, score, gap], or nil), behind (the \
                member below, likewise), previous ([rank, score] in the period before, or nil), change (previous \
                rank minus rank, or nil), at (ms: when it got this score; nil in past periods); nil for an \
                unknown member.",
        notes: "",
    }
    MSTANDING: standing::standings => {
        name: c"LB.MSTANDING",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&VIEW, &PERIOD, &AT, &RANKS, &REAL],
        list: "member [member ...]",
        summary: "Tells everything about where several members stand",
        complexity: "O(m log n), m: members given",
        since: "0.1.0",
        makes: "",
        reply: "An array of what LB.STANDING replies.",
        notes: "As LB.MSCORE.",
    }
    COUNT_MEMBERS: standing::count => {
        name: c"LB.COUNT",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key [min max]",
        options: &[&VIEW, &PERIOD, &AT, &UNUSED_RANKS, &REAL],
        list: "",
        summary: "Counts the members, or those with a score in a range",
        complexity: "O(log n)",
        since: "0.1.0",
        makes: "",
        reply: "A number; 0 for an absent key.",
        notes: "The range is that of LB.RANGEBYSCORE. Accepts RANKS, without effect.",
    }
}
