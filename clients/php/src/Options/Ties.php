<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option TIES. */
enum Ties: string
{
    case First = 'FIRST';
    case Last = 'LAST';
    case Lex = 'LEX';
    case Revlex = 'REVLEX';
}
