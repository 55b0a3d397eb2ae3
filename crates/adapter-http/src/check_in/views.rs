use chrono::{DateTime, Utc};
use plenum_meetings::{Attendee, CheckIn, PresenceEntry, PresenceKind, PresenceOutcome, PresenceRole, PresentSince};
use plenum_result_format::exact;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether the present people of a meeting are a record, or the connected ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = CheckIn)]
pub(crate) enum CheckInName {
    /// People are present while they are connected.
    Off,
    /// People are present from their check-in until their check-out.
    On,
}

impl From<CheckIn> for CheckInName {
    fn from(setting: CheckIn) -> Self {
        match setting {
            CheckIn::Off => Self::Off,
            CheckIn::On => Self::On,
        }
    }
}

impl From<CheckInName> for CheckIn {
    fn from(name: CheckInName) -> Self {
        match name {
            CheckInName::Off => Self::Off,
            CheckInName::On => Self::On,
        }
    }
}

/// A person came, or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = PresenceKind)]
pub(crate) enum PresenceKindName {
    In,
    Out,
}

impl From<PresenceKindName> for PresenceKind {
    fn from(name: PresenceKindName) -> Self {
        match name {
            PresenceKindName::In => Self::In,
            PresenceKindName::Out => Self::Out,
        }
    }
}

impl From<PresenceKind> for PresenceKindName {
    fn from(kind: PresenceKind) -> Self {
        match kind {
            PresenceKind::In => Self::In,
            PresenceKind::Out => Self::Out,
        }
    }
}

/// The kind of author of an entry: an organizer by hand, a desk, or the person with the code on the presentation.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = PresenceRole)]
pub(crate) enum PresenceRoleName {
    Organizer,
    Desk,
    Person,
}

/// An entry of the log of who came and went.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PresenceEntry, example = example_entry)]
pub(crate) struct PresenceEntryView {
    /// The id, made on the device.
    id: Uuid,
    /// The number among the entries of the meeting, from 1.
    number: u32,
    end_user_id: Uuid,
    /// The name at that time.
    name: String,
    /// The username at that time.
    username: String,
    kind: PresenceKindName,
    /// The time at which it happened.
    at: DateTime<Utc>,
    /// The time at which the server received it. Later than `at` for a desk that had no network.
    noted_at: DateTime<Utc>,
    role: PresenceRoleName,
    /// The name of the organizer, the desk or the person.
    by: String,
}

/// An example for the OpenAPI document.
pub(crate) fn example_entry() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000031", "number": 12, "endUserId": "019a9d5e-0000-7000-8000-000000000003",
        "name": "Ben Otto", "username": "ben", "kind": "IN", "at": "2026-11-21T18:04:05Z",
        "notedAt": "2026-11-21T18:04:05Z", "role": "DESK", "by": "Desk 1",
    })
}

impl From<PresenceEntry> for PresenceEntryView {
    fn from(entry: PresenceEntry) -> Self {
        Self {
            id: entry.id.as_uuid(),
            number: entry.number,
            end_user_id: entry.end_user.as_uuid(),
            name: entry.name,
            username: entry.username,
            kind: entry.kind.into(),
            at: entry.at,
            noted_at: entry.noted_at,
            role: match entry.role {
                PresenceRole::Organizer => PresenceRoleName::Organizer,
                PresenceRole::Desk => PresenceRoleName::Desk,
                PresenceRole::Person => PresenceRoleName::Person,
            },
            by: entry.by,
        }
    }
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = PresenceOutcome)]
pub(crate) enum PresenceOutcomeName {
    /// It is stored.
    Noted,
    /// It was stored before, by an earlier request with the same id.
    Repeated,
    /// The person is in already, by `entry`. Nothing is stored.
    AlreadyIn,
    /// The person is not in. `entry` is the last one of the person, if there is one. Nothing is stored.
    AlreadyOut,
    /// It happened before `entry`, which is stored already. Nothing is stored.
    Overtaken,
}

/// The outcome of a check-in or check-out.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PresenceAnswer, example = json!({ "outcome": "NOTED", "entry": example_entry() }))]
pub(crate) struct PresenceOutcomeView {
    outcome: PresenceOutcomeName,
    #[schema(required)]
    entry: Option<PresenceEntryView>,
}

impl From<PresenceOutcome> for PresenceOutcomeView {
    fn from(outcome: PresenceOutcome) -> Self {
        let (outcome, entry) = match outcome {
            PresenceOutcome::Noted(entry) => (PresenceOutcomeName::Noted, Some(entry)),
            PresenceOutcome::Repeated(entry) => (PresenceOutcomeName::Repeated, Some(entry)),
            PresenceOutcome::AlreadyIn(entry) => (PresenceOutcomeName::AlreadyIn, Some(entry)),
            PresenceOutcome::AlreadyOut(entry) => (PresenceOutcomeName::AlreadyOut, entry),
            PresenceOutcome::Overtaken(entry) => (PresenceOutcomeName::Overtaken, Some(entry)),
        };
        Self { outcome, entry: entry.map(PresenceEntryView::from) }
    }
}

/// The check-in of a present person.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PresentSince, example = json!({
    "at": "2026-11-21T18:04:05Z", "notedAt": "2026-11-21T18:04:05Z", "by": "Desk 1", "number": 12,
}))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PresentView {
    at: DateTime<Utc>,
    /// The time at which the server stored it: later for an entry of a desk without a network.
    noted_at: DateTime<Utc>,
    /// The name of the organizer, the desk or the person.
    by: String,
    /// The number of the entry.
    number: u32,
}

/// A person who may vote in the meeting or holds proxies in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Attendee, example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Otto", "username": "ben", "weight": 1.5,
    "mayVote": true, "groups": ["Members"], "proxies": 2, "holders": [],
    "present": { "at": "2026-11-21T18:04:05Z", "notedAt": "2026-11-21T18:04:05Z", "by": "Desk 1", "number": 12 },
}))]
pub(crate) struct AttendeeView {
    id: Uuid,
    name: String,
    username: String,
    /// The weight. 0 without a vote.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    weight: Decimal,
    /// Whether the person may vote. Otherwise they hold proxies in a meeting whose settings let anybody hold them.
    may_vote: bool,
    /// The names of the person's groups.
    groups: Vec<String>,
    /// The number of proxies in the meeting that the person holds, for all of it or for some questions.
    proxies: u64,
    /// The names of those to whom the person gave a proxy for the meeting, for all of it or for some questions. It rests while the
    /// person is present.
    holders: Vec<String>,
    /// The check-in. Null for a person who is not present.
    #[schema(required)]
    present: Option<PresentView>,
}

impl From<Attendee> for AttendeeView {
    fn from(person: Attendee) -> Self {
        let present =
            person.present.map(|PresentSince { at, noted_at, by, number }| PresentView { at, noted_at, by, number });
        Self {
            id: person.id.as_uuid(),
            name: person.name,
            username: person.username,
            weight: person.weight,
            may_vote: person.may_vote,
            groups: person.groups,
            proxies: person.proxies,
            holders: person.holders,
            present,
        }
    }
}
