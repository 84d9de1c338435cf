<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option ORDER. */
enum Order: string
{
    case Desc = 'DESC';
    case Asc = 'ASC';
}
