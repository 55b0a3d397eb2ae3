use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::MeetingId;
use plenum_meetings::{AgendaService, NewQuestion};
use plenum_result_format::{DecisionRuleFormat, PlannedQuorumFormat, SecrecyName};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::middleware::created;
use crate::questions::new_question::NewQuestionBody;
use crate::questions::options::OptionTexts;
use crate::questions::views::OptionRoleName;
use crate::questions::views::QuestionView;
use crate::questions::views::rating_scale;
use crate::views::QuestionTypeName;

/// A new question at the end of an agenda.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "meetingId": "019a9d5e-0000-7000-8000-000000000004", "questionText": "Do you approve the budget?",
    "questionType": "YES_NO", "isRequired": true, "options": "[\"Yes\",\"No\",\"Abstain\"]",
    "optionRoles": ["yes", "no", "abstain"],
    "decisionRule": {
        "kind": "majority", "onTie": "rejected",
        "conditions": [{
            "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
        }],
    },
    "quorum": {
        "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "voted",
    },
    "secrecy": "unshown", "countsHeads": false,
}))]
pub(crate) struct CreateQuestionBody {
    #[schema(value_type = uuid::Uuid)]
    meeting_id: String,
    /// 1 to 1,000 characters after trimming. It may have several lines.
    #[schema(min_length = 1, max_length = 1000)]
    question_text: String,
    question_type: QuestionTypeName,
    /// True if missing.
    is_required: Option<bool>,
    /// For YES_NO (Yes and No if missing) and MULTIPLE_CHOICE: 2 to 100, all different regardless of case, each of 1 to
    /// 300 characters after trimming. Ignored for other types.
    options: Option<OptionTexts>,
    /// For RATING: 5 (if missing) or 10. Ignored for other types.
    #[schema(schema_with = rating_scale)]
    rating_max: Option<u32>,
    /// For MULTIPLE_CHOICE: the highest number of choices, from 1 to the number of options; all if missing. Ignored for
    /// other types.
    #[schema(value_type = Option<u64>, minimum = 1)]
    max_choices: Option<u32>,
    /// The role of each option, in the same order. If missing, the server derives it from the texts or positions. For
    /// types other than YES_NO all roles are `choice`.
    option_roles: Option<Vec<OptionRoleName>>,
    /// The decision rule; if missing, votes are only counted. A majority is for YES_NO, the others are for
    /// MULTIPLE_CHOICE.
    decision_rule: Option<DecisionRuleFormat>,
    /// A quorum of its own; the meeting's quorum if missing.
    quorum: Option<PlannedQuorumFormat>,
    /// Who can learn how a person voted; `unshown` if missing.
    secrecy: Option<SecrecyName>,
    /// The same as the secrecy `named`, for callers that do not know the other levels.
    is_named: Option<bool>,
    /// Whether every vote counts one, whatever the weight; false if missing. Texts and numbers of a secret question always do.
    counts_heads: Option<bool>,
    /// Ids of the organization's groups, at most 50. Only their members vote. Everybody whom the meeting is for if missing or empty.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 50)]
    group_ids: Option<Vec<String>>,
    /// The id of a kind of weight that the question counts in place of its meeting's. Its meeting decides if it is missing.
    #[schema(value_type = Option<uuid::Uuid>)]
    weight_kind_id: Option<String>,
    /// The id of another kind of weight, for conditions in `second_weight`. Not for secret questions and elections.
    #[schema(value_type = Option<uuid::Uuid>)]
    second_weight_kind_id: Option<String>,
}

impl CreateQuestionBody {
    fn check(self) -> Result<(MeetingId, NewQuestion), ApiError> {
        let meeting_id: MeetingId = self.meeting_id.parse().map_err(|_| MeetingId::missing())?;
        let mut check = FieldCheck::default();
        let question = NewQuestionBody {
            question_text: self.question_text,
            question_type: self.question_type,
            is_required: self.is_required,
            options: self.options,
            rating_max: self.rating_max,
            max_choices: self.max_choices,
            option_roles: self.option_roles,
            decision_rule: self.decision_rule,
            quorum: self.quorum,
            secrecy: self.secrecy,
            is_named: self.is_named,
            counts_heads: self.counts_heads,
            group_ids: self.group_ids,
            weight_kind_id: self.weight_kind_id,
            second_weight_kind_id: self.second_weight_kind_id,
        };
        let question = if question.is_in_range(&mut check) { question.read(&mut check) } else { None };
        Ok((meeting_id, check.finish(question)?))
    }
}

/// Adds a question at the end of a meeting's agenda.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    request_body = CreateQuestionBody,
    responses(
        (status = 201, description = "The new question", body = QuestionView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_found", "error": "The meeting does not exist" })),
        (status = 409, description = "The agenda is full", body = ApiErrorBody,
         example = json!({ "code": "agenda_full", "error": "The agenda is full; delete a question first" })),
    ),
)]
#[post("/client/questions")]
pub(crate) async fn create_question(
    admin: ClientAdmin,
    Body(body): Body<CreateQuestionBody>,
    agenda: Data<AgendaService>,
) -> Result<HttpResponse, ApiError> {
    let (meeting, question) = body.check()?;
    let question = agenda.add(admin.client_id, meeting, question).await?;
    Ok(created(format_args!("/client/questions/{}", question.id), QuestionView::from(&question)))
}
