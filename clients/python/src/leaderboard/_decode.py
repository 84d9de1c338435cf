"""Reads replies, in RESP2 and RESP3."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from leaderboard._values import Score
from leaderboard.errors import UnexpectedReply

T = TypeVar("T")
Decoder = Callable[[object], T]


def _wrong(expected: str, value: object) -> UnexpectedReply:
    return UnexpectedReply(f"expected {expected}, not {value!r}")


def ok(value: object) -> None:
    """Reads the text OK."""
    if text(value) != "OK":
        raise _wrong("OK", value)


def yes(value: object) -> bool:
    """Reads the text OK where other calls are answered by 1 or 0."""
    ok(value)
    return True


def whole(value: object) -> int:
    """Reads a whole number."""
    if not isinstance(value, int):
        raise _wrong("a whole number", value)
    return value


def flag(value: object) -> bool:
    """Reads 0 or 1."""
    if value not in (0, 1):
        raise _wrong("0 or 1", value)
    return value == 1


def text(value: object) -> str:
    """Reads any string. Bytes that are no UTF-8 become surrogate escapes."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if not isinstance(value, str):
        raise _wrong("a string", value)
    return value


def decimal(value: object) -> Decimal:
    """Reads a decimal number in a string."""
    digits = text(value)
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise _wrong("a decimal number", value) from None


def score(value: object) -> Score:
    """Reads a score: a whole number, a decimal number, or several levels."""
    if isinstance(value, int):
        return value
    digits = text(value)
    try:
        return Decimal(digits)
    except InvalidOperation:
        return digits


def optional(inner: Decoder[T]) -> Decoder[T | None]:
    """Reads this or nil."""
    return lambda value: None if value is None else inner(value)


def list_of(inner: Decoder[T]) -> Decoder[list[T]]:
    """Reads an array of these."""
    return lambda value: [inner(item) for item in _items(value)]


def map_of(inner: Decoder[T]) -> Decoder[dict[str, T]]:
    """Reads a map with any names."""
    return lambda value: {text(name): inner(item) for name, item in _pairs(value)}


def array(record: Callable[..., T], *fields: tuple[str, Decoder[Any]]) -> Decoder[T]:
    """Reads an array of these elements as a record."""

    def decode(value: object) -> T:
        items = _items(value)
        if len(items) != len(fields):
            raise _wrong(f"{len(fields)} elements", value)
        return record(**{name: inner(item) for (name, inner), item in zip(fields, items, strict=True)})

    return decode


def mapping(record: Callable[..., T], *fields: tuple[str, Decoder[Any]]) -> Decoder[T]:
    """Reads a map with these names as a record. Other names belong to later versions of the module."""
    names = {name.rstrip("_"): name for name, _ in fields}
    decoders = dict(fields)

    def decode(value: object) -> T:
        named = {text(name): item for name, item in _pairs(value)}
        if not names.keys() <= named.keys():
            raise _wrong(f"a map with {', '.join(names)}", value)
        return record(**{own: decoders[own](named[name]) for name, own in names.items()})

    return decode


def one_of(*decoders: Decoder[T]) -> Decoder[T]:
    """Reads the first of these shapes that the value has."""

    def decode(value: object) -> T:
        for inner in decoders:
            try:
                return inner(value)
            except UnexpectedReply:
                continue
        raise _wrong("a known shape", value)

    return decode


def _items(value: object) -> list[object]:
    if not isinstance(value, (list, tuple)):
        raise _wrong("an array", value)
    return list(value)


def _pairs(value: object) -> Iterable[tuple[object, object]]:
    """Returns the names and values of a map, which is a flat array in RESP2."""
    if isinstance(value, dict):
        return value.items()
    items = _items(value)
    if len(items) % 2:
        raise _wrong("a map", value)
    return list(zip(items[::2], items[1::2], strict=True))
