<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\Errors\LeaderboardError;
use Leaderboard\Errors\NoBoard;
use Leaderboard\Errors\UnexpectedReply;
use Leaderboard\Errors\Unknown;
use Leaderboard\Leaderboard;
use Leaderboard\Requests;
use PHPUnit\Framework\TestCase;

/** What is sent again, and what is not. */
final class RetriesTest extends TestCase
{
    private const WRITTEN = [50, 1, 1];

    public function testAWriteWithAnIdIsSentAgainWithTheSameId(): void
    {
        $sender = new Scripted(self::lost(), self::lost(), self::WRITTEN);
        self::assertSame(50, (new Leaderboard($sender))->add('game', 50, 'ann')->score);
        self::assertCount(3, $sender->sent);
        self::assertSame($sender->sent[0], $sender->sent[2]);
    }

    public function testAWriteWithoutAnIdIsNotSentAgainAfterALostAnswer(): void
    {
        $this->assertSentOnce(self::lost(), static fn ($board) => $board->add('game', 50, 'ann', id: null));
    }

    public function testAReadIsSentAgain(): void
    {
        self::assertSame(7, (new Leaderboard(new Scripted(self::lost(), 7)))->rank('game', 'ann'));
    }

    public function testRetriesAreNotEndless(): void
    {
        $lost = self::lost();
        $sender = new Scripted($lost, $lost, $lost, 7);
        try {
            (new Leaderboard($sender, retries: 2))->rank('game', 'ann');
            self::fail('no error');
        } catch (\RuntimeException $error) {
            self::assertSame([$lost, 3], [$error, count($sender->sent)]);
        }
    }

    /** @dataProvider refusals */
    public function testAnyRequestIsSentAgainAfterARefusal(string $message): void
    {
        $sender = new Scripted(LeaderboardError::of($message), 1);
        self::assertSame(1, (new Leaderboard($sender))->rem('game', ['ann']));
        self::assertCount(2, $sender->sent);
    }

    /** @return list<array{string}> */
    public static function refusals(): array
    {
        return [['BUSY try again in 5 ms'], ['TRYAGAIN the part is split'], ['LOADING the server is loaded']];
    }

    public function testABusyGatewaySaysHowLongToWait(): void
    {
        $start = hrtime(true);
        $sender = new Scripted(LeaderboardError::of('BUSY try again in 120 ms'), 1);
        (new Leaderboard($sender))->rem('game', ['ann']);
        self::assertGreaterThanOrEqual(119e6, hrtime(true) - $start);
    }

    public function testAWriteWithoutAnAnswerOfItsPartIsSentAgainIfItHasAnId(): void
    {
        $unknown = LeaderboardError::of('UNKNOWN the part did not answer');
        self::assertInstanceOf(Unknown::class, $unknown);
        self::assertTrue((new Leaderboard(new Scripted($unknown, self::WRITTEN)))->add('game', 50, 'ann')->applied);
        $this->assertSentOnce($unknown, static fn ($board) => $board->rem('game', ['ann']));
    }

    public function testAnErrorOfTheCommandIsNotSentAgain(): void
    {
        $error = LeaderboardError::of('NOBOARD no board');
        $this->assertSentOnce($error, static fn ($board) => $board->rank('game', 'ann'));
    }

    public function testAnUnexpectedReplyIsNotSentAgain(): void
    {
        $this->expectException(UnexpectedReply::class);
        (new Leaderboard(new Scripted('no rank', 7)))->rank('game', 'ann');
    }

    public function testAPipelineReturnsValuesAndErrorsAtTheirPlaces(): void
    {
        $lost = self::lost();
        $sender = new Scripted(7, LeaderboardError::of('NOBOARD no board'), $lost, 'text');
        $requests = array_fill(0, 4, Requests::rank('game', 'ann'));
        $replies = (new Leaderboard($sender))->executeMany(new \ArrayIterator($requests));
        self::assertSame([7, $lost], [$replies[0], $replies[2]]);
        self::assertInstanceOf(NoBoard::class, $replies[1]);
        self::assertInstanceOf(UnexpectedReply::class, $replies[3]);
        self::assertCount(4, $sender->sent);
    }

    private function assertSentOnce(\Exception $error, \Closure $call): void
    {
        $sender = new Scripted($error, 1);
        try {
            $call(new Leaderboard($sender));
            self::fail('no error');
        } catch (\RuntimeException $thrown) {
            self::assertSame([$error, 1], [$thrown, count($sender->sent)]);
        }
    }

    private static function lost(): \Exception
    {
        return new \RuntimeException('the connection is lost');
    }
}
