<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\Errors\NoBoard;
use Leaderboard\Leaderboard;
use Leaderboard\Requests;
use PHPUnit\Framework\TestCase;

/** A server that closes a connection instead of an answer. */
final class LostTest extends TestCase
{
    private const CUT = '';
    private const WRITTEN = "*3\r\n:50\r\n:1\r\n:1\r\n";

    /** @dataProvider \Leaderboard\Tests\Libraries::all */
    public function testTheSameWordsArriveTwice(\Closure $connect): void
    {
        $server = new FakeServer([self::CUT, self::WRITTEN]);
        $written = (new Leaderboard($connect($server->port, 0.3)))->add('game', 50, 'ann');
        self::assertSame(50, $written->score);
        [$first, $second] = $server->received();
        self::assertSame($first, $second);
        self::assertSame('ID', $first[4]);
    }

    /** @dataProvider \Leaderboard\Tests\Libraries::all */
    public function testAWriteWithoutAnIdArrivesOnce(\Closure $connect): void
    {
        $server = new FakeServer([self::CUT, ":1\r\n"]);
        $board = new Leaderboard($connect($server->port, 0.3));
        self::assertInstanceOf(\Exception::class, self::errorOf(static fn () => $board->rem('game', ['ann'])));
        self::assertSame(1, $board->rem('game', ['bob']));
        self::assertSame(['ann', 'bob'], array_column($server->received(), 2));
    }

    /** @dataProvider \Leaderboard\Tests\Libraries::all */
    public function testAnErrorOfTheServerIsNoLostAnswer(\Closure $connect): void
    {
        $server = new FakeServer(["-NOBOARD no board\r\n", ":1\r\n"]);
        $board = new Leaderboard($connect($server->port));
        $error = self::errorOf(static fn () => $board->rank('game', 'ann'));
        self::assertInstanceOf(NoBoard::class, $error);
        self::assertSame('NOBOARD no board', $error->getMessage());
        self::assertSame(1, $board->rank('game', 'ann'));
    }

    public function testAPipelineKeepsWhatWasAnswered(): void
    {
        $server = new FakeServer([":1\r\n", "-NOBOARD no board\r\n", self::CUT]);
        $board = new Leaderboard(new \Predis\Client("tcp://127.0.0.1:$server->port"));
        $replies = $board->executeMany(array_fill(0, 4, Requests::rank('game', 'ann')));
        self::assertSame(1, $replies[0]);
        self::assertInstanceOf(NoBoard::class, $replies[1]);
        self::assertInstanceOf(\Predis\Connection\ConnectionException::class, $replies[2]);
        self::assertSame($replies[2], $replies[3]);
    }

    /**
     * @param array<string, string> $options
     * @dataProvider aggregates
     */
    public function testPredisDoesNotRepeatAWriteWithoutAnId(string $query, array $options): void
    {
        $server = new FakeServer([self::CUT, ":1\r\n"]);
        $board = new Leaderboard(new \Predis\Client(["tcp://127.0.0.1:$server->port?$query"], $options));
        self::assertInstanceOf(\Exception::class, self::errorOf(static fn () => $board->rem('game', ['ann'])));
        self::assertSame(1, $board->rem('game', ['bob']));
        self::assertSame(['ann', 'bob'], array_column($server->received(), 2));
    }

    /** @return array<string, array{string, array<string, string>}> */
    public static function aggregates(): array
    {
        return [
            'a cluster' => ['slots=0-16383', ['cluster' => 'redis']],
            'a sentinel' => ['role=sentinel', ['replication' => 'sentinel', 'service' => 'main']],
        ];
    }

    private static function errorOf(\Closure $call): ?\Exception
    {
        try {
            $call();
            return null;
        } catch (\Exception $error) {
            return $error;
        }
    }
}
