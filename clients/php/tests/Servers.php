<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

/** The servers that LEADERBOARD_TEST_SERVERS names: {"servers":{"redis-7.0":PORT},"cluster":[PORT],"gateway":PORT}. */
final class Servers
{
    /** @return array{servers: array<string, int>, cluster: list<int>, gateway?: int} */
    public static function known(): array
    {
        $text = getenv('LEADERBOARD_TEST_SERVERS');
        return json_decode($text === false ? '{"servers": {}, "cluster": []}' : $text, true, 8, JSON_THROW_ON_ERROR);
    }
}
