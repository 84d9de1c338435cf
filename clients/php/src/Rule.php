<?php

declare(strict_types=1);

namespace Leaderboard;

/** A value of an option that writes several words. */
interface Rule
{
    /** Appends the words of the rule. */
    public function write(Words $words): void;
}
