"""The demo's data: a month of real flights, and made-up votes for songs."""

from __future__ import annotations

import csv
import gzip
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from leaderboard import Leaderboard, Limit, Request, requests

from leaderboard_server._files import FLIGHTS

BOARD = "flights:miles"
_SONGS = ("Harbour Lights", "Paper Boats", "Northern Rain", "Slow Train Home", "Late Summer")
_VOTES = 300
_AT_ONCE = 1_000


def fill(lb: Leaderboard) -> int:
    """Fills the boards of the demo, if they are not there. Returns the number of flights."""
    made = lb.create(
        BOARD,
        views="all,day,week,day:7",
        clock="EVENT",
        tz="America/New_York",
        retain="7",
        dedup=3600,
        segments="carrier:SUM,origin:SUM",
        nx=True,
    )
    count = _send(lb, _flights()) if made else 0
    if lb.create(
        "songs", views="all,hour,day", shown=True, limit=[Limit("perminute", "voter", 50, "minute")], nx=True
    ):
        _send(lb, _votes())
    return count


def _send(lb: Leaderboard, all_requests: Iterator[Request[Any]]) -> int:
    count = 0
    while batch := list(islice(all_requests, _AT_ONCE)):
        failed = next((reply for reply in lb.execute_many(batch) if isinstance(reply, Exception)), None)
        if failed is not None:
            raise failed
        count += len(batch)
    return count


def _flights() -> Iterator[Request[Any]]:
    with gzip.open(FLIGHTS, "rt", newline="") as file:
        for flight in csv.DictReader(file):
            airport = flight["request"].rsplit("-", 1)[1]
            yield requests.add(
                BOARD,
                flight["miles"],
                flight["aircraft"],
                id=flight["request"],
                at=int(flight["at_ms"]),
                segment={"carrier": flight["carrier"], "origin": airport},
            )


def _votes() -> Iterator[Request[Any]]:
    for _ in range(_VOTES):
        song = random.choice(_SONGS)
        yield requests.vote("songs", random.randint(1, 3), song, by=f"user:{random.randrange(99)}")
