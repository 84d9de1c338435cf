// A function for each command of boards makes its request. Made by clients/generate from docs/commands.json.

import * as d from "./decode.js";
import type {
  AddOptions,
  AddQuietOptions,
  AlterOptions,
  AmongOptions,
  AroundOptions,
  ClaimOptions,
  CountOptions,
  CreateOptions,
  ExportOptions,
  FindOptions,
  GetSegmentOptions,
  HistogramOptions,
  HistoryOptions,
  ImportOptions,
  InterOptions,
  JoinOptions,
  MAddOptions,
  MAddQuietOptions,
  MScoreOptions,
  MSetOptions,
  MSetQuietOptions,
  MStandingOptions,
  MVoteOptions,
  MVoteQuietOptions,
  OptionOptions,
  OptionsOptions,
  PrizesOptions,
  QuantileOptions,
  QuotaOptions,
  RangeByScoreOptions,
  RangeOptions,
  RankOptions,
  RepairOptions,
  RollAddOptions,
  RollAddQuietOptions,
  ScoreOptions,
  SegmentRankOptions,
  SegmentsOptions,
  SetOptions,
  SetQuietOptions,
  SettleOptions,
  StandingOptions,
  StatsOptions,
  TopOptions,
  UnionOptions,
  VoteOptions,
  VoteQuietOptions,
  VotersOptions,
} from "./options.js";
import type {
  AmongRow,
  ClaimReply,
  FindReply,
  HistogramRow,
  HistoryRow,
  ImportReply,
  InfoReply,
  OptionsReply,
  PartsRow,
  PeriodsRow,
  Place,
  Position,
  PrizesReply,
  QuotaRow,
  ReshardReply,
  Row,
  SegmentRankReply,
  SegmentsRow,
  StandingReply,
  StatsReply,
  Vote,
  Written,
} from "./replies.js";
import { Request, type Variants } from "./request.js";
import { writeLimit, writePart, writePrizes } from "./rules.js";
import type { Integer, Key, Numeric, Pairs, Score, Text } from "./values.js";
import { Words } from "./words.js";

const ofCreate: Variants<boolean> = [
  [[], d.yes],
  [["NX"], d.flag],
];

/**
 * Makes a board.
 *
 * Reply: OK; the error `BOARDEXISTS` if the key holds a board. With NX: 1 if it made the board, 0 if
 * there is one.
 *
 * Options of a board lists the meaning and the default of each option. NX leaves a board alone that
 * exists, whatever the other options. LIKE: takes all rules of another board, but for what other
 * options say; its members and declared options stay there. VIEWS replaces its list of views; a view
 * that both lists have keeps its RETAIN, CARRY and DECAY, unless that option names it. PRIZES of a
 * view that the new list lacks are an error. BOUNDS are the numbers that LB.INFO shows. What the other
 * board is of PART and PARTS stays there. LIMIT adds a rule, or replaces the one of this name. Without
 * the other board: the error `NOBOARD`. In a cluster, both keys have to be in one slot. PART and
 * PARTS: see Boards over many nodes. COPY of a root or part is refused. Servers do not ask a module
 * about RENAME, EXPIRE, MOVE, SET and DEL of a key: only the gateway refuses them. INCARNATION,
 * REVISION, REQUEST and RESTORING are for gateways: see LB.CATALOG.
 *
 * Cost: O(1).
 */
export function create(
  key: Key,
  options: CreateOptions = {},
): Request<boolean> {
  const words = new Words("LB.CREATE");
  words.key(key);
  words.option("VIEWS", options.views);
  words.option("ORDER", options.order);
  words.option("AGGREGATE", options.aggregate);
  words.option("TIES", options.ties);
  words.option("DECIMALS", options.decimals);
  words.option("LEVELS", options.levels);
  words.option("TZ", options.tz);
  words.option("WEEKSTART", options.weekStart);
  words.option("ORIGIN", options.origin);
  words.option("CLOCK", options.clock);
  words.option("RETAIN", options.retain);
  words.option("CARRY", options.carry);
  words.option("DECAY", options.decay);
  words.option("DEDUP", options.dedup);
  words.flag("SHOWN", options.shown);
  words.flag("DECLARED", options.declared);
  words.option("OPENS", options.opens);
  words.option("CLOSES", options.closes);
  words.option("HOURS", options.hours);
  words.option("ATTEMPTS", options.attempts);
  words.option("MAXMEMBERS", options.maxMembers);
  words.option("BOUNDS", options.bounds);
  words.rules("PRIZES", options.prizes, writePrizes);
  words.option("PRIZEDAYS", options.prizeDays);
  words.rules("LIMIT", options.limit, writeLimit);
  words.option("KEEP", options.keep);
  words.option("NOTIFYTOP", options.notifyTop);
  words.option("SEGMENTS", options.segments);
  words.rule("PART", options.part, writePart);
  words.option("PARTS", options.parts);
  words.option("LIKE", options.like);
  words.flag("NX", options.nx);
  return new Request(words, ofCreate, false);
}

const ofAlter: Variants<void> = [
  [[], d.ok],
];

/**
 * Changes what may change of a board's rules.
 *
 * Reply: OK; the error `NOBOARD` if the board does not exist; `STALE` if REVISION is not the next
 * number.
 *
 * VIEWS: views to add and to drop, such as `+month,-day:7`. An added view begins empty, and keeps one
 * past period unless RETAIN says otherwise. CARRY and DECAY: a new share counts from the next boundary
 * on. 0 ends it at once: the running period keeps what members brought into it. OPENS 0 means from the
 * beginning, CLOSES 0 without end. An empty HOURS, `ATTEMPTS 0 all`, `MAXMEMBERS 0` and `BOUNDS -inf
 * +inf` end their rules. PRIZES: a table for the periods that end from now on; an empty one ends it.
 * DECLARED begins, and does not end. LIMIT: a rule to add. It replaces a rule with the same name, and
 * keeps the used votes if scope and unit are the same. UNLIMIT: a rule to drop; rules are dropped
 * before others are added. SEGMENTS: dimensions to add and to drop, such as `+guild:SUM,-country`. An
 * added one begins without segments, in kept periods, too. NOW, which comes alone, moves a clock of
 * events forward without a write, so that periods end. At least one option is needed. REVISION and
 * REQUEST are for gateways: see LB.CATALOG. The rules of the root of a board over many nodes get the
 * next number, and its state is `altering` until all parts have them.
 *
 * Cost: O(1); O(m log m) where a view begins to carry over or to decay, O(m + p) where one ends that,
 * goes, or keeps fewer periods, O(m) where KEEP lets members fall out, m: members, p: periods kept.
 */
export function alter(
  key: Key,
  options: AlterOptions = {},
): Request<void> {
  const words = new Words("LB.ALTER");
  words.key(key);
  words.option("VIEWS", options.views);
  words.option("RETAIN", options.retain);
  words.option("CARRY", options.carry);
  words.option("DECAY", options.decay);
  words.option("DEDUP", options.dedup);
  words.flag("DECLARED", options.declared);
  words.option("OPENS", options.opens);
  words.option("CLOSES", options.closes);
  words.option("HOURS", options.hours);
  words.option("ATTEMPTS", options.attempts);
  words.option("MAXMEMBERS", options.maxMembers);
  words.option("BOUNDS", options.bounds);
  words.rules("PRIZES", options.prizes, writePrizes);
  words.option("PRIZEDAYS", options.prizeDays);
  words.rules("LIMIT", options.limit, writeLimit);
  words.repeated("UNLIMIT", options.unlimit);
  words.option("KEEP", options.keep);
  words.option("NOTIFYTOP", options.notifyTop);
  words.option("SEGMENTS", options.segments);
  words.option("NOW", options.now);
  return new Request(words, ofAlter, false);
}

const ofInfo: Variants<InfoReply | null> = [
  [[], d.optional(d.mapping({ views: ["views", d.text], order: ["order", d.text], aggregate: ["aggregate", d.text], ties: ["ties", d.text], tz: ["tz", d.text], weekStart: ["weekstart", d.text], clock: ["clock", d.text], retain: ["retain", d.text], carry: ["carry", d.text], decay: ["decay", d.text], levels: ["levels", d.text], segments: ["segments", d.text], hours: ["hours", d.text], attempts: ["attempts", d.text], bounds: ["bounds", d.text], decimals: ["decimals", d.whole], origin: ["origin", d.whole], dedup: ["dedup", d.whole], shown: ["shown", d.flag], declared: ["declared", d.flag], keep: ["keep", d.whole], opens: ["opens", d.whole], closes: ["closes", d.whole], maxMembers: ["maxmembers", d.whole], prizeDays: ["prizedays", d.whole], payouts: ["payouts", d.whole], notifyTop: ["notifytop", d.whole], members: ["members", d.whole], hidden: ["hidden", d.whole], requests: ["requests", d.whole], now: ["now", d.whole], memory: ["memory", d.whole], last: ["last", d.whole], incarnation: ["incarnation", d.big], revision: ["revision", d.big], request: ["request", d.big], target: ["target", d.whole], grown: ["grown", d.whole], token: ["token", d.big], until: ["until", d.whole], parts: ["parts", d.whole], part: ["part", d.optional(d.whole)], schema: ["schema", d.big], keys: ["keys", d.listOf(d.text)], state: ["state", d.text], limit: ["limit", d.listOf(d.text)], prizes: ["prizes", d.listOf(d.text)], writes: ["writes", d.whole], repeated: ["repeated", d.whole], votes: ["votes", d.whole], heldBack: ["held_back", d.mapOf(d.whole)], segmentCounts: ["segment_counts", d.mapOf(d.whole)] }))],
];

