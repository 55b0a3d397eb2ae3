"""Makes the generated calls meaningful: adds a sign-in, and existing ids to many of them. Loaded by `schemathesis`
(SCHEMATHESIS_HOOKS). run.py sets the role of the caller."""

from __future__ import annotations

import atexit
import json
import os
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

from roles import CLIENT, DESK, END_USER, NOBODY, SUPER_ADMIN
from world import PASSWORD, Organization, World, serials

ROLE = os.environ["PLENUM_API_ROLE"]
ROOT = {"email": os.environ["PLENUM_SUPER_ADMIN_EMAIL"], "password": os.environ["PLENUM_SUPER_ADMIN_PASSWORD"]}
# After this many successful changes, an operation gets a new meeting.
NEW_MEETING_AFTER = 4
# Operations that make their own caller unusable.
LEAVING = ("PUT /auth/password", "POST /auth/sessions/sign-out-everywhere")
# The same, for accounts only.
SECOND_FACTOR = "POST /auth/second-factor"
# Erases a person who takes part in no running meeting, confirmed by the username.
ERASURE = "POST /client/end-users/{endUserId}/erase"
# Operations of a desk that is a voting place.
VOTING_PLACE = ("GET /desk/question", "POST /desk/ballots", "POST /desk/votes")
# Operations that are limited by address.
RATE_LIMITED = (
    "POST /auth/login", "POST /auth/end-user/login", "POST /auth/forgotten-password", "PUT /auth/password", "POST /public/verify",
    "POST /auth/join", "POST /auth/join/look-up",
)
# The parts of a body that are generated.
NOTHING, ONE_FIELD, ALL_BUT_IDS, ALL = range(4)

world = World(os.environ["PLENUM_API_URL"], ROOT, os.environ["PLENUM_API_RUN"])
me = {NOBODY: world.anyone, SUPER_ADMIN: world.root, CLIENT: world.ours.admin, END_USER: world.voter, DESK: world.desk}[ROLE]
calls: Counter[str] = Counter()
changes: Counter[str] = Counter()
at_work = ""
statuses: dict[str, Counter[int]] = {}


if ROLE != NOBODY:

    @schemathesis.auth(refresh_interval=None, retry_on=[])
    class Session:
        """The access token of the caller."""

        def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> str:
            me.renew()
            return f"Bearer {me.token}"

        def set(self, case: schemathesis.Case, data: str, context: schemathesis.AuthContext) -> None:
            case.headers["Authorization"] = data


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Replaces generated values with existing ones, unless the generated ones are invalid on purpose."""
    global at_work
    label = case.operation.label
    if label != at_work or changes[label] >= NEW_MEETING_AFTER:
        if changes[at_work]:
            world.meet()
        changes[at_work], at_work = 0, label
    turn = calls[label]
    calls[label] += 1
    if case.path_parameters and not is_invalid_on_purpose(case, ParameterLocation.PATH):
        case.path_parameters = {**case.path_parameters, **path_parameters(label, case.path_parameters, turn)}
    if isinstance(case.body, dict) and not is_invalid_on_purpose(case, ParameterLocation.BODY):
        case.body = body(label, example_of(case), case.body, kind_of_body(case, turn), turn)
    prepare(label, case, turn)


def prepare(label: str, case: schemathesis.Case, turn: int) -> None:
    """Prepares calls that need other data to succeed, or would disturb others."""
    if label == "POST /auth/logout" and is_signed_in(case) and ROLE != DESK:
        # The call may end a session, but not the one of the run.
        case.headers["Authorization"] = f"Bearer {world.anyone.sign_in(world.credentials_of(ROLE)).token}"
    elif is_left_by(label) and is_signed_in(case):
        case.headers["Authorization"] = f"Bearer {world.anyone.sign_in(leaver(turn)).token}"
    elif label in VOTING_PLACE and is_signed_in(case) and ROLE == DESK:
        case.headers["Authorization"] = f"Bearer {world.place.token}"
    elif label.startswith("DELETE ") and label.endswith("/vote") and is_signed_in(case) and ROLE == END_USER:
        world.cast(world.open_question, world.answers)
    elif label == ERASURE and ROLE == CLIENT and turn % 3 == 0 and isinstance(case.body, dict):
        if not any(is_invalid_on_purpose(case, place) for place in (ParameterLocation.PATH, ParameterLocation.BODY)):
            gone, credentials = world.ours.add_voter(is_active=False)
            case.path_parameters = {**case.path_parameters, "endUserId": gone}
            case.body = {"username": credentials["username"]}
    if label in RATE_LIMITED or label.startswith(SECOND_FACTOR):
        # Each address makes a few calls only.
        case.headers["X-Forwarded-For"] = f"10.1.{turn // 15 // 250}.{turn // 15 % 250}"


def is_left_by(label: str) -> bool:
    """Whether the call changes its own caller, who must be a throw-away person."""
    return label in LEAVING or (label.startswith(SECOND_FACTOR) and ROLE != END_USER)


def is_signed_in(case: schemathesis.Case) -> bool:
    """Whether the call has a token of the run's session. Some calls have none on purpose."""
    return any(case.headers.get("Authorization") == f"Bearer {token}" for token in me.tokens)


