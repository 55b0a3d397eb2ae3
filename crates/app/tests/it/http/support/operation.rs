//! An operation of the API, and how it is called.

use serde_json::Value;

use crate::http::support::world::World;

/// The permitted callers. "Own" means the organization whose ids are in the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everybody, with any token or none.
    Public,
    /// Every signed-in person.
    SignedIn,
    /// Super administrators.
    SuperAdmin,
    /// Every super administrator and every organizer. The call names no ids of an organization.
    AnyAccount,
    /// Super administrators and own organizers. Others get "not found".
    TheirAccounts,
    /// Every organizer. The call names no ids of an organization.
    AnyClient,
    /// Own organizers. Others get "not found".
    TheirClient,
    /// Every voter. The call names no ids of an organization.
    AnyVoter,
    /// Own voters. Others get "not found".
    TheirVoter,
    /// Own organizers and voters. Others get "not found".
    TheirPeople,
    /// A desk for check-in, and nobody else.
    Desk,
    /// A voting place, and nobody else.
    VotingPlace,
    /// The owning voter. Everybody else gets "not found".
    Owner,
}

/// One operation.
pub(crate) struct Operation {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    /// The status of a permitted call.
    pub(crate) success: u16,
    body: fn(&World) -> Value,
    /// Whether the call needs a target or a caller of its own, because it deletes or changes it.
    pub(crate) is_on_spares: bool,
    /// Whether the call is about the open round.
    is_in_open_round: bool,
    /// Whether the call is about the meeting with a declared result on its screen.
    is_on_declared: bool,
    /// Whether the call is about the meeting with the declared answers on its screen.
    is_on_answers: bool,
    /// Whether the call is about the meeting with a running rehearsal.
    is_on_rehearsed: bool,
    /// Whether the call is about the scheduled meeting without a rehearsal.
    is_on_scheduled: bool,
    /// Whether the call is about the meeting that is over.
    is_on_over: bool,
    /// Whether the call is about a deactivated voter.
    is_on_inactive: bool,
    /// The required query.
    query: &'static str,
}

impl Operation {
    pub(super) const fn new(method: &'static str, path: &'static str, access: Access, success: u16) -> Self {
        Self {
            method,
            path,
            access,
            success,
            body: |_| Value::Null,
            is_on_spares: false,
            is_in_open_round: false,
            is_on_declared: false,
            is_on_answers: false,
            is_on_rehearsed: false,
            is_on_scheduled: false,
            is_on_over: false,
            is_on_inactive: false,
            query: "",
        }
    }

    pub(super) const fn with_body(self, body: fn(&World) -> Value) -> Self {
        Self { body, ..self }
    }

    /// Marks a call that deletes or changes its target.
    pub(super) const fn on_spares(self) -> Self {
        Self { is_on_spares: true, ..self }
    }

    /// Uses the open round instead of the ended one.
    pub(super) const fn in_open_round(self) -> Self {
        Self { is_in_open_round: true, ..self }
    }

    /// Uses the meeting with a declared result on its screen.
    pub(super) const fn on_declared(self) -> Self {
        Self { is_on_declared: true, ..self }
    }

    /// Uses the meeting with the declared answers on its screen.
    pub(super) const fn on_answers(self) -> Self {
        Self { is_on_answers: true, ..self }
    }

    /// Uses the meeting with a running rehearsal.
    pub(super) const fn on_rehearsed(self) -> Self {
        Self { is_on_rehearsed: true, ..self }
    }

    /// Uses the scheduled meeting without a rehearsal.
    pub(super) const fn on_scheduled(self) -> Self {
        Self { is_on_scheduled: true, ..self }
    }

    /// Uses the meeting that is over.
    pub(super) const fn on_over(self) -> Self {
        Self { is_on_over: true, ..self }
    }

    /// Uses a deactivated voter of its own, who takes part in no running meeting.
    pub(super) const fn on_inactive(self) -> Self {
        Self { is_on_inactive: true, is_on_spares: true, ..self }
    }

    /// Adds required parameters.
    pub(super) const fn with_query(self, query: &'static str) -> Self {
        Self { query, ..self }
    }

    /// Whether the call may change data of other calls.
    pub(crate) fn changes(&self) -> bool {
        self.method != "GET"
    }

    /// The body of the call, if it has one.
    pub(crate) fn body(&self, world: &World) -> Option<Value> {
        Some((self.body)(world)).filter(|body| !body.is_null())
    }

    /// The address of the call.
    pub(crate) fn address(&self, world: &World) -> String {
        let mut address = self.path.to_owned();
        let spares = world.spares.parameters().into_iter().filter(|_| self.is_on_spares);
        let open_round = self.is_in_open_round.then_some(("{roundId}", world.open_round.as_str()));
        if self.is_on_declared {
            address = address.replace("{meetingId}", &world.declared_meeting);
        }
        if self.is_on_answers {
            let (meeting, round) = &world.answered;
            address = address.replace("{meetingId}", meeting).replace("{roundId}", round);
        }
        if self.is_on_inactive {
            address = address.replace("{endUserId}", &world.spares.inactive);
        }
        if self.is_on_rehearsed {
            address = address.replace("{meetingId}", &world.rehearsed_meeting);
        }
        if self.is_on_over {
            address = address.replace("{meetingId}", &world.over_meeting);
        }
        if self.is_on_scheduled {
            address = address.replace("{meetingId}", &world.scheduled_meeting);
        }
        for (name, value) in spares.chain(open_round).chain(world.parameters()) {
            address = address.replace(name, value);
        }
        assert!(!address.contains('{'), "{address} has a parameter that the test does not know");
        address + self.query
    }
}
