<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class StatsReply
{
    public function __construct(
        public int $members,
        public int|string|null $sum = null,
        public ?string $mean = null,
        public int|string|null $min = null,
        public int|string|null $max = null,
        public int|string|null $median = null,
    ) {
    }
}
