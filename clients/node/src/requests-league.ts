// A function for each command of leagues makes its request. Made by clients/generate from docs/commands.json.

import * as d from "./decode.js";
import type {
  LeagueAddOptions,
  LeagueAddQuietOptions,
  LeagueAlterOptions,
  LeagueClaimOptions,
  LeagueCreateOptions,
  LeagueGroupOptions,
  LeagueInfoOptions,
  LeagueJoinOptions,
  LeaguePrizesOptions,
  LeagueStandingOptions,
  LeagueTopOptions,
} from "./options.js";
import type {
  LeagueClaimReply,
  LeagueInfoReply,
  LeagueJoinReply,
  LeaguePrizesReply,
  LeagueStandingReply,
  LeagueTopRow,
  Position,
} from "./replies.js";
import { Request, type Variants } from "./request.js";
import type { Key, Numeric, Text } from "./values.js";
import { Words } from "./words.js";

const ofCreate: Variants<boolean> = [
  [[], d.yes],
  [["NX"], d.flag],
];

/**
 * Makes a league.
 *
 * Reply: OK; an error if the key exists. With NX: 1 if it made the league, 0 if there is one.
 *
 * TIERS: up to 64 different names, the lowest first, such as `bronze,silver,gold`: 1 to 64 bytes each,
 * without spaces, control characters and commas; upper and lower case differ. PROMOTE and DEMOTE: one
 * amount for each tier, a count (`10`) or a share of the group (`20%`, rounded down); 0 for who cannot
 * move further. TIES: whether of equal scores the one that came first ranks higher (SCORED, the
 * default), or who joined the group first (JOINED). CYCLE: `minute`, `hour`, `day`, `week`, `month`,
 * `year` or `<seconds>s`. GROUP: members of a group, 1 to 1000000 (100). REWARD: how many ranks of
 * each group get a reward (0). JOINUNTIL: in which share of a period one can join it, such as `0.5`
 * (1). IDLE: tiers lost for each whole period without joining (0). RETAIN: past periods that stay
 * readable (1). PRIZES: what the places in each group of a tier win, such as `PRIZES gold
 * 1=car,2-3=bike`: see LB.LEAGUE.PRIZES. The others are as in LB.CREATE. See Leagues.
 *
 * Cost: O(1).
 */
export function create(
  key: Key,
  options: LeagueCreateOptions,
): Request<boolean> {
  const words = new Words("LB.LEAGUE.CREATE");
  words.key(key);
  words.option("TIERS", options.tiers);
  words.option("PROMOTE", options.promote);
  words.option("DEMOTE", options.demote);
  words.option("CYCLE", options.cycle);
  words.option("TIES", options.ties);
  words.option("GROUP", options.group);
  words.option("REWARD", options.reward);
  words.option("JOINUNTIL", options.joinUntil);
  words.option("IDLE", options.idle);
  words.option("RETAIN", options.retain);
  words.option("DECIMALS", options.decimals);
  words.option("TZ", options.tz);
  words.option("WEEKSTART", options.weekStart);
  words.option("ORIGIN", options.origin);
  words.option("CLOCK", options.clock);
  words.option("DEDUP", options.dedup);
  words.eachPair("PRIZES", options.prizes);
  words.option("PRIZEDAYS", options.prizeDays);
  words.flag("NX", options.nx);
  return new Request(words, ofCreate, false);
}

const ofJoin: Variants<LeagueJoinReply> = [
  [[], d.mapping({ tier: ["tier", d.optional(d.text)], group: ["group", d.optional(d.whole)], rank: ["rank", d.optional(d.whole)], members: ["members", d.optional(d.whole)], joined: ["joined", d.flag], waiting: ["waiting", d.flag], last: ["last", d.optional(d.mapping({ period: ["period", d.text], tier: ["tier", d.text], group: ["group", d.whole], rank: ["rank", d.whole], members: ["members", d.whole], score: ["score", d.score], outcome: ["outcome", d.text], reward: ["reward", d.whole] }))] })],
];

