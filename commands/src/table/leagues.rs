//! Commands of leagues.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::leagues::{prizes, reading, rules, writing};
use crate::handlers::restore;
use crate::keys::{Access, first};
use crate::options::boards::{CLOCK, DECIMALS, DEDUP, NX, ORIGIN, PRIZEDAYS, TZ, WEEKSTART};
use crate::options::leagues::{
    CYCLE, DEMOTE, GROUP, IDLE, JOINUNTIL, META, NEW_DEMOTE, NEW_PROMOTE, PRIZES, PROMOTE, RETAIN, REWARD,
    TIERS, TIES, WITHZONE,
};
use crate::options::reading::{AT, COUNT, PERIOD, UNCLAIMED};
use crate::options::writing::{ID, NOW, QUIET};
use crate::refusal::Code;
use crate::table::shapes::{APPLIED, INTEGER, MADE, OK};
use leaderboard_core::League;

rows! {
    Create: rules::create => {
        name: c"LB.LEAGUE.CREATE",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key",
        options: &[&TIERS, &PROMOTE, &DEMOTE, &CYCLE, &TIES, &GROUP, &REWARD, &JOINUNTIL, &IDLE, &RETAIN, &DECIMALS, &TZ, &WEEKSTART, &ORIGIN, &CLOCK, &DEDUP, &PRIZES, &PRIZEDAYS, &NX],
        list: "",
        summary: "Makes a league",
        complexity: "O(1)",
        worst: Worst { call: "LB.LEAGUE.CREATE new TIERS bronze,silver,gold PROMOTE 5,5,0 DEMOTE 0,5,5 CYCLE week RETAIN 10000", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "the league",
        shapes: MADE,
        errors: &[],
        reply: "OK; an error if the key exists. With NX: 1 if it made the league, 0 if there is one.",
        notes: "TIERS: up to 64 different names, the lowest first, such as `bronze,silver,gold`: 1 to 64 bytes each, \
                without spaces, control characters and commas; upper and lower case differ. PROMOTE and DEMOTE: one amount \
                for each tier, a count (`10`) or a share of the group (`20%`, rounded down); 0 for who cannot move further. \
                TIES: whether of equal scores the one that came first ranks higher (SCORED, the default), or who joined the \
                group first (JOINED). CYCLE: `minute`, `hour`, `day`, `week`, `month`, `year` or `<seconds>s`. GROUP: members of a group, 1 to \
                1000000 (100). REWARD: how many ranks of each group get a reward (0). JOINUNTIL: in which share of a period \
                one can join it, such as `0.5` (1). IDLE: tiers lost for each whole period without joining (0). RETAIN: past \
                periods that stay readable (1). PRIZES: what the places in each group of a tier win, such as `PRIZES gold 1=car,2-3=bike`: see LB.LEAGUE.PRIZES. The others are as in LB.CREATE. See [Leagues](leagues.md).",
    }
    Join: writing::join => {
        name: c"LB.LEAGUE.JOIN",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key member",
        options: &[&META, &AT, &NOW],
        list: "",
        summary: "Lets a member join the current period, and tells what came of its last one",
        complexity: "O(log n)",
        worst: Worst { call: "LB.LEAGUE.JOIN league new", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "{tier:text?, group:int?, rank:rank?, members:int?, joined:flag, waiting:flag, last:{period:text, tier:text, group:int, rank:rank, members:int, score:score, outcome:text, reward:int}?}")],
        errors: &[],
        reply: "A map: tier, group, rank, members (of the group), joined (1 now, 0 was in already), waiting (1 after \
                JOINUNTIL), last. A member that is not in the period has nil for the first four. last is nil, or \
                at the first join of a period a map of the period before in which the member was: period, tier, \
                group, rank, members, score, outcome (promoted, stayed, demoted), reward (the rank, or 0).",
        notes: "META: a text to keep with the member, as LB.LEAGUE.SETMETA. A member that has to wait is not noted: \
                it joins with its first JOIN or ADD of the next period. JOINUNTIL looks at the moment of the JOIN or ADD \
                itself: who joins late with an AT before that share is over, joins. A JOIN or ADD that has to wait moves no \
                clock of events. An AT in a period that has ended changes nothing. If a clock that had leapt is put right, \
                the first write to the period that goes on takes 0.3 to 0.4 s for a million members.",
    }
    Add: writing::add => {
        name: c"LB.LEAGUE.ADD",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key points member",
        options: &[&ID, &AT, &QUIET, &NOW],
        list: "",
        summary: "Adds points to a member's score, once for each request id",
        complexity: "O(log n)",
        worst: Worst { call: "LB.LEAGUE.ADD league 5 m ID r", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "[score:score?, rank:rank?, applied:flag]"), APPLIED],
        errors: &[],
        reply: "[score, rank, applied]: the rank in the member's group. applied is 1, or 0 for a repeated request, \
                for an AT in a period that has ended, and for a member that has to wait; the last gives nil, nil, 0. QUIET: only applied.",
        notes: "A member that is not in the period joins it first; the next LB.LEAGUE.JOIN of that period tells no \
                `last` any more, so let clients join when they start. A write that is not applied does not use up \
                its request id.",
    }
    Rem: writing::remove => {
        name: c"LB.LEAGUE.REM",
        keys: &[first(Access::Remove)],
        fast: false,
        arguments: "key member [member ...]",
        options: &[],
        list: "",
        summary: "Removes members from the current period and from the tiers",
        complexity: "O(m (log n + p)), m: members given, p: periods kept",
        worst: Worst { call: "LB.LEAGUE.REM league m*1000", most: Most::Micros(20000) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of removed members.",
        notes: "Removes tier, last outcome and meta, too: who comes back begins at the lowest tier. Periods that \
                have ended stay as they are.",
    }
    Tier: writing::tier => {
        name: c"LB.LEAGUE.TIER",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key member tier",
        options: &[],
        list: "",
        summary: "Sets the tier that a member joins next",
        complexity: "O(log n)",
        worst: Worst { call: "LB.LEAGUE.TIER league m gold", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: OK,
        errors: &[],
        reply: "OK; an error if the league does not exist.",
        notes: "It counts once, for the next join, in place of the outcome of the last period and of IDLE. The member \
                may be new. It takes no AT, moves no clock, and goes to replicas without a time.",
    }
    SetMeta: writing::meta => {
        name: c"LB.LEAGUE.SETMETA",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member meta",
        options: &[],
        list: "",
        summary: "Keeps a text beside a member; an empty one deletes it",
        complexity: "O(log n); O(log n + p) where a text is deleted, p: periods kept",
        worst: Worst { call: "LB.LEAGUE.SETMETA league m text", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: OK,
        errors: &[],
        reply: "OK; an error if the league does not exist.",
        notes: "At most 4096 bytes, such as a name and a picture. The member may be new. It takes no AT, moves no \
                clock, and goes to replicas without a time.",
    }
    Top: reading::top => {
        name: c"LB.LEAGUE.TOP",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key member",
        options: &[&COUNT, &PERIOD, &WITHZONE],
        list: "",
        summary: "Lists a member's group, best first",
        complexity: "O(log n + c), c: lines shown",
        worst: Worst { call: "LB.LEAGUE.TOP league m COUNT 1000 WITHZONE", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[
            ("", "[[rank:rank, member:text, score:score, meta:text?]...]"),
            ("WITHZONE", "[[rank:rank, member:text, score:score, meta:text?, zone:text]...]"),
        ],
        errors: &[],
        reply: "An array of [rank, member, score, meta]; meta is nil where there is none. Empty for a member that is \
                not in the period.",
        notes: "Without COUNT, the whole group. WITHZONE: each row ends with what the end of the period means for it: promote, stay or demote.",
    }
    Group: reading::group => {
        name: c"LB.LEAGUE.GROUP",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key tier group",
        options: &[&COUNT, &PERIOD, &WITHZONE],
        list: "",
        summary: "Lists a group by its tier and number, best first",
        complexity: "O(log n + c), c: lines shown",
        worst: Worst { call: "LB.LEAGUE.GROUP league bronze 1 COUNT 1000 WITHZONE", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[
            ("", "[[rank:rank, member:text, score:score, meta:text?]...]"),
            ("WITHZONE", "[[rank:rank, member:text, score:score, meta:text?, zone:text]...]"),
        ],
        errors: &[],
        reply: "As LB.LEAGUE.TOP; an error for a tier that the league does not have, and for a group that the tier \
                does not have in that period.",
        notes: "Groups of a tier are numbered from 1. GROUP 1 of a tier reads as empty while nobody has joined it; \
                greater numbers that the tier does not have are an error. A period that is not kept, or yet to come, reads as \
                empty.",
    }
    Standing: reading::standing => {
        name: c"LB.LEAGUE.STANDING",
        keys: &[first(Access::Read)],
        fast: true,
        arguments: "key member",
        options: &[&PERIOD],
        list: "",
        summary: "Tells where a member stands, and where it moves from there",
        complexity: "O(log n)",
        worst: Worst { call: "LB.LEAGUE.STANDING league m", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "{tier:text, group:int, rank:rank, members:int, score:score, zone:text}?")],
        errors: &[],
        reply: "A map: tier, group, rank, members (of the group), score, zone (promote, stay, demote: what the end of \
                the period means for this rank); nil for a member that is not in the period.",
        notes: "",
    }
    Info: rules::info => {
        name: c"LB.LEAGUE.INFO",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[&PERIOD],
        list: "",
        summary: "Tells a league's rules and size",
        complexity: "O(log r + t), r: request ids remembered, t: tiers",
        worst: Worst { call: "LB.LEAGUE.INFO league", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "{tiers:text, promote:text, demote:text, cycle:text, ties:text, joinuntil:text, tz:text, weekstart:text, clock:text, period:text, group:int, reward:int, idle:int, retain:int, decimals:int, origin:ms, dedup:int, start:ms, end:ms, known:int, requests:int, now:ms, memory:int, prizedays:int, members:[int...], groups:[int...], prizes:[text...]}?")],
        errors: &[],
        reply: "A map: tiers, promote, demote, cycle, ties, joinuntil, tz, weekstart, clock, period (its label), group, \
                reward, idle, retain, decimals, origin, dedup, start and end (of the period, ms), known (members of \
                which anything is kept), requests (ids remembered), now (ms), memory (bytes), prizedays, members and groups \
                (arrays: how many each tier has in the period, the lowest first), prizes (the tables, as they are written); nil for an absent key.",
        notes: "PERIOD: period, start, end, members and groups are those of this period. Of one that is not kept, period is empty and the numbers are 0.",
    }
    Alter: rules::alter => {
        name: c"LB.LEAGUE.ALTER",
        keys: &[first(Access::Alter)],
        fast: false,
        arguments: "key",
        options: &[&NEW_PROMOTE, &NEW_DEMOTE, &GROUP, &REWARD, &JOINUNTIL, &IDLE, &RETAIN, &DEDUP, &PRIZES, &PRIZEDAYS, &NOW],
        list: "",
        summary: "Changes what may change of a league's rules",
        complexity: "O(t + p), t: tiers, p: periods kept",
        worst: Worst { call: "LB.LEAGUE.ALTER league GROUP 50 RETAIN 1", most: Most::NanosPerMember(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: OK,
        errors: &[],
        reply: "OK; an error if the league does not exist.",
        notes: "PROMOTE, DEMOTE and REWARD count for the current period and later ones; periods that have ended \
                keep theirs. PRIZES: a table for the periods that end from now on; an empty one ends it. GROUP counts for groups that open from now on, IDLE and JOINUNTIL for the next joins. \
                A longer RETAIN brings no period back that was out of reach. At least one option is needed.",
    }
    Prizes: prizes::list => {
        name: c"LB.LEAGUE.PRIZES",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key cursor",
        options: &[&COUNT, &PERIOD, &UNCLAIMED],
        list: "",
        summary: "Lists the winners of a period, page by page",
        complexity: "O(t^2 + g + m), t: places of a table, g: members of a group, m: places on the page",
        worst: Worst { call: "LB.LEAGUE.PRIZES league 0 COUNT 1000 PERIOD -1", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "[cursor:text, winners:[[tier:text, group:int, rank:rank, member:text, score:score, prize:text, claimed:ms?]...]]")],
        errors: &[],
        reply: "[next, [[tier, group, rank, member, score, prize, claimed]...]], from the lowest tier on, by group and rank: claimed is when the prize was \
                claimed (ms), or nil. Begin with cursor 0. A page can be short: only the next cursor 0 ends the list.",
        notes: "As LB.PRIZES: of the last period that ended, unless PERIOD names another one. Ranks and shares are those of the group. A member that was removed since the \
                period ended wins nothing, and others move up, until the first claim in its tier. See [Prizes](leagues.md#prizes).",
    }
    Claim: prizes::claim => {
        name: c"LB.LEAGUE.CLAIM",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key member",
        options: &[&PERIOD, &ID, &NOW],
        list: "",
        summary: "Claims the prize of a member, once",
        complexity: "O(log n + g), g: members of the group; the first claim of a period in a tier O(w log w + n), w: its winners, n: members of the tier",
        worst: Worst { call: "LB.LEAGUE.CLAIM league m PERIOD -1 ID r", most: Most::NanosPerMember(50) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "[prize:text, rank:rank, claimed:flag]?")],
        errors: &[Code::IdReused],
        reply: "[prize, rank, claimed]; claimed is 1 for the first claim and for its retries with the same ID, 0 for any other claim of the same prize. nil if the member has no \
                prize in the period, or if the period is running. An error if the league does not exist; `IDREUSED` if the ID claimed another prize.",
        notes: "As LB.CLAIM.",
    }
    Restore: restore::restore::<League> => {
        name: c"LB.LEAGUE.RESTORE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key chunk",
        options: &[],
        list: "",
        summary: "Rebuilds a league from a piece of a saved one",
        complexity: "O(m log n), m: members in the piece",
        worst: Worst { call: "LB.LEAGUE.RESTORE new chunk", most: Most::Micros(500) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "a league, with the first piece",
        shapes: OK,
        errors: &[],
        reply: "OK.",
        notes: "Append-only files and slot migration call it with pieces of a saved league. The first piece makes \
                the league. The league takes no commands until the last piece. See LB.RESTORE for what is saved before that.",
    }
}
