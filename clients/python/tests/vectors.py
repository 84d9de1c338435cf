"""The vectors of all clients: clients/vectors.json."""

from __future__ import annotations

import dataclasses
import inspect
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from leaderboard import Limit, Part, Prizes, Request, requests

_RULES: dict[str, Any] = {"limit": Limit, "prizes": Prizes, "part": Part}


def sessions() -> list[dict[str, Any]]:
    """Returns the sessions of all vectors."""
    path = Path(__file__).parents[2] / "vectors.json"
    return list(json.loads(path.read_text())["sessions"])


def calls() -> list[dict[str, Any]]:
    """Returns the calls of all sessions."""
    return [call for session in sessions() for call in session["calls"]]


def request(call: dict[str, Any]) -> Request[Any]:
    """Makes the request of a call by the function of its command."""
    name = "_".join(call["command"].lower().split(".")[1:])
    function = getattr(requests, name, None) or getattr(requests, f"{name}_")
    # A parameter is named in the manner of Python, and an option by its word.
    names = {name.replace("_", ""): name for name in inspect.signature(function).parameters}
    options = {
        names[option.replace("_", "")]: _value(option, value) for option, value in call["options"].items()
    }
    made: Request[Any] = function(*map(_argument, call["arguments"]), **options)
    return made


def wire(text: str) -> bytes:
    """Returns the bytes of a text in which each character is a byte."""
    return text.encode("latin-1")


def plain(value: Any) -> Any:
    """Returns a value in the form of the vectors: without what is absent, and with numbers as texts."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name.rstrip("_"): getattr(value, field.name) for field in dataclasses.fields(value)}
        return plain(fields)
    if isinstance(value, dict):
        # How much memory a value takes differs from run to run.
        return {name: plain(item) for name, item in value.items() if item is not None and name != "memory"}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return str(value)
    return value


def _argument(value: Any) -> Any:
    if isinstance(value, list):
        return [tuple(item) if isinstance(item, list) else item for item in value]
    return value


def _value(option: str, value: Any) -> Any:
    rule = _RULES.get(option)
    if rule is not None and isinstance(value, dict):
        return _rule(rule, value)
    if rule is not None and isinstance(value[0], dict):
        return [_rule(rule, item) for item in value]
    if option in ("prizes", "segment", "tag"):
        return dict(value)
    if option in ("weights", "unlimit"):
        return value
    return tuple(value) if isinstance(value, list) else value


def _rule(rule: Any, parts: dict[str, Any]) -> Any:
    return rule(**{name: _argument(value) for name, value in parts.items()})
