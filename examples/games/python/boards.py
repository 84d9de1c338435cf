"""The board and the league of the game. All commands that the game sends are here."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from leaderboard import AsyncLeaderboard, requests

from rounds import Round

# One key each: a board holds all its weeks and countries, a league all its tiers and groups.
BOARD = "game:board"
LEAGUE = "game:league"
# The week ends at midnight from Sunday to Monday in this zone, for all players.
ZONE = "Europe/Berlin"
ROWS = 10


class Boards:
    """The game's board and league on one server."""

    def __init__(self, lb: AsyncLeaderboard) -> None:
        self._lb = lb

    async def make(self) -> None:
        """Makes the board and the league, if they are not there."""
        await self._lb.create(
            BOARD,
            # The first view is the default: all reads and replies below are of this week.
            views="week,all",
            tz=ZONE,
            retain="week=4",
            # A country ranks by the sum of its players' scores.
            segments="country:SUM",
            nx=True,
        )
        if await self._lb.league.info(LEAGUE) is None:
            await self._lb.league.create(
                LEAGUE,
                tiers="bronze,silver,gold",
                promote="5,5,0",
                demote="0,5,5",
                cycle="week",
                tz=ZONE,
                group="30",
                retain=4,
            )

    async def enter(self, player: str) -> dict[str, Any] | None:
        """Lets a player join this week's league. Returns the result of its last week, once."""
        # Points alone would join the player, too, but only a join tells what came of the week before.
        joined = await self._lb.league.join(LEAGUE, player)
        return asdict(joined.last) if joined.last else None

    async def count(self, played: Round, points: int) -> dict[str, Any]:
        """Counts a round on the board and in the league. Returns where its player stands."""
        # The round's id is the id of the request, so a round counts once, however often its answers arrive.
        # One write gives the score, the rank in the world and the rank in the country.
        place = await self._lb.add(
            BOARD,
            points,
            played.player,
            id=played.id,
            segment={"country": played.country},
            within="country",
        )
        # This is a second key, so it is a second step. If it fails, the page sends the round again: the board
        # ignores the repeat, and the league gets what it has not got.
        await self._lb.league.add(LEAGUE, points, played.player, id=played.id)
        league = await self._lb.league.standing(LEAGUE, played.player)
        return {
            "points": points,
            "counted": place.applied,
            "score": place.score,
            "world": place.rank,
            "country": place.within,
            "league": asdict(league) if league else None,
        }

    async def pages(self, countries: Collection[str]) -> dict[str, str]:
        """Reads what viewers see, as JSON for each country, in one round trip for all of them."""
        if not countries:
            return {}
        replies = await self._lb.execute_many(
            [
                requests.top(BOARD, ROWS),
                requests.segments(BOARD, "country", count=ROWS),
                *(requests.top(BOARD, ROWS, in_=("country", country)) for country in countries),
            ]
        )
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
        world, ranked, *tops = [[asdict(row) for row in rows] for rows in replies]
        return {
            country: json.dumps({"world": world, "countries": ranked, "country": top})
            for country, top in zip(countries, tops, strict=True)
        }
