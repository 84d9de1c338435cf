<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use PHPUnit\Framework\TestCase;

/** The programs in the README, as a reader tries them. */
final class ReadmeTest extends TestCase
{
    public function testTheProgramsOfTheReadmeRun(): void
    {
        ['servers' => $servers, 'cluster' => $nodes] = $known = Servers::known();
        $port = $servers['redis-7.0'] ?? self::markTestSkipped('LEADERBOARD_TEST_SERVERS names no servers');
        self::removeKeys(new \Predis\Client("tcp://127.0.0.1:$port"));
        self::removeKeys(new \Predis\Client("tcp://127.0.0.1:{$known['gateway']}"));
        self::removeKeys(new \Predis\Client(["tcp://127.0.0.1:$nodes[0]"], ['cluster' => 'redis']));
        $program = strtr(self::programs(), [
            'path/to/clients/php' => dirname(__DIR__),
            '6379' => $port,
            '6380' => $known['gateway'],
            '7001' => $nodes[0],
            '7002' => $nodes[1],
        ]);
        $said = self::outputOf($program);
        self::assertStringContainsString("rank 1 with 50\n1 alice 50\n", $said);
        self::assertStringContainsString("int(9007199254740993)\nstring(5) \"61.25\"\nbool(false)\n", $said);
        self::assertStringEndsWith("this id belongs to another write\nrank 4 of 4\n", $said);
    }

    private static function removeKeys(\Predis\Client $client): void
    {
        foreach (['game', 'runs', 'acts', 'words', 'visits', 'big', 'laps', 'planet'] as $key) {
            $client->del($key);
        }
    }

    private static function programs(): string
    {
        $text = file_get_contents(__DIR__ . '/../README.md');
        preg_match_all('/```php\n(.*?)```/s', $text, $found);
        self::assertGreaterThan(7, count($found[1]));
        return implode($found[1]);
    }

    private static function outputOf(string $program): string
    {
        $file = tempnam(sys_get_temp_dir(), 'readme');
        file_put_contents($file, $program);
        exec(escapeshellarg(PHP_BINARY) . ' -d display_errors=1 ' . escapeshellarg($file) . ' 2>&1', $lines, $code);
        unlink($file);
        $said = implode("\n", $lines) . "\n";
        self::assertSame(0, $code, $said);
        return $said;
    }
}