/**
 * Lets a member join the current period, and tells what came of its last one.
 *
 * Reply: A map: tier, group, rank, members (of the group), joined (1 now, 0 was in already), waiting
 * (1 after JOINUNTIL), last. A member that is not in the period has nil for the first four. last is
 * nil, or at the first join of a period a map of the period before in which the member was: period,
 * tier, group, rank, members, score, outcome (promoted, stayed, demoted), reward (the rank, or 0).
 *
 * META: a text to keep with the member, as LB.LEAGUE.SETMETA. A member that has to wait is not noted:
 * it joins with its first JOIN or ADD of the next period. JOINUNTIL looks at the moment of the JOIN or
 * ADD itself: who joins late with an AT before that share is over, joins. A JOIN or ADD that has to
 * wait moves no clock of events. An AT in a period that has ended changes nothing. If a clock that had
 * leapt is put right, the first write to the period that goes on takes 0.3 to 0.4 s for a million
 * members.
 *
 * Cost: O(log n).
 */
export function join(
  key: Key,
  member: Text,
  options: LeagueJoinOptions = {},
): Request<LeagueJoinReply> {
  const words = new Words("LB.LEAGUE.JOIN");
  words.key(key);
  words.add(member);
  words.option("META", options.meta);
  words.option("AT", options.at);
  return new Request(words, ofJoin, false);
}

const ofAdd: Variants<Position> = [
  [[], d.array({ score: d.optional(d.score), rank: d.optional(d.whole), applied: d.flag })],
];

/**
 * Adds points to a member's score, once for each request id.
 *
 * Reply: [score, rank, applied]: the rank in the member's group. applied is 1, or 0 for a repeated
 * request, for an AT in a period that has ended, and for a member that has to wait; the last gives
 * nil, nil, 0. QUIET: only applied.
 *
 * A member that is not in the period joins it first; the next LB.LEAGUE.JOIN of that period tells no
 * `last` any more, so let clients join when they start. A write that is not applied does not use up
 * its request id.
 *
 * Cost: O(log n).
 */
export function add(
  key: Key,
  points: Numeric,
  member: Text,
  options: LeagueAddOptions = {},
): Request<Position> {
  const words = new Words("LB.LEAGUE.ADD");
  words.key(key);
  words.add(points);
  words.add(member);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  return new Request(words, ofAdd, false);
}

const ofAddQuiet: Variants<number> = [
  [["QUIET"], d.whole],
];

/**
 * Adds points to a member's score, once for each request id.
 *
 * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
 * only write.
 *
 * For all else, see `LB.LEAGUE.ADD`.
 *
 * Cost: O(log n).
 */
export function addQuiet(
  key: Key,
  points: Numeric,
  member: Text,
  options: LeagueAddQuietOptions = {},
): Request<number> {
  const words = new Words("LB.LEAGUE.ADD");
  words.key(key);
  words.add(points);
  words.add(member);
  words.flag("QUIET", true);
  words.requestId("ID", options.id);
  words.option("AT", options.at);
  return new Request(words, ofAddQuiet, false);
}

const ofRem: Variants<number> = [
  [[], d.whole],
];

/**
 * Removes members from the current period and from the tiers.
 *
 * Reply: The number of removed members.
 *
 * Removes tier, last outcome and meta, too: who comes back begins at the lowest tier. Periods that
 * have ended stay as they are.
 *
 * Cost: O(m (log n + p)), m: members given, p: periods kept.
 */
export function rem(
  key: Key,
  members: readonly Text[],
): Request<number> {
  const words = new Words("LB.LEAGUE.REM");
  words.key(key);
  words.many(members);
  return new Request(words, ofRem, false);
}

const ofTier: Variants<void> = [
  [[], d.ok],
];

/**
 * Sets the tier that a member joins next.
 *
 * Reply: OK; an error if the league does not exist.
 *
 * It counts once, for the next join, in place of the outcome of the last period and of IDLE. The
 * member may be new. It takes no AT, moves no clock, and goes to replicas without a time.
 *
 * Cost: O(log n).
 */
export function tier(
  key: Key,
  member: Text,
  tier: Text,
): Request<void> {
  const words = new Words("LB.LEAGUE.TIER");
  words.key(key);
  words.add(member);
  words.add(tier);
  return new Request(words, ofTier, false);
}

const ofSetMeta: Variants<void> = [
  [[], d.ok],
];

/**
 * Keeps a text beside a member; an empty one deletes it.
 *
 * Reply: OK; an error if the league does not exist.
 *
 * At most 4096 bytes, such as a name and a picture. The member may be new. It takes no AT, moves no
 * clock, and goes to replicas without a time.
 *
 * Cost: O(log n); O(log n + p) where a text is deleted, p: periods kept.
 */
export function setMeta(
  key: Key,
  member: Text,
  meta: Text,
): Request<void> {
  const words = new Words("LB.LEAGUE.SETMETA");
  words.key(key);
  words.add(member);
  words.add(meta);
  return new Request(words, ofSetMeta, false);
}

