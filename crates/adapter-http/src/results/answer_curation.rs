use actix_web::web::{Data, Json};
use actix_web::{get, put};
use plenum_kernel::{MeetingId, RoundId, SearchText};
use plenum_records::{AnswerWallError, AnswerWalls, CuratedAnswer, CuratedAnswers};
use plenum_voting::{
    AnswerCuration, AnswerFilter, AnswerGroup, AnswerId, CurateError, CurationChange, CurationPart, CurationRule,
    GroupName,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ApiErrorBody, FieldCheck};
use crate::extract::{ApiId as _, Body, ClientAdmin, PageMeta, PathId, Query, read_page};
use crate::results::answer_wall::{WallView, example_wall};

/// Answers under one heading.
#[derive(Deserialize, ToSchema)]
pub(crate) struct AnswerGroupBody {
    /// The heading: 1 to 100 characters after trimming, in one line. Groups have different headings.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The ids of the answers.
    #[schema(min_items = 1, max_items = 20000)]
    answers: Vec<AnswerIdText>,
}

/// The id of an answer: 32 hexadecimal digits, a hash of its text.
#[derive(Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, pattern = "^[0-9a-f]{32}$", example = "5df6e0e2761359d30a8275058e299fcc")]
pub(crate) struct AnswerIdText(String);

/// The whole curation of the answers of a round. Each answer has one place at most.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_body)]
pub(crate) struct CurateAnswersBody {
    /// The version that this curation is based on.
    #[schema(maximum = 2147483647)]
    version: u32,
    /// Whether the presentation shows answers once the result is declared. Otherwise it shows their number only.
    is_shown: bool,
    /// The answers that come first, in this order.
    #[schema(max_items = 20)]
    picked: Vec<AnswerIdText>,
    #[schema(max_items = 50)]
    groups: Vec<AnswerGroupBody>,
    /// The answers that are only counted.
    #[schema(max_items = 20000)]
    hidden: Vec<AnswerIdText>,
}

/// An example for the OpenAPI document.
fn example_body() -> Value {
    json!({
        "version": 3, "isShown": true, "picked": [],
        "groups": [], "hidden": [],
    })
}

impl CurateAnswersBody {
    fn read(self) -> Result<(u32, AnswerCuration), ApiError> {
        if i32::try_from(self.version).is_err() {
            return Err(ApiError::invalid_field("version", "Must be a version that was read before."));
        }
        let groups = self.groups.into_iter().map(|group| {
            let name = GroupName::parse(&group.name).map_err(|error| ApiError::invalid_field("groups", error))?;
            Ok(AnswerGroup { name, answers: read_ids("groups", group.answers)? })
        });
        let curation = AnswerCuration {
            is_shown: self.is_shown,
            picked: read_ids("picked", self.picked)?,
            groups: groups.collect::<Result<_, ApiError>>()?,
            hidden: read_ids("hidden", self.hidden)?,
        };
        Ok((self.version, curation))
    }
}

fn read_ids(field: &str, ids: Vec<AnswerIdText>) -> Result<Vec<AnswerId>, ApiError> {
    let read = |AnswerIdText(text)| {
        AnswerId::parse(&text).ok_or_else(|| ApiError::invalid_field(field, "Must contain ids of answers only."))
    };
    ids.into_iter().map(read).collect()
}

impl From<AnswerWallError> for ApiError {
    fn from(error: AnswerWallError) -> Self {
        match error {
            AnswerWallError::Show(error) => error.into(),
            AnswerWallError::NoTexts => Self::conflict("not_a_text_question", error),
            AnswerWallError::Invalid(invalid) => {
                let field = match invalid.part {
                    CurationPart::Picked => "picked",
                    CurationPart::Groups => "groups",
                    CurationPart::Hidden => "hidden",
                };
                Self::invalid_field(field, invalid.requirement)
            }
            AnswerWallError::Curate(CurateError::RoundNotFound) => RoundId::missing(),
            AnswerWallError::Curate(CurateError::Rule(rule)) => match rule {
                CurationRule::Stale => Self::conflict("answers_curated_meanwhile", rule),
                CurationRule::Superseded => Self::conflict("round_superseded", rule),
            },
            AnswerWallError::Curate(CurateError::Port(failure)) => failure.into(),
        }
    }
}

