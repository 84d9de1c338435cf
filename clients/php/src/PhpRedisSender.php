<?php

declare(strict_types=1);

namespace Leaderboard;

use Leaderboard\Errors\LeaderboardError;

/** Sends requests one after another by the extension redis (phpredis). */
final readonly class PhpRedisSender implements Sender
{
    public function __construct(private \Redis $client)
    {
    }

    public function send(array $requests): array
    {
        return array_map($this->alone(...), $requests);
    }

    /** @param Request<mixed> $request */
    private function alone(Request $request): mixed
    {
        try {
            $this->client->clearLastError();
            $reply = $this->client->rawCommand(...$request->words);
        } catch (\RedisException $error) {
            return LeaderboardError::isReply($error->getMessage())
                ? LeaderboardError::of($error->getMessage(), $error)
                : $error;
        }
        $message = $this->client->getLastError();
        return $message === null ? self::plain($reply) : LeaderboardError::of($message);
    }

    /** The extension replies false for nil, and true for OK. */
    private static function plain(mixed $reply): mixed
    {
        return match (true) {
            is_array($reply) => array_map(self::plain(...), $reply),
            $reply === false => null,
            $reply === true => 'OK',
            default => $reply,
        };
    }
}
