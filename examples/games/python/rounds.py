"""The rules of the game: rounds, their seals and their points."""

from __future__ import annotations

import random
import time
import uuid
from typing import Annotated

from itsdangerous import BadData, URLSafeSerializer
from pydantic import BaseModel, StringConstraints

RIGHT, WRONG = 10, -5
FASTEST = 0.5
"""The seconds that a person needs for one answer, at the least."""
GRACE = 5
"""The seconds after the end of a round in which its answers can arrive, repeats among them."""


Player = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[^\x00-\x1f]{1,20}$")]
Country = Annotated[str, StringConstraints(pattern="^[A-Z]{2}$")]


class Refused(Exception):
    """A round that does not count. `status` is that of the HTTP reply."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Entry(BaseModel):
    """Who plays. A real game takes the player from its login, so that nobody plays as somebody else."""

    player: Player
    country: Country


class Round(Entry):
    """One round. `began` is in milliseconds."""

    id: str
    began: int
    sums: list[tuple[int, int]]


class Answers(BaseModel):
    """What the page sends at the end of a round."""

    token: str
    answers: list[int]


class Referee:
    """Begins rounds and judges them. The page only shows sums: the points are given here.

    A round travels to the page and back as a sealed token. So no program has to remember it, and any process
    with the same secret can judge it.
    """

    def __init__(self, secret: str, seconds: float) -> None:
        self.seconds = seconds
        self._seal = URLSafeSerializer(secret, salt="round")

    def begin(self, entry: Entry) -> tuple[Round, str]:
        """Returns a new round and its token. It has more sums than anybody can solve."""
        most = int(self.seconds / FASTEST) + 1
        sums = [(random.randint(2, 30), random.randint(2, 30)) for _ in range(most)]
        began = Round(**entry.model_dump(), id=str(uuid.uuid4()), began=_now(), sums=sums)
        return began, str(self._seal.dumps(began.model_dump()))

    def judge(self, sent: Answers) -> tuple[Round, int]:
        """Returns the round and its points.

        Raises:
            Refused: The token is forged, or the answers come too late or too fast.
        """
        try:
            played = Round.model_validate(self._seal.loads(sent.token))
        except BadData:
            raise Refused(403, "This round was not begun here.") from None
        took = (_now() - played.began) / 1000
        if took > self.seconds + GRACE:
            raise Refused(410, "These answers come too late: the round is over.")
        if took < FASTEST * len(sent.answers):
            raise Refused(422, "Nobody answers as fast as that.")
        pairs = zip(played.sums, sent.answers, strict=False)
        return played, max(0, sum(RIGHT if a + b == answer else WRONG for (a, b), answer in pairs))


def _now() -> int:
    return time.time_ns() // 1_000_000
