<?php

// Made by clients/generate from docs/commands.json.

declare(strict_types=1);

namespace Leaderboard;

/** The commands of counters. */
final class CounterCommands
{
    /** Sends the commands by this client. */
    public function __construct(private readonly Leaderboard $client)
    {
    }

    /**
     * Makes a counter.
     *
     * Reply: OK; an error if the key exists. With NX: 1 if it made the counter, 0 if there is one.
     *
     * PRECISIONS: 1 to 16 lengths of slices in whole seconds, such as `1,60,3600` (the setting
     * `counter-precisions`). SAMPLES: how many slices of each precision are kept, the current one
     * included, 1 to 10000 (the setting `counter-samples`). CLOCK and DEDUP are as in LB.CREATE. See
     * Counters.
     *
     * Cost: O(1).
     */
    public function create(
        string $key,
        ?string $precisions = null,
        ?int $samples = null,
        ?Options\Clock $clock = null,
        ?int $dedup = null,
        bool $nx = false,
    ): bool {
        return $this->client->execute(CounterRequests::create(
            $key,
            $precisions,
            $samples,
            $clock,
            $dedup,
            $nx,
        ));
    }

    /**
     * Counts an event at all precisions of a counter, once for each request id.
     *
     * Reply: The total since the counter was made; for a repeated request the total as it is. QUIET: 1 if
     * the increase was applied, 0 for a repeated request.
     *
     * BY: a whole number, perhaps negative (1). AT: the event counts in the slices that hold this moment,
     * as far as they are kept, and always in the total. The setting `auto-create` is for boards alone:
     * with `no`, this command makes a counter all the same.
     *
     * Cost: O(1).
     */
    public function incr(
        string $key,
        ?int $by = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): int {
        return $this->client->execute(CounterRequests::incr(
            $key,
            $by,
            $id,
            $at,
        ));
    }

    /**
     * Counts an event at all precisions of a counter, once for each request id.
     *
     * Reply: The number of applied items, 0 if none is. No place is counted, so this is for programs that
     * only write.
     *
     * For all else, see `LB.COUNTER.INCR`.
     *
     * Cost: O(1).
     */
    public function incrQuiet(
        string $key,
        ?int $by = null,
        string|RequestId|null $id = RequestId::New,
        int|\DateTimeInterface|null $at = null,
    ): int {
        return $this->client->execute(CounterRequests::incrQuiet(
            $key,
            $by,
            $id,
            $at,
        ));
    }

    /**
     * Lists the counts of a precision, oldest first.
     *
     * Reply: An array of [start, count]; start in ms. Slices without a count are left out. An error for a
     * precision that the counter does not have.
     *
     * FROM and TO: from the slice that holds the one moment to the slice that holds the other, both
     * included. FILL: slices without a count are listed, too: from FROM on, or from the first one with a
     * count, to TO, or to the last one with a count; never those that are not kept or yet to come.
     *
     * Cost: O(s), s: slices kept.
     *
     * @return list<Replies\CounterGetRow>
     */
    public function get(
        string $key,
        int $precision,
        int|\DateTimeInterface|null $from = null,
        int|\DateTimeInterface|null $to = null,
        bool $fill = false,
    ): array {
        return $this->client->execute(CounterRequests::get(
            $key,
            $precision,
            $from,
            $to,
            $fill,
        ));
    }

    /**
     * Lists the counts of a precision of several counters.
     *
     * Reply: An array with the answer of LB.COUNTER.GET for each key.
     *
     * In a cluster, all keys have to be in one slot.
     *
     * Cost: O(k s), k: keys given, s: slices kept.
     *
     * @param iterable<string> $keys
     * @return list<list<Replies\CounterGetRow>>
     */
    public function mget(
        int $precision,
        iterable $keys,
        int|\DateTimeInterface|null $from = null,
        int|\DateTimeInterface|null $to = null,
        bool $fill = false,
    ): array {
        return $this->client->execute(CounterRequests::mget(
            $precision,
            $keys,
            $from,
            $to,
            $fill,
        ));
    }

    /**
     * Changes the rules of a counter.
     *
     * Reply: OK; an error if the counter does not exist.
     *
     * PRECISIONS: precisions to add and to drop, such as `+10,-5`. An added one begins empty. Fewer
     * SAMPLES drop the oldest slices at once; more keep more from now on. At least one option is needed.
     *
     * Cost: O(s), s: slices kept.
     */
    public function alter(
        string $key,
        ?string $precisions = null,
        ?int $samples = null,
        ?int $dedup = null,
    ): void {
        $this->client->execute(CounterRequests::alter(
            $key,
            $precisions,
            $samples,
            $dedup,
        ));
    }

    /**
     * Tells a counter's rules and total.
     *
     * Reply: A map: precisions, clock, samples, dedup, total, requests (ids remembered), now (ms), memory
     * (bytes); nil for an absent key.
     *
     * Cost: O(log r), r: request ids remembered.
     *
     * @return Replies\CounterInfoReply|null
     */
    public function info(
        string $key,
    ): ?Replies\CounterInfoReply {
        return $this->client->execute(CounterRequests::info(
            $key,
        ));
    }
}
