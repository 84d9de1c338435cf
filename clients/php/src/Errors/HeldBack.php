<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** A rule of the board holds the write back. Nothing has changed. */
final class HeldBack extends LeaderboardError
{
    /** The name of the rule: `closed`, `joined`, `bounds`, `full` or `attempts`. */
    public readonly string $rule;

    /** The milliseconds after which the write can pass; `null` if waiting does not help. */
    public readonly ?int $retryAfter;

    protected function __construct(string $message, ?\Throwable $previous)
    {
        parent::__construct($message, $previous);
        [, $this->rule, $wait] = explode(' ', "$message  ");
        $this->retryAfter = (int) $wait >= 0 ? (int) $wait : null;
    }
}
