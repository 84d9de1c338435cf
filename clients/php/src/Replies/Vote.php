<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class Vote
{
    /**
     * @param list<Position>|null $positions
     */
    public function __construct(
        public bool $accepted,
        public ?array $positions = null,
        public ?string $rule = null,
        public ?int $retryAfter = null,
    ) {
    }
}
