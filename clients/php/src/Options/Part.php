<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

use Leaderboard\Rule;
use Leaderboard\Words;

/** The option PART: i, of. */
final readonly class Part implements Rule
{
    public function __construct(
        public int $i,
        public int $of,
    ) {
    }

    public function write(Words $words): void
    {
        $words->add($this->i);
        $words->option('OF', $this->of);
    }
}
