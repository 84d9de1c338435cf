"""Quick sums: a small web game with a weekly board, ranks of countries, a league and a live page.

python app.py [--port PORT] [--seconds SECONDS]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import redis.asyncio
import uvicorn
from leaderboard import AsyncLeaderboard, errors
from leaderboard_server import Server
from pydantic import TypeAdapter, ValidationError
from redis import RedisError
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from boards import Boards
from live import Live
from rounds import Answers, Country, Entry, Referee, Refused

PAGE = Path(__file__).parent.parent / "page"
COUNTRY: TypeAdapter[str] = TypeAdapter(Country)


def game(url: str, referee: Referee) -> Starlette:
    """Returns the web app, with its boards in the server at this address."""
    client = redis.asyncio.Redis.from_url(url)
    boards = Boards(AsyncLeaderboard(client))
    live = Live(boards)

    async def begin(request: Request) -> Response:
        entry = Entry.model_validate_json(await request.body())
        last_week = await boards.enter(entry.player)
        began, token = referee.begin(entry)
        return JSONResponse(
            {"token": token, "seconds": referee.seconds, "sums": began.sums, "lastWeek": last_week}
        )

    async def finish(request: Request) -> Response:
        played, points = referee.judge(Answers.model_validate_json(await request.body()))
        return JSONResponse(await boards.count(played, points))

    async def follow(request: Request) -> Response:
        country = COUNTRY.validate_python(request.query_params.get("country"))
        return EventSourceResponse(live.follow(country), shutdown_event=live.ending, shutdown_grace_period=1)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await boards.make()
        reader = asyncio.create_task(live.read_forever())
        yield
        reader.cancel()
        await client.aclose()

    return Starlette(
        routes=[
            Route("/rounds", begin, methods=["POST"]),
            Route("/results", finish, methods=["POST"]),
            Route("/live", follow),
            Mount("/", StaticFiles(directory=PAGE, html=True)),
        ],
        exception_handlers=dict.fromkeys((Refused, ValidationError, RedisError), _explain),
        lifespan=lifespan,
    )


def _explain(_: Request, error: Exception) -> Response:
    """Says in the reply why a request is refused."""
    match error:
        case Refused():
            status, text = error.status, str(error)
        case ValidationError():
            status, text = 400, "A name has 1 to 20 characters, a country two letters, an answer is a number."
        case errors.IdReused():
            status, text = 409, "This round has counted with other answers."
        case _:
            # The page sends the same round again: its id makes that safe.
            logging.error("the boards do not answer: %s", error)
            status, text = 503, "The boards cannot be reached just now."
    return JSONResponse({"error": text}, status)


def main() -> None:
    """Runs the game until Ctrl-C, with a private server unless `$REDIS_URL` names one."""
    parser = argparse.ArgumentParser(description="Quick sums, a web game with leaderboards")
    parser.add_argument("--port", type=int, default=0, help="the port of the page (a free one)")
    parser.add_argument("--seconds", type=float, default=20, help="the length of a round")
    options = parser.parse_args()
    # Several processes of one game need the same secret.
    referee = Referee(os.environ.get("GAME_SECRET") or secrets.token_hex(), options.seconds)
    # A terminated game ends its server as after Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), contextlib.ExitStack() as stack:
        url = os.environ.get("REDIS_URL") or stack.enter_context(Server()).url
        listener = stack.enter_context(socket.create_server(("127.0.0.1", options.port)))
        print(f"game: http://127.0.0.1:{listener.getsockname()[1]} with boards in {url}", flush=True)
        config = uvicorn.Config(game(url, referee), log_level="warning")
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
