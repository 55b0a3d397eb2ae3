use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::MeetingId;
use plenum_records::{AnswerWalls, PresentedWall};
use plenum_voting::{AnswerWall, CardKind, WallCard};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::{ApiError, ApiErrorBody};
use crate::extract::CallerAddress;
use crate::extract::PathId;
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// The kind of a card.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum WallCardKind {
    /// An answer that the organizer picked.
    Picked,
    /// A group of answers. Its text is the heading.
    Group,
    /// Another answer.
    Answer,
}

/// A card of the answer wall.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_card)]
pub(crate) struct WallCardView {
    kind: WallCardKind,
    /// The answer, at most its first 400 characters, or the heading of the group.
    text: String,
    /// Whether the text is only the beginning of the answer.
    is_cut: bool,
    /// The number of people who gave the answer, or one of the group.
    heads: u64,
    /// The number of different answers on the card: 1 unless it is a group.
    different_answers: u64,
}

/// An example for the OpenAPI document.
fn example_card() -> Value {
    json!({ "kind": "GROUP", "text": "Breaks", "isCut": false, "heads": 3, "differentAnswers": 2 })
}

impl From<&WallCard> for WallCardView {
    fn from(card: &WallCard) -> Self {
        let kind = match card.kind {
            CardKind::Picked => WallCardKind::Picked,
            CardKind::Group => WallCardKind::Group,
            CardKind::Answer => WallCardKind::Answer,
        };
        let WallCard { text, is_cut, heads, different, .. } = card;
        Self { kind, text: text.clone(), is_cut: *is_cut, heads: *heads, different_answers: *different }
    }
}

/// The answers on the presentation: picked ones, then groups, then others, the most frequent first. No hidden answer is in
/// it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_wall)]
pub(crate) struct WallView {
    /// At most 60 cards.
    cards: Vec<WallCardView>,
    /// The number of people whose answers are on no card, because there are too many.
    more: u64,
    /// The number of people whose answers the organizer hid.
    hidden: u64,
}

/// An example for the OpenAPI document.
pub(super) fn example_wall() -> Value {
    json!({ "cards": [example_card()], "more": 0, "hidden": 1 })
}

impl From<&AnswerWall> for WallView {
    fn from(wall: &AnswerWall) -> Self {
        let cards = wall.cards.iter().map(WallCardView::from).collect();
        Self { cards, more: wall.more, hidden: wall.hidden }
    }
}

/// The answer wall on the presentation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_presented)]
pub(crate) struct PresentedWallView {
    round_id: Uuid,
    /// The version of the curation, as in `answerWall` of the presentation's state.
    version: u32,
    wall: WallView,
}

/// An example for the OpenAPI document.
fn example_presented() -> Value {
    json!({ "roundId": "019a9d5e-0000-7000-8000-000000000007", "version": 4, "wall": example_wall() })
}

/// Returns the answers to the current text question on the presentation.
/// They are as the organizer curated them, once the result is declared and the organizer shows them. No login. It contains no hidden answer, and no name.
#[utoipa::path(
    tag = "public",
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "The answers", body = PresentedWallView),
        (status = 404, description = "There is no such meeting, or its presentation shows no answers", body = ApiErrorBody,
         example = json!({ "code": "no_answer_wall", "error": "There are no answers on the presentation" })),
        (status = 409, description = "The record of the result is damaged", body = ApiErrorBody,
         example = json!({ "code": "record_damaged", "error": "The record of this result is damaged" })),
        (status = 429, description = "Too many unknown links were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown links were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[get("/public/meetings/{meetingId}/presentation/answers")]
pub(crate) async fn presentation_answers(
    PathId(meeting): PathId<MeetingId>,
    from: CallerAddress,
    lookups: Data<LookupRateLimit>,
    walls: Data<AnswerWalls>,
) -> Result<Json<PresentedWallView>, ApiError> {
    let find = async { Ok(walls.on_screen(meeting).await?) };
    let lookup = Lookup { kind: LookupKind::ShownAnswers, from: from.0, value: &meeting.to_string() };
    let shown = lookups.look_up(lookup, find).await?;
    let missing = || ApiError::not_found("no_answer_wall", "there are no answers on the presentation");
    let PresentedWall { round, version, wall } = shown.ok_or_else(missing)?;
    Ok(Json(PresentedWallView { round_id: round.as_uuid(), version, wall: WallView::from(&*wall) }))
}