@schemathesis.hook
def after_call(context: schemathesis.HookContext, case: schemathesis.Case, response: schemathesis.Response) -> None:
    label = case.operation.label
    statuses.setdefault(label, Counter())[response.status_code] += 1
    if case.method.upper() != "GET" and response.status_code < 300:
        changes[label] += 1


@schemathesis.check
def the_session_stays_valid(ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case) -> None:
    """Fails if the run's session has ended: every response would be 401, as documented, and prove nothing."""
    assert response.status_code != 401 or not is_signed_in(case), "a call of this run has ended the run's own session"


@atexit.register
def write_statuses() -> None:
    """Writes the statuses for run.py, which combines all roles."""
    Path(os.environ["PLENUM_API_STATUSES"]).write_text(json.dumps(statuses))


def is_invalid_on_purpose(case: schemathesis.Case, location: ParameterLocation) -> bool:
    return case.meta is not None and case.meta.is_negative_at(location)


def path_parameters(label: str, generated: dict[str, Any], turn: int) -> dict[str, str]:
    """Ids for the path. Most calls use the running meeting, some another one or another organization's, and the rest
    unknown ids."""
    scene = turn % 8
    if scene == 7:
        return {}
    known = {
        "meetingId": world.meeting,
        "questionId": world.open_question,
        "roundId": world.ended_round,
        "voteId": world.vote,
        "remarkId": world.remark,
        "proxyId": world.proxy,
        "clientId": world.others.id,
        "endUserId": world.colleague_id,
        "clientCode": world.ours.code,
        "link": world.link,
        "linkToken": world.link,
    }
    if scene in (3, 5):
        known |= {"questionId": world.ended_question, "roundId": world.open_round}
    if scene == 4:
        known |= {"meetingId": world.draft, "questionId": world.unopened_question, "endUserId": world.voter_id}
    if scene == 6:
        known |= {
            "groupId": world.their_group,
            "kindId": world.their_weight_kind,
            "meetingId": world.their_meeting,
            "questionId": world.their_question,
            "endUserId": world.their_voter_id,
        }
    if "/archives/" in label and scene in (0, 1, 2):
        known["meetingId"] = world.their_archived_meeting
    if label.endswith("/presentation/result"):
        known["meetingId"] = world.declared_meeting
    if label.endswith("/presentation/answers") or "/answer-curation" in label:
        if scene != 6:
            known |= {"meetingId": world.answered_meeting, "roundId": world.answered_round}
        world.show_answers()
    if "/rehearsal" in label and scene in (0, 1, 2):
        known["meetingId"] = world.rehearse()
        if label == "POST /client/meetings/{meetingId}/rehearsal":
            known["meetingId"] = world.ours.add_meeting("SCHEDULED")
    if ("/attendance" in label or "/desks" in label or "/check-in" in label) and scene != 6:
        known["meetingId"] = world.check_in_meeting
        if "deskId" in generated:
            known["deskId"] = world.desk_to_revoke()
    if "/paper-batches" in label and ROLE == CLIENT and scene in (0, 1, 2):
        round_id, batch = world.enter()
        known |= {"meetingId": world.paper_meeting, "roundId": round_id, "batchId": batch}
        if label.startswith("POST ") and label.endswith("/paper-batches"):
            known["roundId"] = world.open_paper_round()
    if "groupId" in generated and scene != 6:
        known["groupId"] = victim_group(turn)
    if "kindId" in generated and scene != 6:
        known["kindId"] = victim_weight_kind(turn)
    if label.endswith("/casting-vote") and scene in (0, 1, 2):
        known |= {"meetingId": world.tied_meeting, "roundId": world.tie()}
    if label.startswith(("PUT", "DELETE", "POST")):
        # A changed or deleted person must not be used by other calls.
        if "clientId" in generated:
            known["clientId"] = victim_client(turn)
        if "endUserId" in generated and scene != 6:
            known["endUserId"] = victim_voter(turn)
        if label == "DELETE /client/questions/{questionId}" and scene not in (3, 5):
            known["questionId"] = world.unopened_question
        if label.startswith("DELETE ") and "/exclusions/" in label and scene in (0, 1, 2):
            known |= {"questionId": world.unopened_question, "endUserId": world.exclude()}
        if label.startswith("DELETE ") and "/remarks/" in label and scene in (0, 1, 2):
            known["remarkId"] = world.note()
        if "/proxies" in label and not label.endswith("/settings") and scene in (0, 1, 2):
            known["proxyId"] = world.grant()
    if "sessionId" in generated and ROLE not in (NOBODY, DESK) and scene in (0, 1, 2):
        known["sessionId"] = world.session_of(ROLE)
    return {name: known[name] for name in generated if name in known}


