<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

use Leaderboard\Rule;
use Leaderboard\Words;

/** The option PRIZES: view, places, per. */
final readonly class Prizes implements Rule
{
    public function __construct(
        public string $view,
        public string $places,
        public ?string $per = null,
    ) {
    }

    public function write(Words $words): void
    {
        $words->add($this->view);
        $words->add($this->places);
        $words->option('PER', $this->per);
    }
}
