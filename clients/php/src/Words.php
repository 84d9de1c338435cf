<?php

declare(strict_types=1);

namespace Leaderboard;

/** A command with its arguments, in the order in which they are sent. */
final class Words
{
    /** @var non-empty-list<string> */
    public array $all;

    /** @var array<string, true> The words of options. */
    public array $given = [];

    /** The first key, by which a cluster knows the node. */
    public ?string $firstKey = null;

    /** Whether the request has an id, so that it counts once, however often it is sent. */
    public bool $hasId = false;

    public function __construct(string $name)
    {
        $this->all = [$name];
    }

    public function key(string $key): void
    {
        $this->firstKey ??= $key;
        $this->all[] = $key;
    }

    /** Appends a value: a word, a rule, or an array of words. */
    public function add(mixed $value): void
    {
        if ($value instanceof Rule) {
            $value->write($this);
        } elseif (is_array($value)) {
            array_push($this->all, ...self::row($value));
        } else {
            $this->all[] = self::word($value);
        }
    }

    /** Appends a value, if there is one. */
    public function addIf(mixed $value): void
    {
        if ($value !== null) {
            $this->add($value);
        }
    }

    /** @param iterable<mixed> $values */
    public function many(iterable $values): void
    {
        foreach ($values as $value) {
            $this->add($value);
        }
    }

    /** @param iterable<mixed> $pairs names with values */
    public function pairs(iterable $pairs): void
    {
        $this->many(self::entries($pairs));
    }

    /**
     * Appends a word, the number of values, and the values.
     *
     * @param iterable<mixed> $values
     */
    public function counted(iterable $values, ?string $word = null): void
    {
        $values = is_array($values) ? $values : iterator_to_array($values, false);
        if ($word !== null) {
            $this->name($word);
        }
        $this->add(count($values));
        $this->many($values);
    }

    /** @param iterable<string> $keys */
    public function keys(iterable $keys, ?string $word = null): void
    {
        $keys = is_array($keys) ? array_values($keys) : iterator_to_array($keys, false);
        $this->firstKey ??= isset($keys[0]) ? self::word($keys[0]) : null;
        $this->counted($keys, $word);
    }

    /** Appends the word of an option without a value. */
    public function flag(string $word, bool $isSet): void
    {
        if ($isSet) {
            $this->name($word);
        }
    }

    /** Appends an option with its value or values. */
    public function option(string $word, mixed $value): void
    {
        if ($value !== null) {
            $this->name($word);
            $this->add($value);
        }
    }

    /** @param iterable<mixed>|null $values */
    public function optionOfMany(string $word, ?iterable $values): void
    {
        if ($values !== null) {
            $this->name($word);
            $this->many($values);
        }
    }

    /**
     * Appends an option as often as there are values.
     *
     * @param iterable<mixed>|null $values
     */
    public function repeated(string $word, ?iterable $values): void
    {
        foreach ($values ?? [] as $value) {
            $this->name($word);
            $this->add($value);
        }
    }

    /** @param iterable<mixed>|null $pairs names with values */
    public function eachPair(string $word, ?iterable $pairs): void
    {
        $this->repeated($word, self::entries($pairs ?? []));
    }

    public function requestId(string $word, string|RequestId|null $id): void
    {
        $this->option($word, $id instanceof RequestId ? bin2hex(random_bytes(16)) : $id);
        $this->hasId = $id !== null;
    }

    private function name(string $word): void
    {
        $this->given[$word] = true;
        $this->all[] = $word;
    }

    /**
     * @param iterable<mixed> $pairs
     * @return \Generator<int, array<mixed>>
     */
    private static function entries(iterable $pairs): \Generator
    {
        $isMap = !is_array($pairs) || !array_is_list($pairs);
        foreach ($pairs as $name => $value) {
            if (!$isMap && !is_array($value)) {
                throw new \TypeError("names with values: ['name' => 'value'] or [['name', 'value']]");
            }
            yield is_array($value) ? $value : [$name, $value];
        }
    }

    /**
     * @param array<mixed> $values
     * @return list<string>
     */
    private static function row(array $values): array
    {
        if (!array_is_list($values)) {
            throw new \TypeError("values in a row, such as ['country', 'se'], without names");
        }
        return array_map(self::word(...), $values);
    }

    private static function word(mixed $value): string
    {
        return match (true) {
            is_string($value) => $value,
            is_int($value) => (string) $value,
            $value instanceof \BackedEnum => (string) $value->value,
            $value instanceof \DateTimeInterface => self::milliseconds($value),
            is_float($value) => throw new \TypeError("a float loses digits: give $value as an int or a string"),
            default => throw new \TypeError('a number or a text, not ' . get_debug_type($value)),
        };
    }

    private static function milliseconds(\DateTimeInterface $moment): string
    {
        return (string) (1000 * $moment->getTimestamp() + (int) $moment->format('v'));
    }
}
