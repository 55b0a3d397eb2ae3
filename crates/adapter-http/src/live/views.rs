use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use plenum_kernel::QuestionType;
use plenum_meetings::live::{Audience, LiveCheckIn, LiveFacts, LiveQuestion, LiveRehearsal, LiveState};
use plenum_result_format::SecrecyName;
use plenum_voting::{Wording, sealed_size};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::live::quorum::{QuorumStateView, example_quorum_state};
use crate::views::MeetingStatusName;
use crate::views::{ElectionBallotView, QuestionTypeName};

/// The type of a question on a voter's screen.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum VoterQuestionType {
    SingleChoice,
    MultipleChoice,
    Rating,
    Text,
    Percentage,
    Election,
}

impl From<QuestionType> for VoterQuestionType {
    fn from(question_type: QuestionType) -> Self {
        match question_type {
            QuestionType::YesNo => Self::SingleChoice,
            QuestionType::MultipleChoice => Self::MultipleChoice,
            QuestionType::Rating => Self::Rating,
            QuestionType::OpenText => Self::Text,
            QuestionType::Percentage => Self::Percentage,
            QuestionType::Election => Self::Election,
        }
    }
}

/// The current question on live screens.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_live_question)]
pub(crate) struct LiveQuestionView {
    id: Uuid,
    text: String,
    #[serde(rename = "type")]
    voter_type: VoterQuestionType,
    question_type: QuestionTypeName,
    options: Vec<String>,
    /// The option that cannot be combined with others: the abstention of a multiple choice question. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    abstention: Option<String>,
    #[schema(required)]
    rating_max: Option<u32>,
    #[schema(required)]
    max_choices: Option<u32>,
    /// The ballot of an election. Null for other types.
    #[schema(required)]
    election: Option<ElectionBallotView>,
    /// Who can learn how a person voted.
    secrecy: SecrecyName,
    /// Whether the result shows the vote of each person: the secrecy `named`.
    is_named: bool,
    /// Whether every vote counts one, whatever the weight.
    counts_heads: bool,
    /// The names of the groups that the question is for. Left out if it is for everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    groups: Vec<String>,
    /// The key for which a ballot on a secret question is sealed, while voting is open. Null for other questions.
    #[schema(required)]
    sealing: Option<SealingView>,
    /// Whether the last round is void, because its key is lost.
    is_void: bool,
    order_index: u32,
    /// Whether voting is open. Voters get no other question, except one that is void.
    is_active: bool,
    /// Whether the receiving voter has voted in the round.
    has_voted: bool,
    #[schema(required)]
    round_id: Option<Uuid>,
    #[schema(required)]
    opened_at: Option<DateTime<Utc>>,
    /// The end of the round, while a countdown runs.
    #[schema(required)]
    closes_at: Option<DateTime<Utc>>,
    /// The last round, if its result is declared.
    #[schema(required)]
    declared_round_id: Option<Uuid>,
}

/// The data with which a device seals a ballot.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Sealing, example = json!({ "publicKey": "BKEk", "size": 256 }))]
pub(crate) struct SealingView {
    /// The public key of the round's urn: an uncompressed point of P-256, in base64.
    public_key: String,
    /// The size in bytes to which the plaintext is padded.
    size: usize,
}

impl SealingView {
    /// For the urn of a round with this wording.
    pub(crate) fn for_wording(key: &[u8], wording: &Wording) -> Self {
        Self { public_key: STANDARD.encode(key), size: sealed_size(wording.question_type, wording.options.len()) }
    }

    fn of(question: &LiveQuestion) -> Option<Self> {
        let key = question.open_round()?.urn_key.as_ref()?;
        let size = sealed_size(question.question_type, question.options.len());
        Some(Self { public_key: STANDARD.encode(key), size })
    }
}

