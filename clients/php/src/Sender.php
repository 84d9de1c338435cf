<?php

declare(strict_types=1);

namespace Leaderboard;

/** What a client needs of a library that talks to servers. `PredisSender` and `PhpRedisSender` are two. */
interface Sender
{
    /**
     * Sends the words of all requests in their order.
     *
     * @param list<Request<mixed>> $requests
     * @return list<mixed> the reply of each: null for nil, int, string, an array of these, or a `Throwable`. What a
     *     server replies as an error is a `LeaderboardError`. Any other exception says that no answer came.
     */
    public function send(array $requests): array;
}
