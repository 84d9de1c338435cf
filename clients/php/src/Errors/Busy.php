<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The gateway has too much to do, or the server runs a script. Nothing has changed. */
final class Busy extends LeaderboardError
{
    /** The milliseconds after which the gateway wants the request again; `null` if it does not say. */
    public readonly ?int $retryAfter;

    protected function __construct(string $message, ?\Throwable $previous)
    {
        parent::__construct($message, $previous);
        $isSaid = preg_match('/try again in (\d+) ms/', $message, $wait) === 1;
        $this->retryAfter = $isSaid ? (int) $wait[1] : null;
    }
}
