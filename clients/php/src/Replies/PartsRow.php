<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class PartsRow
{
    public function __construct(
        public int $part,
        public string $key,
        public int $slot,
        public ?string $node = null,
        public ?int $incarnation = null,
        public ?int $revision = null,
        public ?int $members = null,
        public ?int $memory = null,
        public ?int $idle = null,
        public ?string $problem = null,
    ) {
    }
}
