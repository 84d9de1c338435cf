<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\Errors\Busy;
use Leaderboard\Errors\HeldBack;
use Leaderboard\Errors\LeaderboardError;
use PHPUnit\Framework\TestCase;

/** Errors have the classes of their codes. */
final class ErrorsTest extends TestCase
{
    /** @dataProvider classes */
    public function testEachCodeHasAClass(string $name): void
    {
        $code = strtoupper($name);
        $cause = new \Exception();
        $error = LeaderboardError::of("$code some text", $cause);
        self::assertSame("Leaderboard\\Errors\\$name", $error::class);
        self::assertSame([$code, $cause], [$error->getErrorType(), $error->getPrevious()]);
    }

    /** @return list<array{string}> */
    public static function classes(): array
    {
        $files = array_map(static fn ($file) => basename($file, '.php'), glob(__DIR__ . '/../src/Errors/*.php'));
        $names = array_diff($files, ['LeaderboardError', 'UnexpectedReply']);
        return array_map(static fn ($name) => [$name], array_values($names));
    }

    public function testOtherCodesAreErrorsOfTheModuleToo(): void
    {
        $error = LeaderboardError::of('ERR unknown command');
        self::assertSame([LeaderboardError::class, 'ERR'], [$error::class, $error->getErrorType()]);
    }

    public function testARuleThatHoldsBackSaysUntilWhen(): void
    {
        $closed = LeaderboardError::of('HELDBACK closed 1500');
        self::assertInstanceOf(HeldBack::class, $closed);
        self::assertSame(['closed', 1500], [$closed->rule, $closed->retryAfter]);
        self::assertNull(LeaderboardError::of('HELDBACK full -1')->retryAfter);
    }

    public function testABusyGatewaySaysHowLongToWaitAndABusyServerDoesNot(): void
    {
        $gateway = LeaderboardError::of('BUSY the gateway asks as many parts as it may: try again in 80 ms');
        self::assertInstanceOf(Busy::class, $gateway);
        self::assertSame(80, $gateway->retryAfter);
        self::assertNull(LeaderboardError::of('BUSY Redis is busy running a script')->retryAfter);
    }

    public function testMessagesOfLibrariesAreNoReplies(): void
    {
        foreach (['Connection lost', 'read error on connection', 'Redis server went away', ''] as $message) {
            self::assertFalse(LeaderboardError::isReply($message));
        }
        self::assertTrue(LeaderboardError::isReply('NOBOARD no board'));
    }
}
