"""A client that openapi-python-client has made from the description of the API: votes, reads, errors."""

import sys
from http import HTTPStatus

from gateway_client import AuthenticatedClient
from gateway_client.api.boards import create_board
from gateway_client.api.counters import count_events
from gateway_client.api.rankings import top
from gateway_client.api.votes import vote
from gateway_client.models import Create, Events, OutcomeType0, OutcomeType1, Problem, Vote, Votes

address, token = sys.argv[1:]
client = AuthenticatedClient(base_url=f"{address}/api/v1", token=token)


def cast(member: str, request: str) -> OutcomeType0 | OutcomeType1 | Problem | None:
    ballot = Votes(by="user:1", votes=[Vote(member=member, votes=1)])
    return vote.sync("py", client=client, body=ballot, idempotency_key=request)


made = create_board.sync_detailed(client=client, body=Create(key="py", views="all", limit=["one voter 2 all"]))
assert made.status_code == HTTPStatus.CREATED, made
for request in ["a", "a", "b"]:
    accepted = cast("tide", request)
    assert isinstance(accepted, OutcomeType0) and accepted.accepted is True, accepted
held_back = cast("tide", "c")
assert isinstance(held_back, OutcomeType1) and held_back.rule == "one", held_back
rows = top.sync("py", client=client, count=5)
assert not isinstance(rows, Problem) and [(row.member, row.score) for row in rows.rows] == [("tide", "2")], rows
refused = top.sync("py", client=client, view="no-such-view")
assert isinstance(refused, Problem) and refused.status == HTTPStatus.UNPROCESSABLE_ENTITY, refused
absent = top.sync("py:absent", client=client, strict=True)
assert isinstance(absent, Problem) and absent.status == HTTPStatus.NOT_FOUND, absent
total = count_events.sync("clicks", client=client, body=Events(by=9007199254740993))
assert not isinstance(total, Problem) and int(total.total) > 9007199254740992, total
print("api: the Python client works")
