"""A server that replies what a test says, and keeps what it was sent."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

CUT = object()
"""The server closes the connection instead of replying."""


class FakeServer:
    """Replies to commands of the module one after another, and to all other commands of a client with OK."""

    def __init__(self, replies: list[object], protocol: int) -> None:
        self.replies = replies
        self.protocol = protocol
        self.received: list[list[bytes]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def serve(self) -> None:
        """Serves connections one after another until the listener is closed."""
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as reader:
                while (words := _command(reader)) and self._answer(connection, words):
                    pass

    def _answer(self, connection: socket.socket, words: list[bytes]) -> bool:
        if not words[0].startswith(b"LB."):
            connection.sendall(b"%1\r\n+proto\r\n:3\r\n" if words[0] == b"HELLO" else b"+OK\r\n")
            return True
        self.received.append(words)
        reply = self.replies.pop(0)
        if not isinstance(reply, bytes):
            return False
        connection.sendall(reply)
        return True

    def close(self) -> None:
        """Stops to listen."""
        self._listener.close()


@contextmanager
def fake_server(replies: list[object], protocol: int = 2) -> Iterator[FakeServer]:
    """Runs a fake server in a thread."""
    server = FakeServer(replies, protocol)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()


def _command(reader: BinaryIO) -> list[bytes] | None:
    line = reader.readline()
    if not line:
        return None
    words = []
    for _ in range(int(line[1:])):
        length = int(reader.readline()[1:])
        words.append(reader.read(length + 2)[:-2])
    return words