/**
 * Tells a board's rules and size.
 *
 * Reply: A map: views, order, aggregate, ties, tz, weekstart, clock, retain, carry, decay, levels,
 * segments (the dimensions), hours and attempts (as they are written, or empty), bounds (the least and
 * the greatest number that pass, or empty), decimals, origin, dedup, shown, declared (1 or 0), keep,
 * opens, closes (ms, or 0), maxmembers (or 0), prizedays, payouts (ended periods whose winners are
 * fixed), notifytop, members (that all see in the default view), hidden (members), requests (ids
 * remembered), now (ms), memory (bytes), last (the time of the last write, ms, or 0), incarnation,
 * revision and request (of a root or part, or 0: see LB.CATALOG), target (twice the parts of a root
 * that grows or shrinks, or 0), grown (the schema with that number of parts, or 0), token and until
 * (of a part that takes no writes while it is split or merged, or 0; until is 0 for a copy), parts (of
 * a board over many nodes, or 0), part (which of them, or nil), schema (a hash of the rules), keys (of
 * the root: those of the parts; else an empty array), state (of a root: whole, making, altering,
 * growing, shrinking, ending or restoring), limit and prizes (arrays of the rules and of the tables as
 * they are written), writes (of scores and votes, applied), repeated (requests that were applied
 * before), votes (requests to vote that were counted), held_back (a map: rule, and how many writes it
 * held back), segment_counts (a map: dimension, and how many segments have members); nil for an absent
 * key.
 *
 * writes, repeated, votes and held_back count since the board was made or loaded. A copy begins with
 * those of its source. In held_back, `closed` stands for OPENS, CLOSES and HOURS, `joined` for
 * DECLARED, `bounds`, `full` and `attempts` for BOUNDS, MAXMEMBERS and ATTEMPTS; the other rules are
 * limits of votes. LB.ALTER forgets the count of a limit that it drops.
 *
 * Cost: O(log r + p), r: request ids remembered, p: periods kept, of all views; O(k) for the root of k
 * parts.
 */
export function info(
  key: Key,
): Request<InfoReply | null> {
  const words = new Words("LB.INFO");
  words.key(key);
  return new Request(words, ofInfo, true);
}

const ofPeriods: Variants<PeriodsRow[]> = [
  [[], d.listOf(d.array({ label: d.text, start: d.optional(d.whole), end: d.optional(d.whole), members: d.whole }))],
];

/**
 * Lists the periods of a view that can be read.
 *
 * Reply: An array of [label, start, end, members] for the current period and the kept ones, newest
 * first; start and end in ms. For `all`: one entry, with nil for start and end.
 *
 * `all` begins with the board. Other views begin with the first write; before that, their list is
 * empty. A list of 10001 periods takes about 10 ms.
 *
 * Cost: O(p), p: periods listed.
 */
export function periods(
  key: Key,
  view: Text,
): Request<PeriodsRow[]> {
  const words = new Words("LB.PERIODS");
  words.key(key);
  words.add(view);
  return new Request(words, ofPeriods, true);
}

const ofAdd: Variants<Written> = [
  [[], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag })],
  [["WITHCHANGE"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, oldScore: d.optional(d.score), oldRank: d.optional(d.whole) })],
  [["WITHIN"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, within: d.optional(d.whole) })],
  [["WITHCHANGE", "WITHIN"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, oldScore: d.optional(d.score), oldRank: d.optional(d.whole), within: d.optional(d.whole) })],
];

/**
 * Adds points to a member, once for each request id.
 *
 * Reply: [score, rank, applied]: applied is 1, or 0 for a repeated request. WITHCHANGE appends score
 * and rank from before the write, nil for a new member. WITHIN appends the rank in the member's own
 * segment, or nil. QUIET: only the number of applied items, 1 or 0.
 *
 * The board's AGGREGATE defines what adding means. 0 points enter an absent member with score 0. META
 * sets the member's text in the same step, if the write is applied; an empty one deletes it. SEGMENT
 * puts the member into a segment of a dimension in the same step, also only if the write is applied;
 * an empty value takes it out. It may come once for each dimension. See Segments. A write that a rule
 * of the board holds back is the error `HELDBACK rule ms`. FORCE passes all rules, and is no attempt.
 * QUIET is for programs that write and do not read the place: no rank is counted. It cannot be used
 * with WITHCHANGE or WITHIN.
 *
 * Cost: O(log n).
 */
export function add(
  key: Key,
  points: Numeric,
  member: Text,
  options: AddOptions = {},
): Request<Written> {
  const words = new Words("LB.ADD");
  words.key(key);
  words.add(points);
  words.add(member);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.option("META", options.meta);
  words.eachPair("SEGMENT", options.segment);
  words.option("WITHIN", options.within);
  words.flag("WITHCHANGE", options.withChange);
  words.flag("FORCE", options.force);
  return new Request(words, ofAdd, false);
}

const ofAddQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Adds points to a member, once for each request id.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.ADD`.
 *
 * Cost: O(log n).
 */
export function addQuiet(
  key: Key,
  points: Numeric,
  member: Text,
  options: AddQuietOptions = {},
): Request<number> {
  const words = new Words("LB.ADD");
  words.key(key);
  words.add(points);
  words.add(member);
  words.flag("QUIET", true);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.option("META", options.meta);
  words.eachPair("SEGMENT", options.segment);
  words.flag("FORCE", options.force);
  return new Request(words, ofAddQuiet, false);
}

const ofRollAdd: Variants<Written> = [
  [[], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag })],
  [["WITHCHANGE"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, oldScore: d.optional(d.score), oldRank: d.optional(d.whole) })],
  [["WITHIN"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, within: d.optional(d.whole) })],
  [["WITHCHANGE", "WITHIN"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, oldScore: d.optional(d.score), oldRank: d.optional(d.whole), within: d.optional(d.whole) })],
];

/**
 * Adds points to a member, and tells where it stands in a rolling view.
 *
 * Reply: As LB.ADD, in the view `unit:n`; without WINDOW, in the first rolling view of the board.
 *
 * The points go to all views, as with LB.ADD.
 *
 * Cost: O(log n).
 */
export function rollAdd(
  key: Key,
  points: Numeric,
  member: Text,
  options: RollAddOptions = {},
): Request<Written> {
  const words = new Words("LB.ROLLADD");
  words.key(key);
  words.add(points);
  words.add(member);
  words.option("WINDOW", options.window);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.eachPair("SEGMENT", options.segment);
  words.option("WITHIN", options.within);
  words.flag("WITHCHANGE", options.withChange);
  words.flag("FORCE", options.force);
  return new Request(words, ofRollAdd, false);
}

const ofRollAddQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Adds points to a member, and tells where it stands in a rolling view.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.ROLLADD`.
 *
 * Cost: O(log n).
 */
export function rollAddQuiet(
  key: Key,
  points: Numeric,
  member: Text,
  options: RollAddQuietOptions = {},
): Request<number> {
  const words = new Words("LB.ROLLADD");
  words.key(key);
  words.add(points);
  words.add(member);
  words.flag("QUIET", true);
  words.option("WINDOW", options.window);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.eachPair("SEGMENT", options.segment);
  words.flag("FORCE", options.force);
  return new Request(words, ofRollAddQuiet, false);
}

const ofMAdd: Variants<Position[]> = [
  [[], d.listOf(d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag }))],
];

/**
 * Adds points to several members as one request, all or nothing.
 *
 * Reply: An array of [score, rank, applied], one for each pair, as of the end of the command. QUIET:
 * only the number of applied pairs, all or 0.
 *
 * A member may appear in the list more than once. The list has no limit, but the server does nothing
 * else meanwhile. A member takes about 1 microsecond on a board of thousands, 2 to 3 on a board of a
 * million, and twice as much with five views.
 *
 * Cost: O(m log n), m: members given.
 */
