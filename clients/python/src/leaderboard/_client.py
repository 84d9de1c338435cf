"""Sends requests by the clients of redis-py."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import redis
import redis.asyncio
from redis.exceptions import BusyLoadingError, ConnectionError, TimeoutError

from leaderboard._async import AsyncBoardCommands, AsyncCounterCommands, AsyncLeagueCommands
from leaderboard._cluster import admit_commands, admit_commands_async
from leaderboard._request import Request
from leaderboard._sync import BoardCommands, CounterCommands, LeagueCommands
from leaderboard.errors import Busy, TryAgain, Unknown, typed

R = TypeVar("R")

_UNANSWERED = (ConnectionError, TimeoutError, Unknown)
"""The request may have been carried out."""
_REFUSED = (Busy, TryAgain, BusyLoadingError)
"""The request was not carried out, and can be later."""
_FIRST_WAIT = 0.02
_LONGEST_WAIT = 1.0
_RAW: dict[str, Any] = {"NEVER_DECODE": True}


class _Tries:
    """How often a request is sent again, and after which time."""

    def __init__(self, retries: int) -> None:
        self.left = retries
        self.wait = _FIRST_WAIT

    def next(self, error: Exception, is_repeatable: bool) -> float:
        """Returns the seconds to wait. Raises the error if the request must not be sent again."""
        allowed = isinstance(error, _REFUSED) or (is_repeatable and isinstance(error, _UNANSWERED))
        if not allowed or self.left == 0:
            raise error
        self.left -= 1
        wait = self.wait * (0.5 + random.random() / 2)
        self.wait = min(2 * self.wait, _LONGEST_WAIT)
        asked = error.retry_after if isinstance(error, Busy) else None
        return max(wait, (asked or 0) / 1000)


def _arguments(request: Request[Any]) -> tuple[Any, ...]:
    name, *rest = request.words
    return (name.decode(), *rest)


def _result(request: Request[Any], reply: object) -> object:
    if isinstance(reply, Exception):
        return typed(reply)
    return request.decode(reply)


class _League(LeagueCommands):
    def __init__(self, client: Leaderboard) -> None:
        self._client = client

    def execute(self, request: Request[R]) -> R:
        return self._client.execute(request)


class _Counter(CounterCommands):
    def __init__(self, client: Leaderboard) -> None:
        self._client = client

    def execute(self, request: Request[R]) -> R:
        return self._client.execute(request)


class Leaderboard(BoardCommands):
    """Boards, leagues and counters of a server, a cluster or a gateway.

    Args:
        client: A client of redis-py, such as `redis.Redis()` or `redis.RedisCluster()`.
        retries: How often a request is sent again. It is sent again if no answer came and it is a read or has
            a request id, and if the gateway was too busy for it. redis-py has retries of its own below these.
    """

    def __init__(self, client: redis.Redis | redis.RedisCluster, *, retries: int = 3) -> None:
        self.client = client
        self.retries = retries
        admit_commands(client)
        # redis-py gives this method no types.
        self._send: Callable[..., object] = client.execute_command
        self.league: LeagueCommands = _League(self)
        self.counter: CounterCommands = _Counter(self)

    def execute(self, request: Request[R]) -> R:
        """Sends a request and returns its reply."""
        tries = _Tries(self.retries)
        while True:
            try:
                return request.decode(self._send(*_arguments(request), **_RAW))
            except redis.RedisError as error:
                known = typed(error)
            time.sleep(tries.next(known, request.is_repeatable))

    def execute_many(self, requests: Iterable[Request[Any]]) -> list[Any]:
        """Sends requests in one pipeline, without a transaction. Returns the reply of each, or its error.

        Raises:
            ConnectionError: No answer came. The same requests can be sent again if each `is_repeatable`.
        """
        requests = list(requests)
        pipeline = self.client.pipeline(transaction=False)
        admit_commands(pipeline)
        for request in requests:
            pipeline.execute_command(*_arguments(request), **_RAW)
        replies = pipeline.execute(raise_on_error=False)
        return [_result(request, reply) for request, reply in zip(requests, replies, strict=True)]


class _AsyncLeague(AsyncLeagueCommands):
    def __init__(self, client: AsyncLeaderboard) -> None:
        self._client = client

    async def execute(self, request: Request[R]) -> R:
        return await self._client.execute(request)


class _AsyncCounter(AsyncCounterCommands):
    def __init__(self, client: AsyncLeaderboard) -> None:
        self._client = client

    async def execute(self, request: Request[R]) -> R:
        return await self._client.execute(request)


class AsyncLeaderboard(AsyncBoardCommands):
    """The same as `Leaderboard`, for the clients of `redis.asyncio`."""

    def __init__(self, client: redis.asyncio.Redis | redis.asyncio.RedisCluster, *, retries: int = 3) -> None:
        self.client = client
        self.retries = retries
        admit_commands_async(client)
        self.league: AsyncLeagueCommands = _AsyncLeague(self)
        self.counter: AsyncCounterCommands = _AsyncCounter(self)

    async def execute(self, request: Request[R]) -> R:
        """Sends a request and returns its reply."""
        tries = _Tries(self.retries)
        while True:
            try:
                return request.decode(await self.client.execute_command(*_arguments(request), **_RAW))
            except redis.RedisError as error:
                known = typed(error)
            await asyncio.sleep(tries.next(known, request.is_repeatable))

    async def execute_many(self, requests: Iterable[Request[Any]]) -> list[Any]:
        """Sends requests in one pipeline, without a transaction. Returns the reply of each, or its error.

        Raises:
            ConnectionError: No answer came. The same requests can be sent again if each `is_repeatable`.
        """
        requests = list(requests)
        pipeline = self.client.pipeline(transaction=False)
        for request in requests:
            pipeline.execute_command(*_arguments(request), **_RAW)
        replies = await pipeline.execute(raise_on_error=False)
        return [_result(request, reply) for request, reply in zip(requests, replies, strict=True)]
