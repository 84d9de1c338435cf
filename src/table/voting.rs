//! Votes.

use super::{Access, first, rows};
use crate::commands::{campaign, vote};
use crate::options::reading::{AT, COUNT, PERIOD, VIEW};
use crate::options::voting::{BY, INITIAL, MEMBER, TAG, WEIGHT};
use crate::options::writing::{ID, NOW};

rows! {
    VOTE: vote::one => {
        name: c"LB.VOTE",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key votes member",
        options: &[&BY, &TAG, &ID, &AT, &NOW],
        list: "",
        summary: "Counts votes for a member, if all rules of the board hold",
        complexity: "O(log n + r), r: rules of the board",
        since: "0.1.0",
        reply: "[1, [[score, rank, applied]]] in the default view: applied is 1, or 0 for a repeated request. Or \
                [0, rule, retry-after]: held back by this rule, which starts anew in so many ms; -1 where \
                waiting does not help.",
        notes: "votes: a whole number from 1. BY and TAG: who votes, up to 256 bytes each, at most 16 tags. A vote \
                that is held back changes nothing: no request id is consumed, nothing is sent to replicas, nobody \
                is notified. A repeated request is answered before any rule is asked. Makes a board with \
                `VIEWS all,hour,day,week,month` where the key is absent. See Votes.",
    }
    MVOTE: vote::many => {
        name: c"LB.MVOTE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key",
        options: &[&BY, &TAG, &ID, &AT, &NOW],
        list: "votes member [votes member ...]",
        summary: "Counts votes for several members as one request, all or none of them",
        complexity: "O(m (log n + r)), m: members given, r: rules of the board",
        since: "0.1.0",
        reply: "As LB.VOTE, with one [score, rank, applied] for each pair, as of the end of the command.",
        notes: "All rules have to hold for all members: a rule that counts by voter counts the sum of all votes. \
                A member may stand in the list more than once.",
    }
    QUOTA: campaign::quota => {
        name: c"LB.QUOTA",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key",
        options: &[&BY, &MEMBER, &TAG, &AT],
        list: "",
        summary: "Tells what a voter has used of each rule that applies",
        complexity: "O(r), r: rules of the board",
        since: "0.1.0",
        reply: "An array of [rule, used, max, ms]: votes counted in this period, how many may be with the bonuses \
                of these tags, and in how many ms the rule starts anew (-1: never).",
        notes: "A rule applies if everything that it counts by is given.",
    }
    OPTION: campaign::declare => {
        name: c"LB.OPTION",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key member",
        options: &[&WEIGHT, &INITIAL, &NOW],
        list: "",
        summary: "Declares an option that can be voted for",
        complexity: "O(log n)",
        since: "0.1.0",
        reply: "OK.",
        notes: "WEIGHT: one vote adds so many shown votes from now on, 0 to 1000000000, 1 by default. INITIAL: shown \
                votes that it starts with, in `all` at once (another number later changes it by the difference), \
                and in each period of views of single periods that begins from now on; none by default. Both need a \
                board with SHOWN. What is not said stays as it was. LB.REM takes an option away. Makes a board as \
                LB.VOTE does where the key is absent.",
    }
    OPTIONS: campaign::list => {
        name: c"LB.OPTIONS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key cursor",
        options: &[&COUNT],
        list: "",
        summary: "Lists the declared options, page by page",
        complexity: "O(m), m: options on the page",
        since: "0.1.0",
        reply: "[cursor, options]: the cursor of the next page, 0 behind the last one, and a map for each option: \
                member, weight, initial, meta (or nil), real, shown (votes in `all`, or in the default view of a \
                board without it), voters (an estimate).",
        notes: "Begin with cursor 0. COUNT: options on a page, 10 by default; there may be fewer, but the last page is \
                the one with cursor 0. They come in the order of declaration; one that is there all the time comes \
                exactly once.",
    }
    VOTERS: campaign::voters => {
        name: c"LB.VOTERS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&MEMBER, &PERIOD, &AT, &VIEW],
        list: "",
        summary: "Estimates how many different voters there were",
        complexity: "O(1); O(p) in a rolling view over p periods",
        since: "0.1.0",
        reply: "A number; 0 where nobody voted.",
        notes: "Of the board or of a member; overall where neither VIEW nor a period is named (or `VIEW all`), else \
                in a period that is kept, of the default view without VIEW. Exact while few, then with a standard \
                error of 0.8 %. Votes without BY have no voter.",
    }
}
