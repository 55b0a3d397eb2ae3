use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use plenum_kernel::MeetingId;
use plenum_meetings::{AgendaService, NewQuestion, QuestionForm, QuestionText};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::questions::options::OptionTexts;
use crate::questions::views::{QuestionTypeName, QuestionView};
use crate::rim::{ApiError, ApiErrorBody, Body, ClientAdmin, FieldCheck, PathId as _};

/// A question to be put at the end of an agenda.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "meetingId": "019a9d5e-0000-7000-8000-000000000004", "questionText": "Do you approve the budget?",
    "questionType": "YES_NO", "isRequired": true, "options": "[\"Yes\",\"No\",\"Abstain\"]",
}))]
pub(crate) struct CreateQuestionBody {
    #[schema(value_type = uuid::Uuid)]
    meeting_id: String,
    /// 1 to 1,000 characters after trimming, in several lines if need be.
    #[schema(min_length = 1, max_length = 1000)]
    question_text: String,
    question_type: QuestionTypeName,
    /// True when missing.
    is_required: Option<bool>,
    /// For YES_NO (Yes and No when missing) and MULTIPLE_CHOICE: 2 to 100, all different in whatever case, each of 1 to
    /// 300 characters after trimming. Not read for other types.
    options: Option<OptionTexts>,
    /// For RATING: 5 (when missing) or 10. Not read for other types.
    #[schema(value_type = Option<u64>)]
    rating_max: Option<u32>,
    /// For MULTIPLE_CHOICE: how many may be chosen, from 1 to the number of options; all when missing. Not read for
    /// other types.
    #[schema(value_type = Option<u64>)]
    max_choices: Option<u32>,
}

impl CreateQuestionBody {
    fn check(self) -> Result<NewQuestion, ApiError> {
        let meeting_id: MeetingId = self.meeting_id.parse().map_err(|_| MeetingId::missing())?;
        let mut check = FieldCheck::default();
        let text = check.keep("questionText", QuestionText::parse(&self.question_text));
        let options = check.keep("options", OptionTexts::read(self.options));
        let form = options.and_then(|options| {
            let form = QuestionForm {
                question_type: self.question_type.into(),
                options,
                rating_max: self.rating_max,
                max_choices: self.max_choices,
            };
            form.check().map_err(|(field, wanted)| check.note(field, wanted.to_string())).ok()
        });
        let is_required = self.is_required.unwrap_or(true);
        check.finish(text.zip(form).map(|(text, form)| NewQuestion { meeting_id, text, form, is_required }))
    }
}

/// Puts a question at the end of a meeting's agenda.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    request_body = CreateQuestionBody,
    responses(
        (status = 201, description = "On the agenda", body = QuestionView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody,
         example = json!({ "code": "meeting_not_found", "error": "The meeting does not exist" })),
        (status = 409, description = "The agenda is full", body = ApiErrorBody,
         example = json!({ "code": "agenda_full", "error": "The meeting has the most questions that an agenda can hold" })),
    ),
)]
#[post("/client/questions")]
pub(crate) async fn create_question(
    admin: ClientAdmin,
    Body(body): Body<CreateQuestionBody>,
    agenda: Data<AgendaService>,
) -> Result<HttpResponse, ApiError> {
    let question = agenda.add(admin.client_id, body.check()?).await?;
    Ok(HttpResponse::Created().json(QuestionView::from(&question)))
}
