<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard;

/** The commands of leagues. */
final class LeagueCommands
{
    /** Sends the commands by this client. */
    public function __construct(private readonly Leaderboard $client)
    {
    }

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
     *
     * @param iterable<string, string>|iterable<array{string, string}>|null $prizes
     */
    public function create(
        string $key,
        string $tiers,
        string $promote,
        string $demote,
        string $cycle,
        ?Options\LeagueTies $ties = null,
        ?string $group = null,
        ?int $reward = null,
        ?string $joinuntil = null,
        ?int $idle = null,
        ?int $retain = null,
        ?int $decimals = null,
        ?string $tz = null,
        ?Options\Weekstart $weekstart = null,
        int|\DateTimeInterface|null $origin = null,
        ?Options\Clock $clock = null,
        ?int $dedup = null,
        ?iterable $prizes = null,
        ?int $prizedays = null,
        bool $nx = false,
    ): bool {
        return $this->client->execute(LeagueRequests::create(
            $key,
            $tiers,
            $promote,
            $demote,
            $cycle,
            $ties,
            $group,
            $reward,
            $joinuntil,
            $idle,
            $retain,
            $decimals,
            $tz,
            $weekstart,
            $origin,
            $clock,
            $dedup,
            $prizes,
            $prizedays,
            $nx,
        ));
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
    public function join(
        string $key,
        string $member,
        ?string $meta = null,
        int|\DateTimeInterface|null $at = null,
    ): Replies\LeagueJoinReply {
        return $this->client->execute(LeagueRequests::join(
            $key,
            $member,
            $meta,
            $at,
        ));
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
     *
     * @param int|string $points
     */
    public function add(
        string $key,
        int|float|string $points,
        string $member,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): Replies\Position {
        return $this->client->execute(LeagueRequests::add(
            $key,
            $points,
            $member,
            $id,
            $at,
        ));
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
     *
     * @param int|string $points
     */
    public function addQuiet(
        string $key,
        int|float|string $points,
        string $member,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): int {
        return $this->client->execute(LeagueRequests::addQuiet(
            $key,
            $points,
            $member,
            $id,
            $at,
        ));
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
     *
     * @param iterable<string> $members
     */
    public function rem(
        string $key,
        iterable $members,
    ): int {
        return $this->client->execute(LeagueRequests::rem(
            $key,
            $members,
        ));
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
    public function tier(
        string $key,
        string $member,
        string $tier,
    ): void {
        $this->client->execute(LeagueRequests::tier(
            $key,
            $member,
            $tier,
        ));
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
    public function setmeta(
        string $key,
        string $member,
        string $meta,
    ): void {
        $this->client->execute(LeagueRequests::setmeta(
            $key,
            $member,
            $meta,
        ));
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
     *
     * @return list<Replies\LeagueTopRow>
     */
    public function top(
        string $key,
        string $member,
        ?int $count = null,
        ?string $period = null,
        bool $withZone = false,
    ): array {
        return $this->client->execute(LeagueRequests::top(
            $key,
            $member,
            $count,
            $period,
            $withZone,
        ));
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
     *
     * @return list<Replies\LeagueTopRow>
     */
    public function group(
        string $key,
        string $tier,
        string $group,
        ?int $count = null,
        ?string $period = null,
        bool $withZone = false,
    ): array {
        return $this->client->execute(LeagueRequests::group(
            $key,
            $tier,
            $group,
            $count,
            $period,
            $withZone,
        ));
    }

    /**
     * Tells where a member stands, and where it moves from there.
     *
     * Reply: A map: tier, group, rank, members (of the group), score, zone (promote, stay, demote: what
     * the end of the period means for this rank); nil for a member that is not in the period.
     *
     * Cost: O(log n).
     *
     * @return Replies\LeagueStandingReply|null
     */
    public function standing(
        string $key,
        string $member,
        ?string $period = null,
    ): ?Replies\LeagueStandingReply {
        return $this->client->execute(LeagueRequests::standing(
            $key,
            $member,
            $period,
        ));
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
     *
     * @return Replies\LeagueInfoReply|null
     */
    public function info(
        string $key,
        ?string $period = null,
    ): ?Replies\LeagueInfoReply {
        return $this->client->execute(LeagueRequests::info(
            $key,
            $period,
        ));
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
     *
     * @param iterable<string, string>|iterable<array{string, string}>|null $prizes
     */
    public function alter(
        string $key,
        ?string $promote = null,
        ?string $demote = null,
        ?string $group = null,
        ?int $reward = null,
        ?string $joinuntil = null,
        ?int $idle = null,
        ?int $retain = null,
        ?int $dedup = null,
        ?iterable $prizes = null,
        ?int $prizedays = null,
    ): void {
        $this->client->execute(LeagueRequests::alter(
            $key,
            $promote,
            $demote,
            $group,
            $reward,
            $joinuntil,
            $idle,
            $retain,
            $dedup,
            $prizes,
            $prizedays,
        ));
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
    public function prizes(
        string $key,
        string $cursor,
        ?int $count = null,
        ?string $period = null,
        bool $unclaimed = false,
    ): Replies\LeaguePrizesReply {
        return $this->client->execute(LeagueRequests::prizes(
            $key,
            $cursor,
            $count,
            $period,
            $unclaimed,
        ));
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
     *
     * @return Replies\LeagueClaimReply|null
     */
    public function claim(
        string $key,
        string $member,
        ?string $period = null,
        string|RequestId|null $id = RequestId::New,
    ): ?Replies\LeagueClaimReply {
        return $this->client->execute(LeagueRequests::claim(
            $key,
            $member,
            $period,
            $id,
        ));
    }
}
