"""Values in calls, request ids, errors and retries."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

from fake import CUT, fake_server
from leaderboard import AsyncLeaderboard, Leaderboard, errors, requests

ONCE = Retry(NoBackoff(), 0)
"""redis-py itself sends no request again."""
ADDED = b"*3\r\n:5\r\n:1\r\n:1\r\n"


def test_values_become_words() -> None:
    moment = datetime(2024, 1, 1, 1, 0, 0, 123_999, timezone(timedelta(hours=1)))
    segment: dict[str, str] = {"land": "se"}
    request = requests.add(b"\xff", Decimal("1E-7"), "Zoë", id="r", at=moment, segment=segment)
    assert request.words == [
        b"LB.ADD",
        b"\xff",
        b"0.0000001",
        "Zoë".encode(),
        b"ID",
        b"r",
        b"AT",
        b"1704067200123",
        b"SEGMENT",
        b"land",
        b"se",
    ]


@pytest.mark.parametrize(
    "points", [1.5, True, None, [5], datetime(2024, 1, 1)], ids=["float", "bool", "none", "list", "no zone"]
)
def test_values_that_are_no_numbers_are_refused(points: Any) -> None:
    with pytest.raises(TypeError):
        requests.add("board", points, "ann")


def test_one_name_is_no_list_of_names() -> None:
    with pytest.raises(TypeError):
        requests.rem("board", "ann")


def test_each_write_has_an_id_of_its_own_unless_it_says_so() -> None:
    first, second = (requests.add("board", 5, "ann") for _ in range(2))
    assert first.words[:5] == second.words[:5]
    assert first.words[5] != second.words[5]
    assert first.words == first.words
    assert first.is_repeatable
    without = requests.add("board", 5, "ann", id=None)
    assert b"ID" not in without.words
    assert not without.is_repeatable


def test_a_lost_answer_is_asked_for_again_with_the_same_id() -> None:
    with fake_server([CUT, ADDED]) as server:
        client = redis.Redis(port=server.port, retry=ONCE)
        assert Leaderboard(client).add("board", 5, "ann").rank == 1
        first, second = server.received
        assert first == second


async def test_coroutines_ask_again_too() -> None:
    with fake_server([CUT, ADDED]) as server:
        client = redis.asyncio.Redis(port=server.port, retry=AsyncRetry(NoBackoff(), 0))
        assert (await AsyncLeaderboard(client).add("board", 5, "ann")).rank == 1
        first, second = server.received
        assert first == second
        await client.aclose()


def test_a_write_without_an_id_is_sent_once() -> None:
    with fake_server([CUT, ADDED]) as server:
        client = redis.Redis(port=server.port, retry=ONCE)
        with pytest.raises(redis.ConnectionError):
            Leaderboard(client).add("board", 5, "ann", id=None)
        assert len(server.received) == 1


def test_a_busy_gateway_is_asked_again_and_a_rule_is_not() -> None:
    busy = b"-BUSY the gateway asks as many parts as it may: try again in 1 ms\r\n"
    with fake_server([busy, b":1\r\n", b"-HELDBACK attempts 1500\r\n", b"-HELDBACK joined -1\r\n"]) as server:
        board = Leaderboard(redis.Redis(port=server.port))
        assert board.rem("board", ["ann"]) == 1
        with pytest.raises(errors.HeldBack) as held:
            board.add("board", 5, "ann")
        assert (held.value.rule, held.value.retry_after) == ("attempts", 1500)
        with pytest.raises(errors.HeldBack) as held:
            board.add("board", 5, "ann")
        assert (held.value.rule, held.value.retry_after) == ("joined", None)


def test_retries_end() -> None:
    with fake_server([b"-TRYAGAIN soon\r\n"] * 3) as server:
        board = Leaderboard(redis.Redis(port=server.port), retries=2)
        with pytest.raises(errors.TryAgain):
            board.add("board", 5, "ann")
        assert len(server.received) == 3


def test_a_pipeline_has_a_reply_or_an_error_for_each_request() -> None:
    with fake_server([ADDED, b"-NOBOARD no board\r\n", b":1\r\n"]) as server:
        board = Leaderboard(redis.Redis(port=server.port))
        added, error, rank = board.execute_many(
            [requests.add("b", 5, "ann"), requests.alter("b"), requests.rank("b", "ann")]
        )
        assert (added.score, rank) == (5, 1)
        assert isinstance(error, errors.NoBoard)
