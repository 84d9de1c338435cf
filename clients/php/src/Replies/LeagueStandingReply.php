<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class LeagueStandingReply
{
    public function __construct(
        public string $tier,
        public int $group,
        public int $rank,
        public int $members,
        public int|string $score,
        public string $zone,
    ) {
    }
}
