//! Votes.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::{campaign, vote};
use crate::keys::{Access, first};
use crate::options::reading::{AT, COUNT, PERIOD, VIEW};
use crate::options::voting::{BY, INITIAL, MEMBER, TAG, WEIGHT};
use crate::options::writing::{ATTEMPT, ID, INCARNATION, META, NOW, PARTS, QUIET, SEGMENT};
use crate::refusal::Code;
use crate::table::shapes::{INTEGER, OK, VERDICT};

/// Why the commands do not work over parts.
const NO_PARTS: OverParts = OverParts::Refused("a board over parts has no DECLARED");

rows! {
    Vote: vote::one => {
        name: c"LB.VOTE",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key votes member",
        options: &[&BY, &TAG, &ID, &AT, &QUIET, &PARTS, &INCARNATION, &ATTEMPT, &NOW],
        list: "",
        summary: "Counts votes for a member, if all rules of the board hold",
        complexity: "O(log n + r), r: rules of the board",
        worst: Worst { call: "LB.VOTE votes 1 o1 BY voter TAG ip 1 TAG device 2 ID r", most: Most::Micros(2000) },
        since: "0.1.0",
        over_parts: OverParts::Written,
        makes: "a board with `VIEWS all,hour,day,week,month`",
        shapes: VERDICT,
        errors: &[],
        reply: "[1, [[score, rank, applied]]] in the default view if the vote is accepted: applied is 1, or 0 for \
                a repeated request. [0, rule, retry-after] if this rule holds it back: the rule starts again in \
                retry-after ms, or waiting does not help (-1). QUIET: only how many items were applied, 0 for a repeated request and where \
                a rule holds the vote back.",
        notes: "votes: an integer from 1. BY and TAG: who votes, up to 256 bytes each, at most 16 tags. A vote \
                that is held back changes nothing: it uses up no request id, goes to no replica, and notifies \
                nobody. A repeated request is answered before any rule is checked. See Votes.",
    }
    VoteMany: vote::many => {
        name: c"LB.MVOTE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key",
        options: &[&BY, &TAG, &ID, &AT, &QUIET, &PARTS, &INCARNATION, &ATTEMPT, &NOW],
        list: "votes member [votes member ...]",
        summary: "Counts votes for several members as one request, all or none of them",
        complexity: "O(m (log n + r)), m: members given, r: rules of the board",
        worst: Worst { call: "LB.MVOTE votes BY voter TAG ip 1 TAG device 2 ID r 1 o1", most: Most::Micros(2000) },
        since: "0.1.0",
        over_parts: OverParts::Written,
        makes: "a board with `VIEWS all,hour,day,week,month`",
        shapes: VERDICT,
        errors: &[],
        reply: "As LB.VOTE, with one [score, rank, applied] for each pair, as of the end of the command. QUIET: the number of applied pairs, all or 0.",
        notes: "All rules must hold for all members. A rule that counts by voter counts the sum of all votes. A \
                member may appear in the list more than once.",
    }
    Quota: campaign::quota => {
        name: c"LB.QUOTA",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key",
        options: &[&BY, &MEMBER, &TAG, &AT],
        list: "",
        summary: "Tells what a voter has used of each rule that applies",
        complexity: "O(r), r: rules of the board",
        worst: Worst { call: "LB.QUOTA votes BY voter MEMBER o1 TAG ip 1", most: Most::Micros(1000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[[rule:text, used:int, max:int, retry_after:int]...]")],
        errors: &[],
        reply: "An array of [rule, used, max, ms]: votes counted in this period, votes allowed with the bonuses \
                of these tags, and the ms until the rule starts again (-1: never).",
        notes: "A rule applies if everything that it counts by is given. With MEMBER, and without BY and TAG, the [rules for scores](commands.md#rules-for-scores) come \
                first, where the board has them: `closed` (0 or 1 of 1, and the ms until it opens; -1 while it is open), `attempts`, \
                and `full` (members of MAXMEMBERS, and the ms until the period of the default view ends). On a board over many nodes, the member's part has them, and there are no limits.",
    }
    Declare: campaign::declare => {
        name: c"LB.OPTION",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key member",
        options: &[&WEIGHT, &INITIAL, &META, &SEGMENT, &PARTS, &INCARNATION, &NOW],
        list: "",
        summary: "Declares an option that can be voted for",
        complexity: "O(log n)",
        worst: Worst { call: "LB.OPTION votes new WEIGHT 5 INITIAL 9 META text", most: Most::Micros(5000) },
        since: "0.1.0",
        over_parts: OverParts::Changed,
        makes: "a board with `VIEWS all,hour,day,week,month`",
        shapes: OK,
        errors: &[Code::HeldBack],
        reply: "OK.",
        notes: "WEIGHT: how many shown votes one vote adds from now on, 0 to 1000000000, 1 by default. INITIAL: \
                the shown votes that the option starts with, none by default. They count in `all` at once, where \
                a later INITIAL adds the difference, and in each period of views of single periods that begins \
                from now on. Both need a board with SHOWN. What is not given stays as it was. LB.REM takes an \
                option away. On a board with DECLARED, an option has joined, and MAXMEMBERS holds a new one back.",
    }
    Join: campaign::join => {
        name: c"LB.JOIN",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key member",
        options: &[&META, &SEGMENT, &ID, &NOW],
        list: "",
        summary: "Lets a member take part in a board with DECLARED",
        complexity: "O(log n)",
        worst: Worst { call: "LB.JOIN votes new META text ID r", most: Most::Micros(5000) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "flag")],
        errors: &[Code::NoBoard, Code::HeldBack],
        reply: "1 if the member has joined now, 0 if it was in already or the request is repeated; the error `NOBOARD` if the board does not exist; \
                `HELDBACK full` if MAXMEMBERS members have joined, and `HELDBACK closed` after CLOSES.",
        notes: "Only members that have joined can get points, scores and votes. META and SEGMENT: as LB.ADD, also for a member that was in already. \
                OPENS, HOURS and the other rules do not hold. LB.LEAVE and LB.REM end it.",
    }
    Leave: campaign::leave => {
        name: c"LB.LEAVE",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key member",
        options: &[&NOW],
        list: "",
        summary: "Ends what LB.JOIN or LB.OPTION began",
        complexity: "O(log n)",
        worst: Worst { call: "LB.LEAVE votes o1", most: Most::Micros(1000) },
        since: "0.1.0",
        over_parts: NO_PARTS,
        makes: "",
        shapes: &[("", "flag")],
        errors: &[Code::NoBoard],
        reply: "1 if the member was in, else 0; the error `NOBOARD` if the board does not exist.",
        notes: "The member keeps its scores and its used attempts. An option with INITIAL votes cannot leave: set `INITIAL 0` before.",
    }
    Candidates: campaign::list => {
        name: c"LB.OPTIONS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key cursor",
        options: &[&COUNT],
        list: "",
        summary: "Lists the declared options, page by page",
        complexity: "O(m), m: options on the page",
        worst: Worst { call: "LB.OPTIONS votes 0 COUNT 1000", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: &[("", "[cursor:text, options:[{member:text, weight:int, initial:score, meta:text?, real:score, shown:score, voters:int}...]]")],
        errors: &[],
        reply: "[cursor, options]: the cursor of the next page, 0 after the last page, and a map for each option: \
                member, weight, initial, meta (or nil), real, shown (votes in `all`, or in the default view of a \
                board without `all`), voters (an estimate).",
        notes: "Begin with cursor 0. COUNT: options on a page, 10 by default. A page can have fewer; only cursor \
                0 marks the last page. Options come in the order of declaration. An option that exists all the \
                time comes exactly once. A board over many nodes lists part by part, each in the order of declaration; a page has at \
                most 10000 options.",
    }
    Voters: campaign::voters => {
        name: c"LB.VOTERS",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&MEMBER, &PERIOD, &AT, &VIEW],
        list: "",
        summary: "Estimates how many different voters there were",
        complexity: "O(1); O(p) in a rolling view over p periods",
        worst: Worst { call: "LB.VOTERS votes", most: Most::Micros(5000) },
        since: "0.1.0",
        over_parts: OverParts::Gathered,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "A number; 0 if nobody voted.",
        notes: "The voters of the board, or of a member. Without VIEW and period, or with `VIEW all`: of all \
                time. Else in a kept period of VIEW, or of the default view. The number is exact while it is \
                small, then it has a standard error of 0.8 %. Votes without BY have no voter. A voter who \
                voted in several parts of a board over many nodes counts once.",
    }
}
