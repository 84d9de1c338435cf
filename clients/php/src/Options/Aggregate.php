<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option AGGREGATE. */
enum Aggregate: string
{
    case Sum = 'SUM';
    case Max = 'MAX';
    case Min = 'MIN';
    case Last = 'LAST';
}
