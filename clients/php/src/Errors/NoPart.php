<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The key does not hold the part of a board that was asked for. */
final class NoPart extends LeaderboardError
{
}
