<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class HistoryRow
{
    public function __construct(
        public string $label,
        public ?int $start,
        public ?int $rank,
        public int|string|null $score,
        public int $members,
    ) {
    }
}