victims: dict[str, Any] = {}


def victim_client(turn: int) -> str:
    """An organization to change or delete. A few calls share one, because passwords are slow to hash."""
    if turn % 6 == 0 or "client" not in victims:
        victims["client"] = Organization(world.root, world.tag).id
    return victims["client"]


def leaver(turn: int) -> dict[str, str]:
    """The credentials of a person who changes their password or signs out everywhere. After a few wrong passwords it is
    another person, because of the rate limit."""
    if turn % 6 == 0 or "leaver" not in victims:
        victims["leaver"] = Organization(world.root, world.tag).credentials
    return victims["leaver"]


def victim_voter(turn: int) -> str:
    """An end user to change or delete."""
    if turn % 6 == 0 or "voter" not in victims:
        victims["voter"] = world.ours.add_voter()[0]
    return victims["voter"]


def victim_group(turn: int) -> str:
    """A group to change or delete. A few calls share one, because an organization has at most 200."""
    if turn % 6 == 0 or "group" not in victims:
        victims["group"] = world.ours.add_group()
    return victims["group"]


def victim_weight_kind(turn: int) -> str:
    """A kind of weight to change or delete. A few calls share one."""
    if turn % 6 == 0 or "weight_kind" not in victims:
        victims["weight_kind"] = world.ours.add_weight_kind()
    return victims["weight_kind"]


def example_of(case: schemathesis.Case) -> dict[str, Any]:
    """The example of the body in the document."""
    content = case.operation.definition.raw["requestBody"]["content"]
    return content.get("application/json", {}).get("example", {})


def kind_of_body(case: schemathesis.Case, turn: int) -> int:
    """The generated part of a body, in turn, except for calls that test the limits of fields."""
    if case.meta is not None and case.meta.phase.name == TestPhase.COVERAGE:
        return ALL_BUT_IDS
    return (NOTHING, ONE_FIELD, ALL_BUT_IDS, NOTHING, ONE_FIELD, ALL)[turn % 6]


