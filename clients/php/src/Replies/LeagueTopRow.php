<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class LeagueTopRow
{
    public function __construct(
        public int $rank,
        public string $member,
        public int|string $score,
        public ?string $meta = null,
        public ?string $zone = null,
    ) {
    }
}