/// Answers under one heading.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Breaks", "answers": ["5df6e0e2761359d30a8275058e299fcc"], "heads": 3 }))]
pub(crate) struct AnswerGroupView {
    name: String,
    /// The ids of the answers.
    answers: Vec<String>,
    /// The number of people who gave one of them.
    heads: u64,
}

/// The curation of the answers of a round. It changes no result, record or file: these keep all answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_curation)]
pub(crate) struct AnswerCurationView {
    /// The number of changes. 0 if nobody has curated the answers.
    version: u32,
    /// Whether the presentation shows answers once the result is declared.
    is_shown: bool,
    /// Whether the result is declared. Before that, the presentation shows nothing.
    is_declared: bool,
    /// The ids of the picked answers, in their order.
    picked: Vec<String>,
    groups: Vec<AnswerGroupView>,
    /// The ids of the hidden answers.
    hidden: Vec<String>,
    /// The wall, as the presentation shows it or would show it.
    wall: WallView,
}

/// An example for the OpenAPI document.
fn example_curation() -> Value {
    json!({
        "version": 4, "isShown": true, "isDeclared": false, "picked": [],
        "groups": [{ "name": "Breaks", "answers": ["5df6e0e2761359d30a8275058e299fcc"], "heads": 3 }], "hidden": [],
        "wall": example_wall(),
    })
}

impl From<CuratedAnswers> for AnswerCurationView {
    fn from(curated: CuratedAnswers) -> Self {
        let CuratedAnswers { stored, is_declared, group_heads, wall } = curated;
        let curation = stored.curation;
        let groups = curation.groups.iter().zip(group_heads).map(|(group, heads)| AnswerGroupView {
            name: group.name.as_str().to_owned(),
            answers: texts(&group.answers),
            heads,
        });
        Self {
            version: stored.version,
            is_shown: curation.is_shown,
            is_declared,
            picked: texts(&curation.picked),
            groups: groups.collect(),
            hidden: texts(&curation.hidden),
            wall: WallView::from(&wall),
        }
    }
}

fn texts(ids: &[AnswerId]) -> Vec<String> {
    ids.iter().map(AnswerId::to_string).collect()
}

/// Returns the curation of the answers to a text question: which answers the presentation picks, groups and hides.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    responses(
        (status = 200, description = "The curation", body = AnswerCurationView),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The round is still open, nobody has counted it, its record is damaged, or its question is not a text question", body = ApiErrorBody,
         example = json!({ "code": "not_a_text_question", "error": "Only answers to a text question can be curated" })),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/answer-curation")]
pub(crate) async fn answer_curation(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    walls: Data<AnswerWalls>,
) -> Result<Json<AnswerCurationView>, ApiError> {
    Ok(Json(walls.curated(admin.client_id, meeting, round).await?.into()))
}

/// Replaces the curation of the answers to a text question. Only the presentation changes, once the result is declared: the
/// result, its record, files, minutes and voters' screens keep all answers. A repeat changes nothing.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path)),
    request_body = CurateAnswersBody,
    responses(
        (status = 200, description = "The stored curation", body = AnswerCurationView),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "The version is not the last one, the question has a later round, or as for reading the curation", body = ApiErrorBody,
         example = json!({
             "code": "answers_curated_meanwhile",
             "error": "Another organizer changed the answers first: look at them again",
         })),
        (status = 422, description = "The round does not have one of these answers, or one of them has two places", body = ApiErrorBody,
         example = json!({
             "code": "invalid_input",
             "error": "hidden must not contain an answer that the round does not have: 5df6e0e2761359d30a8275058e299fcc.",
             "fields": { "hidden": ["Must not contain an answer that the round does not have: 5df6e0e2761359d30a8275058e299fcc."] },
         })),
    ),
)]
#[put("/client/meetings/{meetingId}/rounds/{roundId}/answer-curation")]
pub(crate) async fn curate_answers(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    Body(body): Body<CurateAnswersBody>,
    walls: Data<AnswerWalls>,
) -> Result<Json<AnswerCurationView>, ApiError> {
    let (seen, curation) = body.read()?;
    let change = CurationChange { owner: admin.client_id, meeting, round, seen, curation };
    Ok(Json(walls.curate(change).await?.into()))
}

/// The place of an answer.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AnswerPlaceName {
    Picked,
    Grouped,
    Hidden,
    /// None of these.
    Other,
}

