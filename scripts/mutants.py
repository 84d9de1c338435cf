#!/usr/bin/env python3
"""Mutation testing: changes the core and the commands in one place at a time, and counts the changes that no test notices.

  scripts/mutants.py DIRECTORY N SEED   about N changes, spread evenly over all code; SEED chooses which
  scripts/mutants.py DIRECTORY again    the changes of the last run that nothing noticed, after new tests

cargo-mutants makes the list of changes; .cargo/mutants.toml says which code is left as it is. There are three judges, and
each has what those before it did not notice: random commands against the model (`torture commands`, which is quick and
reaches most of the core), the unit tests of both packages, and all tests of both packages and of boards over parts. The tests
in servers are no judge.
A change under which a judge does not end hangs, and counts as noticed.

Each result is in DIRECTORY/results at once. A run that was stopped goes on from there; without that file, it begins anew.
"""
import json
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["-p", "leaderboard-core", "-p", "leaderboard-commands"]
# It stops at the first test that fails. `cargo test` would run all others of the program, too.
NEXTEST = ["cargo", "nextest", "run", "--cargo-profile", "mutants"]
TORTURE = ["--profile", "mutants", "-p", "leaderboard-torture"]
UNITS = [*NEXTEST, *PACKAGES, "--lib"]
ALL = [*NEXTEST, *PACKAGES, "-p", "leaderboard-proxy"]
# For each judge how it builds, what it runs then, and after how many seconds that hangs.
JUDGES = {
    "random": (["cargo", "build", *TORTURE], ["cargo", "run", *TORTURE, "--", "commands", "200000", "--seed", "1"], 120),
    "units": ([*UNITS, "--no-run"], UNITS, 600),
    "all": ([*ALL, "--no-run"], ALL, 900),
}
# A property test that fails writes its case into a file. Without this, the tests of the next changes would fail by it.
NO_SEEDS = {"PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1"}
# Some changes take memory without end. This bounds each process, so that the machine goes on.
MEMORY = 12 << 30


class Tree:
    """A copy of the tree. It is always in one place, so a second run builds little."""

    def __init__(self, directory):
        self.path = directory / "tree"
        self.log = directory / "log"
        self.target = directory / "build"
        self.path.mkdir(parents=True, exist_ok=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        packed = subprocess.run(
            ["tar", "--null", "--files-from=-", "--create", "--file=-"], cwd=ROOT, check=True, capture_output=True, input=files
        ).stdout
        # New times: cargo must not take what an interrupted run built from a changed file.
        subprocess.run(["tar", "--extract", "--touch"], cwd=self.path, check=True, input=packed)

    def run(self, command, seconds=None):
        """Whether the command succeeds, or `None` if it takes too long."""
        command = ["timeout", "--kill-after=5", str(seconds or 0), *command]
        with open(self.log, "wb") as log:
            done = subprocess.run(
                command,
                cwd=self.path,
                env={**os.environ, "CARGO_TARGET_DIR": str(self.target), **NO_SEEDS},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=bounded,
            )
        return None if done.returncode in (124, 137) else done.returncode == 0

    def patch(self, change, *options):
        """Applies a change, or takes it back."""
        command = ["patch", "--quiet", "--strip=0", "--no-backup-if-mismatch", *options, change["file"]]
        subprocess.run(command, cwd=self.path, check=True, text=True, input=change["diff"])

    def accept(self, judge):
        """Ends the program if a judge finds something without a change."""
        build, command, seconds = JUDGES[judge]
        if not self.run(build) or not self.run(command, seconds):
            sys.exit(f"mutants: {judge} fails without a change, see {self.log}")

    def judged(self, judge, change):
        """What a judge says of a change."""
        build, command, seconds = JUDGES[judge]
        self.patch(change)
        try:
            if not self.run(build):
                return "does not compile"
            return {True: "missed", False: "noticed", None: "hangs"}[self.run(command, seconds)]
        finally:
            self.patch(change, "--reverse")


def bounded():
    """Bounds the memory of a process that is about to start."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def listed(*options):
    """Changes that cargo-mutants makes."""
    command = ["cargo", "mutants", "--list", "--json", *PACKAGES, *options]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def sample(count, seed):
    """About `count` changes, each so far from the next, in random order: the first ones are a sample, too."""
    total = len(listed())
    shards = -(-total // count)
    changes = listed("--sharding", "round-robin", "--shard", f"{seed % shards}/{shards}")
    random.Random(seed).shuffle(changes)
    print(f"mutants: {len(changes)} of {total}", flush=True)
    return changes


def judge_all(tree, changes, results):
    """Lets each judge look at what those before it missed."""
    known = {}
    if results.exists():
        known = {(line["judge"], line["name"]): line["result"] for line in map(json.loads, results.open())}
    for judge in JUDGES:
        missed = []
        if any((judge, change["name"]) not in known for change in changes):
            tree.accept(judge)
        for change in changes:
            name = change["name"]
            result = known.get((judge, name)) or tree.judged(judge, change)
            if (judge, name) not in known:
                print(f"{judge}: {result}: {name}", flush=True)
                with results.open("a") as file:
                    print(json.dumps({"judge": judge, "name": name, "result": result}), file=file)
            if result == "missed":
                missed.append(change)
        changes = missed
    return changes


def report(results, missed):
    """Prints the number of each judge's results, and the changes that nothing noticed."""
    counts = Counter((line["judge"], line["result"]) for line in map(json.loads, results.open()))
    for (judge, result), count in counts.items():
        print(f"{judge}: {count} {result}")
    print(f"nothing noticed {len(missed)}:")
    for change in missed:
        print(change["name"])


def main():
    directory, choice = Path(sys.argv[1]).resolve(), sys.argv[2:]
    tree, results, left = Tree(directory), directory / "results", directory / "missed.json"
    changes = json.loads(left.read_text()) if choice == ["again"] else sample(*map(int, choice))
    missed = judge_all(tree, changes, results)
    report(results, missed)
    left.write_text(json.dumps(missed))
    results.rename(directory / "last")


if __name__ == "__main__":
    main()
