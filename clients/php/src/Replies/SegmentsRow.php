<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class SegmentsRow
{
    public function __construct(
        public int $rank,
        public string $value,
        public int|string $score,
        public int $members,
    ) {
    }
}
