<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The key holds a value of another type. */
final class WrongType extends LeaderboardError
{
}
