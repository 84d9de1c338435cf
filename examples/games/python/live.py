"""What viewers see, read once for all of them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator

import anyio
from redis import RedisError

from boards import Boards

EVERY = 0.25
"""The seconds between two reads. Viewers see a change after this time at the latest."""


class Live:
    """Reads the boards for all viewers, and sends each its page when it has changed.

    However many viewers there are, the server answers one pipeline for each read, with one list for each
    country that somebody looks at. Without viewers, nothing is read.
    """

    def __init__(self, boards: Boards) -> None:
        self._boards = boards
        self._viewers: Counter[str] = Counter()
        self._pages: dict[str, str] = {}
        self._changed = asyncio.Condition()
        self.ending = anyio.Event()
        """Set when the app ends: viewers are let go."""

    async def read_forever(self) -> None:
        """Reads until the app ends."""
        while not self.ending.is_set():
            try:
                pages = await self._boards.pages(+self._viewers)
            except RedisError as error:
                # Viewers keep what they have seen, until the server is back.
                logging.warning("the boards cannot be read: %s", error)
            else:
                if pages != self._pages:
                    async with self._changed:
                        self._pages = pages
                        self._changed.notify_all()
            await asyncio.sleep(EVERY)
        async with self._changed:
            self._changed.notify_all()

    async def follow(self, country: str) -> AsyncIterator[str]:
        """Yields the page of a country now, and again whenever it has changed."""
        self._viewers[country] += 1
        seen: str | None = None
        try:
            while True:
                async with self._changed:
                    while self._pages.get(country, seen) == seen:
                        await self._changed.wait()
                        if self.ending.is_set():
                            return
                    seen = self._pages[country]
                # A slow viewer misses pages between two, and never holds up the others.
                yield seen
        finally:
            self._viewers[country] -= 1
