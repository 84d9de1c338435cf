<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class StandingReply
{
    public function __construct(
        public int $rank,
        public int|string $score,
        public int $members,
        public string $percentile,
        public ?StandingAhead $ahead = null,
        public ?StandingAhead $behind = null,
        public ?StandingPrevious $previous = null,
        public ?int $change = null,
        public ?int $at = null,
        public ?string $meta = null,
    ) {
    }
}
