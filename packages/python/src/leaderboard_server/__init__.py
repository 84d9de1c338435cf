"""A server with the leaderboard module, for tests and for a first look."""

from leaderboard_server._server import Server, ServerError

__all__ = ["Server", "ServerError"]
