<?php

declare(strict_types=1);

namespace Leaderboard;

/**
 * The id of a request that gives none of its own: the client makes one. With `null` instead, a request has no id, and
 * counts as often as it is sent.
 */
enum RequestId
{
    case New;
}
