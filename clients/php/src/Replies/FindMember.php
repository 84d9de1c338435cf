<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class FindMember
{
    public function __construct(
        public string $member,
        public int|string|null $score = null,
        public ?int $rank = null,
        public ?string $meta = null,
    ) {
    }
}
