"""The words of a command."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Protocol

from leaderboard._values import NEW, Pairs, RequestId

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MILLISECOND = timedelta(milliseconds=1)


class Rule(Protocol):
    """A value that writes several words."""

    def write(self, words: Words) -> None:
        """Appends its words."""


Word = str | bytes | int | Decimal | datetime
"""A single word."""

Value = Word | Rule | tuple[Word, ...]
"""One or several words."""


class Words:
    """A command with its arguments, in the order in which they are sent."""

    __slots__ = ("all", "given", "has_id")

    def __init__(self, name: str) -> None:
        self.all: list[bytes] = [name.encode()]
        self.given: set[str] = set()
        """The words of options."""
        self.has_id = False
        """Whether the request has an id, so that it counts once, however often it is sent."""

    def add(self, value: Value) -> None:
        """Appends a value."""
        if isinstance(value, (str, bytes, int, Decimal, datetime)):
            self.all.append(_encoded(value))
        elif isinstance(value, tuple):
            self.all.extend(map(_encoded, value))
        elif callable(getattr(value, "write", None)):
            value.write(self)
        else:
            _encoded(value)

    def add_if(self, value: Value | None) -> None:
        """Appends a value, if there is one."""
        if value is not None:
            self.add(value)

    def many(self, values: Iterable[Value]) -> None:
        """Appends all values."""
        for value in _listed(values):
            self.add(value)

    def rows(self, rows: Iterable[tuple[Word, ...]]) -> None:
        """Appends the values of all rows."""
        self.many(rows)

    def counted(self, values: Iterable[Value], word: str | None = None) -> None:
        """Appends a word, the number of values, and the values."""
        values = list(_listed(values))
        if word is not None:
            self._name(word)
        self.add(len(values))
        self.many(values)

    def flag(self, word: str, is_set: bool) -> None:
        """Appends the word of an option without a value."""
        if is_set:
            self._name(word)

    def option(self, word: str, value: Value | None) -> None:
        """Appends an option with its value or values."""
        if value is not None:
            self._name(word)
            self.add(value)

    def option_of_many(self, word: str, values: Iterable[Value] | None) -> None:
        """Appends an option with any number of values."""
        if values is not None:
            self._name(word)
            self.many(values)

    def repeated(self, word: str, values: Iterable[Value] | Pairs | None) -> None:
        """Appends an option as often as there are values."""
        if isinstance(values, Mapping):
            values = list(values.items())
        for value in _listed(values if values is not None else ()):
            self.option(word, value)

    def request_id(self, word: str, request_id: RequestId) -> None:
        """Appends the id of the request."""
        if request_id is NEW:
            request_id = uuid.uuid4().hex
        self.option(word, request_id)
        self.has_id = request_id is not None

    def _name(self, word: str) -> None:
        self.given.add(word)
        self.all.append(word.encode())


def _listed(values: Iterable[Value]) -> Iterable[Value]:
    if isinstance(values, (str, bytes)):
        raise TypeError(f"a list of values, not one value: {values!r}")
    return values


def _encoded(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, bool):
        raise TypeError("a number or a text, not a bool")
    if isinstance(value, int):
        return str(value).encode()
    if isinstance(value, Decimal):
        return f"{value:f}".encode()
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise TypeError("a datetime without a time zone is no moment")
        return str((value - _EPOCH) // _MILLISECOND).encode()
    if isinstance(value, float):
        raise TypeError(f"a float loses digits: give {value!r} as int, Decimal or str")
    raise TypeError(f"a number or a text, not {type(value).__name__}")