/// An example for the OpenAPI document.
fn example_live_question() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000005", "text": "Do you approve the budget?", "type": "SINGLE_CHOICE",
        "questionType": "YES_NO", "options": ["Yes", "No", "Abstain"], "ratingMax": null, "maxChoices": null, "election": null,
        "secrecy": "unshown", "isNamed": false, "countsHeads": false, "sealing": null, "isVoid": false, "orderIndex": 1, "isActive": true, "hasVoted": false, "roundId": "019a9d5e-0000-7000-8000-000000000007",
        "openedAt": "2026-11-21T18:04:05.120Z", "closesAt": null, "declaredRoundId": null,
    })
}

impl LiveQuestionView {
    /// The question for this audience. Voters get it while voting is open, and if its last round is void.
    pub(super) fn of(facts: &LiveFacts, audience: Audience) -> Option<Self> {
        let question = facts.question.as_ref()?;
        let is_active = question.open_round().is_some();
        let is_void = question.is_void();
        let is_shown = is_active || is_void || audience == Audience::Organizer;
        is_shown.then(|| Self {
            id: question.id.as_uuid(),
            text: question.text.clone(),
            voter_type: question.question_type.into(),
            question_type: question.question_type.into(),
            options: question.options.clone(),
            abstention: question.abstention.clone(),
            rating_max: question.rating_max,
            max_choices: question.max_choices,
            election: question.election.as_ref().map(|rule| ElectionBallotView::of(rule, &question.options)),
            secrecy: question.secrecy.into(),
            is_named: question.secrecy.is_named(),
            counts_heads: question.counts_heads,
            groups: question.groups.clone(),
            sealing: SealingView::of(question),
            is_void,
            order_index: question.position,
            is_active,
            has_voted: is_active && audience == Audience::VoterWhoVoted,
            round_id: question.round.as_ref().map(|round| round.id.as_uuid()),
            opened_at: question.round.as_ref().map(|round| round.opened_at),
            closes_at: question.round.as_ref().and_then(|round| round.closes_at),
            declared_round_id: question.declared_round().map(|round| round.id.as_uuid()),
        })
    }
}

/// Received and possible votes in heads, in the last round of the current question.
pub(super) fn counts_of(facts: &LiveFacts) -> (u64, u64) {
    let round = facts.question.as_ref().and_then(|question| question.round.as_ref());
    round.map_or((0, 0), |round| (round.votes_cast, round.register_size))
}

/// The current rehearsal. The voter's screen confirms it and asks for one tap.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "id": "019a9d5e-0000-7000-8000-000000000009", "startedAt": "2026-11-21T17:40:05.120Z" }))]
pub(crate) struct LiveRehearsalView {
    id: Uuid,
    started_at: DateTime<Utc>,
}

impl From<LiveRehearsal> for LiveRehearsalView {
    fn from(rehearsal: LiveRehearsal) -> Self {
        Self { id: rehearsal.id.as_uuid(), started_at: rehearsal.started_at }
    }
}

/// Check-in, in the live state of a meeting that has it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "eligible": 180, "selfCheckIn": false }))]
pub(crate) struct LiveCheckInView {
    /// The number of people who may vote. `participantCount` is the number of those who are checked in.
    eligible: u64,
    /// Whether voters can check themselves in, with the code on the presentation.
    self_check_in: bool,
}

impl From<LiveCheckIn> for LiveCheckInView {
    fn from(check_in: LiveCheckIn) -> Self {
        Self { eligible: check_in.eligible.heads, self_check_in: check_in.is_self }
    }
}

