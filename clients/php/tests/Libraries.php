<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

/** The clients of all libraries. */
final class Libraries
{
    /** @return array<string, array{\Closure(int, float=): (\Predis\Client|\Redis)}> by port and seconds to wait */
    public static function all(): array
    {
        return ['predis' => [self::predis(...)], 'phpredis' => [self::phpRedis(...)]];
    }

    private static function predis(int $port, float $seconds = 10): \Predis\Client
    {
        return new \Predis\Client("tcp://127.0.0.1:$port?read_write_timeout=$seconds");
    }

    private static function phpRedis(int $port, float $seconds = 10): \Redis
    {
        $client = new \Redis();
        $client->connect('127.0.0.1', $port);
        $client->setOption(\Redis::OPT_READ_TIMEOUT, $seconds);
        return $client;
    }
}
