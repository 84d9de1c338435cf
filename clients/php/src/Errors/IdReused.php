<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The request id belongs to a request with other contents. Nothing has changed. */
final class IdReused extends LeaderboardError
{
}