/// The whole live state of a meeting.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "instance": "019a9d5e-0000-7000-8000-00000000000a", "version": 1795284243796744_u64, "meetingId": "019a9d5e-0000-7000-8000-000000000004", "title": "General assembly",
    "status": "ACTIVE", "step": 12, "currentQuestion": example_live_question(), "voteCount": 132, "registerSize": 180,
    "participantCount": 164, "quorum": example_quorum_state(), "checkIn": null, "rehearsal": null, "isDelayed": false,
    "serverTime": "2026-11-21T18:04:20.500Z",
}))]
pub(crate) struct LiveStateView {
    /// The instance that counts the versions. Versions of two instances cannot be compared.
    instance: Uuid,
    /// Increases by one with every event.
    version: u64,
    meeting_id: Uuid,
    title: String,
    status: MeetingStatusName,
    /// The number of steps in the meeting.
    step: u64,
    #[schema(required)]
    current_question: Option<LiveQuestionView>,
    /// Received votes in heads, in the last round of the current question.
    vote_count: u64,
    /// The number of voters in the register of that round.
    register_size: u64,
    /// The connected voters, each once. In a meeting with check-in, the people who are checked in and may vote.
    participant_count: u64,
    /// The current quorum. Null without one.
    #[schema(required)]
    quorum: Option<QuorumStateView>,
    /// Check-in. Null in a meeting without it.
    #[schema(required)]
    check_in: Option<LiveCheckInView>,
    /// The current rehearsal. There is none during an open round.
    #[schema(required)]
    rehearsal: Option<LiveRehearsalView>,
    /// Whether events of other instances arrive a few seconds late, because this instance receives no messages from
    /// them.
    is_delayed: bool,
    /// The server's time, for screens with a wrong clock. Null in streams, whose frames are shared; there `heartbeat`
    /// contains the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required, value_type = DateTime<Utc>)]
    server_time: Option<DateTime<Utc>>,
}

impl LiveStateView {
    pub(super) fn new(state: &LiveState, audience: Audience) -> Self {
        let (vote_count, register_size) = counts_of(&state.facts);
        Self {
            instance: state.instance.as_uuid(),
            version: state.version,
            meeting_id: state.facts.meeting_id.as_uuid(),
            title: state.facts.title.clone(),
            status: state.facts.status.into(),
            step: state.facts.step.0,
            current_question: LiveQuestionView::of(&state.facts, audience),
            vote_count,
            register_size,
            participant_count: state.participants,
            quorum: QuorumStateView::of(state),
            check_in: state.facts.check_in.map(LiveCheckInView::from),
            rehearsal: state.facts.rehearsal.map(LiveRehearsalView::from),
            is_delayed: state.is_delayed,
            server_time: None,
        }
    }

    /// The state with the current time, for a single request.
    pub(super) fn fetched_at(self, now: DateTime<Utc>) -> Self {
        Self { server_time: Some(now), ..self }
    }
}

/// The question on the presentation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_presented_question)]
pub(crate) struct PresentedQuestionView {
    question_text: String,
    question_type: QuestionTypeName,
    options: Vec<String>,
    #[schema(required)]
    rating_max: Option<u32>,
    #[schema(required)]
    max_choices: Option<u32>,
    /// The ballot of an election. Null for other types.
    #[schema(required)]
    election: Option<ElectionBallotView>,
    /// Who can learn how a person voted.
    secrecy: SecrecyName,
    /// The names of the groups that the question is for. Left out if it is for everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    groups: Vec<String>,
    /// Whether voting is open.
    is_open: bool,
    /// Whether the last round is void, because its key is lost.
    is_void: bool,
    order_index: u32,
    #[schema(required)]
    opened_at: Option<DateTime<Utc>>,
    /// The end of the round, while a countdown runs.
    #[schema(required)]
    closes_at: Option<DateTime<Utc>>,
    /// The last round, if its result is declared.
    #[schema(required)]
    declared_round_id: Option<Uuid>,
    /// The version of that round's answer wall. Null unless it is a text question whose answers the organizer shows.
    #[schema(required)]
    answer_wall: Option<u32>,
}

/// An example for the OpenAPI document.
fn example_presented_question() -> Value {
    json!({
        "questionText": "Do you approve the budget?", "questionType": "YES_NO", "options": ["Yes", "No", "Abstain"],
        "ratingMax": null, "maxChoices": null, "election": null, "secrecy": "unshown", "isOpen": true, "isVoid": false, "orderIndex": 1, "openedAt": "2026-11-21T18:04:05.120Z",
        "closesAt": "2026-11-21T18:06:00Z", "declaredRoundId": null, "answerWall": null,
    })
}

