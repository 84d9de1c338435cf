<?php

declare(strict_types=1);

namespace Leaderboard;

/** Boards, leagues and counters of a server, a cluster or a gateway. */
final class Leaderboard extends BoardCommands
{
    /** The commands of leagues. */
    public readonly LeagueCommands $league;

    /** The commands of counters. */
    public readonly CounterCommands $counter;

    private readonly Sender $sender;

    /**
     * @param int $retries how often a request is sent again: if no answer came, and it is a read or has a request id;
     *     or if a gateway or a server was too busy for it
     */
    public function __construct(\Predis\ClientInterface|\Redis|Sender $client, private readonly int $retries = 3)
    {
        $this->sender = match (true) {
            $client instanceof Sender => $client,
            $client instanceof \Redis => new PhpRedisSender($client),
            default => new PredisSender($client),
        };
        $this->league = new LeagueCommands($this);
        $this->counter = new CounterCommands($this);
    }

    public function execute(Request $request): mixed
    {
        $retries = new Retries($this->retries);
        while (true) {
            [$result] = $this->executeMany([$request]);
            if (!$result instanceof \Throwable) {
                return $result;
            }
            $wait = $retries->next($result, $request->isRepeatable) ?? throw $result;
            usleep(1000 * $wait);
        }
    }

    /**
     * Sends requests in one pipeline. None is sent again; those without an answer can be if they are `isRepeatable`.
     *
     * @param iterable<Request<mixed>> $requests
     * @return list<mixed> the reply of each, or its error: a `Throwable`
     */
    public function executeMany(iterable $requests): array
    {
        $requests = is_array($requests) ? array_values($requests) : iterator_to_array($requests, false);
        return array_map(self::read(...), $requests, $this->sender->send($requests));
    }

    /** @param Request<mixed> $request */
    private static function read(Request $request, mixed $reply): mixed
    {
        try {
            return $reply instanceof \Throwable ? $reply : $request->decode($reply);
        } catch (Errors\UnexpectedReply $unexpected) {
            return $unexpected;
        }
    }
}
