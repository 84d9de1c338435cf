"""Fixtures for tests of programs that use leaderboards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from leaderboard import Leaderboard

from leaderboard_server._server import Server


@pytest.fixture(scope="session")
def leaderboard_server() -> Iterator[Server]:
    """A private server with the module, which ends with the tests."""
    with Server() as server:
        yield server


@pytest.fixture
def leaderboard(leaderboard_server: Server) -> Leaderboard:
    """A client of a server without any data."""
    client = leaderboard_server.client()
    client.client.flushall()
    return client
