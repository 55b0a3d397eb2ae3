use actix_web::put;
use actix_web::web::{Data, Json};
use plenum_kernel::{QuestionId, QuestionType};
use plenum_meetings::{AgendaService, QuestionChanges, QuestionText};
use plenum_result_format::{DecisionRuleFormat, PlannedQuorumFormat, SecrecyName};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::cleared;
use crate::questions::options::OptionTexts;
use crate::questions::terms::{can_limit, can_rate, read_quorum, read_roles, read_rule, read_secrecy};
use crate::questions::views::OptionRoleName;
use crate::questions::views::QuestionView;
use crate::questions::views::rating_scale;
use crate::views::{QuestionTypeName, read_audience, read_weight_kind};

/// Changes to a question. Missing fields change nothing, but a new type resets options, scale and limit of choices.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "questionText": "Do you approve the budget of 2027?", "questionType": "YES_NO", "isRequired": true,
    "options": "[\"Yes\",\"No\",\"Abstain\"]", "optionRoles": ["yes", "no", "abstain"],
    "decisionRule": {
        "kind": "majority", "onTie": "rejected",
        "conditions": [{
            "units": "weight", "base": "votes_cast", "comparison": "at_least", "numerator": 2, "denominator": 3,
        }],
    },
    "quorum": null, "secrecy": "unshown",
}))]
pub(crate) struct UpdateQuestionBody {
    /// 1 to 1,000 characters after trimming. It may have several lines.
    #[schema(min_length = 1, max_length = 1000)]
    question_text: Option<String>,
    question_type: Option<QuestionTypeName>,
    is_required: Option<bool>,
    /// For YES_NO and MULTIPLE_CHOICE: 2 to 100, all different regardless of case, each of 1 to 300 characters after
    /// trimming. An option with an unchanged text keeps its id. Ignored for other types.
    options: Option<OptionTexts>,
    /// For RATING: 5 (with `null`) or 10. Ignored for other types.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(schema_with = rating_scale)]
    rating_max: Option<Option<u32>>,
    /// For MULTIPLE_CHOICE: the highest number of choices, from 1 to the number of options; all with `null`. Ignored
    /// for other types.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<u64>, minimum = 1)]
    max_choices: Option<Option<u32>>,
    /// The role of each option, in the same order. With `null` the server derives it from the texts or positions. If
    /// missing, unchanged options keep their roles, and others get derived ones. For types other than YES_NO all roles
    /// are `choice`.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<Vec<OptionRoleName>>)]
    option_roles: Option<Option<Vec<OptionRoleName>>>,
    /// The decision rule; with `null` votes are only counted. A majority is for YES_NO, the others are for
    /// MULTIPLE_CHOICE. A rule that does not fit a new type or new options must change with them.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<DecisionRuleFormat>)]
    decision_rule: Option<Option<DecisionRuleFormat>>,
    /// A quorum of its own; the meeting's quorum with `null`.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<PlannedQuorumFormat>)]
    quorum: Option<Option<PlannedQuorumFormat>>,
    /// Who can learn how a person voted.
    secrecy: Option<SecrecyName>,
    /// The same as the secrecy `named`, for callers that do not know the other levels. `false` makes a named question
    /// unshown, and leaves other levels.
    is_named: Option<bool>,
    /// Whether every vote counts one, whatever the weight.
    counts_heads: Option<bool>,
    /// Ids of the organization's groups, at most 50. Only their members vote; everybody whom the meeting is for if empty.
    #[schema(value_type = Option<Vec<uuid::Uuid>>, max_items = 50)]
    group_ids: Option<Vec<String>>,
    /// The id of a kind of weight that the question counts in place of its meeting's; as the meeting with `null`.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<uuid::Uuid>)]
    weight_kind_id: Option<Option<String>>,
    /// The id of another kind of weight, for conditions in `second_weight`; none with `null`.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<uuid::Uuid>)]
    second_weight_kind_id: Option<Option<String>>,
}

impl UpdateQuestionBody {
    fn check(self) -> Result<QuestionChanges, ApiError> {
        let mut check = FieldCheck::default();
        can_rate(&mut check, self.rating_max.flatten());
        can_limit(&mut check, self.max_choices.flatten());
        let changes = QuestionChanges {
            text: self.question_text.and_then(|text| check.keep("questionText", QuestionText::parse(&text))),
            question_type: self.question_type.map(QuestionType::from),
            options: check.keep("options", OptionTexts::read(self.options)).flatten(),
            rating_max: self.rating_max,
            max_choices: self.max_choices,
            is_required: self.is_required,
            option_roles: self.option_roles.map(|roles| roles.map(read_roles)),
            decision_rule: self.decision_rule.map(|rule| rule.and_then(|rule| read_rule(&mut check, rule))),
            quorum: self.quorum.map(|quorum| quorum.and_then(|quorum| read_quorum(&mut check, quorum))),
            secrecy: read_secrecy(&mut check, self.secrecy, self.is_named),
            is_named: self.is_named,
            counts_heads: self.counts_heads,
            groups: self.group_ids.as_deref().and_then(|ids| read_audience(&mut check, ids)),
            weight_kind: self.weight_kind_id.map(|id| read_weight_kind(&mut check, "weightKindId", id.as_deref())),
            second_weight_kind: self
                .second_weight_kind_id
                .map(|id| read_weight_kind(&mut check, "secondWeightKindId", id.as_deref())),
        };
        check.finish(Some(changes))
    }
}

/// Changes a question. During an open round, and once there are votes, only `isRequired` can change.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    params(("questionId" = Uuid, Path)),
    request_body = UpdateQuestionBody,
    responses(
        (status = 200, description = "The changed question", body = QuestionView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody),
        (status = 409, description = "The question has votes, or voting is open", body = ApiErrorBody,
         example = json!({
             "code": "question_has_votes",
             "error": "This question has votes, so it can be neither changed nor deleted; copy it instead",
         })),
    ),
)]
#[put("/client/questions/{questionId}")]
pub(crate) async fn update_question(
    admin: ClientAdmin,
    PathId(id): PathId<QuestionId>,
    Body(body): Body<UpdateQuestionBody>,
    agenda: Data<AgendaService>,
) -> Result<Json<QuestionView>, ApiError> {
    let question = agenda.change(admin.client_id, id, body.check()?).await?;
    Ok(Json(QuestionView::from(&question)))
}
