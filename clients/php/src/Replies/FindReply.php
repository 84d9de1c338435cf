<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class FindReply
{
    /**
     * @param list<FindMember> $members
     */
    public function __construct(
        public string $cursor,
        public array $members,
    ) {
    }
}
