<?php

declare(strict_types=1);

namespace Leaderboard;

use Leaderboard\Errors\Busy;
use Leaderboard\Errors\LeaderboardError;
use Leaderboard\Errors\UnexpectedReply;
use Leaderboard\Errors\Unknown;

/** How often a request is sent again, and after which time. */
final class Retries
{
    /** The request was not carried out, and can be later. */
    private const REFUSED = ['BUSY', 'LOADING', 'TRYAGAIN'];
    private const LONGEST_WAIT = 1000;
    private int $wait = 20;

    public function __construct(private int $left)
    {
    }

    /** Returns the milliseconds to wait; `null` if the request must not be sent again. */
    public function next(\Throwable $error, bool $isRepeatable): ?int
    {
        if ($this->left <= 0 || !(self::isRefused($error) || ($isRepeatable && self::isUnanswered($error)))) {
            return null;
        }
        $this->left--;
        // Clients that failed at the same time come back at different times.
        $wait = random_int(intdiv($this->wait, 2), $this->wait);
        $this->wait = min(2 * $this->wait, self::LONGEST_WAIT);
        return max($wait, $error instanceof Busy ? $error->retryAfter ?? 0 : 0);
    }

    private static function isRefused(\Throwable $error): bool
    {
        return $error instanceof LeaderboardError && in_array($error->getErrorType(), self::REFUSED, true);
    }

    /** Whether the request may have been carried out: no answer came, or a gateway had none of its server. */
    private static function isUnanswered(\Throwable $error): bool
    {
        $isAnswer = $error instanceof LeaderboardError || $error instanceof UnexpectedReply;
        return $error instanceof Unknown || ($error instanceof \Exception && !$isAnswer);
    }
}
