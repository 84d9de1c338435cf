<?php

declare(strict_types=1);

namespace Leaderboard\Errors;

/** An error that a server or a gateway replied. Codes that programs handle in different ways have classes of their own. */
class LeaderboardError extends \RuntimeException
{
    private const BY_CODE = [
        "BOARDEXISTS" => BoardExists::class,
        "BUSY" => Busy::class,
        "HELDBACK" => HeldBack::class,
        "IDREUSED" => IdReused::class,
        "NOBOARD" => NoBoard::class,
        "NOPART" => NoPart::class,
        "PARTSDOWN" => PartsDown::class,
        "STALE" => Stale::class,
        "TRYAGAIN" => TryAgain::class,
        "UNKNOWN" => Unknown::class,
        "WRONGTYPE" => WrongType::class,
    ];

    protected function __construct(string $message, ?\Throwable $previous)
    {
        parent::__construct($message, previous: $previous);
    }

    /** Returns the error with the class of its code. */
    public static function of(string $message, ?\Throwable $previous = null): self
    {
        $class = self::BY_CODE[self::code($message)] ?? self::class;
        return new $class($message, $previous);
    }

    /** Whether a server replied this. Errors of the libraries begin with another word than a code. */
    public static function isReply(string $message): bool
    {
        return preg_match('/^[A-Z][A-Z0-9]+( |$)/', $message) === 1;
    }

    /** Returns the code, which is the first word. */
    public function getErrorType(): string
    {
        return self::code($this->getMessage());
    }

    private static function code(string $message): string
    {
        return explode(' ', $message, 2)[0];
    }
}
