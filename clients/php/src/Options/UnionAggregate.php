<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option AGGREGATE. */
enum UnionAggregate: string
{
    case Sum = 'SUM';
    case Min = 'MIN';
    case Max = 'MAX';
}
