<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class QuotaRow
{
    public function __construct(
        public string $rule,
        public int $used,
        public int $max,
        public int $retryAfter,
    ) {
    }
}
