"""The data for successful calls: organizations, voters, a running meeting. Everything is created through the API."""

from __future__ import annotations

import itertools
import time
import uuid
from typing import Any

import requests

from roles import CLIENT, END_USER, SUPER_ADMIN

PASSWORD = "correct horse"
MORE_THAN_HALF = {
    "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
}
QUESTIONS = (
    {"questionType": "YES_NO", "options": ["Yes", "No", "Abstain"]},
    {"questionType": "MULTIPLE_CHOICE", "options": ["A", "B", "C"], "maxChoices": 2},
    {"questionType": "RATING", "ratingMax": 10},
    {"questionType": "PERCENTAGE"},
    {"questionType": "OPEN_TEXT"},
)
ANSWERS = {
    "YES_NO": ["Yes"],
    "MULTIPLE_CHOICE": ["A", "B"],
    "RATING": ["7"],
    "PERCENTAGE": ["12.5"],
    "OPEN_TEXT": ["As before."],
}

# An access token is valid for 15 minutes. Beside the other tests of the gate, a run can take longer.
RENEW_AFTER_SECONDS = 300

serials = itertools.count(1)


class Person:
    """A caller of the API."""

    def __init__(self, api: str, session: dict[str, Any] | None = None) -> None:
        self.api = api
        self.http = requests.Session()
        self.http.trust_env = False
        # Another address than the generated calls, whose failed sign-ins reach the rate limit.
        self.http.headers["X-Forwarded-For"] = "10.0.0.1"
        self.token: str | None = None
        self.refresh_token: str | None = None
        # All access tokens of the session. Earlier ones stay valid after a renewal.
        self.tokens: set[str] = set()
        if session:
            self.keep(session)

    def keep(self, session: dict[str, Any]) -> None:
        """Keeps the tokens of a sign-in or a renewal."""
        self.renewed_at = time.monotonic()
        self.refresh_token = session["refreshToken"]
        self.carry(session["token"])

    def carry(self, token: str) -> None:
        """Sends this token with every call."""
        self.token = token
        self.tokens.add(token)
        self.http.headers["Authorization"] = f"Bearer {token}"

    def renew(self) -> None:
        """Renews the session well before its access token ends. The link of a desk needs no renewal."""
        if self.refresh_token and time.monotonic() - self.renewed_at > RENEW_AFTER_SECONDS:
            self.keep(self.send("POST", "/auth/refresh", {"refreshToken": self.refresh_token}))

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of a successful response."""
        self.renew()
        return self.send(method, path, body)

    def send(self, method: str, path: str, body: Any) -> Any:
        """The JSON of a successful response, with the token at hand."""
        response = self.http.request(method, self.api + path, json=body, timeout=30)
        if not response.ok:
            raise RuntimeError(f"{method} {path} with {body}: {response.status_code} {response.text}")
        return response.json() if response.content else None

    def at_desk(self, token: str) -> Person:
        """The same address, with the link of a desk."""
        desk = Person(self.api)
        desk.carry(token)
        return desk

    def sign_in(self, credentials: dict[str, str]) -> Person:
        """The same address, signed in."""
        path = "/auth/end-user/login" if "clientCode" in credentials else "/auth/login"
        return Person(self.api, self.call("POST", path, credentials))


class Organization:
    """A client with its administrator. Email addresses are unique on the server, so `tag` distinguishes runs."""

    def __init__(self, root: Person, tag: str) -> None:
        # Votes can be discarded only if a name starts with TEST_.
        name, email = f"TEST_Club {next(serials)}", f"admin{next(serials)}@{tag}.example"
        made = root.call("POST", "/clients", {
            "name": name, "firstName": "Anna", "lastName": "Berg", "email": email, "password": PASSWORD,
        })["data"]
        self.id: str = made["id"]
        self.code: str = made["clientCode"]
        self.credentials = {"email": email, "password": PASSWORD}

    def sign_in(self, anyone: Person) -> None:
        """Signs its administrator in."""
        self.admin = anyone.sign_in(self.credentials)

    def add_voter(self, is_active: bool = True) -> tuple[str, dict[str, str]]:
        """A new end user: the id and the credentials."""
        username = f"voter{next(serials)}"
        made = self.admin.call("POST", "/client/end-users", {
            "username": username, "name": "Ben Otto", "weight": 1.5, "password": PASSWORD, "isActive": is_active,
        })
        return made["data"]["id"], {"clientCode": self.code, "username": username, "password": PASSWORD}

    def add_meeting(self, status: str, **fields: Any) -> str:
        """A new meeting with this status."""
        return self.admin.call("POST", "/client/meetings", {
            "title": "TEST_General assembly", "scheduledStartTime": "2030-05-01T18:00:00Z",
            "scheduledEndTime": "2030-05-01T20:00:00Z", "status": status, **fields,
        })["id"]

    def add_desk(self, meeting: str, purpose: str = "CHECK_IN") -> dict[str, Any]:
        """A new desk of a meeting, with its token."""
        fields = {"name": f"Desk {next(serials)}", "purpose": purpose}
        return self.admin.call("POST", f"/client/meetings/{meeting}/desks", fields)

    def add_group(self) -> str:
        """A new group without members."""
        return self.admin.call("POST", "/client/groups", {"name": f"Group {next(serials)}"})["data"]["id"]

    def add_weight_kind(self) -> str:
        """A new kind of weight in place of all others, because an organization has at most 20."""
        for kind in self.admin.call("GET", "/client/weight-kinds")["data"]:
            self.admin.call("DELETE", f"/client/weight-kinds/{kind['id']}")
        fields = {"name": f"Kind {next(serials)}", "decimals": 2}
        return self.admin.call("POST", "/client/weight-kinds", fields)["data"]["id"]

    def ask(self, meeting: str, fields: dict[str, Any]) -> str:
        """A new question at the end of the agenda."""
        body = {"meetingId": meeting, "questionText": "Agreed?", **fields}
        return self.admin.call("POST", "/client/questions", body)["id"]

    def show(self, meeting: str, question: str | None) -> Any:
        """Opens a question for voting, or clears the screen."""
        path = f"/client/meetings/{meeting}/current-question"
        return self.admin.call("PUT", path, {"questionId": question})["currentQuestion"]


class World:
    """An organization with a running meeting, and another organization."""

    def __init__(self, api: str, root: dict[str, str], tag: str) -> None:
        self.tag = tag
        self.anyone = Person(api)
        self.root = self.anyone.sign_in(root)
        self.root_credentials = root
        self.ours, self.others = Organization(self.root, tag), Organization(self.root, tag)
        for organization in (self.ours, self.others):
            organization.sign_in(self.anyone)
        self.voter_id, self.voter_credentials = self.ours.add_voter()
        self.voter = self.anyone.sign_in(self.voter_credentials)
        self.colleague_id, self.colleague_credentials = self.ours.add_voter()
        self.colleague = self.anyone.sign_in(self.colleague_credentials)
        self.their_voter_id, _ = self.others.add_voter()
        self.their_group = self.others.add_group()
        self.their_weight_kind = self.others.add_weight_kind()
        self.tied_meeting = self.ours.add_meeting("ACTIVE")
        self.their_meeting = self.others.add_meeting("ACTIVE")
        self.their_question = self.others.ask(self.their_meeting, QUESTIONS[0])
        self.their_archived_meeting = self.others.add_meeting("COMPLETED")
        self.declared_meeting = self.ours.add_meeting("ACTIVE")
        self.declare(self.declared_meeting, QUESTIONS[0])
        self.answered_meeting = self.ours.add_meeting("ACTIVE")
        self.answered_round = self.declare(self.answered_meeting, QUESTIONS[4])
        self.show_answers()
        self.check_in_meeting = self.ours.add_meeting("SCHEDULED", checkIn="ON", selfCheckIn=True)
        self.desk = self.anyone.at_desk(self.ours.add_desk(self.check_in_meeting)["token"])
        self.paper_meeting = self.ours.add_meeting("ACTIVE")
        self.place = self.anyone.at_desk(self.ours.add_desk(self.paper_meeting, "VOTING_PLACE")["token"])
        self.tellers = self.anyone.at_desk(self.ours.add_desk(self.paper_meeting, "TELLERS")["token"])
        self.paper_round = self.open_paper_round()
        self.ballot = self.issue()
        self.meet()

    def show_answers(self) -> None:
        """Puts the declared answers on the screen of their meeting."""
        path = f"/client/meetings/{self.answered_meeting}/rounds/{self.answered_round}/answer-curation"
        version = self.ours.admin.call("GET", path)["version"]
        shown = {"version": version, "isShown": True, "picked": [], "groups": [], "hidden": []}
        self.ours.admin.call("PUT", path, shown)

    def declare(self, meeting: str, fields: dict[str, Any]) -> str:
        """Puts a declared result on the screen of a meeting. Returns its round."""
        question = self.ours.ask(meeting, fields)
        round_id = self.ours.show(meeting, question)["roundId"]
        path = f"/client/meetings/{meeting}"
        self.ours.admin.call("PUT", f"{path}/current-question", {"questionId": question, "open": False})
        self.ours.admin.call("POST", f"{path}/rounds/{round_id}/declare")
        return round_id

    def open_paper_round(self) -> str:
        """A new open round of a named question, in the meeting with votes on paper."""
        question = self.ours.ask(self.paper_meeting, {**QUESTIONS[0], "isNamed": True})
        return self.ours.show(self.paper_meeting, question)["roundId"]

    def issue(self) -> str:
        """A ballot that the voting place has given to the voter."""
        ballot = str(uuid.uuid4())
        self.place.call("POST", "/desk/ballots", {"id": ballot, "endUserId": self.voter_id, "roundId": self.paper_round})
        return ballot

    def paper_vote(self) -> dict[str, Any]:
        """A new batch with a vote on paper."""
        return {"id": str(uuid.uuid4()), "ballots": [{"endUserId": self.colleague_id, "answers": ["Yes"]}]}

    def enter(self) -> tuple[str, str]:
        """A new open round, and a batch in it that tellers have entered."""
        round_id, batch = self.open_paper_round(), self.paper_vote()
        path = f"/client/meetings/{self.paper_meeting}/rounds/{round_id}/paper-batches"
        self.tellers.call("POST", path, batch)
        return round_id, batch["id"]

    def tie(self) -> str:
        """A round whose votes are equal, and whose rule gives the chair the casting vote."""
        rule = {"kind": "majority", "onTie": "casting_vote", "conditions": [MORE_THAN_HALF]}
        question = self.ours.ask(self.tied_meeting, {**QUESTIONS[0], "decisionRule": rule})
        round_id = self.ours.show(self.tied_meeting, question)["roundId"]
        path = f"/voting/meetings/{self.tied_meeting}/questions/{question}/vote"
        self.voter.call("POST", path, {"answers": ["Yes"]})
        self.colleague.call("POST", path, {"answers": ["No"]})
        shown = {"questionId": question, "open": False}
        self.ours.admin.call("PUT", f"/client/meetings/{self.tied_meeting}/current-question", shown)
        return round_id

    def meet(self) -> None:
        """A meeting that no earlier call has changed, with an ended and an open question, each time of another type."""
        ours = self.ours
        self.meeting = ours.add_meeting("ACTIVE")
        self.draft = ours.add_meeting("DRAFT")
        over, opened = QUESTIONS[0], QUESTIONS[next(serials) % len(QUESTIONS)]
        self.ended_question = ours.ask(self.meeting, over)
        self.open_question = ours.ask(self.meeting, opened)
        self.unopened_question = ours.ask(self.meeting, QUESTIONS[1])
        self.answers = ANSWERS[opened["questionType"]]
        self.ended_round = ours.show(self.meeting, self.ended_question)["roundId"]
        self.vote = self.cast(self.ended_question, ["Yes"])
        self.open_round = ours.show(self.meeting, self.open_question)["roundId"]
        link = ours.admin.call("POST", f"/client/meetings/{self.meeting}/generate-link")
        self.link = link["invitationLink"]
        self.remark = self.note()
        self.proxy = self.grant()
        self.rehearsed = ours.add_meeting("SCHEDULED")
        self.rehearse()

    def desk_to_revoke(self) -> str:
        """A desk that no other call needs."""
        return self.ours.add_desk(self.check_in_meeting)["desk"]["id"]

    def check_in_code(self) -> str:
        """The code on the presentation of the meeting with check-in."""
        return self.anyone.call("GET", f"/public/meetings/{self.check_in_meeting}/check-in-code")["code"]

    def cast(self, question: str, answers: list[str]) -> str:
        """The voter's vote."""
        path = f"/voting/meetings/{self.meeting}/questions/{question}/vote"
        return self.voter.call("POST", path, {"answers": answers})["vote"]["id"]

    def note(self) -> str:
        """A remark in the meeting."""
        path = f"/client/meetings/{self.meeting}/remarks"
        return self.ours.admin.call("POST", path, {"kind": "REMARK", "text": "It rained."})["id"]

    def grant(self) -> str:
        """A proxy of the voter in the meeting, for the ended question. Earlier ones are revoked."""
        path = f"/client/meetings/{self.meeting}/proxies"
        settings = {
            "isOn": True, "principalsMayGrant": True, "maxPrincipals": None, "maxWeight": None, "maxSharePercent": None,
            "holders": "ANYBODY", "questionsWithout": [],
        }
        self.ours.admin.call("PUT", f"{path}/settings", settings)
        for proxy in self.ours.admin.call("GET", path)["data"]:
            self.ours.admin.call("DELETE", f"{path}/{proxy['id']}")
        granted = {"holder": self.colleague_credentials["username"], "questionIds": [self.ended_question]}
        return self.voter.call("POST", f"/voting/meetings/{self.meeting}/proxies", granted)["id"]

    def rehearse(self) -> str:
        """A meeting with a running rehearsal."""
        path = f"/client/meetings/{self.rehearsed}/rehearsal"
        rehearsal = self.ours.admin.call("GET", path)["rehearsal"]
        if not rehearsal or rehearsal["endedAt"]:
            rehearsal = self.ours.admin.call("POST", path)
        self.rehearsal = rehearsal["id"]
        return self.rehearsed

    def exclude(self) -> str:
        """A person who is excluded from the unopened question."""
        path = f"/client/meetings/{self.meeting}/questions/{self.unopened_question}/exclusions"
        excluded = self.ours.admin.call("GET", path)
        if not excluded:
            body = {"endUserId": self.colleague_id, "reason": "Conflict of interest"}
            return self.ours.admin.call("POST", path, body)["endUserId"]
        return excluded[0]["endUserId"]

    def session_of(self, role: str) -> str:
        """A throw-away session of this role's person."""
        spare = self.anyone.sign_in(self.credentials_of(role))
        sessions = spare.call("GET", "/auth/sessions")["data"]
        return next(session["id"] for session in sessions if session["isCurrent"])

    def credentials_of(self, role: str) -> dict[str, str]:
        """The credentials of a person in this role."""
        return {
            SUPER_ADMIN: self.root_credentials,
            CLIENT: self.ours.credentials,
            END_USER: self.voter_credentials,
        }[role]