const ofTop: Variants<LeagueTopRow[]> = [
  [[], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text) }))],
  [["WITHZONE"], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text), zone: d.text }))],
];

/**
 * Lists a member's group, best first.
 *
 * Reply: An array of [rank, member, score, meta]; meta is nil where there is none. Empty for a member
 * that is not in the period.
 *
 * Without COUNT, the whole group. WITHZONE: each row ends with what the end of the period means for
 * it: promote, stay or demote.
 *
 * Cost: O(log n + c), c: lines shown.
 */
export function top(
  key: Key,
  member: Text,
  options: LeagueTopOptions = {},
): Request<LeagueTopRow[]> {
  const words = new Words("LB.LEAGUE.TOP");
  words.key(key);
  words.add(member);
  words.option("COUNT", options.count);
  words.option("PERIOD", options.period);
  words.flag("WITHZONE", options.withZone);
  return new Request(words, ofTop, true);
}

const ofGroup: Variants<LeagueTopRow[]> = [
  [[], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text) }))],
  [["WITHZONE"], d.listOf(d.array({ rank: d.whole, member: d.text, score: d.score, meta: d.optional(d.text), zone: d.text }))],
];

/**
 * Lists a group by its tier and number, best first.
 *
 * Reply: As LB.LEAGUE.TOP; an error for a tier that the league does not have, and for a group that the
 * tier does not have in that period.
 *
 * Groups of a tier are numbered from 1. GROUP 1 of a tier reads as empty while nobody has joined it;
 * greater numbers that the tier does not have are an error. A period that is not kept, or yet to come,
 * reads as empty.
 *
 * Cost: O(log n + c), c: lines shown.
 */
export function group(
  key: Key,
  tier: Text,
  group: Text,
  options: LeagueGroupOptions = {},
): Request<LeagueTopRow[]> {
  const words = new Words("LB.LEAGUE.GROUP");
  words.key(key);
  words.add(tier);
  words.add(group);
  words.option("COUNT", options.count);
  words.option("PERIOD", options.period);
  words.flag("WITHZONE", options.withZone);
  return new Request(words, ofGroup, true);
}

const ofStanding: Variants<LeagueStandingReply | null> = [
  [[], d.optional(d.mapping({ tier: ["tier", d.text], group: ["group", d.whole], rank: ["rank", d.whole], members: ["members", d.whole], score: ["score", d.score], zone: ["zone", d.text] }))],
];

/**
 * Tells where a member stands, and where it moves from there.
 *
 * Reply: A map: tier, group, rank, members (of the group), score, zone (promote, stay, demote: what
 * the end of the period means for this rank); nil for a member that is not in the period.
 *
 * Cost: O(log n).
 */
export function standing(
  key: Key,
  member: Text,
  options: LeagueStandingOptions = {},
): Request<LeagueStandingReply | null> {
  const words = new Words("LB.LEAGUE.STANDING");
  words.key(key);
  words.add(member);
  words.option("PERIOD", options.period);
  return new Request(words, ofStanding, true);
}

const ofInfo: Variants<LeagueInfoReply | null> = [
  [[], d.optional(d.mapping({ tiers: ["tiers", d.text], promote: ["promote", d.text], demote: ["demote", d.text], cycle: ["cycle", d.text], ties: ["ties", d.text], joinUntil: ["joinuntil", d.text], tz: ["tz", d.text], weekStart: ["weekstart", d.text], clock: ["clock", d.text], period: ["period", d.text], group: ["group", d.whole], reward: ["reward", d.whole], idle: ["idle", d.whole], retain: ["retain", d.whole], decimals: ["decimals", d.whole], origin: ["origin", d.whole], dedup: ["dedup", d.whole], start: ["start", d.whole], end: ["end", d.whole], known: ["known", d.whole], requests: ["requests", d.whole], now: ["now", d.whole], memory: ["memory", d.whole], prizeDays: ["prizedays", d.whole], members: ["members", d.listOf(d.whole)], groups: ["groups", d.listOf(d.whole)], prizes: ["prizes", d.listOf(d.text)] }))],
];

