<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class OptionsOption
{
    public function __construct(
        public string $member,
        public int $weight,
        public int|string $initial,
        public ?string $meta,
        public int|string $real,
        public int|string $shown,
        public int $voters,
    ) {
    }
}
