"""Calls every operation of the OpenAPI document in every role, with what its schemas allow and with what they do not,
and checks that the answers are those of the document.

The server is running at PLENUM_API_URL; scripts/test-api.sh starts one and then this."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path

from roles import CLIENT, DESK, END_USER, NOBODY, ROLES, SUPER_ADMIN
from world import Person

HERE = Path(__file__).parent
SETTINGS = HERE / "schemathesis.toml"
METHODS = ("get", "post", "put", "delete", "patch")
# The addresses for each role. One call shows that it is refused to the others.
OWN_PATHS = {
    NOBODY: "^/(auth|public|meetings|health)",
    SUPER_ADMIN: "^/(auth/(logout|me|sessions|password$|second-factor)|clients|accounts|sessions|activity|reports|audit|test|votes)",
    CLIENT: "^/(auth/(logout|me|sessions|password$|second-factor)|client/|sse|test|votes)",
    END_USER: "^/(auth/(logout|me|sessions|password$)|voting|sse)",
    DESK: "^/desk",
}
# Their token is only in a mail. crates/app/tests/it/http/identity/forgotten_passwords.rs tests them.
NEEDS_MAIL = {"POST /auth/reset-password"}
# These need the token of a personal link. crates/app/tests/it/http/identity/join_links.rs tests them.
NEEDS_LINK = {"POST /auth/join", "POST /auth/join/look-up"}
# These need an authenticator. crates/app/tests/it/http/identity/second_factors.rs tests them.
NEEDS_AUTHENTICATOR = {
    "POST /auth/second-factor/confirm",
    "POST /auth/second-factor/recovery-codes",
    "POST /auth/second-factor/remove",
    "DELETE /accounts/{accountId}/second-factor",
}
# One call shows whether an operation of another role matches its document. `access_matrix.rs` tests that each role is refused.
EXAMPLES_ELSEWHERE = 1
# The default number of examples for each operation and role, beside those of its schemas. With ten, seed 1 deletes no meeting.
EXAMPLES = 20
# A server that hangs must not hang the tests. The longest run takes four minutes alone, and has taken nine beside other tests.
PATIENCE_SECONDS = 1800


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="test-api", description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="generated calls for each operation and role")
    parser.add_argument(
        "--seed",
        default=os.environ.get("PLENUM_API_SEED", "1"),
        help="the random seed: a number, or `random` (PLENUM_API_SEED)",
    )
    parser.add_argument("--role", action="append", choices=ROLES, help="only this role; can be repeated")
    parser.add_argument("--path", help="only operations whose path fits this regular expression")
    return parser.parse_args()


def passes(role: str, chosen: argparse.Namespace) -> list[list[str]]:
    """The arguments of the runs of schemathesis in a role."""
    examples = ["--max-examples", str(chosen.examples)]
    if chosen.path:
        return [["--include-path-regex", chosen.path, *examples]]
    elsewhere = ["--phases", "fuzzing", "--max-examples", str(min(EXAMPLES_ELSEWHERE, chosen.examples))]
    return [
        ["--include-path-regex", OWN_PATHS[role], *examples],
        ["--exclude-path-regex", OWN_PATHS[role], *elsewhere],
    ]


class Outcome:
    """The outcome of all runs in one role."""

    def __init__(self) -> None:
        self.failures: list[str] = []
        # The number of responses by operation and status.
        self.statuses: dict[str, Counter[int]] = {}

    def calls(self) -> int:
        return sum(statuses.total() for statuses in self.statuses.values())


def run(role: str, seed: int, chosen: argparse.Namespace) -> Outcome:
    """Runs schemathesis in one role."""
    outcome = Outcome()
    for number, arguments_of_pass in enumerate(passes(role, chosen)):
        command = [
            sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()",
            "--config-file", str(SETTINGS),
            "run", f"{os.environ['PLENUM_API_URL']}/openapi.json", "--no-color", "--seed", str(seed),
            *arguments_of_pass,
        ]
        with tempfile.TemporaryDirectory() as folder:
            told, said = Path(folder) / "statuses.json", Path(folder) / "said.txt"
            environment = {
                **os.environ,
                "SCHEMATHESIS_HOOKS": "hooks",
                "PYTHONPATH": str(HERE),
                # Of the two spellings, the one in lower case wins.
                "NO_PROXY": "127.0.0.1",
                "no_proxy": "127.0.0.1",
                "PYTHONDONTWRITEBYTECODE": "1",
                # A file keeps the output if the run is interrupted.
                "PYTHONUNBUFFERED": "1",
                "PLENUM_API_ROLE": role,
                "PLENUM_API_RUN": f"{role.lower().replace('_', '-')}-{number}",
                "PLENUM_API_STATUSES": str(told),
            }
            patience = PATIENCE_SECONDS * max(1, chosen.examples // EXAMPLES)
            try:
                with said.open("w") as output:
                    ended = subprocess.run(
                        command, env=environment, cwd=folder, timeout=patience,
                        stdout=output, stderr=subprocess.STDOUT, check=False,
                    )
            except subprocess.TimeoutExpired:
                too_late = f"It did not finish within {patience} s: {' '.join(arguments_of_pass)}"
                outcome.failures.append(f"{too_late}\n{said.read_text()}")
                continue
            if ended.returncode != 0:
                outcome.failures.append(said.read_text())
            if told.exists():
                for label, statuses in json.loads(told.read_text()).items():
                    counted = {int(status): count for status, count in statuses.items()}
                    outcome.statuses.setdefault(label, Counter()).update(counted)
    return outcome


def operations() -> list[str]:
    """The operations of the document, without those that schemathesis.toml excludes."""
    document = Person(os.environ["PLENUM_API_URL"]).call("GET", "/openapi.json")
    settings = tomllib.loads(SETTINGS.read_text())
    left_out = {chosen["include-path"] for chosen in settings["operations"] if not chosen["enabled"]}
    return [
        f"{method.upper()} {path}"
        for path, item in document["paths"].items() if path not in left_out
        for method in item if method in METHODS
    ]


def never_done(reached: dict[str, set[int]]) -> list[str]:
    """Operations without a successful call in any role. Their successful responses were not checked."""
    return sorted(
        label
        for label in operations()
        if label not in NEEDS_MAIL | NEEDS_LINK | NEEDS_AUTHENTICATOR and not any(200 <= status < 300 for status in reached.get(label, ()))
    )


def main() -> int:
    chosen = arguments()
    seed = secrets.randbelow(2**32) if chosen.seed == "random" else int(chosen.seed)
    print(f"Testing the API from the seed {seed}, {chosen.examples} examples of each operation and role.", flush=True)
    failed = False
    reached: dict[str, set[int]] = {}
    for role in chosen.role or ROLES:
        started = time.monotonic()
        outcome = run(role, seed, chosen)
        for label, statuses in outcome.statuses.items():
            reached.setdefault(label, set()).update(statuses)
        verdict = "does NOT match the document" if outcome.failures else "matches the document"
        print(f"{role}: {outcome.calls()} calls in {time.monotonic() - started:.0f} s, {verdict}", flush=True)
        for failure in outcome.failures:
            failed = True
            print(failure, flush=True)
    if not chosen.role and not chosen.path:
        for label in never_done(reached):
            failed = True
            print(f"{label} has never succeeded in any role. Add the needed data in tools/schemathesis/hooks.py.")
    if failed:
        print(f"To reproduce it: just test-api --seed {seed} --examples {chosen.examples}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
