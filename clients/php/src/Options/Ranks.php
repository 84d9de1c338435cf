<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option RANKS. */
enum Ranks: string
{
    case Ordinal = 'ORDINAL';
    case Competition = 'COMPETITION';
    case Dense = 'DENSE';
}
