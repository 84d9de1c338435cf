<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class LeaguePrizesWinner
{
    public function __construct(
        public string $tier,
        public int $group,
        public int $rank,
        public string $member,
        public int|string $score,
        public string $prize,
        public ?int $claimed = null,
    ) {
    }
}
