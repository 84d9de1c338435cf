<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\Errors\LeaderboardError;
use Leaderboard\Leaderboard;
use PHPUnit\Framework\TestCase;

/** The shared sessions on real servers, a cluster and the gateway. */
final class LiveTest extends TestCase
{
    /** @dataProvider places */
    public function testSessions(?\Closure $connect, bool $isGateway): void
    {
        foreach (self::sessions($connect, $isGateway) as [$session, $board]) {
            foreach ($session['calls'] as $call) {
                $this->check($call, self::resultOf($board, $call));
            }
        }
    }

    /** @dataProvider places */
    public function testSessionsInPipelines(?\Closure $connect, bool $isGateway): void
    {
        foreach (self::sessions($connect, $isGateway) as [$session, $board]) {
            $replies = $board->executeMany(array_map(Vectors::request(...), $session['calls']));
            array_map($this->check(...), $session['calls'], $replies);
        }
    }

    public function testABoardOverManyNodes(): void
    {
        $gateway = Servers::known()['gateway'] ?? self::markTestSkipped('LEADERBOARD_TEST_SERVERS names no gateway');
        $client = new \Predis\Client("tcp://127.0.0.1:$gateway");
        $client->del('spread');
        $board = new Leaderboard($client);
        self::assertTrue($board->create('spread', parts: 4));
        $board->madd('spread', array_map(static fn ($number) => [$number, "m$number"], range(0, 39)));
        self::assertSame(['m39', 'm38'], array_column($board->top('spread', 2), 'member'));
        self::assertSame([0, 1, 2, 3], array_column($board->parts('spread'), 'part'));
        $client->del('spread');
    }

    /** @return array<string, array{\Closure|null, bool}> how to connect, and whether it is to a gateway */
    public static function places(): array
    {
        ['servers' => $servers, 'cluster' => $nodes] = $known = Servers::known();
        $places = [];
        foreach (Libraries::all() as $library => [$connect]) {
            foreach ($servers as $name => $port) {
                $places["$name by $library"] = [static fn () => $connect($port), false];
            }
            if (isset($known['gateway'])) {
                $places["the gateway by $library"] = [static fn () => $connect($known['gateway']), true];
            }
        }
        if ($nodes !== []) {
            $all = array_map(static fn ($port) => "tcp://127.0.0.1:$port", $nodes);
            $places['the cluster'] = [static fn () => new \Predis\Client($all, ['cluster' => 'redis']), false];
        }
        return $places === [] ? ['no servers' => [null, false]] : $places;
    }

    /** @return \Generator<array{array<string, mixed>, Leaderboard}> the sessions, and a client without their keys */
    private static function sessions(?\Closure $connect, bool $isGateway): \Generator
    {
        $client = $connect === null ? self::markTestSkipped('LEADERBOARD_TEST_SERVERS names no servers') : $connect();
        foreach (Vectors::sessions() as $session) {
            if ($isGateway && !$session['gateway']) {
                continue;
            }
            foreach (array_unique(array_map(static fn ($call) => $call['words'][1], $session['calls'])) as $key) {
                $client->del($key);
            }
            yield [$session, new Leaderboard($client)];
        }
    }

    /** @param array<string, mixed> $call */
    private static function resultOf(Leaderboard $board, array $call): mixed
    {
        try {
            return $board->execute(Vectors::request($call));
        } catch (LeaderboardError $error) {
            return $error;
        }
    }

    /** @param array<string, mixed> $call */
    private function check(array $call, mixed $result): void
    {
        self::assertSame(Vectors::expected($call), Vectors::outcome($result), implode(' ', $call['words']));
    }
}
