"""The sessions of the vectors on real servers, a cluster and the gateway."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
import redis
import redis.asyncio

from leaderboard import AsyncLeaderboard, Leaderboard, errors, requests
from test_vectors import expected, outcome
from vectors import plain, request, sessions

SERVERS: dict[str, Any] = json.loads(os.environ.get("LEADERBOARD_TEST_SERVERS", "{}"))
NAMES = list(SERVERS.get("servers", {}))

pytestmark = pytest.mark.skipif(not SERVERS, reason="LEADERBOARD_TEST_SERVERS names no servers")


@pytest.fixture(params=[2, 3])
def protocol(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def play(board: Leaderboard, *, only_gateway: bool = False) -> None:
    for session in sessions():
        if only_gateway and not session["gateway"]:
            continue
        for call in session["calls"]:
            assert outcome(board, call) == expected(call), call["words"]


@pytest.mark.parametrize("name", NAMES)
def test_all_servers(name: str, protocol: int) -> None:
    client = redis.Redis(port=SERVERS["servers"][name], protocol=protocol)
    for session in sessions():
        client.flushall()
        board = Leaderboard(client)
        for call in session["calls"]:
            assert outcome(board, call) == expected(call), call["words"]
    client.close()


@pytest.mark.parametrize("name", NAMES)
async def test_coroutines(name: str, protocol: int) -> None:
    client = redis.asyncio.Redis(port=SERVERS["servers"][name], protocol=protocol)
    board = AsyncLeaderboard(client)
    for session in sessions():
        await client.flushall()
        for call in session["calls"]:
            try:
                value = plain(await board.execute(request(call)))
            except errors.LeaderboardError as error:
                value = {"code": error.code, "message": str(error)}
            assert value == expected(call), call["words"]
    await client.aclose()


@pytest.fixture
def cluster(protocol: int) -> Iterator[redis.RedisCluster]:
    client = redis.RedisCluster(port=SERVERS["cluster"][0], host="127.0.0.1", protocol=protocol)
    client.flushall(target_nodes=redis.RedisCluster.PRIMARIES)
    yield client
    client.close()


def test_cluster(cluster: redis.RedisCluster) -> None:
    play(Leaderboard(cluster))


def test_pipelines_of_a_cluster(cluster: redis.RedisCluster) -> None:
    board = Leaderboard(cluster)
    boards = [f"board-{number}" for number in range(20)]
    written = board.execute_many([requests.add(key, 5, "ann") for key in boards])
    assert [reply.rank for reply in written] == [1] * 20
    assert board.execute_many([requests.score(key, "ann") for key in boards]) == [5] * 20
    assert board.execute_many([requests.league_info("none"), requests.counter_info("none")]) == [None, None]


async def test_coroutines_of_a_cluster(protocol: int) -> None:
    client = redis.asyncio.RedisCluster(host="127.0.0.1", port=SERVERS["cluster"][0], protocol=protocol)
    board = AsyncLeaderboard(client)
    await client.delete("coroutines")
    added = await asyncio.gather(*(board.add("coroutines", 1, f"m{number}") for number in range(50)))
    assert all(reply.applied for reply in added)
    assert await board.count("coroutines") == 50
    assert await board.league.info("none") is None
    replies = await board.execute_many(
        [requests.rem("coroutines", ["m1"]), requests.count("coroutines"), requests.league_info("none")]
    )
    assert replies == [1, 49, None]
    await client.aclose()


def test_gateway() -> None:
    client = redis.Redis(port=SERVERS["gateway"])
    board = Leaderboard(client)
    keys = {call["arguments"][0] for session in sessions() if session["gateway"] for call in session["calls"]}
    for key in keys:
        client.delete(key)
    play(board, only_gateway=True)


def test_a_board_over_many_nodes() -> None:
    client = redis.Redis(port=SERVERS["gateway"])
    board = Leaderboard(client)
    client.delete("spread")
    assert board.create("spread", parts=4)
    assert board.madd("spread", [(number, f"m{number}") for number in range(40)])[0].applied
    assert [row.member for row in board.top("spread", 2)] == ["m39", "m38"]
    parts = board.parts("spread")
    assert parts is not None
    assert [part.part for part in parts] == [0, 1, 2, 3]
    assert board.repair("spread") == []
    with pytest.raises(redis.ResponseError, match="does not work over parts"):
        board.history("spread", "m1")
    client.delete("spread")