/**
 * Tells a league's rules and size.
 *
 * Reply: A map: tiers, promote, demote, cycle, ties, joinuntil, tz, weekstart, clock, period (its
 * label), group, reward, idle, retain, decimals, origin, dedup, start and end (of the period, ms),
 * known (members of which anything is kept), requests (ids remembered), now (ms), memory (bytes),
 * prizedays, members and groups (arrays: how many each tier has in the period, the lowest first),
 * prizes (the tables, as they are written); nil for an absent key.
 *
 * PERIOD: period, start, end, members and groups are those of this period. Of one that is not kept,
 * period is empty and the numbers are 0.
 *
 * Cost: O(log r + t), r: request ids remembered, t: tiers.
 */
export function info(
  key: Key,
  options: LeagueInfoOptions = {},
): Request<LeagueInfoReply | null> {
  const words = new Words("LB.LEAGUE.INFO");
  words.key(key);
  words.option("PERIOD", options.period);
  return new Request(words, ofInfo, true);
}

const ofAlter: Variants<void> = [
  [[], d.ok],
];

/**
 * Changes what may change of a league's rules.
 *
 * Reply: OK; an error if the league does not exist.
 *
 * PROMOTE, DEMOTE and REWARD count for the current period and later ones; periods that have ended keep
 * theirs. PRIZES: a table for the periods that end from now on; an empty one ends it. GROUP counts for
 * groups that open from now on, IDLE and JOINUNTIL for the next joins. A longer RETAIN brings no
 * period back that was out of reach. At least one option is needed.
 *
 * Cost: O(t + p), t: tiers, p: periods kept.
 */
export function alter(
  key: Key,
  options: LeagueAlterOptions = {},
): Request<void> {
  const words = new Words("LB.LEAGUE.ALTER");
  words.key(key);
  words.option("PROMOTE", options.promote);
  words.option("DEMOTE", options.demote);
  words.option("GROUP", options.group);
  words.option("REWARD", options.reward);
  words.option("JOINUNTIL", options.joinUntil);
  words.option("IDLE", options.idle);
  words.option("RETAIN", options.retain);
  words.option("DEDUP", options.dedup);
  words.eachPair("PRIZES", options.prizes);
  words.option("PRIZEDAYS", options.prizeDays);
  return new Request(words, ofAlter, false);
}

const ofPrizes: Variants<LeaguePrizesReply> = [
  [[], d.array({ cursor: d.text, winners: d.listOf(d.array({ tier: d.text, group: d.whole, rank: d.whole, member: d.text, score: d.score, prize: d.text, claimed: d.optional(d.whole) })) })],
];

/**
 * Lists the winners of a period, page by page.
 *
 * Reply: [next, [[tier, group, rank, member, score, prize, claimed]...]], from the lowest tier on, by
 * group and rank: claimed is when the prize was claimed (ms), or nil. Begin with cursor 0. A page can
 * be short: only the next cursor 0 ends the list.
 *
 * As LB.PRIZES: of the last period that ended, unless PERIOD names another one. Ranks and shares are
 * those of the group. A member that was removed since the period ended wins nothing, and others move
 * up, until the first claim in its tier. See Prizes.
 *
 * Cost: O(t^2 + g + m), t: places of a table, g: members of a group, m: places on the page.
 */
export function prizes(
  key: Key,
  cursor: Text,
  options: LeaguePrizesOptions = {},
): Request<LeaguePrizesReply> {
  const words = new Words("LB.LEAGUE.PRIZES");
  words.key(key);
  words.add(cursor);
  words.option("COUNT", options.count);
  words.option("PERIOD", options.period);
  words.flag("UNCLAIMED", options.unclaimed);
  return new Request(words, ofPrizes, true);
}

const ofClaim: Variants<LeagueClaimReply | null> = [
  [[], d.optional(d.array({ prize: d.text, rank: d.whole, claimed: d.flag }))],
];

/**
 * Claims the prize of a member, once.
 *
 * Reply: [prize, rank, claimed]; claimed is 1 for the first claim and for its retries with the same
 * ID, 0 for any other claim of the same prize. nil if the member has no prize in the period, or if the
 * period is running. An error if the league does not exist; `IDREUSED` if the ID claimed another
 * prize.
 *
 * As LB.CLAIM.
 *
 * Cost: O(log n + g), g: members of the group; the first claim of a period in a tier O(w log w + n),
 * w: its winners, n: members of the tier.
 */
export function claim(
  key: Key,
  member: Text,
  options: LeagueClaimOptions = {},
): Request<LeagueClaimReply | null> {
  const words = new Words("LB.LEAGUE.CLAIM");
  words.key(key);
  words.add(member);
  words.option("PERIOD", options.period);
  words.requestId("ID", options.id);
  return new Request(words, ofClaim, false);
}