def body(label: str, example: dict[str, Any], generated: dict[str, Any], kind: int, turn: int) -> dict[str, Any]:
    """The document's example, the generated body, or a mixture. Sets ids that must exist, and names that must be new."""
    if kind == ALL:
        return generated
    if kind == ALL_BUT_IDS:
        filled = dict(generated)
    else:
        filled = dict(example)
    if kind == ONE_FIELD and generated:
        field = sorted(generated)[turn // 3 % len(generated)]
        filled[field] = generated[field]
    right = {
        "meetingId": world.meeting,
        "endUserIds": [world.voter_id, world.colleague_id],
        "clientId": world.ours.id,
        "questionOrders": agenda(),
    }
    if label.endswith("/current-question"):
        right["questionId"] = (world.open_question, world.unopened_question, world.ended_question)[turn // 3 % 3]
    if label.endswith("/rounds"):
        right["questionId"] = world.ended_question
    if label.endswith("/attendance"):
        right["endUserId"] = world.colleague_id
    if label == "POST /desk/entries" and kind == NOTHING:
        right["entries"] = [{"id": world.colleague_id, "endUserId": world.colleague_id, "kind": "IN", "at": None}]
    if label.endswith("/check-in") and kind == NOTHING:
        right["code"] = world.check_in_code()
    if label.endswith("/desks") and kind == NOTHING:
        right["name"] = f"Entrance {next(serials)}"
    if label.endswith("/members"):
        right |= {"add": [world.voter_id], "remove": [world.colleague_id]}
    if "/client/groups" in label and kind == NOTHING:
        right["name"] = f"Delegates {next(serials)}"
    if "/client/weight-kinds" in label and kind == NOTHING:
        right["name"] = f"Living area {next(serials)}"
    if label.endswith("/vote"):
        right |= {"answers": world.answers, "roundId": world.open_round}
    if label.endswith("/votes"):
        right |= {"roundId": world.open_round, "ballots": [{"for": "self", "answers": world.answers}]}
    if label == "POST /desk/ballots":
        right |= {"endUserId": world.colleague_id, "roundId": world.paper_round}
        if kind == NOTHING:
            right["id"] = str(uuid.uuid4())
    if label == "POST /desk/votes":
        right |= {"ballotId": world.ballot, "answers": ["Yes"]}
    if label.endswith("/paper-batches") and kind == NOTHING:
        right |= world.paper_vote()
    if label.endswith("/proxies"):
        people = {"principal": world.voter_credentials, "holder": world.colleague_credentials}
        right |= {role: person["username"] for role, person in people.items()}
        right["questionIds"] = [world.open_question]
    if label.endswith("/rehearsal"):
        right["rehearsalId"] = world.rehearsal
    if label.endswith(("/admissions", "/exclusions")):
        # A person added after the opening is not in the register.
        right["endUserId"] = victim_voter(turn)
    if label == "PUT /auth/password":
        right |= {"currentPassword": PASSWORD, "newPassword": PASSWORD}
    elif label.startswith(SECOND_FACTOR):
        if "currentPassword" in example:
            right["currentPassword"] = PASSWORD
    elif label.startswith("POST /auth/"):
        right |= sign_in_fields(label, turn)
    elif kind == NOTHING:
        serial = next(serials)
        right |= {
            "email": f"new{serial}@{world.tag}.example",
            "username": f"new{serial}",
            "clientCode": f"{world.tag}-{serial}",
        }
    return {name: right.get(name, value) if value is not None else None for name, value in filled.items()}


def agenda() -> list[dict[str, Any]]:
    """The agenda with its first two questions exchanged."""
    order = [world.open_question, world.ended_question, world.unopened_question]
    return [{"questionId": question, "orderIndex": place} for place, question in enumerate(order, 1)]


def sign_in_fields(label: str, turn: int) -> dict[str, str]:
    """The credentials of a throw-away person, because of the rate limit for failures."""
    if label == "POST /auth/refresh":
        # A token that is used twice can end its session.
        if turn % 5 == 0 or "session" not in victims:
            victims["session"] = world.anyone.sign_in(world.others.credentials).refresh_token
        return {"refreshToken": victims["session"]}
    if label == "POST /auth/end-user/login":
        return world.colleague_credentials
    return {**world.others.credentials, "portal": "CLIENT"}
