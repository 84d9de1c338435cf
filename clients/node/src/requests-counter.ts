// A function for each command of counters makes its request. Made by clients/generate from docs/commands.json.

import * as d from "./decode.js";
import type {
  CounterAlterOptions,
  CounterCreateOptions,
  CounterGetOptions,
  CounterIncrOptions,
  CounterIncrQuietOptions,
  CounterMGetOptions,
} from "./options.js";
import type {
  CounterGetRow,
  CounterInfoReply,
} from "./replies.js";
import { Request, type Variants } from "./request.js";
import type { Integer, Key } from "./values.js";
import { Words } from "./words.js";

const ofCreate: Variants<boolean> = [
  [[], d.yes],
  [["NX"], d.flag],
];

/**
 * Makes a counter.
 *
 * Reply: OK; an error if the key exists. With NX: 1 if it made the counter, 0 if there is one.
 *
 * PRECISIONS: 1 to 16 lengths of slices in whole seconds, such as `1,60,3600` (the setting
 * `counter-precisions`). SAMPLES: how many slices of each precision are kept, the current one
 * included, 1 to 10000 (the setting `counter-samples`). CLOCK and DEDUP are as in LB.CREATE. See
 * Counters.
 *
 * Cost: O(1).
 */
export function create(
  key: Key,
  options: CounterCreateOptions = {},
): Request<boolean> {
  const words = new Words("LB.COUNTER.CREATE");
  words.key(key);
  words.option("PRECISIONS", options.precisions);
  words.option("SAMPLES", options.samples);
  words.option("CLOCK", options.clock);
  words.option("DEDUP", options.dedup);
  words.flag("NX", options.nx);
  return new Request(words, ofCreate, false);
}

const ofIncr: Variants<bigint> = [
  [[], d.big],
];

/**
 * Counts an event at all precisions of a counter, once for each request id.
 *
 * Reply: The total since the counter was made; for a repeated request the total as it is. QUIET: 1 if
 * the increase was applied, 0 for a repeated request.
 *
 * BY: a whole number, perhaps negative (1). AT: the event counts in the slices that hold this moment,
 * as far as they are kept, and always in the total. The setting `auto-create` is for boards alone:
 * with `no`, this command makes a counter all the same.
 *
 * Cost: O(1).
 */
export function incr(
  key: Key,
  options: CounterIncrOptions = {},
): Request<bigint> {
  const words = new Words("LB.COUNTER.INCR");
  words.key(key);
  words.option("BY", options.by);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  return new Request(words, ofIncr, false);
}

const ofIncrQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Counts an event at all precisions of a counter, once for each request id.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.COUNTER.INCR`.
 *
 * Cost: O(1).
 */
export function incrQuiet(
  key: Key,
  options: CounterIncrQuietOptions = {},
): Request<number> {
  const words = new Words("LB.COUNTER.INCR");
  words.key(key);
  words.flag("QUIET", true);
  words.option("BY", options.by);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  return new Request(words, ofIncrQuiet, false);
}

const ofGet: Variants<CounterGetRow[]> = [
  [[], d.listOf(d.array({ start: d.whole, count: d.big }))],
];

/**
 * Lists the counts of a precision, oldest first.
 *
 * Reply: An array of [start, count]; start in ms. Slices without a count are left out. An error for a
 * precision that the counter does not have.
 *
 * FROM and TO: from the slice that holds the one moment to the slice that holds the other, both
 * included. FILL: slices without a count are listed, too: from FROM on, or from the first one with a
 * count, to TO, or to the last one with a count; never those that are not kept or yet to come.
 *
 * Cost: O(s), s: slices kept.
 */
export function get(
  key: Key,
  precision: Integer,
  options: CounterGetOptions = {},
): Request<CounterGetRow[]> {
  const words = new Words("LB.COUNTER.GET");
  words.key(key);
  words.add(precision);
  words.option("FROM", options.from);
  words.option("TO", options.to);
  words.flag("FILL", options.fill);
  return new Request(words, ofGet, true);
}

const ofMGet: Variants<CounterGetRow[][]> = [
  [[], d.listOf(d.listOf(d.array({ start: d.whole, count: d.big })))],
];

/**
 * Lists the counts of a precision of several counters.
 *
 * Reply: An array with the answer of LB.COUNTER.GET for each key.
 *
 * In a cluster, all keys have to be in one slot.
 *
 * Cost: O(k s), k: keys given, s: slices kept.
 */
export function mGet(
  precision: Integer,
  keys: readonly Key[],
  options: CounterMGetOptions = {},
): Request<CounterGetRow[][]> {
  const words = new Words("LB.COUNTER.MGET");
  words.add(precision);
  words.option("FROM", options.from);
  words.option("TO", options.to);
  words.flag("FILL", options.fill);
  words.keys(keys, "KEYS");
  return new Request(words, ofMGet, true);
}

const ofAlter: Variants<void> = [
  [[], d.ok],
];

/**
 * Changes the rules of a counter.
 *
 * Reply: OK; an error if the counter does not exist.
 *
 * PRECISIONS: precisions to add and to drop, such as `+10,-5`. An added one begins empty. Fewer
 * SAMPLES drop the oldest slices at once; more keep more from now on. At least one option is needed.
 *
 * Cost: O(s), s: slices kept.
 */
export function alter(
  key: Key,
  options: CounterAlterOptions = {},
): Request<void> {
  const words = new Words("LB.COUNTER.ALTER");
  words.key(key);
  words.option("PRECISIONS", options.precisions);
  words.option("SAMPLES", options.samples);
  words.option("DEDUP", options.dedup);
  return new Request(words, ofAlter, false);
}

const ofInfo: Variants<CounterInfoReply | null> = [
  [[], d.optional(d.mapping({ precisions: ["precisions", d.text], clock: ["clock", d.text], samples: ["samples", d.whole], dedup: ["dedup", d.whole], total: ["total", d.big], requests: ["requests", d.whole], now: ["now", d.whole], memory: ["memory", d.whole] }))],
];

/**
 * Tells a counter's rules and total.
 *
 * Reply: A map: precisions, clock, samples, dedup, total, requests (ids remembered), now (ms), memory
 * (bytes); nil for an absent key.
 *
 * Cost: O(log r), r: request ids remembered.
 */
export function info(
  key: Key,
): Request<CounterInfoReply | null> {
  const words = new Words("LB.COUNTER.INFO");
  words.key(key);
  return new Request(words, ofInfo, true);
}