impl From<&LiveQuestion> for PresentedQuestionView {
    fn from(question: &LiveQuestion) -> Self {
        Self {
            question_text: question.text.clone(),
            question_type: question.question_type.into(),
            options: question.options.clone(),
            rating_max: question.rating_max,
            max_choices: question.max_choices,
            election: question.election.as_ref().map(|rule| ElectionBallotView::of(rule, &question.options)),
            secrecy: question.secrecy.into(),
            groups: question.groups.clone(),
            is_open: question.open_round().is_some(),
            is_void: question.is_void(),
            order_index: question.position,
            opened_at: question.round.as_ref().map(|round| round.opened_at),
            closes_at: question.round.as_ref().and_then(|round| round.closes_at),
            declared_round_id: question.declared_round().map(|round| round.id.as_uuid()),
            answer_wall: question.declared_round().and_then(|round| round.answer_wall),
        }
    }
}

/// The content of the presentation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "instance": "019a9d5e-0000-7000-8000-00000000000a", "version": 1795284243796744_u64, "title": "General assembly", "description": "The budget, and the board.",
    "organization": "Rowing Club", "clientCode": "rowing-club", "status": "ACTIVE",
    "scheduledStartTime": "2026-11-21T18:00:00Z", "scheduledEndTime": "2026-11-21T20:00:00Z",
    "currentQuestion": example_presented_question(), "questionCount": 5, "voteCount": 132, "registerSize": 180,
    "participantCount": 164, "quorum": example_quorum_state(), "checkIn": null, "isDelayed": false, "serverTime": "2026-11-21T18:04:20.500Z",
}))]
pub(crate) struct PresentationView {
    /// The instance that counts the versions. Versions of two instances cannot be compared.
    instance: Uuid,
    /// Increases by one with every event.
    version: u64,
    title: String,
    #[schema(required)]
    description: Option<String>,
    organization: String,
    client_code: String,
    status: MeetingStatusName,
    scheduled_start_time: DateTime<Utc>,
    scheduled_end_time: DateTime<Utc>,
    #[schema(required)]
    current_question: Option<PresentedQuestionView>,
    question_count: u64,
    /// Received votes in heads, in the last round of the current question.
    vote_count: u64,
    /// The number of voters in the register of that round.
    register_size: u64,
    /// The connected voters, each once. In a meeting with check-in, the people who are checked in and may vote.
    participant_count: u64,
    /// The current quorum. Null without one.
    #[schema(required)]
    quorum: Option<QuorumStateView>,
    /// Check-in. Null in a meeting without it.
    #[schema(required)]
    check_in: Option<LiveCheckInView>,
    /// Whether events of other instances arrive a few seconds late, because this instance receives no messages from
    /// them.
    is_delayed: bool,
    /// The server's time, for screens with a wrong clock. Null in streams, whose frames are shared; there `heartbeat`
    /// contains the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required, value_type = DateTime<Utc>)]
    server_time: Option<DateTime<Utc>>,
}

impl PresentationView {
    /// The state with the current time, for a single request.
    pub(super) fn fetched_at(self, now: DateTime<Utc>) -> Self {
        Self { server_time: Some(now), ..self }
    }
}

impl From<&LiveState> for PresentationView {
    fn from(state: &LiveState) -> Self {
        let facts = &state.facts;
        let (vote_count, register_size) = counts_of(facts);
        Self {
            instance: state.instance.as_uuid(),
            version: state.version,
            title: facts.title.clone(),
            description: facts.description.clone(),
            organization: facts.client_name.clone(),
            client_code: facts.client_code.clone(),
            status: facts.status.into(),
            scheduled_start_time: facts.scheduled_start,
            scheduled_end_time: facts.scheduled_end,
            current_question: facts.question.as_ref().map(PresentedQuestionView::from),
            question_count: facts.question_count,
            vote_count,
            register_size,
            participant_count: state.participants,
            quorum: QuorumStateView::of(state),
            check_in: facts.check_in.map(LiveCheckInView::from),
            is_delayed: state.is_delayed,
            server_time: None,
        }
    }
}
