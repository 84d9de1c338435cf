"""Each function makes the words of its vectors, and reads their replies."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
import redis

from fake import fake_server
from leaderboard import Leaderboard, errors, requests
from vectors import calls, plain, request, wire


def test_requests_have_the_words_of_the_vectors() -> None:
    for call in calls():
        assert request(call).words == [wire(word) for word in call["words"]]


@pytest.mark.parametrize("protocol", [2, 3])
@pytest.mark.parametrize("decode_responses", [False, True])
def test_replies_have_the_values_of_the_vectors(protocol: int, decode_responses: bool) -> None:
    everything = calls()
    with fake_server([wire(call[f"resp{protocol}"]) for call in everything], protocol) as server:
        client = redis.Redis(port=server.port, protocol=protocol, decode_responses=decode_responses)
        board = Leaderboard(client)
        for call in everything:
            assert outcome(board, call) == expected(call), call["words"]
        client.close()


def outcome(board: Leaderboard, call: dict[str, Any]) -> Any:
    """Returns the value of a call, or the error as the vectors have it."""
    try:
        return plain(board.execute(request(call)))
    except errors.LeaderboardError as error:
        return {"code": error.code, "message": str(error)}


def expected(call: dict[str, Any]) -> Any:
    """Returns what a call should have as its outcome."""
    return call["error"] if "error" in call else plain(call["value"])


def test_no_digit_is_lost() -> None:
    read = requests.score("board", "ann")
    assert read.decode(9007199254740993) == 9007199254740993
    assert read.decode(b"0.1234567890123456789") == Decimal("0.1234567890123456789")
    assert read.decode(b"12/5/3") == "12/5/3"
    assert read.decode(None) is None


def test_names_are_any_bytes() -> None:
    name = requests.range("board", 1, 1).decode([[1, b"\xff\x00\n", 5]])[0].member
    assert requests.rank("board", name).words[-1] == b"\xff\x00\n"


def test_a_reply_of_another_form_is_an_error() -> None:
    for reply in (5, b"text", [1], [1, 2, 3], {b"rank": 1}, [[1]], None):
        with pytest.raises(errors.UnexpectedReply):
            requests.add("board", 5, "ann").decode(reply)
