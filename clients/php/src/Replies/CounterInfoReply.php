<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class CounterInfoReply
{
    public function __construct(
        public string $precisions,
        public string $clock,
        public int $samples,
        public int $dedup,
        public int $total,
        public int $requests,
        public int $now,
        public int $memory,
    ) {
    }
}
