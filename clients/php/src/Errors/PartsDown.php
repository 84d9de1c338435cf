<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** A part of a board over many nodes does not answer. A write has changed nothing. */
final class PartsDown extends LeaderboardError
{
}
