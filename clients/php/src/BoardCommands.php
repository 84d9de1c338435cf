<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard;

/** The commands of boards. */
abstract class BoardCommands
{
    /**
     * Sends a request and returns its reply.
     *
     * @template R
     * @param Request<R> $request
     * @return R
     */
    abstract public function execute(Request $request): mixed;

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
     *
     * @param array{int, string}|null $attempts
     * @param array{int|string, int|string}|null $bounds
     * @param iterable<Options\Prizes>|null $prizes
     * @param iterable<Options\Limit>|null $limit
     */
    public function create(
        string $key,
        ?string $views = null,
        ?Options\Order $order = null,
        ?Options\Aggregate $aggregate = null,
        ?Options\Ties $ties = null,
        ?int $decimals = null,
        ?string $levels = null,
        ?string $tz = null,
        ?Options\Weekstart $weekstart = null,
        int|\DateTimeInterface|null $origin = null,
        ?Options\Clock $clock = null,
        ?string $retain = null,
        ?string $carry = null,
        ?string $decay = null,
        ?int $dedup = null,
        bool $shown = false,
        bool $declared = false,
        int|\DateTimeInterface|null $opens = null,
        int|\DateTimeInterface|null $closes = null,
        ?string $hours = null,
        ?array $attempts = null,
        ?int $maxmembers = null,
        ?array $bounds = null,
        ?iterable $prizes = null,
        ?int $prizedays = null,
        ?iterable $limit = null,
        ?int $keep = null,
        ?int $notifytop = null,
        ?string $segments = null,
        ?Options\Part $part = null,
        ?int $parts = null,
        ?string $like = null,
        bool $nx = false,
    ): bool {
        return $this->execute(Requests::create(
            $key,
            $views,
            $order,
            $aggregate,
            $ties,
            $decimals,
            $levels,
            $tz,
            $weekstart,
            $origin,
            $clock,
            $retain,
            $carry,
            $decay,
            $dedup,
            $shown,
            $declared,
            $opens,
            $closes,
            $hours,
            $attempts,
            $maxmembers,
            $bounds,
            $prizes,
            $prizedays,
            $limit,
            $keep,
            $notifytop,
            $segments,
            $part,
            $parts,
            $like,
            $nx,
        ));
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
     *
     * @param array{int, string}|null $attempts
     * @param array{int|string, int|string}|null $bounds
     * @param iterable<Options\Prizes>|null $prizes
     * @param iterable<Options\Limit>|null $limit
     * @param iterable<string>|null $unlimit
     */
    public function alter(
        string $key,
        ?string $views = null,
        ?string $retain = null,
        ?string $carry = null,
        ?string $decay = null,
        ?int $dedup = null,
        bool $declared = false,
        int|\DateTimeInterface|null $opens = null,
        int|\DateTimeInterface|null $closes = null,
        ?string $hours = null,
        ?array $attempts = null,
        ?int $maxmembers = null,
        ?array $bounds = null,
        ?iterable $prizes = null,
        ?int $prizedays = null,
        ?iterable $limit = null,
        ?iterable $unlimit = null,
        ?int $keep = null,
        ?int $notifytop = null,
        ?string $segments = null,
        int|\DateTimeInterface|null $now = null,
    ): void {
        $this->execute(Requests::alter(
            $key,
            $views,
            $retain,
            $carry,
            $decay,
            $dedup,
            $declared,
            $opens,
            $closes,
            $hours,
            $attempts,
            $maxmembers,
            $bounds,
            $prizes,
            $prizedays,
            $limit,
            $unlimit,
            $keep,
            $notifytop,
            $segments,
            $now,
        ));
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
     *
     * @return Replies\InfoReply|null
     */
    public function info(
        string $key,
    ): ?Replies\InfoReply {
        return $this->execute(Requests::info(
            $key,
        ));
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
     *
     * @return list<Replies\PeriodsRow>
     */
    public function periods(
        string $key,
        string $view,
    ): array {
        return $this->execute(Requests::periods(
            $key,
            $view,
        ));
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
     *
     * @param int|string $points
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function add(
        string $key,
        int|float|string $points,
        string $member,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?string $meta = null,
        ?iterable $segment = null,
        ?string $within = null,
        bool $withChange = false,
        bool $force = false,
    ): Replies\Written {
        return $this->execute(Requests::add(
            $key,
            $points,
            $member,
            $id,
            $at,
            $view,
            $meta,
            $segment,
            $within,
            $withChange,
            $force,
        ));
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
     *
     * @param int|string $points
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function addQuiet(
        string $key,
        int|float|string $points,
        string $member,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?string $meta = null,
        ?iterable $segment = null,
        bool $force = false,
    ): int {
        return $this->execute(Requests::addQuiet(
            $key,
            $points,
            $member,
            $id,
            $at,
            $view,
            $meta,
            $segment,
            $force,
        ));
    }

    /**
     * Adds points to a member, and tells where it stands in a rolling view.
     *
     * Reply: As LB.ADD, in the view `unit:n`; without WINDOW, in the first rolling view of the board.
     *
     * The points go to all views, as with LB.ADD.
     *
     * Cost: O(log n).
     *
     * @param int|string $points
     * @param array{int, string}|null $window
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function rolladd(
        string $key,
        int|float|string $points,
        string $member,
        ?array $window = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?iterable $segment = null,
        ?string $within = null,
        bool $withChange = false,
        bool $force = false,
    ): Replies\Written {
        return $this->execute(Requests::rolladd(
            $key,
            $points,
            $member,
            $window,
            $id,
            $at,
            $segment,
            $within,
            $withChange,
            $force,
        ));
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
     *
     * @param int|string $points
     * @param array{int, string}|null $window
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function rolladdQuiet(
        string $key,
        int|float|string $points,
        string $member,
        ?array $window = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?iterable $segment = null,
        bool $force = false,
    ): int {
        return $this->execute(Requests::rolladdQuiet(
            $key,
            $points,
            $member,
            $window,
            $id,
            $at,
            $segment,
            $force,
        ));
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
     *
     * @param iterable<array{int|string, string}> $pairs
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     * @return list<Replies\Position>
     */
    public function madd(
        string $key,
        iterable $pairs,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?iterable $segment = null,
        bool $force = false,
    ): array {
        return $this->execute(Requests::madd(
            $key,
            $pairs,
            $id,
            $at,
            $view,
            $segment,
            $force,
        ));
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
     *
     * @param iterable<array{int|string, string}> $pairs
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function maddQuiet(
        string $key,
        iterable $pairs,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?iterable $segment = null,
        bool $force = false,
    ): int {
        return $this->execute(Requests::maddQuiet(
            $key,
            $pairs,
            $id,
            $at,
            $view,
            $segment,
            $force,
        ));
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
     *
     * @param int|string $score
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function set(
        string $key,
        int|float|string $score,
        string $member,
        bool $nx = false,
        bool $xx = false,
        bool $gt = false,
        bool $lt = false,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?string $meta = null,
        ?iterable $segment = null,
        ?string $within = null,
        bool $withChange = false,
        bool $force = false,
    ): Replies\Written {
        return $this->execute(Requests::set(
            $key,
            $score,
            $member,
            $nx,
            $xx,
            $gt,
            $lt,
            $id,
            $at,
            $view,
            $meta,
            $segment,
            $within,
            $withChange,
            $force,
        ));
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
     *
     * @param int|string $score
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function setQuiet(
        string $key,
        int|float|string $score,
        string $member,
        bool $nx = false,
        bool $xx = false,
        bool $gt = false,
        bool $lt = false,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?string $meta = null,
        ?iterable $segment = null,
        bool $force = false,
    ): int {
        return $this->execute(Requests::setQuiet(
            $key,
            $score,
            $member,
            $nx,
            $xx,
            $gt,
            $lt,
            $id,
            $at,
            $view,
            $meta,
            $segment,
            $force,
        ));
    }

    /**
     * Gives several members these scores as one request, all or nothing.
     *
     * Reply: As LB.MADD.
     *
     * Does what LB.SET does, one pair after another. A member may appear in the list more than once.
     *
     * Cost: O(m log n), m: members given.
     *
     * @param iterable<array{int|string, string}> $pairs
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     * @return list<Replies\Position>
     */
    public function mset(
        string $key,
        iterable $pairs,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?iterable $segment = null,
        bool $force = false,
    ): array {
        return $this->execute(Requests::mset(
            $key,
            $pairs,
            $id,
            $at,
            $view,
            $segment,
            $force,
        ));
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
     *
     * @param iterable<array{int|string, string}> $pairs
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function msetQuiet(
        string $key,
        iterable $pairs,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
        ?iterable $segment = null,
        bool $force = false,
    ): int {
        return $this->execute(Requests::msetQuiet(
            $key,
            $pairs,
            $id,
            $at,
            $view,
            $segment,
            $force,
        ));
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
     *
     * @param iterable<string> $members
     */
    public function rem(
        string $key,
        iterable $members,
    ): int {
        return $this->execute(Requests::rem(
            $key,
            $members,
        ));
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
    public function remrange(
        string $key,
        int $first,
        int $last,
    ): int {
        return $this->execute(Requests::remrange(
            $key,
            $first,
            $last,
        ));
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
     *
     * @param int|string $min
     * @param int|string $max
     */
    public function remrangebyscore(
        string $key,
        int|float|string $min,
        int|float|string $max,
    ): int {
        return $this->execute(Requests::remrangebyscore(
            $key,
            $min,
            $max,
        ));
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
     *
     * @param iterable<string> $members
     */
    public function hide(
        string $key,
        iterable $members,
    ): int {
        return $this->execute(Requests::hide(
            $key,
            $members,
        ));
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
     *
     * @param iterable<string> $members
     */
    public function unhide(
        string $key,
        iterable $members,
    ): int {
        return $this->execute(Requests::unhide(
            $key,
            $members,
        ));
    }

    /**
     * Lists the hidden members.
     *
     * Reply: An array of members, by name.
     *
     * Cost: O(h log h), h: hidden members.
     *
     * @return list<string>
     */
    public function hidden(
        string $key,
    ): array {
        return $this->execute(Requests::hidden(
            $key,
        ));
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
    public function setmeta(
        string $key,
        string $member,
        string $meta,
    ): void {
        $this->execute(Requests::setmeta(
            $key,
            $member,
            $meta,
        ));
    }

    /**
     * Tells the text beside a member.
     *
     * Reply: The text, or nil.
     *
     * Cost: O(log n).
     *
     * @return string|null
     */
    public function getmeta(
        string $key,
        string $member,
    ): ?string {
        return $this->execute(Requests::getmeta(
            $key,
            $member,
        ));
    }

    /**
     * Tells the texts beside several members.
     *
     * Reply: An array of texts, nil where there is none.
     *
     * Cost: O(m log n), m: members given.
     *
     * @param iterable<string> $members
     * @return list<string|null>
     */
    public function mgetmeta(
        string $key,
        iterable $members,
    ): array {
        return $this->execute(Requests::mgetmeta(
            $key,
            $members,
        ));
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
     *
     * @param array{string, string}|null $in
     * @return list<Replies\Row>
     */
    public function top(
        string $key,
        int $count,
        ?int $offset = null,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::top(
            $key,
            $count,
            $offset,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $ranks,
            $real,
            $rev,
        ));
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
     *
     * @param array{string, string}|null $in
     * @return list<Replies\Row>
     */
    public function range(
        string $key,
        int $first,
        int $last,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::range(
            $key,
            $first,
            $last,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $ranks,
            $real,
            $rev,
        ));
    }

    /**
     * Shows the members with a score in a range, best first.
     *
     * Reply: As LB.TOP.
     *
     * min is the smaller score, whatever the ORDER. `(5` excludes 5. -inf and +inf are allowed.
     *
     * Cost: O(log n + m), m: lines shown.
     *
     * @param int|string $min
     * @param int|string $max
     * @param array{string, string}|null $in
     * @return list<Replies\Row>
     */
    public function rangebyscore(
        string $key,
        int|float|string $min,
        int|float|string $max,
        ?int $offset = null,
        ?int $count = null,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::rangebyscore(
            $key,
            $min,
            $max,
            $offset,
            $count,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $ranks,
            $real,
            $rev,
        ));
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
     *
     * @param array{string, string}|null $in
     * @return list<Replies\Row>
     */
    public function around(
        string $key,
        string $member,
        ?int $count = null,
        ?int $above = null,
        ?int $below = null,
        bool $fill = false,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?string $within = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::around(
            $key,
            $member,
            $count,
            $above,
            $below,
            $fill,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $within,
            $ranks,
            $real,
            $rev,
        ));
    }

    /**
     * Tells a member's rank.
     *
     * Reply: The rank from 1, or nil.
     *
     * Cost: O(log n).
     *
     * @param array{string, string}|null $in
     * @return int|null
     */
    public function rank(
        string $key,
        string $member,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?string $within = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): ?int {
        return $this->execute(Requests::rank(
            $key,
            $member,
            $view,
            $period,
            $at,
            $in,
            $within,
            $ranks,
            $real,
            $rev,
        ));
    }

    /**
     * Tells a member's score.
     *
     * Reply: The score, or nil.
     *
     * Accepts RANKS and REV, without effect.
     *
     * Cost: O(1).
     *
     * @param array{string, string}|null $in
     */
    public function score(
        string $key,
        string $member,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?string $within = null,
        bool $real = false,
    ): int|string|null {
        return $this->execute(Requests::score(
            $key,
            $member,
            $view,
            $period,
            $at,
            $in,
            $within,
            $real,
        ));
    }

    /**
     * Tells the ranks and scores of several members.
     *
     * Reply: An array of [rank, score], nil for an unknown member. WITHMETA appends the meta, or nil.
     *
     * Cost: O(m log n), m: members given.
     *
     * @param iterable<string> $members
     * @param array{string, string}|null $in
     * @return list<Replies\Place|null>
     */
    public function mscore(
        string $key,
        iterable $members,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::mscore(
            $key,
            $members,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $ranks,
            $real,
            $rev,
        ));
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
     *
     * @param array{string, string}|null $in
     * @return Replies\StandingReply|null
     */
    public function standing(
        string $key,
        string $member,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?string $within = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): ?Replies\StandingReply {
        return $this->execute(Requests::standing(
            $key,
            $member,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $within,
            $ranks,
            $real,
            $rev,
        ));
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
     *
     * @param array{string, string}|null $in
     * @return list<Replies\HistoryRow>
     */
    public function history(
        string $key,
        string $member,
        ?int $count = null,
        ?string $view = null,
        ?array $in = null,
        ?string $within = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::history(
            $key,
            $member,
            $count,
            $view,
            $in,
            $within,
            $ranks,
            $real,
            $rev,
        ));
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
    public function find(
        string $key,
        string $cursor,
        string $pattern,
        ?int $count = null,
        bool $withMeta = false,
    ): Replies\FindReply {
        return $this->execute(Requests::find(
            $key,
            $cursor,
            $pattern,
            $count,
            $withMeta,
        ));
    }

    /**
     * Tells everything about where several members stand.
     *
     * Reply: An array of what LB.STANDING replies.
     *
     * Cost: O(m log n), m: members given.
     *
     * @param iterable<string> $members
     * @param array{string, string}|null $in
     * @return list<Replies\StandingReply|null>
     */
    public function mstanding(
        string $key,
        iterable $members,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::mstanding(
            $key,
            $members,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $ranks,
            $real,
            $rev,
        ));
    }

    /**
     * Counts the members, or those with a score in a range.
     *
     * Reply: A number; 0 for an absent key.
     *
     * The range is that of LB.RANGEBYSCORE. Accepts RANKS and REV, without effect.
     *
     * Cost: O(log n).
     *
     * @param array{int|string, int|string}|null $minMax
     * @param array{string, string}|null $in
     */
    public function count(
        string $key,
        ?array $minMax = null,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        bool $real = false,
    ): int {
        return $this->execute(Requests::count(
            $key,
            $minMax,
            $view,
            $period,
            $at,
            $in,
            $real,
        ));
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
     *
     * @param iterable<string> $members
     * @param array{string, string}|null $in
     * @return list<Replies\AmongRow>
     */
    public function among(
        string $key,
        iterable $members,
        bool $withMeta = false,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        ?Options\Ranks $ranks = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::among(
            $key,
            $members,
            $withMeta,
            $view,
            $period,
            $at,
            $in,
            $ranks,
            $real,
            $rev,
        ));
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
     *
     * @param array{string, string}|null $in
     * @return Replies\StatsReply|null
     */
    public function stats(
        string $key,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        bool $real = false,
    ): ?Replies\StatsReply {
        return $this->execute(Requests::stats(
            $key,
            $view,
            $period,
            $at,
            $in,
            $real,
        ));
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
     *
     * @param iterable<int|string> $qs
     * @param array{string, string}|null $in
     * @return list<int|string|null>
     */
    public function quantile(
        string $key,
        iterable $qs,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        bool $real = false,
    ): array {
        return $this->execute(Requests::quantile(
            $key,
            $qs,
            $view,
            $period,
            $at,
            $in,
            $real,
        ));
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
     *
     * @param int|string $min
     * @param int|string $max
     * @param array{string, string}|null $in
     * @return list<Replies\HistogramRow>
     */
    public function histogram(
        string $key,
        int|float|string $min,
        int|float|string $max,
        string $buckets,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        bool $real = false,
    ): array {
        return $this->execute(Requests::histogram(
            $key,
            $min,
            $max,
            $buckets,
            $view,
            $period,
            $at,
            $in,
            $real,
        ));
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
     *
     * @param iterable<string, string>|iterable<array{string, string}> $pairs
     */
    public function segment(
        string $key,
        string $member,
        iterable $pairs,
    ): int {
        return $this->execute(Requests::segment(
            $key,
            $member,
            $pairs,
        ));
    }

    /**
     * Tells the segments of a member.
     *
     * Reply: A map: name and value of each dimension in which the member is in a segment.
     *
     * With PERIOD or AT of a period that has ended: the segments in which the member ended it.
     *
     * Cost: O(log n).
     *
     * @return array<string, string>
     */
    public function getsegment(
        string $key,
        string $member,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
    ): array {
        return $this->execute(Requests::getsegment(
            $key,
            $member,
            $view,
            $period,
            $at,
        ));
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
     *
     * @return list<Replies\SegmentsRow>
     */
    public function segments(
        string $key,
        string $name,
        ?int $count = null,
        ?int $offset = null,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        bool $real = false,
        bool $rev = false,
    ): array {
        return $this->execute(Requests::segments(
            $key,
            $name,
            $count,
            $offset,
            $view,
            $period,
            $at,
            $real,
            $rev,
        ));
    }

    /**
     * Tells the rank of a segment among the segments of its dimension.
     *
     * Reply: [rank, score, members], as LB.SEGMENTS, or nil if no visible member is in the segment.
     *
     * Cost: O(log n); in an ended period O(s), s: segments, and the first read of one O(n log s).
     *
     * @return Replies\SegmentrankReply|null
     */
    public function segmentrank(
        string $key,
        string $name,
        string $value,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        bool $real = false,
        bool $rev = false,
    ): ?Replies\SegmentrankReply {
        return $this->execute(Requests::segmentrank(
            $key,
            $name,
            $value,
            $view,
            $period,
            $at,
            $real,
            $rev,
        ));
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
     *
     * @return list<Replies\PartsRow>|null
     */
    public function parts(
        string $key,
    ): ?array {
        return $this->execute(Requests::parts(
            $key,
        ));
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
     *
     * @return list<string>
     */
    public function repair(
        string $key,
        bool $force = false,
    ): array {
        return $this->execute(Requests::repair(
            $key,
            $force,
        ));
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
    public function reshard(
        string $key,
        string $parts,
    ): Replies\ReshardReply {
        return $this->execute(Requests::reshard(
            $key,
            $parts,
        ));
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
    public function import(
        string $key,
        string $zset,
        bool $merge = false,
        bool $nx = false,
        bool $round = false,
        int|\DateTimeInterface|null $at = null,
        ?string $cursor = null,
        ?int $count = null,
    ): int|Replies\ImportReply {
        return $this->execute(Requests::import(
            $key,
            $zset,
            $merge,
            $nx,
            $round,
            $at,
            $cursor,
            $count,
        ));
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
     *
     * @param array{string, string}|null $in
     */
    public function export(
        string $dest,
        string $key,
        ?int $count = null,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?array $in = null,
        bool $real = false,
        bool $rev = false,
    ): int {
        return $this->execute(Requests::export(
            $dest,
            $key,
            $count,
            $view,
            $period,
            $at,
            $in,
            $real,
            $rev,
        ));
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
     *
     * @param iterable<string> $keys
     * @param iterable<int|string>|null $weights
     */
    public function union(
        string $dest,
        iterable $keys,
        ?iterable $weights = null,
        ?Options\UnionAggregate $aggregate = null,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        bool $real = false,
    ): int {
        return $this->execute(Requests::union(
            $dest,
            $keys,
            $weights,
            $aggregate,
            $view,
            $period,
            $at,
            $real,
        ));
    }

    /**
     * Makes a board of the members that several boards or sorted sets have in common.
     *
     * Reply: The number of members of the new board.
     *
     * As LB.UNION, with those members only that all sources have.
     *
     * Cost: O(m log m), m: members of all sources.
     *
     * @param iterable<string> $keys
     * @param iterable<int|string>|null $weights
     */
    public function inter(
        string $dest,
        iterable $keys,
        ?iterable $weights = null,
        ?Options\UnionAggregate $aggregate = null,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        bool $real = false,
    ): int {
        return $this->execute(Requests::inter(
            $dest,
            $keys,
            $weights,
            $aggregate,
            $view,
            $period,
            $at,
            $real,
        ));
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
     *
     * @param iterable<string, string>|iterable<array{string, string}>|null $tag
     */
    public function vote(
        string $key,
        int $votes,
        string $member,
        ?string $by = null,
        ?iterable $tag = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): Replies\Vote {
        return $this->execute(Requests::vote(
            $key,
            $votes,
            $member,
            $by,
            $tag,
            $id,
            $at,
        ));
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
     *
     * @param iterable<string, string>|iterable<array{string, string}>|null $tag
     */
    public function voteQuiet(
        string $key,
        int $votes,
        string $member,
        ?string $by = null,
        ?iterable $tag = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): int {
        return $this->execute(Requests::voteQuiet(
            $key,
            $votes,
            $member,
            $by,
            $tag,
            $id,
            $at,
        ));
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
     *
     * @param iterable<array{int, string}> $pairs
     * @param iterable<string, string>|iterable<array{string, string}>|null $tag
     */
    public function mvote(
        string $key,
        iterable $pairs,
        ?string $by = null,
        ?iterable $tag = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): Replies\Vote {
        return $this->execute(Requests::mvote(
            $key,
            $pairs,
            $by,
            $tag,
            $id,
            $at,
        ));
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
     *
     * @param iterable<array{int, string}> $pairs
     * @param iterable<string, string>|iterable<array{string, string}>|null $tag
     */
    public function mvoteQuiet(
        string $key,
        iterable $pairs,
        ?string $by = null,
        ?iterable $tag = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): int {
        return $this->execute(Requests::mvoteQuiet(
            $key,
            $pairs,
            $by,
            $tag,
            $id,
            $at,
        ));
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
     *
     * @param iterable<string, string>|iterable<array{string, string}>|null $tag
     * @return list<Replies\QuotaRow>
     */
    public function quota(
        string $key,
        ?string $by = null,
        ?string $member = null,
        ?iterable $tag = null,
        int|\DateTimeInterface|null $at = null,
    ): array {
        return $this->execute(Requests::quota(
            $key,
            $by,
            $member,
            $tag,
            $at,
        ));
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
     *
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function option(
        string $key,
        string $member,
        ?int $weight = null,
        ?int $initial = null,
        ?string $meta = null,
        ?iterable $segment = null,
    ): void {
        $this->execute(Requests::option(
            $key,
            $member,
            $weight,
            $initial,
            $meta,
            $segment,
        ));
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
     *
     * @param iterable<string, string>|iterable<array{string, string}>|null $segment
     */
    public function join(
        string $key,
        string $member,
        ?string $meta = null,
        ?iterable $segment = null,
        string|RequestId|null $id = RequestId::New,
    ): bool {
        return $this->execute(Requests::join(
            $key,
            $member,
            $meta,
            $segment,
            $id,
        ));
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
    public function leave(
        string $key,
        string $member,
    ): bool {
        return $this->execute(Requests::leave(
            $key,
            $member,
        ));
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
    public function options(
        string $key,
        string $cursor,
        ?int $count = null,
    ): Replies\OptionsReply {
        return $this->execute(Requests::options(
            $key,
            $cursor,
            $count,
        ));
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
    public function voters(
        string $key,
        ?string $member = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?string $view = null,
    ): int {
        return $this->execute(Requests::voters(
            $key,
            $member,
            $period,
            $at,
            $view,
        ));
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
    public function prizes(
        string $key,
        string $cursor,
        ?int $count = null,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?string $per = null,
        bool $unclaimed = false,
    ): Replies\PrizesReply {
        return $this->execute(Requests::prizes(
            $key,
            $cursor,
            $count,
            $view,
            $period,
            $at,
            $per,
            $unclaimed,
        ));
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
     *
     * @return int|null
     */
    public function settle(
        string $key,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?string $per = null,
    ): ?int {
        return $this->execute(Requests::settle(
            $key,
            $view,
            $period,
            $at,
            $per,
        ));
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
     *
     * @return Replies\ClaimReply|null
     */
    public function claim(
        string $key,
        string $member,
        ?string $view = null,
        ?string $period = null,
        int|\DateTimeInterface|null $at = null,
        ?string $per = null,
        string|RequestId|null $id = RequestId::New,
    ): ?Replies\ClaimReply {
        return $this->execute(Requests::claim(
            $key,
            $member,
            $view,
            $period,
            $at,
            $per,
            $id,
        ));
    }
}
