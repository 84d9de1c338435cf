"""Rules that are values of options. Made by clients/generate from docs/commands.json."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from leaderboard._values import Number, Text
from leaderboard._words import Words


@dataclass(frozen=True, slots=True)
class Prizes:
    """The option PRIZES: view, places, per."""

    view: Text
    places: Text
    per: Text | None = None

    def write(self, words: Words) -> None:
        """Appends the words of the rule."""
        words.add(self.view)
        words.add(self.places)
        words.option("PER", self.per)


@dataclass(frozen=True, slots=True)
class Limit:
    """The option LIMIT: rule, scope, max, unit, bonus."""

    rule: Text
    scope: Text
    max: Number
    unit: Text
    bonus: Iterable[tuple[Text, Text, int]] = ()

    def write(self, words: Words) -> None:
        """Appends the words of the rule."""
        words.add(self.rule)
        words.add(self.scope)
        words.add(self.max)
        words.add(self.unit)
        words.repeated("BONUS", self.bonus)


@dataclass(frozen=True, slots=True)
class Part:
    """The option PART: i, of."""

    i: int
    of: int

    def write(self, words: Words) -> None:
        """Appends the words of the rule."""
        words.add(self.i)
        words.option("OF", self.of)