export function mAdd(
  key: Key,
  pairs: readonly (readonly [Numeric, Text])[],
  options: MAddOptions = {},
): Request<Position[]> {
  const words = new Words("LB.MADD");
  words.key(key);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.eachPair("SEGMENT", options.segment);
  words.flag("FORCE", options.force);
  words.rows(pairs);
  return new Request(words, ofMAdd, false);
}

const ofMAddQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Adds points to several members as one request, all or nothing.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.MADD`.
 *
 * Cost: O(m log n), m: members given.
 */
export function mAddQuiet(
  key: Key,
  pairs: readonly (readonly [Numeric, Text])[],
  options: MAddQuietOptions = {},
): Request<number> {
  const words = new Words("LB.MADD");
  words.key(key);
  words.flag("QUIET", true);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.eachPair("SEGMENT", options.segment);
  words.flag("FORCE", options.force);
  words.rows(pairs);
  return new Request(words, ofMAddQuiet, false);
}

const ofSet: Variants<Written> = [
  [[], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag })],
  [["WITHCHANGE"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, oldScore: d.optional(d.score), oldRank: d.optional(d.whole) })],
  [["WITHIN"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, within: d.optional(d.whole) })],
  [["WITHCHANGE", "WITHIN"], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag, oldScore: d.optional(d.score), oldRank: d.optional(d.whole), within: d.optional(d.whole) })],
];

/**
 * Gives a member this score.
 *
 * Reply: [score, rank, applied], as LB.ADD. If NX, XX, GT or LT holds the write back, applied is 0,
 * score and rank are as of the board's now, and a clock of events does not move. A member without a
 * score gives nil, nil, 0.
 *
 * NX cannot be given together with GT or LT, as in ZADD. On a SUM board, the difference is added to
 * all views. On MAX and MIN boards, the score is written even if it is worse. It counts from the
 * period of its AT on, and replaces what the member had in all other periods, also where it is the
 * member's own score. On a LAST board, the latest event wins, as with LB.ADD. A write that is held
 * back does not use up its request id. META: as LB.ADD.
 *
 * Cost: O(log n); O(log n + w) on MAX and MIN boards, w: periods that its rolling views add up.
 */
export function set(
  key: Key,
  score: Numeric,
  member: Text,
  options: SetOptions = {},
): Request<Written> {
  const words = new Words("LB.SET");
  words.key(key);
  words.add(score);
  words.add(member);
  words.flag("NX", options.nx);
  words.flag("XX", options.xx);
  words.flag("GT", options.gt);
  words.flag("LT", options.lt);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.option("META", options.meta);
  words.eachPair("SEGMENT", options.segment);
  words.option("WITHIN", options.within);
  words.flag("WITHCHANGE", options.withChange);
  words.flag("FORCE", options.force);
  return new Request(words, ofSet, false);
}

const ofSetQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Gives a member this score.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.SET`.
 *
 * Cost: O(log n); O(log n + w) on MAX and MIN boards, w: periods that its rolling views add up.
 */
export function setQuiet(
  key: Key,
  score: Numeric,
  member: Text,
  options: SetQuietOptions = {},
): Request<number> {
  const words = new Words("LB.SET");
  words.key(key);
  words.add(score);
  words.add(member);
  words.flag("QUIET", true);
  words.flag("NX", options.nx);
  words.flag("XX", options.xx);
  words.flag("GT", options.gt);
  words.flag("LT", options.lt);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.option("META", options.meta);
  words.eachPair("SEGMENT", options.segment);
  words.flag("FORCE", options.force);
  return new Request(words, ofSetQuiet, false);
}

const ofMSet: Variants<Position[]> = [
  [[], d.listOf(d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag }))],
];

/**
 * Gives several members these scores as one request, all or nothing.
 *
 * Reply: As LB.MADD.
 *
 * Does what LB.SET does, one pair after another. A member may appear in the list more than once.
 *
 * Cost: O(m log n), m: members given.
 */
export function mSet(
  key: Key,
  pairs: readonly (readonly [Numeric, Text])[],
  options: MSetOptions = {},
): Request<Position[]> {
  const words = new Words("LB.MSET");
  words.key(key);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.eachPair("SEGMENT", options.segment);
  words.flag("FORCE", options.force);
  words.rows(pairs);
  return new Request(words, ofMSet, false);
}

const ofMSetQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Gives several members these scores as one request, all or nothing.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.MSET`.
 *
 * Cost: O(m log n), m: members given.
 */
export function mSetQuiet(
  key: Key,
  pairs: readonly (readonly [Numeric, Text])[],
  options: MSetQuietOptions = {},
): Request<number> {
  const words = new Words("LB.MSET");
  words.key(key);
  words.flag("QUIET", true);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  words.eachPair("SEGMENT", options.segment);
  words.flag("FORCE", options.force);
  words.rows(pairs);
  return new Request(words, ofMSetQuiet, false);
}

const ofRem: Variants<number> = [
  [[], d.whole],
];

/**
 * Removes members with all that is kept of them.
 *
 * Reply: The number of removed members.
 *
 * Removes a member's meta, too. A member that had only a meta counts. Request ids stay: a late retry
 * does not bring a member back. The board stays when it is empty.
 *
 * Cost: O(m (log n + p)), m: members given, p: periods kept, of all views.
 */
export function rem(
  key: Key,
  members: readonly Text[],
): Request<number> {
  const words = new Words("LB.REM");
  words.key(key);
  words.many(members);
  return new Request(words, ofRem, false);
}

const ofRemRange: Variants<number> = [
  [[], d.whole],
];

/**
 * Removes the members from one rank to another.
 *
 * Reply: The number of removed members.
 *
 * The ranks are those of LB.RANGE in the default view. The members go as with LB.REM; replicas get
 * their names. On a board over many nodes, the gateway finds the members, at most 100000, and then
 * removes them as with LB.REM, whatever their ranks are by then.
 *
 * Cost: O(m (log n + p)), m: members removed, p: periods kept, of all views.
 */
export function remRange(
  key: Key,
  first: Integer,
  last: Integer,
): Request<number> {
  const words = new Words("LB.REMRANGE");
  words.key(key);
  words.add(first);
  words.add(last);
  return new Request(words, ofRemRange, false);
}

const ofRemRangeByScore: Variants<number> = [
  [[], d.whole],
];

/**
 * Removes the members with a score in a range.
 *
 * Reply: The number of removed members.
 *
 * The range is that of LB.RANGEBYSCORE in the default view. The members go as with LB.REM; replicas
 * get their names.
 *
 * Cost: O(m (log n + p)), m: members removed, p: periods kept, of all views.
 */
export function remRangeByScore(
  key: Key,
  min: Numeric,
  max: Numeric,
): Request<number> {
  const words = new Words("LB.REMRANGEBYSCORE");
  words.key(key);
  words.add(min);
  words.add(max);
  return new Request(words, ofRemRangeByScore, false);
}

const ofHide: Variants<number> = [
  [[], d.whole],
];

/**
 * Hides members from all others.
 *
 * Reply: The number of members that were not hidden before.
 *
 * A hidden member goes on playing. LB.RANK, LB.SCORE, LB.MSCORE, LB.STANDING, LB.MSTANDING, LB.AROUND
 * and the replies to its writes show it where it would be. For all others it is not there: not in
 * lines, counts, statistics, neighbours or ranks, in no period, and not in what LB.EXPORT, LB.UNION
 * and LB.INTER read. See Hidden members. The member needs no score. A board can hide at most 1000
 * members.
 *
 * Cost: O(m log n + p), m: members given, p: periods kept, of all views.
 */
export function hide(
  key: Key,
  members: readonly Text[],
): Request<number> {
  const words = new Words("LB.HIDE");
  words.key(key);
  words.many(members);
  return new Request(words, ofHide, false);
}

const ofUnhide: Variants<number> = [
  [[], d.whole],
];

/**
 * Shows hidden members again, with all that they got meanwhile.
 *
 * Reply: The number of members that were hidden before.
 *
 * With KEEP, the current periods are cut to their best n members again, so the member or others may
 * fall out. See Keeping the best.
 *
 * Cost: O(m log n + p), m: members given, p: periods kept, of all views.
 */
export function unhide(
  key: Key,
  members: readonly Text[],
): Request<number> {
  const words = new Words("LB.UNHIDE");
  words.key(key);
  words.many(members);
  return new Request(words, ofUnhide, false);
}

const ofHidden: Variants<string[]> = [
  [[], d.listOf(d.text)],
];

/**
 * Lists the hidden members.
 *
 * Reply: An array of members, by name.
 *
 * Cost: O(h log h), h: hidden members.
 */
export function hidden(
  key: Key,
): Request<string[]> {
  const words = new Words("LB.HIDDEN");
  words.key(key);
  return new Request(words, ofHidden, true);
}

const ofSetMeta: Variants<void> = [
  [[], d.ok],
];

/**
 * Keeps a text beside a member; an empty one deletes it.
 *
 * Reply: OK.
 *
 * At most 4096 bytes, such as a display name, a country, or a small JSON. The member needs no score.
 *
 * Cost: O(log n); O(log n + p) where a text is deleted, p: periods kept, of all views.
 */
export function setMeta(
  key: Key,
  member: Text,
  meta: Text,
): Request<void> {
  const words = new Words("LB.SETMETA");
  words.key(key);
  words.add(member);
  words.add(meta);
  return new Request(words, ofSetMeta, false);
}

const ofGetMeta: Variants<string | null> = [
  [[], d.optional(d.text)],
];

/**
 * Tells the text beside a member.
 *
 * Reply: The text, or nil.
 *
 * Cost: O(log n).
 */
export function getMeta(
  key: Key,
  member: Text,
): Request<string | null> {
  const words = new Words("LB.GETMETA");
  words.key(key);
  words.add(member);
  return new Request(words, ofGetMeta, true);
}

const ofMGetMeta: Variants<(string | null)[]> = [
  [[], d.listOf(d.optional(d.text))],
];

/**
 * Tells the texts beside several members.
 *
 * Reply: An array of texts, nil where there is none.
 *
 * Cost: O(m log n), m: members given.
 */
export function mGetMeta(
  key: Key,
  members: readonly Text[],
): Request<(string | null)[]> {
  const words = new Words("LB.MGETMETA");
  words.key(key);
  words.counted(members, "MEMBERS");
  return new Request(words, ofMGetMeta, true);
}

const ofTop: Variants<Row[]> = [
  [[], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score }))],
  [["WITHMETA"], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text) }))],
];

/**
 * Shows the best members.
 *
 * Reply: An array of [rank, member, score]. WITHMETA appends the meta, or nil, to each. FLAT: one
 * array of the first rank and, for each row, member, score and with WITHMETA the meta or nil. PACKED:
 * an array of the first rank and the rows in one string.
 *
 * FLAT and PACKED take much less time; each rank is one more than the one before it, so RANKS
 * COMPETITION and DENSE are errors with them. See Pages in other forms.
 *
 * Cost: O(log n + m), m: lines shown.
 */
export function top(
  key: Key,
  count: Integer,
  options: TopOptions = {},
): Request<Row[]> {
  const words = new Words("LB.TOP");
  words.key(key);
  words.add(count);
  words.option("OFFSET", options.offset);
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofTop, true);
}

const ofRange: Variants<Row[]> = [
  [[], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score }))],
  [["WITHMETA"], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text) }))],
];

/**
 * Shows the members from one rank to another.
 *
 * Reply: As LB.TOP.
 *
 * first and last are ordinal ranks: 1 is the top, -1 the last, both ends included; 0 is an error.
 * RANKS changes how the lines are numbered, not which are shown.
 *
 * Cost: O(log n + m), m: lines shown.
 */
export function range(
  key: Key,
  first: Integer,
  last: Integer,
  options: RangeOptions = {},
): Request<Row[]> {
  const words = new Words("LB.RANGE");
  words.key(key);
  words.add(first);
  words.add(last);
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofRange, true);
}

const ofRangeByScore: Variants<Row[]> = [
  [[], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score }))],
  [["WITHMETA"], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text) }))],
];

/**
 * Shows the members with a score in a range, best first.
 *
 * Reply: As LB.TOP.
 *
 * min is the smaller score, whatever the ORDER. `(5` excludes 5. -inf and +inf are allowed.
 *
 * Cost: O(log n + m), m: lines shown.
 */
export function rangeByScore(
  key: Key,
  min: Numeric,
  max: Numeric,
  options: RangeByScoreOptions = {},
): Request<Row[]> {
  const words = new Words("LB.RANGEBYSCORE");
  words.key(key);
  words.add(min);
  words.add(max);
  words.option("OFFSET", options.offset);
  words.option("COUNT", options.count);
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofRangeByScore, true);
}

const ofAround: Variants<Row[]> = [
  [[], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score }))],
  [["WITHMETA"], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text) }))],
];

/**
 * Shows a member with those above and below it.
 *
 * Reply: As LB.TOP; empty for an unknown member.
 *
 * The forms are `count`, `ABOVE n`, `BELOW n` and `ABOVE n BELOW n`, each also with FILL; one of them
 * is needed, and count beside ABOVE or BELOW is an error. Shows up to count members on each side, or
 * up to ABOVE and BELOW (0 where one of them is missing). FILL: where one side has too few, the other
 * one shows more. ABOVE 0 BELOW n is the page behind a member, however many came before it meanwhile.
 * A hidden member sees its own line.
 *
 * Cost: O(log n + m), m: lines shown.
 */
export function around(
  key: Key,
  member: Text,
  options: AroundOptions = {},
): Request<Row[]> {
  const words = new Words("LB.AROUND");
  words.key(key);
  words.add(member);
  words.addIf(options.count);
  words.option("ABOVE", options.above);
  words.option("BELOW", options.below);
  words.flag("FILL", options.fill);
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("WITHIN", options.within);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofAround, true);
}

const ofRank: Variants<number | null> = [
  [[], d.optional(d.whole)],
];

/**
 * Tells a member's rank.
 *
 * Reply: The rank from 1, or nil.
 *
 * Cost: O(log n).
 */
export function rank(
  key: Key,
  member: Text,
  options: RankOptions = {},
): Request<number | null> {
  const words = new Words("LB.RANK");
  words.key(key);
  words.add(member);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("WITHIN", options.within);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofRank, true);
}

const ofScore: Variants<Score | null> = [
  [[], d.optional(d.score)],
];

/**
 * Tells a member's score.
 *
 * Reply: The score, or nil.
 *
 * Accepts RANKS and REV, without effect.
 *
 * Cost: O(1).
 */
export function score(
  key: Key,
  member: Text,
  options: ScoreOptions = {},
): Request<Score | null> {
  const words = new Words("LB.SCORE");
  words.key(key);
  words.add(member);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("WITHIN", options.within);
  words.flag("REAL", options.real);
  return new Request(words, ofScore, true);
}

const ofMScore: Variants<(Place | null)[]> = [
  [[], d.listOf(d.optional(d.array({ rank: d.whole, score: d.score })))],
  [["WITHMETA"], d.listOf(d.optional(d.array({ rank: d.whole, score: d.score, meta: d.optional(d.text) })))],
];

/**
 * Tells the ranks and scores of several members.
 *
 * Reply: An array of [rank, score], nil for an unknown member. WITHMETA appends the meta, or nil.
 *
 * Cost: O(m log n), m: members given.
 */
export function mScore(
  key: Key,
  members: readonly Text[],
  options: MScoreOptions = {},
): Request<(Place | null)[]> {
  const words = new Words("LB.MSCORE");
  words.key(key);
  words.counted(members, "MEMBERS");
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofMScore, true);
}

const ofStanding: Variants<StandingReply | null> = [
  [[], d.optional(d.mapping({ rank: ["rank", d.whole], score: ["score", d.score], members: ["members", d.whole], percentile: ["percentile", d.decimal], ahead: ["ahead", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], behind: ["behind", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], previous: ["previous", d.optional(d.array({ rank: d.whole, score: d.score }))], change: ["change", d.optional(d.whole)], at: ["at", d.optional(d.whole)] }))],
  [["WITHMETA"], d.optional(d.mapping({ rank: ["rank", d.whole], score: ["score", d.score], members: ["members", d.whole], percentile: ["percentile", d.decimal], ahead: ["ahead", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], behind: ["behind", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], previous: ["previous", d.optional(d.array({ rank: d.whole, score: d.score }))], change: ["change", d.optional(d.whole)], at: ["at", d.optional(d.whole)], meta: ["meta", d.optional(d.text)] }))],
];

/**
 * Tells everything about where a member stands.
 *
 * Reply: A map: rank, score, members, percentile (share of members ranked at or below it, two
 * decimals; the leader has 100.00), ahead (the member above: [member, score, gap], or nil), behind
 * (the member below, likewise), previous ([rank, score] in the period before, or nil), change
 * (previous rank minus rank, or nil), at (ms: when it got this score; nil in past periods), with
 * WITHMETA meta; nil for an unknown member.
 *
 * For a hidden member, members and percentile count the member itself beside those that all see. With
 * RANKS COMPETITION and DENSE, all members with the same score are at or below it. With LEVELS, gap is
 * the difference level by level, so a level of it can be negative, and beyond its max.
 *
 * Cost: O(log n).
 */
export function standing(
  key: Key,
  member: Text,
  options: StandingOptions = {},
): Request<StandingReply | null> {
  const words = new Words("LB.STANDING");
  words.key(key);
  words.add(member);
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("WITHIN", options.within);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofStanding, true);
}

const ofHistory: Variants<HistoryRow[]> = [
  [[], d.listOf(d.array({ label: d.text, start: d.optional(d.whole), rank: d.optional(d.whole), score: d.optional(d.score), members: d.whole }))],
];

/**
 * Tells where a member stood in the last periods.
 *
 * Reply: An array of [label, start, rank, score, members], one for each period that can be read, the
 * running one first; rank and score are nil where the member was not in. start in ms. For `all`: one
 * entry, with nil for start.
 *
 * COUNT: periods, 10 by default, at most 1000. With IN and WITHIN, rank and members are those in the
 * segment. A hidden member counts itself.
 *
 * Cost: O(p log n), p: periods listed.
 */
export function history(
  key: Key,
  member: Text,
  options: HistoryOptions = {},
): Request<HistoryRow[]> {
  const words = new Words("LB.HISTORY");
  words.key(key);
  words.add(member);
  words.option("COUNT", options.count);
  words.option("VIEW", options.view);
  words.option("IN", options.in);
  words.option("WITHIN", options.within);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofHistory, true);
}

const ofFind: Variants<FindReply> = [
  [[], d.array({ cursor: d.text, members: d.listOf(d.array({ member: d.text, score: d.optional(d.score), rank: d.optional(d.whole) })) })],
  [["WITHMETA"], d.array({ cursor: d.text, members: d.listOf(d.array({ member: d.text, score: d.optional(d.score), rank: d.optional(d.whole), meta: d.optional(d.text) })) })],
];

/**
 * Finds members whose names match a pattern, page by page.
 *
 * Reply: [cursor, members]: the cursor of the next page, 0 after the last page, and [member, score,
 * rank] for each member found; score and rank are those in the default view now, nil for a member that
 * is not in it. WITHMETA appends the meta, or nil, to each.
 *
 * The pattern is as in SCAN's MATCH: `*`, `?`, `[a-z]`, `[^a]`, and `\` before a byte that stands for
 * itself; 1 to 512 bytes. Begin with cursor 0; a page can be empty before the last one. COUNT: about
 * how many members a call looks at, 1000 by default, at most 10000; fewer where names and pattern are
 * long. A board of up to 1024 members can come in one page, whatever COUNT says. Members come in no
 * particular order. A member that stays is seen once. A cursor is an error after the board was loaded
 * anew, for example by a restart: begin again. Hidden members are left out: see LB.HIDDEN.
 *
 * Cost: O(c (m + log n)), c: COUNT, m: length of the pattern times that of a name.
 */
export function find(
  key: Key,
  cursor: Text,
  pattern: Text,
  options: FindOptions = {},
): Request<FindReply> {
  const words = new Words("LB.FIND");
  words.key(key);
  words.add(cursor);
  words.add(pattern);
  words.option("COUNT", options.count);
  words.flag("WITHMETA", options.withMeta);
  return new Request(words, ofFind, true);
}

const ofMStanding: Variants<(StandingReply | null)[]> = [
  [[], d.listOf(d.optional(d.mapping({ rank: ["rank", d.whole], score: ["score", d.score], members: ["members", d.whole], percentile: ["percentile", d.decimal], ahead: ["ahead", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], behind: ["behind", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], previous: ["previous", d.optional(d.array({ rank: d.whole, score: d.score }))], change: ["change", d.optional(d.whole)], at: ["at", d.optional(d.whole)] })))],
  [["WITHMETA"], d.listOf(d.optional(d.mapping({ rank: ["rank", d.whole], score: ["score", d.score], members: ["members", d.whole], percentile: ["percentile", d.decimal], ahead: ["ahead", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], behind: ["behind", d.optional(d.array({ member: d.text, score: d.score, gap: d.score }))], previous: ["previous", d.optional(d.array({ rank: d.whole, score: d.score }))], change: ["change", d.optional(d.whole)], at: ["at", d.optional(d.whole)], meta: ["meta", d.optional(d.text)] })))],
];

/**
 * Tells everything about where several members stand.
 *
 * Reply: An array of what LB.STANDING replies.
 *
 * Cost: O(m log n), m: members given.
 */
export function mStanding(
  key: Key,
  members: readonly Text[],
  options: MStandingOptions = {},
): Request<(StandingReply | null)[]> {
  const words = new Words("LB.MSTANDING");
  words.key(key);
  words.counted(members, "MEMBERS");
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofMStanding, true);
}

const ofCount: Variants<number> = [
  [[], d.whole],
];

/**
 * Counts the members, or those with a score in a range.
 *
 * Reply: A number; 0 for an absent key.
 *
 * The range is that of LB.RANGEBYSCORE. Accepts RANKS and REV, without effect.
 *
 * Cost: O(log n).
 */
export function count(
  key: Key,
  options: CountOptions = {},
): Request<number> {
  const words = new Words("LB.COUNT");
  words.key(key);
  words.addIf(options.minMax);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.flag("REAL", options.real);
  return new Request(words, ofCount, true);
}

const ofAmong: Variants<AmongRow[]> = [
  [[], d.listOf(d.array({ place: d.whole, member: d.text, score: d.score, rank: d.whole }))],
  [["WITHMETA"], d.listOf(d.array({ place: d.whole, member: d.text, score: d.score, rank: d.whole, meta: d.optional(d.text) }))],
];

/**
 * Shows the ranking among some members, such as friends.
 *
 * Reply: An array of [place, member, score, rank], best first: the place among these members, and the
 * rank among all. WITHMETA appends the meta, or nil, to each.
 *
 * Members without a score are left out. A member that is named twice counts once. RANKS is for both
 * numbers.
 *
 * Cost: O(m log m + m log n), m: members given.
 */
export function among(
  key: Key,
  members: readonly Text[],
  options: AmongOptions = {},
): Request<AmongRow[]> {
  const words = new Words("LB.AMONG");
  words.key(key);
  words.counted(members, "MEMBERS");
  words.flag("WITHMETA", options.withMeta);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.option("RANKS", options.ranks);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofAmong, true);
}

const ofStats: Variants<StatsReply | null> = [
  [[], d.optional(d.mapping({ members: ["members", d.whole], sum: ["sum", d.optional(d.score)], mean: ["mean", d.optional(d.decimal)], min: ["min", d.optional(d.score)], max: ["max", d.optional(d.score)], median: ["median", d.optional(d.score)] }))],
];

/**
 * Tells the sum, the mean and the median of the scores.
 *
 * Reply: A map: members, sum (exact; a string where it does not fit 64 bits), mean (a string with six
 * digits after the point), min, max (the least and the greatest score), median (LB.QUANTILE 0.5); nil
 * for an absent key. Without members, sum is 0 and what follows nil.
 *
 * With LEVELS, sum and mean are nil. Accepts RANKS and REV, without effect.
 *
 * Cost: O(log n).
 */
export function stats(
  key: Key,
  options: StatsOptions = {},
): Request<StatsReply | null> {
  const words = new Words("LB.STATS");
  words.key(key);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.flag("REAL", options.real);
  return new Request(words, ofStats, true);
}

const ofQuantile: Variants<(Score | null)[]> = [
  [[], d.listOf(d.optional(d.score))],
];

/**
 * Tells the scores at shares of the members from the bottom.
 *
 * Reply: An array of scores, one for each q; nil where nobody is ranked.
 *
 * q is 0 to 1, with at most nine digits. The score is the least one with at least this share of the
 * members at or below it (nearest rank): by value, whatever the ORDER. 0 is the least score, 1 the
 * greatest. At most 1000 shares. Accepts RANKS and REV, without effect.
 *
 * Cost: O(log n) for each q.
 */
export function quantile(
  key: Key,
  qs: readonly Numeric[],
  options: QuantileOptions = {},
): Request<(Score | null)[]> {
  const words = new Words("LB.QUANTILE");
  words.key(key);
  words.many(qs);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.flag("REAL", options.real);
  return new Request(words, ofQuantile, true);
}

const ofHistogram: Variants<HistogramRow[]> = [
  [[], d.listOf(d.array({ from: d.score, to: d.score, members: d.whole }))],
];

/**
 * Counts the members in ranges of scores of equal width.
 *
 * Reply: An array of [from, to, members]. Only the last range includes its end. Empty for an absent
 * key.
 *
 * min and max are those of LB.RANGEBYSCORE. The first range begins at the least score within these
 * bounds, and the last one ends at the greatest: of `(0` and `9.5` on a board of whole numbers these
 * are 1 and 9. -inf and +inf are the ends of the range of all scores, not the scores of members. Edges
 * are scores of the board: where the width is no whole number of smallest units, they are rounded up,
 * so narrow ranges can be empty. With LEVELS, ranges divide the one number that the levels make: edges
 * can be such as `3/20`, and -inf and +inf give edges with a first level beyond its max. Bounds with
 * no score between them are an error. buckets is 1 to 10000. Accepts RANKS and REV, without effect.
 *
 * Cost: O(b log n), b: buckets.
 */
export function histogram(
  key: Key,
  min: Numeric,
  max: Numeric,
  buckets: Text,
  options: HistogramOptions = {},
): Request<HistogramRow[]> {
  const words = new Words("LB.HISTOGRAM");
  words.key(key);
  words.add(min);
  words.add(max);
  words.add(buckets);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.flag("REAL", options.real);
  return new Request(words, ofHistogram, true);
}

const ofSegment: Variants<number> = [
  [[], d.whole],
];

/**
 * Puts a member into segments, such as a country and a guild.
 *
 * Reply: The number of segments that have changed; the error `NOBOARD` if the board does not exist.
 *
 * name is a dimension of the board (SEGMENTS), value the segment: up to 64 bytes; an empty value takes
 * the member out of its segment. The member takes its scores along in the running periods. Periods
 * that have ended stay as they ended. The member needs no score. See Segments.
 *
 * Cost: O(v log n), v: views.
 */
export function segment(
  key: Key,
  member: Text,
  pairs: Pairs,
): Request<number> {
  const words = new Words("LB.SEGMENT");
  words.key(key);
  words.add(member);
  words.pairs(pairs);
  return new Request(words, ofSegment, false);
}

const ofGetSegment: Variants<Map<string, string>> = [
  [[], d.mapOf(d.text)],
];

/**
 * Tells the segments of a member.
 *
 * Reply: A map: name and value of each dimension in which the member is in a segment.
 *
 * With PERIOD or AT of a period that has ended: the segments in which the member ended it.
 *
 * Cost: O(log n).
 */
export function getSegment(
  key: Key,
  member: Text,
  options: GetSegmentOptions = {},
): Request<Map<string, string>> {
  const words = new Words("LB.GETSEGMENT");
  words.key(key);
  words.add(member);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  return new Request(words, ofGetSegment, true);
}

const ofSegments: Variants<SegmentsRow[]> = [
  [[], d.listOf(d.array({ rank: d.whole, value: d.text, score: d.score, members: d.whole }))],
];

/**
 * Shows the ranking of the segments of a dimension.
 *
 * Reply: An array of [rank, value, score, members], best first. score is what the dimension says: the
 * sum of the members' scores (a string where it does not fit 64 bits), their number, or their best
 * score.
 *
 * COUNT: lines shown, 10 by default. A segment without visible members in the period is not in the
 * list. Segments with equal scores are in the order of TIES: by the last command that changed their
 * score, with LEX by value. REV: from the last segment on.
 *
 * Cost: O(log s + m log n), s: segments, m: lines shown; the first read of an ended period O(n log s).
 */
export function segments(
  key: Key,
  name: Text,
  options: SegmentsOptions = {},
): Request<SegmentsRow[]> {
  const words = new Words("LB.SEGMENTS");
  words.key(key);
  words.add(name);
  words.option("COUNT", options.count);
  words.option("OFFSET", options.offset);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofSegments, true);
}

const ofSegmentRank: Variants<SegmentRankReply | null> = [
  [[], d.optional(d.array({ rank: d.whole, score: d.score, members: d.whole }))],
];

/**
 * Tells the rank of a segment among the segments of its dimension.
 *
 * Reply: [rank, score, members], as LB.SEGMENTS, or nil if no visible member is in the segment.
 *
 * Cost: O(log n); in an ended period O(s), s: segments, and the first read of one O(n log s).
 */
export function segmentRank(
  key: Key,
  name: Text,
  value: Text,
  options: SegmentRankOptions = {},
): Request<SegmentRankReply | null> {
  const words = new Words("LB.SEGMENTRANK");
  words.key(key);
  words.add(name);
  words.add(value);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofSegmentRank, true);
}

const ofParts: Variants<PartsRow[] | null> = [
  [[], d.optional(d.listOf(d.array({ part: d.whole, key: d.text, slot: d.whole, node: d.optional(d.text), incarnation: d.optional(d.big), revision: d.optional(d.big), members: d.optional(d.whole), memory: d.optional(d.whole), idle: d.optional(d.whole), problem: d.optional(d.text) })))],
];

/**
 * Tells what is in each part of a board, and what is wrong with it.
 *
 * Reply: An array, for each part: its number, its key, the slot of its key, the address of its node,
 * its incarnation, the number of its rules, members, memory (bytes), idle (ms since its last write;
 * nil before the first), and what is wrong with it, or nil. Nil for a key without a board over parts.
 * The gateway carries it out; a server refuses it.
 *
 * If the root is lost, the parts that are left are listed. LB.REPAIR mends what is wrong.
 *
 * Cost: O(k), k: parts.
 */
export function parts(
  key: Key,
): Request<PartsRow[] | null> {
  const words = new Words("LB.PARTS");
  words.key(key);
  return new Request(words, ofParts, true);
}

const ofRepair: Variants<string[]> = [
  [[], d.listOf(d.text)],
];

/**
 * Makes a board over parts whole again.
 *
 * Reply: An array of texts: what was done. It is empty if nothing was wrong. The gateway carries it
 * out; a server refuses it.
 *
 * Finishes an LB.CREATE, LB.ALTER or DEL that broke off, makes a lost root again from its parts, and
 * gives all parts the latest rules. If a part is lost, its members are gone: the error says which
 * part, and FORCE makes the part again, empty. FORCE also deletes parts of an earlier board with this
 * name.
 *
 * Cost: O(k), k: parts; the rules of parts change as by LB.ALTER.
 */
export function repair(
  key: Key,
  options: RepairOptions = {},
): Request<string[]> {
  const words = new Words("LB.REPAIR");
  words.key(key);
  words.flag("FORCE", options.force);
  return new Request(words, ofRepair, false);
}

const ofReshard: Variants<ReshardReply> = [
  [[], d.array({ parts: d.whole, wanted: d.whole })],
];

/**
 * Doubles or halves the parts of a board, or makes parts of a plain board, while it is used.
 *
 * Reply: An array: how many parts there are now, and how many are wanted. If they are equal, the board
 * has them. Else TIMEOUT has passed, or the gateway was stopped: repeat the command. The gateway
 * carries it out; a server refuses it.
 *
 * The number of parts is a power of two; 1 is a plain board. A plain board gets two parts first, and
 * is read meanwhile, but takes no writes while it is copied. The gateway splits one part after the
 * other, or merges two parts after two others, and looks at TIMEOUT (10 s) in between. Until the board
 * has the wanted parts, LB.ALTER is refused. Reads and writes work all along: see Growth and Fewer
 * parts.
 *
 * Cost: O(n log n), n: members; each part takes no writes while it is split or merged.
 */
export function reshard(
  key: Key,
  parts: Text,
): Request<ReshardReply> {
  const words = new Words("LB.RESHARD");
  words.key(key);
  words.add(parts);
  return new Request(words, ofReshard, false);
}

const ofImport_: Variants<number | ImportReply> = [
  [[], d.whole],
  [["CURSOR"], d.array({ cursor: d.text, imported: d.whole })],
];

/**
 * Adds the members of a sorted set to a board, with their scores as points.
 *
 * Reply: The number of imported members; with CURSOR an array of the next cursor and this number.
 *
 * A board with members needs MERGE, which adds to those that it has, or NX, which leaves them alone.
 * It has those that are in the current period of any of its views. Members with equal scores keep
 * their order: that of ZREVRANGE with ORDER DESC, that of ZRANGE with ORDER ASC. A score is the
 * shortest decimal that gives the sorted set's double, so 0.1 is 0.1; one that the board cannot hold
 * is an error that names the member, and nothing is imported. ROUND rounds to the nearest score
 * instead, halves away from 0. AT: when these points were won, as in LB.MADD. CURSOR: imports in
 * steps, of COUNT members (1000) each. Begin with 0, go on with the cursor of the reply until that is
 * 0. The first step makes members, so the second and later ones need MERGE or NX, whatever the board
 * was before. A member whose score stays is imported once, whatever else changes between the steps.
 * Replicas get what was imported, as LB.MADD. See Moving. Into a board over many nodes, the gateway
 * imports in steps of at most 10000 members, so CURSOR is needed; the sorted set may be on any node. A
 * step that not all parts have taken is repeated with NX. With MERGE, ID is needed: repeating the step
 * with it completes it, and counts nothing twice.
 *
 * Cost: O(m log n), m: members of the sorted set, or of the step.
 */
function import_(
  key: Key,
  zset: Key,
  options: ImportOptions = {},
): Request<number | ImportReply> {
  const words = new Words("LB.IMPORT");
  words.key(key);
  words.key(zset);
  words.flag("MERGE", options.merge);
  words.flag("NX", options.nx);
  words.flag("ROUND", options.round);
  words.option("AT", options.at);
  words.option("CURSOR", options.cursor);
  words.option("COUNT", options.count);
  return new Request(words, ofImport_, false);
}
export { import_ as import };

const ofExport_: Variants<number> = [
  [[], d.whole],
];

/**
 * Stores a ranking as a sorted set.
 *
 * Reply: The number of stored members.
 *
 * The sorted set takes the place of what dest holds, whatever that is. Scores become the nearest
 * doubles, members with equal scores are sorted by name, as in every sorted set. COUNT: only so many
 * of the best. dest and key cannot be the same key. Replicas get DEL and ZADD. From a board over many
 * nodes, the gateway stores up to 1000000 members, or with COUNT the best 100000; dest may be on any
 * node, and changes in one step, when all members are there.
 *
 * Cost: O(m log m), m: members stored.
 */
function export_(
  dest: Key,
  key: Key,
  options: ExportOptions = {},
): Request<number> {
  const words = new Words("LB.EXPORT");
  words.key(dest);
  words.key(key);
  words.option("COUNT", options.count);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("IN", options.in);
  words.flag("REAL", options.real);
  words.flag("REV", options.rev);
  return new Request(words, ofExport_, false);
}
export { export_ as export };

const ofUnion: Variants<number> = [
  [[], d.whole],
];

/**
 * Makes a board of the members of several boards or sorted sets.
 *
 * Reply: The number of members of the new board.
 *
 * The board takes the place of what dest holds, whatever that is. It has the view `all`, AGGREGATE
 * SUM, and order, ties, decimals, clock, time zone and DEDUP of the first source that is a board.
 * WEIGHTS: a factor for each source, with up to nine digits after the point; products are rounded
 * down. AGGREGATE: what becomes of the parts of a member (SUM). VIEW and PERIOD: one for all boards,
 * or a list with one for each source, such as `PERIOD -3,-2,-1` for a quarter of three kept months. A
 * member's moment is the latest of its parts' moments; in a period that has ended that is its last
 * millisecond. Equals of one moment stand as in the source that gives the moment: the last one in the
 * list, where several do; what earlier sources give stands before what later ones give. Members of
 * sorted sets have no moment: a member of sorted sets alone counts as of the new board's now, which is
 * the now of the first source that is a board (else that of the server), or the latest moment of a
 * part if that is later. Their order is that of ZREVRANGE, or of ZRANGE with ORDER ASC. A source may
 * have more decimals than the result, but a score of it that needs them is an error that names the
 * member, whatever its weight; name the board with most decimals first. Without members, dest is
 * deleted. Metas and segments stay behind. In a cluster, all keys have to be in one slot.
 *
 * Cost: O(m log m), m: members of all sources.
 */
export function union(
  dest: Key,
  keys: readonly Key[],
  options: UnionOptions = {},
): Request<number> {
  const words = new Words("LB.UNION");
  words.key(dest);
  words.keys(keys);
  words.optionOfMany("WEIGHTS", options.weights);
  words.option("AGGREGATE", options.aggregate);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.flag("REAL", options.real);
  return new Request(words, ofUnion, false);
}

const ofInter: Variants<number> = [
  [[], d.whole],
];

/**
 * Makes a board of the members that several boards or sorted sets have in common.
 *
 * Reply: The number of members of the new board.
 *
 * As LB.UNION, with those members only that all sources have.
 *
 * Cost: O(m log m), m: members of all sources.
 */
export function inter(
  dest: Key,
  keys: readonly Key[],
  options: InterOptions = {},
): Request<number> {
  const words = new Words("LB.INTER");
  words.key(dest);
  words.keys(keys);
  words.optionOfMany("WEIGHTS", options.weights);
  words.option("AGGREGATE", options.aggregate);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.flag("REAL", options.real);
  return new Request(words, ofInter, false);
}

const ofVote: Variants<Vote> = [
  [[], d.oneOf<Vote>(d.array({ accepted: d.flag, positions: d.listOf(d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag })) }), d.array({ accepted: d.flag, rule: d.text, retryAfter: d.whole }))],
];

/**
 * Counts votes for a member, if all rules of the board hold.
 *
 * Reply: [1, [[score, rank, applied]]] in the default view if the vote is accepted: applied is 1, or 0
 * for a repeated request. [0, rule, retry-after] if this rule holds it back: the rule starts again in
 * retry-after ms, or waiting does not help (-1). QUIET: only how many items were applied, 0 for a
 * repeated request and where a rule holds the vote back.
 *
 * votes: an integer from 1. BY and TAG: who votes, up to 256 bytes each, at most 16 tags. A vote that
 * is held back changes nothing: it uses up no request id, goes to no replica, and notifies nobody. A
 * repeated request is answered before any rule is checked. See Votes.
 *
 * Cost: O(log n + r), r: rules of the board.
 */
export function vote(
  key: Key,
  votes: Integer,
  member: Text,
  options: VoteOptions = {},
): Request<Vote> {
  const words = new Words("LB.VOTE");
  words.key(key);
  words.add(votes);
  words.add(member);
  words.option("BY", options.by);
  words.eachPair("TAG", options.tag);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  return new Request(words, ofVote, false);
}

const ofVoteQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Counts votes for a member, if all rules of the board hold.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.VOTE`.
 *
 * Cost: O(log n + r), r: rules of the board.
 */
export function voteQuiet(
  key: Key,
  votes: Integer,
  member: Text,
  options: VoteQuietOptions = {},
): Request<number> {
  const words = new Words("LB.VOTE");
  words.key(key);
  words.add(votes);
  words.add(member);
  words.flag("QUIET", true);
  words.option("BY", options.by);
  words.eachPair("TAG", options.tag);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  return new Request(words, ofVoteQuiet, false);
}

const ofMVote: Variants<Vote> = [
  [[], d.oneOf<Vote>(d.array({ accepted: d.flag, positions: d.listOf(d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag })) }), d.array({ accepted: d.flag, rule: d.text, retryAfter: d.whole }))],
];

