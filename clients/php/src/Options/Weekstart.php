<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

/** The words of the option WEEKSTART. */
enum Weekstart: string
{
    case Mon = 'MON';
    case Tue = 'TUE';
    case Wed = 'WED';
    case Thu = 'THU';
    case Fri = 'FRI';
    case Sat = 'SAT';
    case Sun = 'SUN';
}
