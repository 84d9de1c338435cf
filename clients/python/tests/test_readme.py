"""The programs in the README, as a reader tries them."""

from __future__ import annotations

import json
import os
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
import redis

SERVERS: dict[str, Any] = json.loads(os.environ.get("LEADERBOARD_TEST_SERVERS", "{}"))

pytestmark = pytest.mark.skipif(not SERVERS, reason="LEADERBOARD_TEST_SERVERS names no servers")


def test_the_programs_of_the_readme_run() -> None:
    port = SERVERS["servers"]["redis-7.0"]
    redis.Redis(port=port).flushall()
    text = (Path(__file__).parents[1] / "README.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(programs) > 5
    names: dict[str, Any] = {}
    exec("from leaderboard import Limit", names)
    for program in programs:
        here = program.replace("Redis()", f"Redis(port={port})")
        if "await " in here:
            # The names of coroutines are their own: the programs after it use those from before.
            here = (
                f"import asyncio\nasync def main():\n{textwrap.indent(here, '    ')}\nasyncio.run(main())\n"
            )
        exec(compile(here, "README.md", "exec"), names)
    assert names["lb"].count("game") > 0
