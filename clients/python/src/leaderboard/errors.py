"""The errors that programs handle in different ways. Each is also an error of redis-py."""

from __future__ import annotations

import re

from redis.exceptions import RedisError, ResponseError, TryAgainError


class LeaderboardError(ResponseError):
    """An error that the module or the gateway replied. `code` is its first word, such as `ERR`."""

    code = "ERR"


class BoardExists(LeaderboardError):
    """The key holds a board already."""

    code = "BOARDEXISTS"


class NoBoard(LeaderboardError):
    """The key holds no board, and the command makes none."""

    code = "NOBOARD"


class IdReused(LeaderboardError):
    """The request id belongs to a request with other contents. Nothing has changed."""

    code = "IDREUSED"


class HeldBack(LeaderboardError):
    """A rule of the board holds the write back. Nothing has changed."""

    code = "HELDBACK"

    @property
    def rule(self) -> str:
        """The name of the rule: `closed`, `joined`, `bounds`, `full` or `attempts`."""
        return str(self).split()[1]

    @property
    def retry_after(self) -> int | None:
        """The milliseconds after which the write can pass; `None` if waiting does not help."""
        wait = int(str(self).split()[2])
        return wait if wait >= 0 else None


class WrongType(LeaderboardError):
    """The key holds a value of another type."""

    code = "WRONGTYPE"


class NoPart(LeaderboardError):
    """The key does not hold the part of a board that was asked for."""

    code = "NOPART"


class Stale(LeaderboardError):
    """Another gateway has changed the board since this one read its root."""

    code = "STALE"


class TryAgain(LeaderboardError):
    """The part of a board is being split or merged, and takes writes again soon. Nothing has changed."""

    code = "TRYAGAIN"


class Busy(LeaderboardError):
    """The gateway has too much to do, or the server runs a script. Nothing has changed."""

    code = "BUSY"

    @property
    def retry_after(self) -> int | None:
        """The milliseconds after which the gateway wants the request again; `None` if it does not say."""
        wait = re.search(r"try again in (\d+) ms", str(self))
        return int(wait[1]) if wait else None


class PartsDown(LeaderboardError):
    """A part of a board over many nodes does not answer. A write has changed nothing."""

    code = "PARTSDOWN"


class Unknown(LeaderboardError):
    """No answer of a part came, so the write may have been applied. Send it again with its request id."""

    code = "UNKNOWN"


class UnexpectedReply(RedisError):
    """The reply has another form than this version of the client knows."""


_BY_CODE: dict[str, type[LeaderboardError]] = {
    error.code: error
    for error in (
        BoardExists,
        Busy,
        HeldBack,
        IdReused,
        NoBoard,
        NoPart,
        PartsDown,
        Stale,
        TryAgain,
        Unknown,
        WrongType,
    )
}


# Codes of errors that any command can have, for which redis-py has no type.
_OF_SERVERS = ("MISCONF", "NOREPLICAS")


def typed(error: Exception) -> Exception:
    """Returns the error of this module with the same code. What redis-py has a type for stays as it is."""
    # redis-py has a type for this code, and leaves it out of the text.
    message = f"TRYAGAIN {error}" if isinstance(error, TryAgainError) else str(error)
    code = message.split(" ", 1)[0]
    known = _BY_CODE.get(code)
    if isinstance(error, LeaderboardError) or not isinstance(error, ResponseError):
        return error
    if known is not None:
        return known(message)
    # redis-py leaves the code ERR out of the text.
    if type(error) is ResponseError and code not in _OF_SERVERS:
        return LeaderboardError(f"ERR {message}")
    return error
