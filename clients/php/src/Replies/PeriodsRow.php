<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class PeriodsRow
{
    public function __construct(
        public string $label,
        public ?int $start,
        public ?int $end,
        public int $members,
    ) {
    }
}