/**
 * Counts votes for several members as one request, all or none of them.
 *
 * Reply: As LB.VOTE, with one [score, rank, applied] for each pair, as of the end of the command.
 * QUIET: the number of applied pairs, all or 0.
 *
 * All rules must hold for all members. A rule that counts by voter counts the sum of all votes. A
 * member may appear in the list more than once.
 *
 * Cost: O(m (log n + r)), m: members given, r: rules of the board.
 */
export function mVote(
  key: Key,
  pairs: readonly (readonly [Integer, Text])[],
  options: MVoteOptions = {},
): Request<Vote> {
  const words = new Words("LB.MVOTE");
  words.key(key);
  words.option("BY", options.by);
  words.eachPair("TAG", options.tag);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.rows(pairs);
  return new Request(words, ofMVote, false);
}

const ofMVoteQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Counts votes for several members as one request, all or none of them.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.MVOTE`.
 *
 * Cost: O(m (log n + r)), m: members given, r: rules of the board.
 */
export function mVoteQuiet(
  key: Key,
  pairs: readonly (readonly [Integer, Text])[],
  options: MVoteQuietOptions = {},
): Request<number> {
  const words = new Words("LB.MVOTE");
  words.key(key);
  words.flag("QUIET", true);
  words.option("BY", options.by);
  words.eachPair("TAG", options.tag);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  words.rows(pairs);
  return new Request(words, ofMVoteQuiet, false);
}

const ofQuota: Variants<QuotaRow[]> = [
  [[], d.listOf(d.array({ rule: d.text, used: d.whole, max: d.whole, retryAfter: d.whole }))],
];

/**
 * Tells what a voter has used of each rule that applies.
 *
 * Reply: An array of [rule, used, max, ms]: votes counted in this period, votes allowed with the
 * bonuses of these tags, and the ms until the rule starts again (-1: never).
 *
 * A rule applies if everything that it counts by is given. With MEMBER, and without BY and TAG, the
 * rules for scores come first, where the board has them: `closed` (0 or 1 of 1, and the ms until it
 * opens; -1 while it is open), `attempts`, and `full` (members of MAXMEMBERS, and the ms until the
 * period of the default view ends). On a board over many nodes, the member's part has them, and there
 * are no limits.
 *
 * Cost: O(r), r: rules of the board.
 */
export function quota(
  key: Key,
  options: QuotaOptions = {},
): Request<QuotaRow[]> {
  const words = new Words("LB.QUOTA");
  words.key(key);
  words.option("BY", options.by);
  words.option("MEMBER", options.member);
  words.eachPair("TAG", options.tag);
  words.option("AT", options.at);
  return new Request(words, ofQuota, true);
}

const ofOption: Variants<void> = [
  [[], d.ok],
];

/**
 * Declares an option that can be voted for.
 *
 * Reply: OK.
 *
 * WEIGHT: how many shown votes one vote adds from now on, 0 to 1000000000, 1 by default. INITIAL: the
 * shown votes that the option starts with, none by default. They count in `all` at once, where a later
 * INITIAL adds the difference, and in each period of views of single periods that begins from now on.
 * Both need a board with SHOWN. What is not given stays as it was. LB.REM takes an option away. On a
 * board with DECLARED, an option has joined, and MAXMEMBERS holds a new one back.
 *
 * Cost: O(log n).
 */
export function option(
  key: Key,
  member: Text,
  options: OptionOptions = {},
): Request<void> {
  const words = new Words("LB.OPTION");
  words.key(key);
  words.add(member);
  words.option("WEIGHT", options.weight);
  words.option("INITIAL", options.initial);
  words.option("META", options.meta);
  words.eachPair("SEGMENT", options.segment);
  return new Request(words, ofOption, false);
}

const ofJoin: Variants<boolean> = [
  [[], d.flag],
];

/**
 * Lets a member take part in a board with DECLARED.
 *
 * Reply: 1 if the member has joined now, 0 if it was in already or the request is repeated; the error
 * `NOBOARD` if the board does not exist; `HELDBACK full` if MAXMEMBERS members have joined, and
 * `HELDBACK closed` after CLOSES.
 *
 * Only members that have joined can get points, scores and votes. META and SEGMENT: as LB.ADD, also
 * for a member that was in already. OPENS, HOURS and the other rules do not hold. LB.LEAVE and LB.REM
 * end it.
 *
 * Cost: O(log n).
 */
export function join(
  key: Key,
  member: Text,
  options: JoinOptions = {},
): Request<boolean> {
  const words = new Words("LB.JOIN");
  words.key(key);
  words.add(member);
  words.option("META", options.meta);
  words.eachPair("SEGMENT", options.segment);
  words.requestId("ID", options.id);
  return new Request(words, ofJoin, false);
}

const ofLeave: Variants<boolean> = [
  [[], d.flag],
];

/**
 * Ends what LB.JOIN or LB.OPTION began.
 *
 * Reply: 1 if the member was in, else 0; the error `NOBOARD` if the board does not exist.
 *
 * The member keeps its scores and its used attempts. An option with INITIAL votes cannot leave: set
 * `INITIAL 0` before.
 *
 * Cost: O(log n).
 */
export function leave(
  key: Key,
  member: Text,
): Request<boolean> {
  const words = new Words("LB.LEAVE");
  words.key(key);
  words.add(member);
  return new Request(words, ofLeave, false);
}

const ofOptions: Variants<OptionsReply> = [
  [[], d.array({ cursor: d.text, options: d.listOf(d.mapping({ member: ["member", d.text], weight: ["weight", d.whole], initial: ["initial", d.score], meta: ["meta", d.optional(d.text)], real: ["real", d.score], shown: ["shown", d.score], voters: ["voters", d.whole] })) })],
];

/**
 * Lists the declared options, page by page.
 *
 * Reply: [cursor, options]: the cursor of the next page, 0 after the last page, and a map for each
 * option: member, weight, initial, meta (or nil), real, shown (votes in `all`, or in the default view
 * of a board without `all`), voters (an estimate).
 *
 * Begin with cursor 0. COUNT: options on a page, 10 by default. A page can have fewer; only cursor 0
 * marks the last page. Options come in the order of declaration. An option that exists all the time
 * comes exactly once. A board over many nodes lists part by part, each in the order of declaration; a
 * page has at most 10000 options.
 *
 * Cost: O(m), m: options on the page.
 */
export function options(
  key: Key,
  cursor: Text,
  options: OptionsOptions = {},
): Request<OptionsReply> {
  const words = new Words("LB.OPTIONS");
  words.key(key);
  words.add(cursor);
  words.option("COUNT", options.count);
  return new Request(words, ofOptions, true);
}

const ofVoters: Variants<number> = [
  [[], d.whole],
];

/**
 * Estimates how many different voters there were.
 *
 * Reply: A number; 0 if nobody voted.
 *
 * The voters of the board, or of a member. Without VIEW and period, or with `VIEW all`: of all time.
 * Else in a kept period of VIEW, or of the default view. The number is exact while it is small, then
 * it has a standard error of 0.8 %. Votes without BY have no voter. A voter who voted in several parts
 * of a board over many nodes counts once.
 *
 * Cost: O(1); O(p) in a rolling view over p periods.
 */
export function voters(
  key: Key,
  options: VotersOptions = {},
): Request<number> {
  const words = new Words("LB.VOTERS");
  words.key(key);
  words.option("MEMBER", options.member);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("VIEW", options.view);
  return new Request(words, ofVoters, true);
}

const ofPrizes: Variants<PrizesReply> = [
  [[], d.array({ cursor: d.text, winners: d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, prize: d.text, claimed: d.optional(d.whole) })) })],
  [["PER"], d.array({ cursor: d.text, winners: d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, prize: d.text, claimed: d.optional(d.whole), value: d.text })) })],
];

/**
 * Lists the winners of a period, page by page.
 *
 * Reply: [next, [[rank, member, score, prize, claimed]...]], by rank: claimed is when the prize was
 * claimed (ms), or nil. With PER, each row ends with the value: the segment, and the rank is that in
 * it. Begin with cursor 0. A page can be short: only the next cursor 0 ends the list.
 *
 * Of the last period that ended, unless PERIOD or AT name another one; of the running period: what
 * would be won now. COUNT: rows on a page, 10 by default; a page looks at 1,000 places at the most.
 * VIEW: by default the first view whose running period has prizes. PER: the table with the places in
 * each segment of this dimension. UNCLAIMED: only prizes that can still be claimed. A gateway sends
 * ROOT to the root of a board over parts: the reply has the period, and the page of its winners if
 * they are fixed. See Prizes.
 *
 * Cost: O(t^2 + log n + m), t: places of the table, m: places on the page; with PER the first read of
 * an ended period O(n log s).
 */
export function prizes(
  key: Key,
  cursor: Text,
  options: PrizesOptions = {},
): Request<PrizesReply> {
  const words = new Words("LB.PRIZES");
  words.key(key);
  words.add(cursor);
  words.option("COUNT", options.count);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("PER", options.per);
  words.flag("UNCLAIMED", options.unclaimed);
  return new Request(words, ofPrizes, true);
}

const ofSettle: Variants<number | null> = [
  [[], d.optional(d.whole)],
];

/**
 * Fixes the winners of an ended period, without a claim.
 *
 * Reply: The number of winners; 0 if nobody has won. nil if the period is running, or has no prizes
 * any more. The error `NOBOARD` if the board does not exist.
 *
 * The last period that ended, unless PERIOD or AT name another one. From then on nobody moves up, as
 * after the first claim: hide cheaters before. Again, it changes nothing. The period stays settled if
 * the clock is put back. A gateway sends ROOT, BEST and TAKE to the root of a board over parts: with
 * ROOT alone the reply is the period, BEST gives the best members of all parts, and TAKE takes the
 * prizes of members that were removed. See Prizes.
 *
 * Cost: O(w log w), w: winners of the period; O(log n) if they are fixed.
 */
export function settle(
  key: Key,
  options: SettleOptions = {},
): Request<number | null> {
  const words = new Words("LB.SETTLE");
  words.key(key);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("PER", options.per);
  return new Request(words, ofSettle, false);
}

const ofClaim: Variants<ClaimReply | null> = [
  [[], d.optional(d.array({ prize: d.text, rank: d.whole, claimed: d.flag }))],
  [["PER"], d.optional(d.array({ prize: d.text, rank: d.whole, claimed: d.flag, value: d.text }))],
];

/**
 * Claims the prize of a member, once.
 *
 * Reply: [prize, rank, claimed]; claimed is 1 for the first claim and for its retries with the same
 * ID, 0 for any other claim of the same prize. With PER, also the value: the segment. nil if the
 * member has no prize in the period, or if the period is running. The error `NOBOARD` if the board
 * does not exist; `IDREUSED` if the ID claimed another prize.
 *
 * The last period that ended, unless PERIOD or AT name another one. The first claim of a period fixes
 * all its winners: from then on nobody moves up. An ID is remembered while RETAIN keeps its period and
 * for PRIZEDAYS days after its end, whatever DEDUP says, and whatever PERIOD or AT name by then. A
 * gateway sends ROOT to the root of a board over parts, and MAY when the member's part says that the
 * member may have the prize; without MAY the reply to a first claim is the period, and nothing is
 * claimed. See Prizes.
 *
 * Cost: O(log n); the first claim of a period O(w log w), w: its winners.
 */
export function claim(
  key: Key,
  member: Text,
  options: ClaimOptions = {},
): Request<ClaimReply | null> {
  const words = new Words("LB.CLAIM");
  words.key(key);
  words.add(member);
  words.option("VIEW", options.view);
  words.option("PERIOD", options.period);
  words.option("AT", options.at);
  words.option("PER", options.per);
  words.requestId("ID", options.id);
  return new Request(words, ofClaim, false);
}

export * as league from "./requests-league.js";
export * as counter from "./requests-counter.js";
