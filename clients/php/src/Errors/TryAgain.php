<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The part of a board is being split or merged, and takes writes again soon. Nothing has changed. */
final class TryAgain extends LeaderboardError
{
}
