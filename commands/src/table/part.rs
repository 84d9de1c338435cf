//! The commands that a gatherer sends to the parts of a board.

use leaderboard_core::Error;

use super::{Operation, OverParts, forms, rows};
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::handlers::part::{self, Asked};
use crate::host::Host;
use crate::keys::{Access, first};
use crate::options::reading::{ABOVE, AT, BELOW, MEMBERS, OFFSET, PERIOD, PLACES, REV, VIEW, WITHMETA};
use crate::options::voting::MEMBER;
use crate::refusal::Code;

/// Serves a call of one form.
type Handler<H> = fn(&Asked<H>) -> Handled;

forms! {
    "TOP": part::top => ("count", &[&OFFSET, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "OF": part::of => ("member", &[&ABOVE, &BELOW, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "NEAR": part::near => ("score moment BEFORE|AFTER above below", &[&WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "SAMPLE": part::sample => ("m first last", &[&VIEW, &PERIOD, &AT, &REV])
    "BETWEEN": part::between => ("min max count", &[&OFFSET, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "STATS": part::stats => ("", &[&VIEW, &PERIOD, &AT, &REV])
    "HISTOGRAM": part::histogram => ("min max buckets", &[&VIEW, &PERIOD, &AT, &REV])
    "MOF": part::members => ("", &[&MEMBERS, &WITHMETA, &VIEW, &PERIOD, &AT, &REV])
    "MNEAR": part::places => ("", &[&PLACES, &VIEW, &PERIOD, &AT, &REV])
    "VOTERS": part::voters => ("", &[&MEMBER, &VIEW, &PERIOD, &AT])
}

/// Carries out `LB.PART key operation ...`.
fn part(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let word = args.argument()?;
    let unknown = || {
        Error::NotOneOf("operation", "TOP, OF, NEAR, SAMPLE, BETWEEN, STATS, HISTOGRAM, MOF, MNEAR, VOTERS")
    };
    let (form, handler) = form(&word).ok_or_else(unknown)?;
    handler(&Asked::new(call, key, args, form.options))
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
        complexity: "O(log n + m), m: rows, samples, members or places; STATS O(log n), HISTOGRAM O(b log n), b: buckets; VOTERS as LB.VOTERS",
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("TOP", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, rows:rows]"), ("OF", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, before:int, score:score, moment:ms, hidden:flag, above:rows, below:rows] | [part:int, parts:int, schema:int, now:ms, start:ms?, members:int, unknown:text?]"), ("OF WITHMETA", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, before:int, score:score, moment:ms, hidden:flag, above:rows, below:rows, meta:text?] | [part:int, parts:int, schema:int, now:ms, start:ms?, members:int, unknown:text?, meta:text?]"), ("NEAR", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, before:int, above:rows, below:rows]"), ("SAMPLE", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, entries:[[before:int, score:score, moment:ms]...]]"), ("BETWEEN", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, before:int, within:int, rows:rows]"), ("STATS", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, sum:decimal?]"), ("HISTOGRAM", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, counts:[int...]]"), ("MOF", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, entries:[[before:int, score:score, moment:ms, hidden:flag]?...]]"), ("MOF WITHMETA", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, entries:[[entry:[before:int, score:score, moment:ms, hidden:flag]?, meta:text?]...]]"), ("MNEAR", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, counts:[int...]]"), ("VOTERS", "[part:int, parts:int, schema:int, now:ms, start:ms?, members:int, voters:text]")],
        errors: &[Code::NoPart],
        reply: "An array: part, parts, hash of the rules, now (ms), start of the period (ms; 0 for the endless one, nil \
                where there is no such period), members in it, and then: TOP: rows. OF: members before it, score, moment, \
                hidden (0 or 1), rows above, rows below, or one nil for an unknown member; WITHMETA appends the meta, or \
                nil. NEAR: members before the place, rows above, rows below. SAMPLE: an array of [before, score, \
                moment]. BETWEEN: members before the range, members in it, rows. STATS: the sum as a string of smallest \
                units, nil with LEVELS. HISTOGRAM: an array of counts. MOF: an array of [before, score, moment, hidden], \
                nil for an unknown member; with WITHMETA of [that, meta or nil]. MNEAR: an array of members before \
                each place. VOTERS: the sketch of the voters that LB.VOTERS counts; members is 0. Rows are [one string](commands.md#rows-in-one-string).",
        notes: "For programs that gather the parts of a board; see LB.CREATE. NOPART where the key has no part. Members \
                are ordered by score and moment. NEAR counts those with a better score, and those with this score and an \
                earlier moment (later with TIES LAST); with AFTER also those with this moment. The score need not be \
                anybody's. With REV, all counts from the other end: before is what comes before from there, and rows \
                come in that order. The moment is when a member got its score. Past periods know those of their first 1000 places, see [Rows \
                of a part](commands.md#rows-of-a-part). Hidden \
                members are in no counts and rows; OF and MOF show where they would be. SAMPLE shows up to m (1 to \
                1024) members at equal distances between two places, which count from 0, or from the last one, -1. min, \
                max and buckets are those of LB.RANGEBYSCORE and LB.HISTOGRAM; the edges of buckets do not depend on \
                the part. The sketch is one string: 4 bytes for each of fewer than 1792 voters, sorted, else 7168 bytes. Sketches of \
                several parts can be joined, so a voter of several parts counts once.",
    }
}