/// The values of the parameter `place`.
const PLACES: [(&str, Option<CurationPart>); 4] = [
    ("PICKED", Some(CurationPart::Picked)),
    ("GROUPED", Some(CurationPart::Groups)),
    ("HIDDEN", Some(CurationPart::Hidden)),
    ("OTHER", None),
];

impl From<Option<CurationPart>> for AnswerPlaceName {
    fn from(part: Option<CurationPart>) -> Self {
        match part {
            Some(CurationPart::Picked) => Self::Picked,
            Some(CurationPart::Groups) => Self::Grouped,
            Some(CurationPart::Hidden) => Self::Hidden,
            None => Self::Other,
        }
    }
}

/// The filter and the page of answers.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct CuratedAnswersQuery {
    /// Plain text to find in the answers. The first 200 characters count. `%` and `_` match themselves.
    search: Option<String>,
    /// Only answers with this place.
    #[param(value_type = Option<AnswerPlaceName>, inline)]
    place: Option<String>,
    /// The page, from 1; the first one if missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Answers on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl CuratedAnswersQuery {
    fn read(&self) -> Result<(AnswerFilter, Option<Option<CurationPart>>), ApiError> {
        let mut check = FieldCheck::default();
        let page = read_page(&mut check, self.page.as_deref(), self.page_size.as_deref());
        let only = match self.place.as_deref() {
            None => Some(None),
            Some(text) => {
                let known = PLACES.iter().find(|(name, _)| *name == text).map(|(_, part)| Some(*part));
                known
                    .ok_or_else(|| ApiError::invalid_field("place", "Must be PICKED, GROUPED, HIDDEN or OTHER."))?
                    .into()
            }
        };
        let search = self.search.as_deref().and_then(SearchText::parse);
        let filter = page.map(|page| AnswerFilter { search, page });
        check.finish(filter.zip(only))
    }
}

/// An answer and its place.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_answer)]
pub(crate) struct CuratedAnswerView {
    /// The id: a hash of the text.
    id: String,
    text: String,
    /// The number of people who gave it.
    heads: u64,
    place: AnswerPlaceName,
}

/// An example for the OpenAPI document.
fn example_answer() -> Value {
    json!({ "id": "5df6e0e2761359d30a8275058e299fcc", "text": "A longer break", "heads": 3, "place": "GROUPED" })
}

impl From<CuratedAnswer> for CuratedAnswerView {
    fn from(CuratedAnswer { answer, part }: CuratedAnswer) -> Self {
        Self { id: answer.id.to_string(), text: answer.text, heads: answer.heads, place: part.into() }
    }
}

/// A page of the answers to a text question, with their places.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "data": [example_answer()], "meta": { "page": 1, "pageSize": 50, "total": 12 } }))]
pub(crate) struct CuratedAnswersAnswer {
    /// The answers, the most frequent first.
    data: Vec<CuratedAnswerView>,
    meta: PageMeta,
}

/// Lists a page of the different answers to a text question, the most frequent first, with their places.
#[utoipa::path(
    tag = "rounds",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ("roundId" = Uuid, Path), CuratedAnswersQuery),
    responses(
        (status = 200, description = "The answers", body = CuratedAnswersAnswer),
        (status = 404, description = "There is no such meeting, or no such round in it", body = ApiErrorBody),
        (status = 409, description = "As for reading the curation", body = ApiErrorBody,
         example = json!({ "code": "not_a_text_question", "error": "Only answers to a text question can be curated" })),
    ),
)]
#[get("/client/meetings/{meetingId}/rounds/{roundId}/answer-curation/answers")]
pub(crate) async fn curated_answers(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    PathId(round): PathId<RoundId>,
    query: Query<CuratedAnswersQuery>,
    walls: Data<AnswerWalls>,
) -> Result<Json<CuratedAnswersAnswer>, ApiError> {
    let filter = query.read()?;
    let answers = walls.answers(admin.client_id, meeting, round, &filter).await?;
    let (filter, _) = filter;
    let meta = PageMeta { page: filter.page.page, page_size: filter.page.page_size, total: answers.total };
    Ok(Json(CuratedAnswersAnswer { data: answers.rows.into_iter().map(CuratedAnswerView::from).collect(), meta }))
}
