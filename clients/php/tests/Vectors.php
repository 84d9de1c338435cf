<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\CounterRequests;
use Leaderboard\Errors\LeaderboardError;
use Leaderboard\LeagueRequests;
use Leaderboard\Options;
use Leaderboard\Request;
use Leaderboard\Requests;

/** The sessions that all clients share, in clients/vectors.json. */
final class Vectors
{
    private const RULES = [
        'limit' => Options\Limit::class,
        'part' => Options\Part::class,
        'prizes' => Options\Prizes::class,
    ];

    /** @return list<array{name: string, gateway: bool, calls: list<array<string, mixed>>}> */
    public static function sessions(): array
    {
        $text = file_get_contents(__DIR__ . '/../../vectors.json');
        return json_decode($text, true, 512, JSON_BIGINT_AS_STRING | JSON_THROW_ON_ERROR)['sessions'];
    }

    /** @return list<array<string, mixed>> the calls of all sessions */
    public static function calls(): array
    {
        return array_merge(...array_column(self::sessions(), 'calls'));
    }

    /**
     * Makes the request of a call by the function of its command.
     *
     * @param array<string, mixed> $call
     * @return Request<mixed>
     */
    public static function request(array $call): Request
    {
        // The names of functions in PHP do not depend on the case.
        $path = explode('.', strtolower(str_replace('_', '', $call['command'])));
        $class = ['league' => LeagueRequests::class, 'counter' => CounterRequests::class][$path[1]] ?? Requests::class;
        $function = new \ReflectionMethod($class, end($path));
        $names = [];
        foreach ($function->getParameters() as $parameter) {
            $names[strtolower($parameter->name)] = $parameter;
        }
        $options = [];
        foreach ($call['options'] as $option => $value) {
            $parameter = $names[str_replace('_', '', $option)];
            $options[$parameter->name] = self::option($option, $value, $parameter);
        }
        return $function->invoke(null, ...$call['arguments'], ...$options);
    }

    /** Returns the bytes of a text in which each letter is a byte. */
    public static function bytes(string $text): string
    {
        return mb_convert_encoding($text, 'ISO-8859-1', 'UTF-8');
    }

    /**
     * Returns what a call should have as its outcome.
     *
     * @param array<string, mixed> $call
     */
    public static function expected(array $call): mixed
    {
        return $call['error'] ?? self::plain($call['value']);
    }

    /** Returns a value or an error in the form of the vectors. */
    public static function outcome(mixed $result): mixed
    {
        if ($result instanceof LeaderboardError) {
            return ['code' => $result->getErrorType(), 'message' => $result->getMessage()];
        }
        return $result instanceof \Throwable ? throw $result : self::plain($result);
    }

    /** Returns a value without what is absent, and with numbers as texts. */
    private static function plain(mixed $value): mixed
    {
        if (is_int($value)) {
            return (string) $value;
        }
        if (!is_array($value) && !is_object($value)) {
            return $value;
        }
        $fields = (array) $value;
        if ($fields !== [] && array_is_list($fields)) {
            return array_map(self::plain(...), $fields);
        }
        $plain = [];
        foreach ($fields as $name => $field) {
            // How much memory a value takes differs from run to run.
            if ($field !== null && $name !== 'memory') {
                $plain[strtolower(str_replace('_', '', (string) $name))] = self::plain($field);
            }
        }
        ksort($plain);
        return $plain;
    }

    private static function option(string $option, mixed $value, \ReflectionParameter $parameter): mixed
    {
        $rule = self::RULES[$option] ?? null;
        if ($rule !== null && !array_is_list($value)) {
            return new $rule(...$value);
        }
        if ($rule !== null && !array_is_list($value[0])) {
            return array_map(static fn ($parts) => new $rule(...$parts), $value);
        }
        $type = $parameter->getType();
        $isEnum = $type instanceof \ReflectionNamedType && enum_exists($type->getName());
        return $isEnum ? $type->getName()::from($value) : $value;
    }
}
