"""A client for the leaderboard module, on top of redis-py."""

from leaderboard import errors, requests
from leaderboard._client import AsyncLeaderboard, Leaderboard
from leaderboard._request import Request
from leaderboard._rules import Limit, Part, Prizes
from leaderboard._values import NEW, Key, Number, RequestId, Score, Text, Time

__all__ = [
    "NEW",
    "AsyncLeaderboard",
    "Key",
    "Leaderboard",
    "Limit",
    "Number",
    "Part",
    "Prizes",
    "Request",
    "RequestId",
    "Score",
    "Text",
    "Time",
    "errors",
    "requests",
]
