<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class AmongRow
{
    public function __construct(
        public int $place,
        public string $member,
        public int|string $score,
        public int $rank,
        public ?string $meta = null,
    ) {
    }
}
