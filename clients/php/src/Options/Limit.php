<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard\Options;

use Leaderboard\Rule;
use Leaderboard\Words;

/** The option LIMIT: rule, scope, max, unit, bonus. */
final readonly class Limit implements Rule
{
    /**
     * @param int|string $max
     * @param iterable<array{string, string, int}> $bonus
     */
    public function __construct(
        public string $rule,
        public string $scope,
        public int|float|string $max,
        public string $unit,
        public iterable $bonus = [],
    ) {
    }

    public function write(Words $words): void
    {
        $words->add($this->rule);
        $words->add($this->scope);
        $words->add($this->max);
        $words->add($this->unit);
        $words->repeated('BONUS', $this->bonus);
    }
}
