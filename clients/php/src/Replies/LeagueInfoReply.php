<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class LeagueInfoReply
{
    /**
     * @param list<int> $members
     * @param list<int> $groups
     * @param list<string> $prizes
     */
    public function __construct(
        public string $tiers,
        public string $promote,
        public string $demote,
        public string $cycle,
        public string $ties,
        public string $joinuntil,
        public string $tz,
        public string $weekstart,
        public string $clock,
        public string $period,
        public int $group,
        public int $reward,
        public int $idle,
        public int $retain,
        public int $decimals,
        public int $origin,
        public int $dedup,
        public int $start,
        public int $end,
        public int $known,
        public int $requests,
        public int $now,
        public int $memory,
        public int $prizedays,
        public array $members,
        public array $groups,
        public array $prizes,
    ) {
    }
}
