<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\Errors\UnexpectedReply;
use Leaderboard\LeagueRequests;
use Leaderboard\Replies\LeagueStandingReply;
use Leaderboard\Replies\Written;
use Leaderboard\Request;
use Leaderboard\Requests;
use PHPUnit\Framework\TestCase;

/** Replies in the forms in which libraries give them. */
final class DecodeTest extends TestCase
{
    public function testNoDigitIsLost(): void
    {
        $score = Requests::score('game', 'ann');
        $replies = [PHP_INT_MAX, 9007199254740993, '0.1234567890123456789', '12/5/3', '18446744073709551615', null];
        foreach ($replies as $reply) {
            self::assertSame($reply, $score->decode($reply));
        }
    }

    /**
     * @param Request<mixed> $request
     * @dataProvider otherForms
     */
    public function testRepliesOfAnotherFormAreRefused(Request $request, mixed ...$replies): void
    {
        foreach ($replies as $reply) {
            try {
                $request->decode($reply);
                self::fail('read ' . json_encode($reply));
            } catch (UnexpectedReply $unexpected) {
                self::assertStringStartsWith('expected ', $unexpected->getMessage());
            }
        }
    }

    /** @return list<non-empty-list<mixed>> */
    public static function otherForms(): array
    {
        return [
            [Requests::rank('game', 'ann'), [], true, false, 1.5, '1', 'no'],
            [Requests::top('game', 3), null, 5, 'text', [1], [[1, 'ann']], [[1, 'ann', 5, 'm']], ['a' => [1, 'b', 5]]],
            [Requests::add('game', 5, 'ann'), null, [5, 1, 2], [5, 1], [1.5, 1, 1], [5, 1, true]],
            [Requests::getsegment('game', 'ann'), ['land'], 'text', [1, 'x']],
            [Requests::stats('game'), ['members', 1], 5],
            [Requests::setmeta('game', 'ann', 'x'), 'NO', 1, null],
            [Requests::vote('game', 1, 'ann'), [1, 'x'], []],
            [Requests::create('game', nx: true), 'OK', 2],
        ];
    }

    public function testAnOptionChoosesTheFormOfTheReply(): void
    {
        $added = Requests::add('game', 5, 'ann', withChange: true);
        self::assertEquals(new Written(5, 1, true, oldScore: 3, oldRank: 2), $added->decode([5, 1, 1, 3, 2]));
        $this->expectException(UnexpectedReply::class);
        $added->decode([5, 1, 1]);
    }

    public function testNamesThatLaterVersionsAddToAMapAreIgnored(): void
    {
        $reply = ['rank', 1, 'tier', 'gold', 'group', 2, 'zone', 'stay', 'members', 3, 'score', 5, 'later', 'x'];
        $standing = LeagueRequests::standing('words', 'ann')->decode($reply);
        self::assertEquals(new LeagueStandingReply('gold', 2, 1, 3, 5, 'stay'), $standing);
    }

    public function testRepliesDoNotChange(): void
    {
        $written = Requests::add('game', 5, 'ann')->decode([5, 1, 1]);
        $this->expectException(\Error::class);
        $written->score = 6;
    }
}
