"""The types of values in calls and replies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from enum import Enum

Key = str | bytes
"""A key. A `str` is sent as UTF-8."""

Text = str | bytes
"""Any string. A `str` is sent as UTF-8.

Bytes of a reply that are no UTF-8 become surrogate escapes. They are sent back as they came.
"""

Pairs = Mapping[str, Text] | Mapping[bytes, Text] | Iterable[tuple[Text, Text]]
"""Names with values."""

Number = int | Decimal | str
"""A decimal number. With levels it is the text of all levels, and a bound may be `-inf` or `+inf`.

A `float` is refused: it would lose digits.
"""

Time = int | datetime
"""A moment: milliseconds since the Unix epoch, or a `datetime` with a time zone."""

Score = int | Decimal | str
"""A score: `int` for whole numbers, `Decimal` with DECIMALS, the text of all levels with LEVELS."""


class _New(Enum):
    NEW = 0


NEW = _New.NEW
"""The client makes a new request id."""

RequestId = Text | _New | None
"""The id of a request, `NEW`, or `None` for a request without one, which counts twice if it is sent twice."""
