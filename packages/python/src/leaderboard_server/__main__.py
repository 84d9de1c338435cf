"""`leaderboard-server`: a server with the module, the console, and the demo's data, until Ctrl-C."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from pathlib import Path

from leaderboard_server import Server, ServerError
from leaderboard_server._demo import BOARD, fill


def main() -> int:
    """Runs the command."""
    options = _options()
    # A terminated program ends its servers as after Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic()
    try:
        with Server(
            port=options.port,
            http=None if options.no_console else options.http,
            directory=options.dir,
            program=options.server,
        ) as server:
            _greet(server)
            if not options.no_demo:
                _show_demo(server)
            took = time.monotonic() - began
            print(f"leaderboard-server: ready after {took:.1f} s; Ctrl-C ends it", flush=True)
            server.wait()
            print("leaderboard-server: a program ended by itself", file=sys.stderr)
            return 1
    except ServerError as error:
        print(f"leaderboard-server: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="leaderboard-server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the port for Redis clients (a free one)")
    parser.add_argument("--http", type=int, default=0, help="the port of the console (a free one)")
    parser.add_argument("--no-console", action="store_true", help="start the server alone")
    parser.add_argument("--no-demo", action="store_true", help="begin without data")
    parser.add_argument("--dir", type=Path, help="keep the data in this directory (else it is lost)")
    parser.add_argument("--server", type=Path, help="the redis-server or valkey-server to run")
    return parser.parse_args()


def _greet(server: Server) -> None:
    info = server.client().client.info("server")
    name, version = (
        ("Valkey", info["valkey_version"]) if "valkey_version" in info else ("Redis", info["redis_version"])
    )
    print(f"leaderboard-server: {server.url} ({name} {version})")
    if server.console is not None:
        print(f"leaderboard-server: console {server.console}")


def _show_demo(server: Server) -> None:
    lb = server.client()
    fill(lb)
    print(f"> LB.TOP {BOARD} 5        redis-cli -p {server.port} LB.TOP {BOARD} 5")
    for row in lb.top(BOARD, 5):
        print(f"{row.rank:>3} {row.member:<8} {row.score:>8}")


if __name__ == "__main__":
    sys.exit(main())
