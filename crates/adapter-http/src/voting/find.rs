use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_kernel::{MeetingId, SessionId, is_test_name};
use plenum_meetings::MeetingService;
use plenum_result_format::{CastOnName, SecrecyName};
use plenum_voting::{BallotService, RoundStatus, StoredVote, VoteReset, VoterRound};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::HttpSettings;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::PathId;
use crate::extract::Voter;
use crate::live::VoterQuestionType;
use crate::views::{ElectionBallotView, MeetingStatusName, cast_on_name};

/// A question that has been opened, with the wording of its last round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000004", "text": "Do you approve the budget?", "type": "SINGLE_CHOICE",
    "options": ["Yes", "No", "Abstain"], "ratingMax": null, "maxChoices": null, "election": null, "orderIndex": 1, "isActive": true,
    "isInRegister": true, "groups": [], "hasVoted": true, "userVote": ["Yes"], "votedAt": "2026-11-21T18:04:17.350Z",
    "roundId": "019a9d5e-0000-7000-8000-000000000007", "closesAt": null, "secrecy": "unshown", "isNamed": false, "receipt": null, "isVoid": false, "votedByProxy": false, "castOn": null,
}))]
pub(crate) struct VoterQuestionView {
    id: Uuid,
    text: String,
    #[serde(rename = "type")]
    voter_type: VoterQuestionType,
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
    order_index: u32,
    /// Whether voting is open.
    is_active: bool,
    /// Whether the voter is in the register.
    is_in_register: bool,
    /// The names of the groups that the question was for. Empty for everybody.
    groups: Vec<String>,
    has_voted: bool,
    /// The voter's own answers. Null without a vote. Null also after a vote in another session, unless `isNamed`: then only
    /// `hasVoted` is shown.
    #[schema(required)]
    user_vote: Option<Vec<String>>,
    /// Null without a vote, and in a secret question.
    #[schema(required)]
    voted_at: Option<DateTime<Utc>>,
    /// The last round. A vote may name it.
    round_id: Uuid,
    /// The end of the round, while a countdown runs.
    #[schema(required)]
    closes_at: Option<DateTime<Utc>>,
    /// Who can learn how a person voted.
    secrecy: SecrecyName,
    /// Whether the result shows the vote of each person: the secrecy `named`.
    is_named: bool,
    /// The receipt of the voter's sealed ballot, until the urn is opened. Null in other questions, and without a vote.
    #[schema(required)]
    receipt: Option<String>,
    /// Whether the round is void, because its key is lost.
    is_void: bool,
    /// Whether the holder of the voter's proxy has cast the vote.
    voted_by_proxy: bool,
    /// Where the vote was cast. Null without a vote, and for a device of the voter or the holder of the proxy.
    #[schema(required)]
    cast_on: Option<CastOnName>,
}

impl VoterQuestionView {
    fn of(voter_round: &VoterRound, session: SessionId) -> Self {
        let VoterRound { round, position, is_in_register, vote } = voter_round;
        Self {
            id: round.question_id.as_uuid(),
            text: round.wording.text.clone(),
            voter_type: round.wording.question_type.into(),
            options: round.wording.option_texts(),
            abstention: round.wording.abstention().map(ToOwned::to_owned),
            rating_max: round.wording.rating_max,
            max_choices: round.wording.max_choices,
            election: ElectionBallotView::of_wording(&round.wording),
            order_index: *position,
            is_active: round.status == RoundStatus::Open,
            is_in_register: *is_in_register,
            groups: round.groups.clone(),
            has_voted: vote.is_some(),
            voted_by_proxy: vote.as_ref().is_some_and(|vote| vote.cast_by.is_some()),
            cast_on: vote.as_ref().and_then(|vote| vote.cast_on).map(cast_on_name),
            user_vote: voter_round.answer_texts(session),
            voted_at: vote.as_ref().and_then(|vote| vote.cast_at),
            round_id: round.id.as_uuid(),
            closes_at: round.closes_at,
            secrecy: round.secrecy.into(),
            is_named: round.secrecy.is_named(),
            receipt: vote.as_ref().and_then(StoredVote::receipt),
            is_void: round.urn.as_ref().is_some_and(|urn| urn.is_void),
        }
    }
}

/// A meeting as a voter sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoterMeetingView {
    id: Uuid,
    #[schema(example = "General assembly")]
    title: String,
    #[schema(required, example = "The yearly one.")]
    description: Option<String>,
    status: MeetingStatusName,
    /// The planned start.
    start_time: DateTime<Utc>,
    /// The planned end.
    end_time: DateTime<Utc>,
    #[schema(example = "Rowing Club")]
    organization: String,
    /// Whether this meeting has "Reset for Testing".
    can_reset_vote: bool,
    /// Whether votes can be cast by proxy in this meeting.
    has_proxies: bool,
    /// The questions that have been opened, in the order of the agenda.
    questions: Vec<VoterQuestionView>,
}

/// A meeting as a voter sees it, in its envelope.
#[derive(Serialize, ToSchema)]
pub(crate) struct VoterMeetingAnswer {
    success: bool,
    meeting: VoterMeetingView,
}

/// Returns a meeting with its opened questions and the voter's own answers.
#[utoipa::path(
    tag = "voting",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The meeting", body = VoterMeetingAnswer),
        (status = 404, description = "The voter's organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/voting/meetings/{meetingId}")]
pub(crate) async fn find_voter_meeting(
    voter: Voter,
    PathId(id): PathId<MeetingId>,
    meetings: Data<MeetingService>,
    ballots: Data<BallotService>,
    settings: Data<HttpSettings>,
) -> Result<Json<VoterMeetingAnswer>, ApiError> {
    let invitation = meetings.find_for_voter(voter.client_id, voter.id, id).await?;
    let agenda = ballots.agenda_of_voter(voter.client_id, id, voter.id).await?;
    let meeting = invitation.meeting;
    let can_reset_vote = match settings.vote_reset {
        VoteReset::Off => false,
        VoteReset::TestData => meeting.is_test() || is_test_name(&invitation.organization),
        VoteReset::Demonstration => true,
    };
    let meeting = VoterMeetingView {
        id: meeting.id.as_uuid(),
        title: meeting.title.to_string(),
        description: meeting.description.map(|description| description.to_string()),
        status: meeting.status.into(),
        start_time: meeting.schedule.start(),
        end_time: meeting.schedule.end(),
        organization: invitation.organization,
        can_reset_vote,
        has_proxies: agenda.has_proxies,
        questions: agenda.rounds.iter().map(|round| VoterQuestionView::of(round, voter.session)).collect(),
    };
    Ok(Json(VoterMeetingAnswer { success: true, meeting }))
}
