// The commands as methods. Made by clients/generate from docs/commands.json.

import type {
  AddOptions,
  AddQuietOptions,
  AlterOptions,
  AmongOptions,
  AroundOptions,
  ClaimOptions,
  CountOptions,
  CounterAlterOptions,
  CounterCreateOptions,
  CounterGetOptions,
  CounterIncrOptions,
  CounterIncrQuietOptions,
  CounterMGetOptions,
  CreateOptions,
  ExportOptions,
  FindOptions,
  GetSegmentOptions,
  HistogramOptions,
  HistoryOptions,
  ImportOptions,
  InterOptions,
  JoinOptions,
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
  CounterGetRow,
  CounterInfoReply,
  FindReply,
  HistogramRow,
  HistoryRow,
  ImportReply,
  InfoReply,
  LeagueClaimReply,
  LeagueInfoReply,
  LeagueJoinReply,
  LeaguePrizesReply,
  LeagueStandingReply,
  LeagueTopRow,
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
import type { Request } from "./request.js";
import * as requests from "./requests.js";
import type { Integer, Key, Numeric, Pairs, Score, Text } from "./values.js";

/** The commands of boards. */
export abstract class BoardCommands {
  /** Sends a request and returns its reply. */
  abstract execute<R>(request: Request<R>): Promise<R>;

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
  async create(
    key: Key,
    options?: CreateOptions,
  ): Promise<boolean> {
    return this.execute(requests.create(key, options));
  }

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
  async alter(
    key: Key,
    options?: AlterOptions,
  ): Promise<void> {
    return this.execute(requests.alter(key, options));
  }

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
  async info(
    key: Key,
  ): Promise<InfoReply | null> {
    return this.execute(requests.info(key));
  }

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
  async periods(
    key: Key,
    view: Text,
  ): Promise<PeriodsRow[]> {
    return this.execute(requests.periods(key, view));
  }

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
  async add(
    key: Key,
    points: Numeric,
    member: Text,
    options?: AddOptions,
  ): Promise<Written> {
    return this.execute(requests.add(key, points, member, options));
  }

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
  async addQuiet(
    key: Key,
    points: Numeric,
    member: Text,
    options?: AddQuietOptions,
  ): Promise<number> {
    return this.execute(requests.addQuiet(key, points, member, options));
  }

  /**
   * Adds points to a member, and tells where it stands in a rolling view.
   *
   * Reply: As LB.ADD, in the view `unit:n`; without WINDOW, in the first rolling view of the board.
   *
   * The points go to all views, as with LB.ADD.
   *
   * Cost: O(log n).
   */
  async rollAdd(
    key: Key,
    points: Numeric,
    member: Text,
    options?: RollAddOptions,
  ): Promise<Written> {
    return this.execute(requests.rollAdd(key, points, member, options));
  }

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
  async rollAddQuiet(
    key: Key,
    points: Numeric,
    member: Text,
    options?: RollAddQuietOptions,
  ): Promise<number> {
    return this.execute(requests.rollAddQuiet(key, points, member, options));
  }

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
  async mAdd(
    key: Key,
    pairs: readonly (readonly [Numeric, Text])[],
    options?: MAddOptions,
  ): Promise<Position[]> {
    return this.execute(requests.mAdd(key, pairs, options));
  }

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
  async mAddQuiet(
    key: Key,
    pairs: readonly (readonly [Numeric, Text])[],
    options?: MAddQuietOptions,
  ): Promise<number> {
    return this.execute(requests.mAddQuiet(key, pairs, options));
  }

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
  async set(
    key: Key,
    score: Numeric,
    member: Text,
    options?: SetOptions,
  ): Promise<Written> {
    return this.execute(requests.set(key, score, member, options));
  }

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
  async setQuiet(
    key: Key,
    score: Numeric,
    member: Text,
    options?: SetQuietOptions,
  ): Promise<number> {
    return this.execute(requests.setQuiet(key, score, member, options));
  }

  /**
   * Gives several members these scores as one request, all or nothing.
   *
   * Reply: As LB.MADD.
   *
   * Does what LB.SET does, one pair after another. A member may appear in the list more than once.
   *
   * Cost: O(m log n), m: members given.
   */
  async mSet(
    key: Key,
    pairs: readonly (readonly [Numeric, Text])[],
    options?: MSetOptions,
  ): Promise<Position[]> {
    return this.execute(requests.mSet(key, pairs, options));
  }

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
  async mSetQuiet(
    key: Key,
    pairs: readonly (readonly [Numeric, Text])[],
    options?: MSetQuietOptions,
  ): Promise<number> {
    return this.execute(requests.mSetQuiet(key, pairs, options));
  }

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
  async rem(
    key: Key,
    members: readonly Text[],
  ): Promise<number> {
    return this.execute(requests.rem(key, members));
  }

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
  async remRange(
    key: Key,
    first: Integer,
    last: Integer,
  ): Promise<number> {
    return this.execute(requests.remRange(key, first, last));
  }

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
  async remRangeByScore(
    key: Key,
    min: Numeric,
    max: Numeric,
  ): Promise<number> {
    return this.execute(requests.remRangeByScore(key, min, max));
  }

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
  async hide(
    key: Key,
    members: readonly Text[],
  ): Promise<number> {
    return this.execute(requests.hide(key, members));
  }

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
  async unhide(
    key: Key,
    members: readonly Text[],
  ): Promise<number> {
    return this.execute(requests.unhide(key, members));
  }

  /**
   * Lists the hidden members.
   *
   * Reply: An array of members, by name.
   *
   * Cost: O(h log h), h: hidden members.
   */
  async hidden(
    key: Key,
  ): Promise<string[]> {
    return this.execute(requests.hidden(key));
  }

  /**
   * Keeps a text beside a member; an empty one deletes it.
   *
   * Reply: OK.
   *
   * At most 4096 bytes, such as a display name, a country, or a small JSON. The member needs no score.
   *
   * Cost: O(log n); O(log n + p) where a text is deleted, p: periods kept, of all views.
   */
  async setMeta(
    key: Key,
    member: Text,
    meta: Text,
  ): Promise<void> {
    return this.execute(requests.setMeta(key, member, meta));
  }

  /**
   * Tells the text beside a member.
   *
   * Reply: The text, or nil.
   *
   * Cost: O(log n).
   */
  async getMeta(
    key: Key,
    member: Text,
  ): Promise<string | null> {
    return this.execute(requests.getMeta(key, member));
  }

  /**
   * Tells the texts beside several members.
   *
   * Reply: An array of texts, nil where there is none.
   *
   * Cost: O(m log n), m: members given.
   */
  async mGetMeta(
    key: Key,
    members: readonly Text[],
  ): Promise<(string | null)[]> {
    return this.execute(requests.mGetMeta(key, members));
  }

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
  async top(
    key: Key,
    count: Integer,
    options?: TopOptions,
  ): Promise<Row[]> {
    return this.execute(requests.top(key, count, options));
  }

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
  async range(
    key: Key,
    first: Integer,
    last: Integer,
    options?: RangeOptions,
  ): Promise<Row[]> {
    return this.execute(requests.range(key, first, last, options));
  }

  /**
   * Shows the members with a score in a range, best first.
   *
   * Reply: As LB.TOP.
   *
   * min is the smaller score, whatever the ORDER. `(5` excludes 5. -inf and +inf are allowed.
   *
   * Cost: O(log n + m), m: lines shown.
   */
  async rangeByScore(
    key: Key,
    min: Numeric,
    max: Numeric,
    options?: RangeByScoreOptions,
  ): Promise<Row[]> {
    return this.execute(requests.rangeByScore(key, min, max, options));
  }

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
  async around(
    key: Key,
    member: Text,
    options?: AroundOptions,
  ): Promise<Row[]> {
    return this.execute(requests.around(key, member, options));
  }

  /**
   * Tells a member's rank.
   *
   * Reply: The rank from 1, or nil.
   *
   * Cost: O(log n).
   */
  async rank(
    key: Key,
    member: Text,
    options?: RankOptions,
  ): Promise<number | null> {
    return this.execute(requests.rank(key, member, options));
  }

  /**
   * Tells a member's score.
   *
   * Reply: The score, or nil.
   *
   * Accepts RANKS and REV, without effect.
   *
   * Cost: O(1).
   */
  async score(
    key: Key,
    member: Text,
    options?: ScoreOptions,
  ): Promise<Score | null> {
    return this.execute(requests.score(key, member, options));
  }

  /**
   * Tells the ranks and scores of several members.
   *
   * Reply: An array of [rank, score], nil for an unknown member. WITHMETA appends the meta, or nil.
   *
   * Cost: O(m log n), m: members given.
   */
  async mScore(
    key: Key,
    members: readonly Text[],
    options?: MScoreOptions,
  ): Promise<(Place | null)[]> {
    return this.execute(requests.mScore(key, members, options));
  }

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
  async standing(
    key: Key,
    member: Text,
    options?: StandingOptions,
  ): Promise<StandingReply | null> {
    return this.execute(requests.standing(key, member, options));
  }

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
  async history(
    key: Key,
    member: Text,
    options?: HistoryOptions,
  ): Promise<HistoryRow[]> {
    return this.execute(requests.history(key, member, options));
  }

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
  async find(
    key: Key,
    cursor: Text,
    pattern: Text,
    options?: FindOptions,
  ): Promise<FindReply> {
    return this.execute(requests.find(key, cursor, pattern, options));
  }

  /**
   * Tells everything about where several members stand.
   *
   * Reply: An array of what LB.STANDING replies.
   *
   * Cost: O(m log n), m: members given.
   */
  async mStanding(
    key: Key,
    members: readonly Text[],
    options?: MStandingOptions,
  ): Promise<(StandingReply | null)[]> {
    return this.execute(requests.mStanding(key, members, options));
  }

  /**
   * Counts the members, or those with a score in a range.
   *
   * Reply: A number; 0 for an absent key.
   *
   * The range is that of LB.RANGEBYSCORE. Accepts RANKS and REV, without effect.
   *
   * Cost: O(log n).
   */
  async count(
    key: Key,
    options?: CountOptions,
  ): Promise<number> {
    return this.execute(requests.count(key, options));
  }

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
  async among(
    key: Key,
    members: readonly Text[],
    options?: AmongOptions,
  ): Promise<AmongRow[]> {
    return this.execute(requests.among(key, members, options));
  }

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
  async stats(
    key: Key,
    options?: StatsOptions,
  ): Promise<StatsReply | null> {
    return this.execute(requests.stats(key, options));
  }

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
  async quantile(
    key: Key,
    qs: readonly Numeric[],
    options?: QuantileOptions,
  ): Promise<(Score | null)[]> {
    return this.execute(requests.quantile(key, qs, options));
  }

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
  async histogram(
    key: Key,
    min: Numeric,
    max: Numeric,
    buckets: Text,
    options?: HistogramOptions,
  ): Promise<HistogramRow[]> {
    return this.execute(requests.histogram(key, min, max, buckets, options));
  }

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
  async segment(
    key: Key,
    member: Text,
    pairs: Pairs,
  ): Promise<number> {
    return this.execute(requests.segment(key, member, pairs));
  }

  /**
   * Tells the segments of a member.
   *
   * Reply: A map: name and value of each dimension in which the member is in a segment.
   *
   * With PERIOD or AT of a period that has ended: the segments in which the member ended it.
   *
   * Cost: O(log n).
   */
  async getSegment(
    key: Key,
    member: Text,
    options?: GetSegmentOptions,
  ): Promise<Map<string, string>> {
    return this.execute(requests.getSegment(key, member, options));
  }

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
  async segments(
    key: Key,
    name: Text,
    options?: SegmentsOptions,
  ): Promise<SegmentsRow[]> {
    return this.execute(requests.segments(key, name, options));
  }

  /**
   * Tells the rank of a segment among the segments of its dimension.
   *
   * Reply: [rank, score, members], as LB.SEGMENTS, or nil if no visible member is in the segment.
   *
   * Cost: O(log n); in an ended period O(s), s: segments, and the first read of one O(n log s).
   */
  async segmentRank(
    key: Key,
    name: Text,
    value: Text,
    options?: SegmentRankOptions,
  ): Promise<SegmentRankReply | null> {
    return this.execute(requests.segmentRank(key, name, value, options));
  }

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
  async parts(
    key: Key,
  ): Promise<PartsRow[] | null> {
    return this.execute(requests.parts(key));
  }

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
  async repair(
    key: Key,
    options?: RepairOptions,
  ): Promise<string[]> {
    return this.execute(requests.repair(key, options));
  }

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
  async reshard(
    key: Key,
    parts: Text,
  ): Promise<ReshardReply> {
    return this.execute(requests.reshard(key, parts));
  }

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
  async import(
    key: Key,
    zset: Key,
    options?: ImportOptions,
  ): Promise<number | ImportReply> {
    return this.execute(requests.import(key, zset, options));
  }

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
  async export(
    dest: Key,
    key: Key,
    options?: ExportOptions,
  ): Promise<number> {
    return this.execute(requests.export(dest, key, options));
  }

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
  async union(
    dest: Key,
    keys: readonly Key[],
    options?: UnionOptions,
  ): Promise<number> {
    return this.execute(requests.union(dest, keys, options));
  }

  /**
   * Makes a board of the members that several boards or sorted sets have in common.
   *
   * Reply: The number of members of the new board.
   *
   * As LB.UNION, with those members only that all sources have.
   *
   * Cost: O(m log m), m: members of all sources.
   */
  async inter(
    dest: Key,
    keys: readonly Key[],
    options?: InterOptions,
  ): Promise<number> {
    return this.execute(requests.inter(dest, keys, options));
  }

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
  async vote(
    key: Key,
    votes: Integer,
    member: Text,
    options?: VoteOptions,
  ): Promise<Vote> {
    return this.execute(requests.vote(key, votes, member, options));
  }

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
  async voteQuiet(
    key: Key,
    votes: Integer,
    member: Text,
    options?: VoteQuietOptions,
  ): Promise<number> {
    return this.execute(requests.voteQuiet(key, votes, member, options));
  }

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
  async mVote(
    key: Key,
    pairs: readonly (readonly [Integer, Text])[],
    options?: MVoteOptions,
  ): Promise<Vote> {
    return this.execute(requests.mVote(key, pairs, options));
  }

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
  async mVoteQuiet(
    key: Key,
    pairs: readonly (readonly [Integer, Text])[],
    options?: MVoteQuietOptions,
  ): Promise<number> {
    return this.execute(requests.mVoteQuiet(key, pairs, options));
  }

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
  async quota(
    key: Key,
    options?: QuotaOptions,
  ): Promise<QuotaRow[]> {
    return this.execute(requests.quota(key, options));
  }

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
  async option(
    key: Key,
    member: Text,
    options?: OptionOptions,
  ): Promise<void> {
    return this.execute(requests.option(key, member, options));
  }

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
  async join(
    key: Key,
    member: Text,
    options?: JoinOptions,
  ): Promise<boolean> {
    return this.execute(requests.join(key, member, options));
  }

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
  async leave(
    key: Key,
    member: Text,
  ): Promise<boolean> {
    return this.execute(requests.leave(key, member));
  }

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
  async options(
    key: Key,
    cursor: Text,
    options?: OptionsOptions,
  ): Promise<OptionsReply> {
    return this.execute(requests.options(key, cursor, options));
  }

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
  async voters(
    key: Key,
    options?: VotersOptions,
  ): Promise<number> {
    return this.execute(requests.voters(key, options));
  }

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
  async prizes(
    key: Key,
    cursor: Text,
    options?: PrizesOptions,
  ): Promise<PrizesReply> {
    return this.execute(requests.prizes(key, cursor, options));
  }

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
  async settle(
    key: Key,
    options?: SettleOptions,
  ): Promise<number | null> {
    return this.execute(requests.settle(key, options));
  }

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
  async claim(
    key: Key,
    member: Text,
    options?: ClaimOptions,
  ): Promise<ClaimReply | null> {
    return this.execute(requests.claim(key, member, options));
  }
}

/** The commands of leagues. */
export abstract class LeagueCommands {
  /** Sends a request and returns its reply. */
  abstract execute<R>(request: Request<R>): Promise<R>;

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
  async create(
    key: Key,
    options: LeagueCreateOptions,
  ): Promise<boolean> {
    return this.execute(requests.league.create(key, options));
  }

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
  async join(
    key: Key,
    member: Text,
    options?: LeagueJoinOptions,
  ): Promise<LeagueJoinReply> {
    return this.execute(requests.league.join(key, member, options));
  }

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
  async add(
    key: Key,
    points: Numeric,
    member: Text,
    options?: LeagueAddOptions,
  ): Promise<Position> {
    return this.execute(requests.league.add(key, points, member, options));
  }

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
  async addQuiet(
    key: Key,
    points: Numeric,
    member: Text,
    options?: LeagueAddQuietOptions,
  ): Promise<number> {
    return this.execute(requests.league.addQuiet(key, points, member, options));
  }

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
  async rem(
    key: Key,
    members: readonly Text[],
  ): Promise<number> {
    return this.execute(requests.league.rem(key, members));
  }

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
  async tier(
    key: Key,
    member: Text,
    tier: Text,
  ): Promise<void> {
    return this.execute(requests.league.tier(key, member, tier));
  }

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
  async setMeta(
    key: Key,
    member: Text,
    meta: Text,
  ): Promise<void> {
    return this.execute(requests.league.setMeta(key, member, meta));
  }

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
  async top(
    key: Key,
    member: Text,
    options?: LeagueTopOptions,
  ): Promise<LeagueTopRow[]> {
    return this.execute(requests.league.top(key, member, options));
  }

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
  async group(
    key: Key,
    tier: Text,
    group: Text,
    options?: LeagueGroupOptions,
  ): Promise<LeagueTopRow[]> {
    return this.execute(requests.league.group(key, tier, group, options));
  }

  /**
   * Tells where a member stands, and where it moves from there.
   *
   * Reply: A map: tier, group, rank, members (of the group), score, zone (promote, stay, demote: what
   * the end of the period means for this rank); nil for a member that is not in the period.
   *
   * Cost: O(log n).
   */
  async standing(
    key: Key,
    member: Text,
    options?: LeagueStandingOptions,
  ): Promise<LeagueStandingReply | null> {
    return this.execute(requests.league.standing(key, member, options));
  }

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
  async info(
    key: Key,
    options?: LeagueInfoOptions,
  ): Promise<LeagueInfoReply | null> {
    return this.execute(requests.league.info(key, options));
  }

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
  async alter(
    key: Key,
    options?: LeagueAlterOptions,
  ): Promise<void> {
    return this.execute(requests.league.alter(key, options));
  }

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
  async prizes(
    key: Key,
    cursor: Text,
    options?: LeaguePrizesOptions,
  ): Promise<LeaguePrizesReply> {
    return this.execute(requests.league.prizes(key, cursor, options));
  }

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
  async claim(
    key: Key,
    member: Text,
    options?: LeagueClaimOptions,
  ): Promise<LeagueClaimReply | null> {
    return this.execute(requests.league.claim(key, member, options));
  }
}

/** The commands of counters. */
export abstract class CounterCommands {
  /** Sends a request and returns its reply. */
  abstract execute<R>(request: Request<R>): Promise<R>;

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
  async create(
    key: Key,
    options?: CounterCreateOptions,
  ): Promise<boolean> {
    return this.execute(requests.counter.create(key, options));
  }

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
  async incr(
    key: Key,
    options?: CounterIncrOptions,
  ): Promise<bigint> {
    return this.execute(requests.counter.incr(key, options));
  }

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
  async incrQuiet(
    key: Key,
    options?: CounterIncrQuietOptions,
  ): Promise<number> {
    return this.execute(requests.counter.incrQuiet(key, options));
  }

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
  async get(
    key: Key,
    precision: Integer,
    options?: CounterGetOptions,
  ): Promise<CounterGetRow[]> {
    return this.execute(requests.counter.get(key, precision, options));
  }

  /**
   * Lists the counts of a precision of several counters.
   *
   * Reply: An array with the answer of LB.COUNTER.GET for each key.
   *
   * In a cluster, all keys have to be in one slot.
   *
   * Cost: O(k s), k: keys given, s: slices kept.
   */
  async mGet(
    precision: Integer,
    keys: readonly Key[],
    options?: CounterMGetOptions,
  ): Promise<CounterGetRow[][]> {
    return this.execute(requests.counter.mGet(precision, keys, options));
  }

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
  async alter(
    key: Key,
    options?: CounterAlterOptions,
  ): Promise<void> {
    return this.execute(requests.counter.alter(key, options));
  }

  /**
   * Tells a counter's rules and total.
   *
   * Reply: A map: precisions, clock, samples, dedup, total, requests (ids remembered), now (ms), memory
   * (bytes); nil for an absent key.
   *
   * Cost: O(log r), r: request ids remembered.
   */
  async info(
    key: Key,
  ): Promise<CounterInfoReply | null> {
    return this.execute(requests.counter.info(key));
  }
}
