<?php

declare(strict_types=1);

namespace Leaderboard;

/**
 * A command and the type of its reply. The functions of `Requests` make it, a `Leaderboard` sends it.
 *
 * @template-covariant R
 */
final readonly class Request
{
    /** @var non-empty-list<string> The command and its arguments, as they are sent. */
    public array $words;

    /** The first key, by which a cluster knows the node. */
    public ?string $key;

    /** Whether the request has the same effect if it is sent again: it is a read, or it has a request id. */
    public bool $isRepeatable;

    /** @var \Closure(): (\Closure(mixed): R) */
    private \Closure $decoder;

    /**
     * @param non-empty-list<array{list<string>, \Closure(): (\Closure(mixed): R)}> $variants the options that a call
     *     has, and what reads its reply then; the last one that fits counts
     */
    public function __construct(Words $words, array $variants, public bool $isRead)
    {
        $this->words = $words->all;
        $this->key = $words->firstKey;
        $this->isRepeatable = $isRead || $words->hasId;
        $given = array_keys($words->given);
        $fitting = array_filter($variants, static fn ($variant) => array_diff($variant[0], $given) === []);
        $this->decoder = $fitting[array_key_last($fitting)][1];
    }

    /**
     * Reads the reply.
     *
     * @return R
     * @throws Errors\UnexpectedReply the reply has another form
     */
    public function decode(mixed $reply): mixed
    {
        return ($this->decoder)()($reply);
    }
}
