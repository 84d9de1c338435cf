<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option CLOCK. */
enum Clock: string
{
    case Server = 'SERVER';
    case Event = 'EVENT';
}
