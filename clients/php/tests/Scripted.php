<?php

declare(strict_types=1);

namespace Leaderboard\Tests;

use Leaderboard\Request;
use Leaderboard\Sender;

/** Gives these replies in their order, and notes what it is sent. */
final class Scripted implements Sender
{
    /** @var list<list<string>> */
    public array $sent = [];

    /** @var list<mixed> */
    private array $replies;

    public function __construct(mixed ...$replies)
    {
        $this->replies = $replies;
    }

    public function send(array $requests): array
    {
        return array_map($this->next(...), $requests);
    }

    /** @param Request<mixed> $request */
    private function next(Request $request): mixed
    {
        $this->sent[] = $request->words;
        return array_shift($this->replies);
    }
}
