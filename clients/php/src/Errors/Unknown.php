<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** No answer of a part came, so the write may have been applied. Send it again with its request id. */
final class Unknown extends LeaderboardError
{
}
