<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** Another gateway has changed the board since this one read its root. */
final class Stale extends LeaderboardError
{
}
