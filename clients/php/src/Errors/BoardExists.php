<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The key holds a board already. */
final class BoardExists extends LeaderboardError
{
}
