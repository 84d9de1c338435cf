<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option TIES. */
enum LeagueTies: string
{
    case Scored = 'SCORED';
    case Joined = 'JOINED';
}
