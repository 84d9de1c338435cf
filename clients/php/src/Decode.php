<?php

declare(strict_types=1);

namespace Leaderboard;

use Leaderboard\Errors\UnexpectedReply;

/** Reads replies. A map may come as a flat list, as in RESP2, or as an array with names. */
final class Decode
{
    /** Reads the text OK. */
    public static function ok(mixed $reply): null
    {
        if ($reply !== 'OK') {
            throw self::wrong('OK', $reply);
        }
        return null;
    }

    /** Reads the text OK where other calls are answered by 1 or 0. */
    public static function yes(mixed $reply): bool
    {
        self::ok($reply);
        return true;
    }

    /** Reads a whole number. */
    public static function whole(mixed $reply): int
    {
        return is_int($reply) ? $reply : throw self::wrong('a whole number', $reply);
    }

    /** Reads 0 or 1. */
    public static function flag(mixed $reply): bool
    {
        return match ($reply) {
            0 => false,
            1 => true,
            default => throw self::wrong('0 or 1', $reply),
        };
    }

    /** Reads any string. */
    public static function text(mixed $reply): string
    {
        return is_string($reply) ? $reply : throw self::wrong('a string', $reply);
    }

    /** Reads a decimal number in a string. */
    public static function decimal(mixed $reply): string
    {
        $isDecimal = preg_match('/^-?\d+(\.\d+)?$/D', self::text($reply)) === 1;
        return $isDecimal ? $reply : throw self::wrong('a decimal number', $reply);
    }

    /** Reads a score: a whole number, or the text of a decimal number, of all levels, or of more than 64 bits. */
    public static function score(mixed $reply): int|string
    {
        return is_int($reply) ? $reply : self::text($reply);
    }

    /**
     * Reads this or nil.
     *
     * @template T
     * @param \Closure(mixed): T $inner
     * @return \Closure(mixed): (T|null)
     */
    public static function optional(\Closure $inner): \Closure
    {
        return static fn ($reply) => $reply === null ? null : $inner($reply);
    }

    /**
     * Reads an array of these.
     *
     * @template T
     * @param \Closure(mixed): T $inner
     * @return \Closure(mixed): list<T>
     */
    public static function listOf(\Closure $inner): \Closure
    {
        return static fn ($reply) => array_map($inner, self::items($reply));
    }

    /**
     * Reads a map with any names.
     *
     * @template T
     * @param \Closure(mixed): T $inner
     * @return \Closure(mixed): array<string, T>
     */
    public static function mapOf(\Closure $inner): \Closure
    {
        return static fn ($reply) => array_map($inner, self::named($reply));
    }

    /**
     * Reads an array of these elements as a record.
     *
     * @template T of object
     * @param class-string<T> $class
     * @param array<string, \Closure(mixed): mixed> $fields
     * @return \Closure(mixed): T
     */
    public static function tuple(string $class, array $fields): \Closure
    {
        return static function ($reply) use ($class, $fields) {
            $items = self::items($reply);
            if (count($items) !== count($fields)) {
                throw self::wrong(count($fields) . ' elements', $reply);
            }
            $read = static fn ($inner, $item) => $inner($item);
            return new $class(...array_combine(array_keys($fields), array_map($read, $fields, $items)));
        };
    }

    /**
     * Reads a map with these names as a record. Other names belong to later versions of the module.
     *
     * @template T of object
     * @param class-string<T> $class
     * @param array<string, array{string, \Closure(mixed): mixed}> $fields
     * @return \Closure(mixed): T
     */
    public static function mapping(string $class, array $fields): \Closure
    {
        return static function ($reply) use ($class, $fields) {
            $named = self::named($reply);
            $values = [];
            foreach ($fields as $own => [$name, $inner]) {
                if (!array_key_exists($name, $named)) {
                    throw self::wrong("a map with $name", $reply);
                }
                $values[$own] = $inner($named[$name]);
            }
            return new $class(...$values);
        };
    }

    /**
     * Reads the first of these shapes that the reply has.
     *
     * @template T
     * @param \Closure(mixed): T ...$decoders
     * @return \Closure(mixed): T
     */
    public static function oneOf(\Closure ...$decoders): \Closure
    {
        return static function ($reply) use ($decoders) {
            foreach ($decoders as $inner) {
                try {
                    return $inner($reply);
                } catch (UnexpectedReply) {
                    continue;
                }
            }
            throw self::wrong('a known shape', $reply);
        };
    }

    /** @return list<mixed> */
    private static function items(mixed $reply): array
    {
        return is_array($reply) && array_is_list($reply) ? $reply : throw self::wrong('an array', $reply);
    }

    /** @return array<string, mixed> */
    private static function named(mixed $reply): array
    {
        if (is_array($reply) && !array_is_list($reply)) {
            return $reply;
        }
        $items = self::items($reply);
        if (count($items) % 2 !== 0) {
            throw self::wrong('a map', $reply);
        }
        $named = [];
        foreach (array_chunk($items, 2) as [$name, $value]) {
            $named[self::text($name)] = $value;
        }
        return $named;
    }

    private static function wrong(string $expected, mixed $reply): UnexpectedReply
    {
        $shown = is_scalar($reply) ? var_export($reply, true) : get_debug_type($reply);
        return new UnexpectedReply("expected $expected, not $shown");
    }
}
