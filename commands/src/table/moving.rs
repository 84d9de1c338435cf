//! Commands that import, export and combine rankings.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::moving::{combine, export, import};
use crate::keys::{Access, KeyArgument, Place, first};
use crate::options::moving::{COMBINE, CURSOR, PERIODS, PRESENT, ROUND, STEP, VIEWS, WEIGHTS};
use crate::options::reading::{AT, COUNT, IN, PERIOD, REAL, REV, VIEW};
use crate::refusal::Code;
use crate::table::shapes::INTEGER;

/// The sources of a combination.
const SOURCES: KeyArgument = KeyArgument { place: Place::CountedAt(2), access: Access::Read };

rows! {
    Import: import::import => {
        name: c"LB.IMPORT",
        keys: &[first(Access::Write), KeyArgument::at(2, Access::Read)],
        fast: false,
        arguments: "key zset",
        options: &[&PRESENT, &ROUND, &AT, &CURSOR, &STEP],
        list: "",
        summary: "Adds the members of a sorted set to a board, with their scores as points",
        complexity: "O(m log n), m: members of the sorted set, or of the step",
        worst: Worst { call: "LB.IMPORT new set", most: Most::NanosPerMember(3000) },
        since: "0.1.0",
        over_parts: OverParts::Imported,
        makes: "a board with the defaults",
        shapes: &[("", "int"), ("CURSOR", "[cursor:text, imported:int]")],
        errors: &[Code::IdReused],
        reply: "The number of imported members; with CURSOR an array of the next cursor and this number.",
        notes: "A board with members needs MERGE, which adds to those that it has, or NX, which leaves them alone. It \
                has those that are in the current period of any of its views. Members with equal scores keep their order: \
                that of ZREVRANGE with ORDER DESC, that of ZRANGE with ORDER ASC. A score is the shortest decimal that gives \
                the sorted set's double, so 0.1 is 0.1; one that the board cannot hold is an error that names the member, and \
                nothing is imported. ROUND rounds to the nearest score instead, halves away from 0. AT: when these points were won, as in \
                LB.MADD. CURSOR: imports in steps, of COUNT members (1000) each. Begin with 0, go on with the cursor of the \
                reply until that is 0. The first step makes members, so the second and later ones need MERGE or NX, whatever \
                the board was before. A member whose score stays is imported once, whatever else changes between the steps. \
                Replicas get what was imported, as LB.MADD. See [Moving](migrating.md). \
                Into a board over many nodes, the gateway imports in steps of at most 10000 members, so CURSOR is needed; the sorted set \
                may be on any node. A step that not all parts have taken is repeated with NX. With MERGE, ID is needed: repeating the step with it \
                completes it, and counts nothing twice.",
    }
    Export: export::export => {
        name: c"LB.EXPORT",
        keys: &[first(Access::Replace), KeyArgument::at(2, Access::Read)],
        fast: false,
        arguments: "dest key",
        options: &[&COUNT, &VIEW, &PERIOD, &AT, &IN, &REAL, &REV],
        list: "",
        summary: "Stores a ranking as a sorted set",
        complexity: "O(m log m), m: members stored",
        worst: Worst { call: "LB.EXPORT dest all REV", most: Most::NanosPerMember(10000) },
        since: "0.1.0",
        over_parts: OverParts::Exported,
        makes: "a sorted set, if there are members",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of stored members.",
        notes: "The sorted set takes the place of what dest holds, whatever that is. Scores become the nearest \
                doubles, members with equal scores are sorted by name, as in every sorted set. COUNT: only so many of the \
                best. dest and key cannot be the same key. Replicas get DEL and ZADD. \
                From a board over many nodes, the gateway stores up to 1000000 members, or with COUNT the best 100000; dest may be on any node, and \
                changes in one step, when all members are there.",
    }
    Union: combine::union => {
        name: c"LB.UNION",
        keys: &[first(Access::Replace), SOURCES],
        fast: false,
        arguments: "dest n key [key ...]",
        options: &[&WEIGHTS, &COMBINE, &VIEWS, &PERIODS, &AT, &REAL],
        list: "",
        summary: "Makes a board of the members of several boards or sorted sets",
        complexity: "O(m log m), m: members of all sources",
        worst: Worst { call: "LB.UNION dest 2 all days", most: Most::NanosPerMember(10000) },
        since: "0.1.0",
        over_parts: OverParts::Refused("it makes one board in one step of one server, which cannot read the parts on other nodes"),
        makes: "a board, if there are members",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of members of the new board.",
        notes: "The board takes the place of what dest holds, whatever that is. It has the view `all`, AGGREGATE SUM, \
                and order, ties, decimals, clock, time zone and DEDUP of the first source that is a board. WEIGHTS: a factor \
                for each source, with up to nine digits after the point; products are rounded down. AGGREGATE: what becomes \
                of the parts of a member (SUM). VIEW and PERIOD: one for all boards, or a list with one for each source, such \
                as `PERIOD -3,-2,-1` for a quarter of three kept months. A member's moment is the latest of its parts' \
                moments; in a period that has ended that is its last millisecond. Equals of one moment stand as in the source \
                that gives the moment: the last one in the list, where several do; what earlier sources give stands before \
                what later ones give. Members of sorted sets have no moment: a member of sorted sets alone counts as of the \
                new board's now, which is the now of the first source that is a board (else that of the server), or the \
                latest moment of a part if that is later. Their order is that of ZREVRANGE, or of ZRANGE with ORDER ASC. A \
                source may have more decimals than the result, but a score of it that needs them is an error that names the \
                member, whatever its weight; name the board with most decimals first. Without members, dest is deleted. Metas and segments stay behind. In a \
                cluster, all keys have to be in one slot.",
    }
    Inter: combine::intersection => {
        name: c"LB.INTER",
        keys: &[first(Access::Replace), SOURCES],
        fast: false,
        arguments: "dest n key [key ...]",
        options: &[&WEIGHTS, &COMBINE, &VIEWS, &PERIODS, &AT, &REAL],
        list: "",
        summary: "Makes a board of the members that several boards or sorted sets have in common",
        complexity: "O(m log m), m: members of all sources",
        worst: Worst { call: "LB.INTER dest 2 all days", most: Most::NanosPerMember(5000) },
        since: "0.1.0",
        over_parts: OverParts::Refused("it makes one board in one step of one server, which cannot read the parts on other nodes"),
        makes: "a board, if there are members",
        shapes: INTEGER,
        errors: &[],
        reply: "The number of members of the new board.",
        notes: "As LB.UNION, with those members only that all sources have.",
    }
}
