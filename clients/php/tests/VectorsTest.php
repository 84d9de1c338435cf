<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\Leaderboard;
use PHPUnit\Framework\TestCase;

/** Each function makes the words of its vectors, and reads their replies. */
final class VectorsTest extends TestCase
{
    public function testRequestsHaveTheWordsOfTheVectors(): void
    {
        $calls = Vectors::calls();
        self::assertGreaterThan(100, count($calls));
        foreach ($calls as $call) {
            self::assertSame(array_map(Vectors::bytes(...), $call['words']), Vectors::request($call)->words);
        }
    }

    /** @dataProvider \Leaderboard\Tests\Libraries::all */
    public function testRepliesHaveTheValuesOfTheVectors(\Closure $connect): void
    {
        $calls = Vectors::calls();
        $server = new FakeServer(array_map(Vectors::bytes(...), array_column($calls, 'resp2')));
        $board = new Leaderboard($connect($server->port), retries: 0);
        foreach ($calls as $call) {
            [$result] = $board->executeMany([Vectors::request($call)]);
            self::assertSame(Vectors::expected($call), Vectors::outcome($result), implode(' ', $call['words']));
        }
    }

    public function testAMapMayHaveNamesAsInRESP3(): void
    {
        $calls = array_filter(Vectors::calls(), static fn ($call) => str_starts_with($call['resp3'], '%'));
        self::assertGreaterThan(3, count($calls));
        foreach ($calls as $call) {
            $bytes = Vectors::bytes($call['resp3']);
            $reply = self::next($bytes);
            self::assertSame(Vectors::expected($call), Vectors::outcome(Vectors::request($call)->decode($reply)));
        }
    }

    /** Reads a reply in RESP3 from the beginning of these bytes, and removes it there. */
    private static function next(string &$bytes): mixed
    {
        [$line, $bytes] = explode("\r\n", $bytes, 2);
        $count = (int) substr($line, 1);
        if ($line[0] === '$') {
            [$text, $bytes] = [substr($bytes, 0, $count), substr($bytes, $count + 2)];
            return $text;
        }
        $items = [];
        for ($at = 0; ($line[0] === '*' || $line[0] === '%') && $at < $count; $at++) {
            $name = $line[0] === '%' ? self::next($bytes) : $at;
            $items[$name] = self::next($bytes);
        }
        return match ($line[0]) {
            '*', '%' => $items,
            ':' => $count,
            '+' => substr($line, 1),
            '_' => null,
        };
    }
}
