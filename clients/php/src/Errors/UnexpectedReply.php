<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** The reply has another form than this version of the client knows. */
final class UnexpectedReply extends \UnexpectedValueException
{
}
