//! The commands that a gatherer sends to the parts of a board.

use leaderboard_core::Error;
use leaderboard_core::part_list::PartList;

use super::{Operation, OverParts, forms, rows};
use crate::argument::Argument;
use crate::arguments::Read;
use crate::call::{Call, Handled};
use crate::command::{Most, Worst};
use crate::handlers::part::{self, Asked, Target};
use crate::host::Host;
use crate::keys::{Access, first};
use crate::options::boards::parts;
use crate::options::reading::{ABOVE, AT, BELOW, MEMBERS, OFFSET, PERIOD, PLACES, REV, VIEW, WITHMETA};
use crate::options::voting::MEMBER;
use crate::refusal::Code;

/// Serves a call of one form.
type Handler<H> = fn(&Asked<H>) -> Handled;

forms! {
    "TOP": part::top => ("count", &[&OFFSET, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "OF": part::of => ("member", &[&ABOVE, &BELOW, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "NEAR": part::near => ("score moment side above below", &[&WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "SAMPLE": part::sample => ("m first last", &[&VIEW, &PERIOD, &AT, &REV])
    "BETWEEN": part::between => ("min max count", &[&OFFSET, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "STATS": part::stats => ("", &[&VIEW, &PERIOD, &AT, &REV])
    "HISTOGRAM": part::histogram => ("min max buckets", &[&VIEW, &PERIOD, &AT, &REV])
    "MOF": part::members => ("", &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "MNEAR": part::places => ("", &[&PLACES, &VIEW, &PERIOD, &AT, &REV])
    "MAYWIN": part::may_win => ("", &[&MEMBERS, &VIEW, &PERIOD, &AT])
    "VOTERS": part::voters => ("", &[&MEMBER, &VIEW, &PERIOD, &AT])
}

/// Returns the form with this word, and its handler.
fn chosen<H: Host>(word: &Argument) -> Read<(&'static Operation, Handler<H>)> {
    let unknown = Error::NotOneOf(
        "operation",
        "TOP, OF, NEAR, SAMPLE, BETWEEN, STATS, HISTOGRAM, MOF, MNEAR, MAYWIN, VOTERS",
    );
    Ok(form(word).ok_or(unknown)?)
}

/// Carries out `LB.PART key operation ...`.
fn part(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (form, handler) = chosen(&args.argument()?)?;
    handler(&Asked::new(call, Target::Key(key), args, form.options))
}

/// Carries out `LB.GATHER board parts which operation ...`.
fn gather(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let name = args.next()?;
    let (number, which, word) = (args.next()?, args.next()?, args.argument()?);
    if name.contains(&b'{') {
        return Err(Error::TaggedRoot.into());
    }
    let parts = parts(number, "parts")?;
    let which = PartList::parse(which, parts, "which")?;
    let (form, handler) = chosen(&word)?;
    handler(&Asked::new(call, Target::Parts { name, parts, which }, args, form.options))
}

rows! {
    Part: part, OPERATIONS => {
        name: c"LB.PART",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[],
        list: "",
        summary: "Tells a gatherer about one part of a board",
        complexity: "O(log n + m), m: rows, samples, members or places; STATS O(log n), HISTOGRAM O(b log n), b: buckets; MAYWIN O(log n) for each member; VOTERS as LB.VOTERS",
        worst: Worst { call: "LB.PART part TOP 1000 WITHMETA", most: Most::Micros(5000) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("TOP", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, rows:rows]"), ("OF", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, before:int, score:score, moment:ms, hidden:flag, above:rows, below:rows] | [part:int, parts:int, schema:big, now:ms, start:ms?, members:int, unknown:text?]"), ("OF WITHMETA", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, before:int, score:score, moment:ms, hidden:flag, above:rows, below:rows, meta:text?] | [part:int, parts:int, schema:big, now:ms, start:ms?, members:int, unknown:text?, meta:text?]"), ("NEAR", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, before:int, above:rows, below:rows]"), ("SAMPLE", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, entries:[[before:int, score:score, moment:ms]...]]"), ("BETWEEN", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, before:int, within:int, rows:rows]"), ("STATS", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, sum:decimal?]"), ("HISTOGRAM", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, counts:[int...]]"), ("MOF", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, entries:[[before:int, score:score, moment:ms, hidden:flag]?...]]"), ("MOF WITHMETA", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, entries:[[entry:[before:int, score:score, moment:ms, hidden:flag]?, meta:text?]...]]"), ("MNEAR", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, counts:[int...]]"), ("MAYWIN", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, may_win:[flag...]]"), ("VOTERS", "[part:int, parts:int, schema:big, now:ms, start:ms?, members:int, voters:text]")],
        errors: &[Code::NoPart],
        reply: "An array: part, parts, hash of the rules, now (ms), start of the period (ms; 0 for the endless one, nil \
                where there is no such period), members in it, and then: TOP: rows. OF: members before it, score, moment, \
                hidden (0 or 1), rows above, rows below, or one nil for an unknown member; WITHMETA appends the meta, or \
                nil. NEAR: members before the place, rows above, rows below. SAMPLE: an array of [before, score, \
                moment]. BETWEEN: members before the range, members in it, rows. STATS: the sum as a string of smallest \
                units, nil with LEVELS. HISTOGRAM: an array of counts. MOF: an array of [before, score, moment, hidden], \
                nil for an unknown member; with WITHMETA of [that, meta or nil]. MNEAR: an array of members before \
                each place. MAYWIN: an array of 0 or 1; members is 0. VOTERS: the sketch of the voters that LB.VOTERS counts; members is 0. Rows are [one string](commands.md#rows-in-one-string).",
        notes: "For programs that gather the parts of a board; see LB.CREATE. NOPART where the key has no part. Members \
                are ordered by score and moment. NEAR counts those with a better score, and those with this score and an \
                earlier moment (later with TIES LAST); with AFTER also those with this moment. A number as the side is the part of the \
                entry that has this place: it is AFTER in parts with lower numbers (with REV: higher), else BEFORE. The score need not be \
                anybody's. With REV, all counts from the other end: before is what comes before from there, and rows \
                come in that order. MAYWIN: whether these members may have a prize of the period: 0 for those that are hidden or were removed from it. The moment is when a member got its score. Past periods know those of their first 1000 places, see [Rows \
                of a part](commands.md#rows-of-a-part). Hidden \
                members are in no counts and rows; OF and MOF show where they would be. SAMPLE shows up to m (1 to \
                1024) members at equal distances between two places, which count from 0, or from the last one, -1. min, \
                max and buckets are those of LB.RANGEBYSCORE and LB.HISTOGRAM; the edges of buckets do not depend on \
                the part. The sketch is one string: 4 bytes for each of fewer than 1792 voters, sorted, else 7168 bytes. Sketches of \
                several parts can be joined, so a voter of several parts counts once.",
    }
    Gather: gather, OPERATIONS => {
        name: c"LB.GATHER",
        keys: &[],
        fast: false,
        arguments: "board parts which",
        options: &[],
        list: "",
        summary: "Tells a gatherer about several parts of a board that are on this server",
        complexity: "O(k) times that of LB.PART, k: parts that are asked",
        worst: Worst { call: "LB.GATHER all 4 0 TOP 10", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "text")],
        errors: &[Code::NoPart],
        reply: "One [string](commands.md#answers-in-one-string): for each part, in ascending order, what LB.PART answers, its \
                error, or that its key is not on this server.",
        notes: "For programs that gather the parts of a board. `board` is the name of the root, `parts` the number of its \
                parts, and `which` the numbers of the parts to ask, such as `0-20,43`. The keys of parts follow from the name. Since they are \
                in many slots, the command names no key, and a node of a cluster carries it out whatever its slots are. For \
                each key the server checks that the user may run LB.PART with it, else the command is the error `NOPERM`, and \
                that it would run LB.PART itself. It says of a key that it does not have, that has moved, or that belongs to \
                another node: not here. Ask such a part with LB.PART. Servers before Redis 7.0 cannot check this, and refuse the command.",
    }
}
