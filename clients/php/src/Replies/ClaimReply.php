<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class ClaimReply
{
    public function __construct(
        public string $prize,
        public int $rank,
        public bool $claimed,
        public ?string $value = null,
    ) {
    }
}
