<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The key holds no board, and the command makes none. */
final class NoBoard extends LeaderboardError
{
}
