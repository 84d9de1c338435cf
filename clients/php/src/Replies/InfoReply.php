<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Replies;

/** A reply, or a part of one. */
final readonly class InfoReply
{
    /**
     * @param list<string> $keys
     * @param list<string> $limit
     * @param list<string> $prizes
     * @param array<string, int> $heldBack
     * @param array<string, int> $segmentCounts
     */
    public function __construct(
        public string $views,
        public string $order,
        public string $aggregate,
        public string $ties,
        public string $tz,
        public string $weekstart,
        public string $clock,
        public string $retain,
        public string $carry,
        public string $decay,
        public string $levels,
        public string $segments,
        public string $hours,
        public string $attempts,
        public string $bounds,
        public int $decimals,
        public int $origin,
        public int $dedup,
        public bool $shown,
        public bool $declared,
        public int $keep,
        public int $opens,
        public int $closes,
        public int $maxmembers,
        public int $prizedays,
        public int $payouts,
        public int $notifytop,
        public int $members,
        public int $hidden,
        public int $requests,
        public int $now,
        public int $memory,
        public int $last,
        public int $incarnation,
        public int $revision,
        public int $request,
        public int $target,
        public int $grown,
        public int $token,
        public int $until,
        public int $parts,
        public ?int $part,
        public int $schema,
        public array $keys,
        public string $state,
        public array $limit,
        public array $prizes,
        public int $writes,
        public int $repeated,
        public int $votes,
        public array $heldBack,
        public array $segmentCounts,
    ) {
    }
}
