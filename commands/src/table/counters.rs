//! Commands of counters.

use super::{OverParts, rows};
use crate::command::{Most, Worst};
use crate::handlers::{counters, restore};
use crate::keys::{Access, KeyArgument, Place, first};
use crate::options::boards::{CLOCK, DEDUP, NX};
use crate::options::counters::{BY, EDITS, FILL, FROM, PRECISIONS, SAMPLES, TO};
use crate::options::reading::AT;
use crate::options::writing::{ID, NOW, QUIET};
use crate::table::shapes::{APPLIED, MADE, OK};
use leaderboard_core::Counter;

rows! {
    Create: counters::create => {
        name: c"LB.COUNTER.CREATE",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key",
        options: &[&PRECISIONS, &SAMPLES, &CLOCK, &DEDUP, &NX],
        list: "",
        summary: "Makes a counter",
        complexity: "O(1)",
        worst: Worst { call: "LB.COUNTER.CREATE new PRECISIONS 1,2,3,4,5,6,10,12,15,20,30,60,300,600,3600,86400 SAMPLES 10000", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "the counter",
        shapes: MADE,
        errors: &[],
        reply: "OK; an error if the key exists. With NX: 1 if it made the counter, 0 if there is one.",
        notes: "PRECISIONS: 1 to 16 lengths of slices in whole seconds, such as `1,60,3600` (the setting \
                `counter-precisions`). SAMPLES: how many slices of each precision are kept, the current one \
                included, 1 to 10000 (the setting `counter-samples`). CLOCK and DEDUP are as in LB.CREATE. See \
                [Counters](counters.md).",
    }
    Incr: counters::increase => {
        name: c"LB.COUNTER.INCR",
        keys: &[first(Access::Write)],
        fast: true,
        arguments: "key",
        options: &[&BY, &ID, &AT, &QUIET, &NOW],
        list: "",
        summary: "Counts an event at all precisions of a counter, once for each request id",
        complexity: "O(1)",
        worst: Worst { call: "LB.COUNTER.INCR counter BY -9 ID r", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "a counter by the settings of the server",
        shapes: &[("", "big"), APPLIED],
        errors: &[],
        reply: "The total since the counter was made; for a repeated request the total as it is. QUIET: 1 if the increase was \
                applied, 0 for a repeated request.",
        notes: "BY: a whole number, perhaps negative (1). AT: the event counts in the slices that hold this moment, \
                as far as they are kept, and always in the total. The setting `auto-create` is for boards alone: with `no`, \
                this command makes a counter all the same.",
    }
    Get: counters::get => {
        name: c"LB.COUNTER.GET",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key precision",
        options: &[&FROM, &TO, &FILL],
        list: "",
        summary: "Lists the counts of a precision, oldest first",
        complexity: "O(s), s: slices kept",
        worst: Worst { call: "LB.COUNTER.GET counter 1 FILL", most: Most::Micros(10000) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "[[start:ms, count:big]...]")],
        errors: &[],
        reply: "An array of [start, count]; start in ms. Slices without a count are left out. An error for a \
                precision that the counter does not have.",
        notes: "FROM and TO: from the slice that holds the one moment to the slice that holds the other, both \
                included. FILL: slices without a count are listed, too: from FROM on, or from the first one with \
                a count, to TO, or to the last one with a count; never those that are not kept or yet to come.",
    }
    GetMany: counters::get_many => {
        name: c"LB.COUNTER.MGET",
        keys: &[KeyArgument { place: Place::CountedBehind(c"KEYS", 2), access: Access::Read }],
        fast: false,
        arguments: "precision",
        options: &[&FROM, &TO, &FILL],
        list: "KEYS n key [key ...]",
        summary: "Lists the counts of a precision of several counters",
        complexity: "O(k s), k: keys given, s: slices kept",
        worst: Worst { call: "LB.COUNTER.MGET 1 FILL KEYS 100 counter*100", most: Most::Micros(1000000) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "[[[start:ms, count:big]...]...]")],
        errors: &[],
        reply: "An array with the answer of LB.COUNTER.GET for each key.",
        notes: "In a cluster, all keys have to be in one slot.",
    }
    Alter: counters::alter => {
        name: c"LB.COUNTER.ALTER",
        keys: &[first(Access::Alter)],
        fast: false,
        arguments: "key",
        options: &[&EDITS, &SAMPLES, &DEDUP, &NOW],
        list: "",
        summary: "Changes the rules of a counter",
        complexity: "O(s), s: slices kept",
        worst: Worst { call: "LB.COUNTER.ALTER counter SAMPLES 1", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: OK,
        errors: &[],
        reply: "OK; an error if the counter does not exist.",
        notes: "PRECISIONS: precisions to add and to drop, such as `+10,-5`. An added one begins empty. Fewer SAMPLES \
                drop the oldest slices at once; more keep more from now on. At least one option is needed.",
    }
    Info: counters::info => {
        name: c"LB.COUNTER.INFO",
        keys: &[first(Access::Read)],
        fast: false,
        arguments: "key",
        options: &[],
        list: "",
        summary: "Tells a counter's rules and total",
        complexity: "O(log r), r: request ids remembered",
        worst: Worst { call: "LB.COUNTER.INFO counter", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "",
        shapes: &[("", "{precisions:text, clock:text, samples:int, dedup:int, total:big, requests:int, now:ms, memory:int}?")],
        errors: &[],
        reply: "A map: precisions, clock, samples, dedup, total, requests (ids remembered), now (ms), memory \
                (bytes); nil for an absent key.",
        notes: "",
    }
    Restore: restore::restore::<Counter> => {
        name: c"LB.COUNTER.RESTORE",
        keys: &[first(Access::Write)],
        fast: false,
        arguments: "key chunk",
        options: &[],
        list: "",
        summary: "Rebuilds a counter from a piece of a saved one",
        complexity: "O(s), s: slices in the piece",
        worst: Worst { call: "LB.COUNTER.RESTORE new chunk", most: Most::Micros(200) },
        since: "0.1.0",
        over_parts: OverParts::AsItIs,
        makes: "a counter, with the first piece",
        shapes: OK,
        errors: &[],
        reply: "OK.",
        notes: "As LB.RESTORE, for counters.",
    }
}
