<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class Written
{
    public function __construct(
        public int|string|null $score,
        public ?int $rank,
        public bool $applied,
        public int|string|null $oldScore = null,
        public ?int $oldRank = null,
        public ?int $within = null,
    ) {
    }
}
