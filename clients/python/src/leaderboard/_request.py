"""A command and the type of its reply."""

from __future__ import annotations

from typing import Generic, TypeVar

from leaderboard._decode import Decoder
from leaderboard._words import Words

R = TypeVar("R")
Variants = tuple[tuple[frozenset[str], Decoder[R]], ...]


class Request(Generic[R]):
    """A command and the type of its reply.

    The functions of `leaderboard.requests` make it, and a client sends it.
    """

    __slots__ = ("_variants", "_words", "is_read")

    def __init__(self, words: Words, variants: Variants[R], *, is_read: bool) -> None:
        self._words = words
        self._variants = variants
        self.is_read = is_read
        """Whether the command changes nothing."""

    @property
    def words(self) -> list[bytes]:
        """The command and its arguments, as they are sent."""
        return list(self._words.all)

    @property
    def is_repeatable(self) -> bool:
        """Whether the request can be sent again without another effect: it is a read, or has a request id."""
        return self.is_read or self._words.has_id

    def decode(self, reply: object) -> R:
        """Reads the reply.

        Raises:
            UnexpectedReply: The reply has another form.
        """
        given = self._words.given
        fitting = [decoder for words, decoder in self._variants if words <= given]
        return fitting[-1](reply)

    def __repr__(self) -> str:
        return f"<Request {b' '.join(self._words.all)!r}>"
