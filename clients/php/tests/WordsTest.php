<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\CounterRequests;
use Leaderboard\Options\Limit;
use Leaderboard\Options\Ranks;
use Leaderboard\Requests;
use PHPUnit\Framework\TestCase;

/** Values that become words, and values that are refused. */
final class WordsTest extends TestCase
{
    public function testNumbersKeepTheirDigits(): void
    {
        $points = [50 => 50, PHP_INT_MAX => PHP_INT_MAX, PHP_INT_MIN => PHP_INT_MIN, '10.50' => '10.50'];
        foreach ($points as $word => $value) {
            self::assertSame((string) $word, Requests::add('game', $value, 'ann')->words[2]);
        }
    }

    public function testAFloatIsRefused(): void
    {
        $this->expectException(\TypeError::class);
        $this->expectExceptionMessage('a float loses digits: give 0.5 as an int or a string');
        Requests::add('game', 0.5, 'ann');
    }

    public function testAFloatIsRefusedWithoutStrictTypesToo(): void
    {
        $error = require __DIR__ . '/without-strict-types.php';
        self::assertSame('a float loses digits: give 7 as an int or a string', $error);
    }

    public function testAMomentIsANumberOrADate(): void
    {
        $berlin = new \DateTimeImmutable('2024-01-01T01:00:00.123999+01:00');
        self::assertSame(['AT', '1704067200123'], array_slice(Requests::rank('game', 'ann', at: $berlin)->words, 3));
        self::assertSame(['AT', '5'], array_slice(Requests::rank('game', 'ann', at: 5)->words, 3));
        $early = new \DateTime('1969-12-31T23:59:59.500Z');
        self::assertSame('-500', Requests::rank('game', 'ann', at: $early)->words[4]);
    }

    /** @dataProvider otherValues */
    public function testOtherValuesAreRefused(\Closure $call): void
    {
        $this->expectException(\TypeError::class);
        $call();
    }

    /** @return array<string, array{\Closure}> */
    public static function otherValues(): array
    {
        return [
            'one name as a list' => [static fn () => Requests::rem('game', 'ann')],
            'a list in a list of names' => [static fn () => Requests::rem('game', [[['ann']]])],
            'null as a name' => [static fn () => Requests::rem('game', [null])],
            'a bool as a name' => [static fn () => Requests::rem('game', [true])],
            'a float in a row' => [static fn () => Requests::madd('game', [[1.5, 'ann']])],
            'a map as a row' => [static fn () => Requests::top('game', 3, in: ['country' => 'se'])],
            'a list as pairs' => [static fn () => Requests::add('game', 5, 'ann', segment: ['country', 'se'])],
            'a float in a rule' => [
                static fn () => Requests::create('game', limit: [new Limit('daily', 'voter', 0.5, 'day')]),
            ],
        ];
    }

    public function testNamesAreAnyBytes(): void
    {
        self::assertSame(['LB.RANK', "\xff", "\x00\n"], Requests::rank("\xff", "\x00\n")->words);
    }

    public function testListsAreIterable(): void
    {
        $names = static function (): \Generator {
            yield 'ann';
            yield 'bob';
        };
        self::assertSame(['LB.REM', 'game', 'ann', 'bob'], Requests::rem('game', $names())->words);
        self::assertSame(['MEMBERS', '2', 'ann', 'bob'], array_slice(Requests::mscore('game', $names())->words, 2));
        $counts = CounterRequests::mget(60, $names());
        self::assertSame(['ann', 'KEYS', '2'], [$counts->key, $counts->words[2], $counts->words[3]]);
    }

    public function testPairsAreAMapOrRows(): void
    {
        $words = ['LB.SEGMENT', 'game', 'ann', 'land', 'se', '7', 'x'];
        $map = ['land' => 'se', '7' => 'x'];
        foreach ([$map, [['land', 'se'], ['7', 'x']], new \ArrayIterator($map)] as $pairs) {
            self::assertSame($words, Requests::segment('game', 'ann', $pairs)->words);
        }
    }

    public function testOptionsAreNamed(): void
    {
        $request = Requests::top('game', 3, view: null, ranks: Ranks::Dense, withMeta: true, rev: false);
        self::assertSame(['LB.TOP', 'game', '3', 'WITHMETA', 'RANKS', 'DENSE'], $request->words);
    }

    public function testEachWriteHasAnIdOfItsOwnUnlessItSaysSo(): void
    {
        [$first, $second] = [Requests::add('game', 5, 'ann'), Requests::add('game', 5, 'ann')];
        self::assertSame('ID', $first->words[4]);
        self::assertMatchesRegularExpression('/^[0-9a-f]{32}$/', $first->words[5]);
        self::assertNotSame($first->words[5], $second->words[5]);
        self::assertSame('r', Requests::add('game', 5, 'ann', id: 'r')->words[5]);
        self::assertSame(['LB.ADD', 'game', '5', 'ann'], Requests::add('game', 5, 'ann', id: null)->words);
    }

    public function testReadsAndWritesWithAnIdAreRepeatable(): void
    {
        self::assertTrue(Requests::add('game', 5, 'ann')->isRepeatable);
        self::assertFalse(Requests::add('game', 5, 'ann', id: null)->isRepeatable);
        self::assertFalse(Requests::rem('game', ['ann'])->isRepeatable);
        self::assertTrue(Requests::rank('game', 'ann')->isRepeatable);
    }
}
