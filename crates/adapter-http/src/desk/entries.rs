use actix_web::web::{Data, Json};
use actix_web::{get, post};
use chrono::{DateTime, Utc};
use plenum_kernel::{Clock, EndUserId, PresenceEntryId, capitalized};
use plenum_meetings::{CheckInService, DeskEntry};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::check_in::{PresenceEntryView, PresenceKindName, PresenceOutcomeView, example_entry, refusal_of};
use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::Desk;
use crate::extract::NumberParameter;
use crate::extract::Query;
use crate::extract::read_number;

/// The highest number of entries in one call.
const MAX_ENTRIES: usize = 100;

/// A check-in or check-out at the desk.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000031", "endUserId": "019a9d5e-0000-7000-8000-000000000003", "kind": "IN",
    "at": "2026-11-21T18:04:05Z",
}))]
pub(crate) struct DeskEntryBody {
    /// A UUID made on the device. An entry with the same id is stored once, however often it is sent.
    id: Uuid,
    end_user_id: Uuid,
    kind: PresenceKindName,
    /// The time at which it happened, if it could not be sent at once. A time in the future or before `contactAt` gives way to the
    /// server's time. The server stores its own time beside it.
    at: Option<DateTime<Utc>>,
}

/// The entries to store, in order.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeskEntriesBody {
    /// At most 100.
    #[schema(max_items = 100)]
    entries: Vec<DeskEntryBody>,
    /// The `serverTime` of the last response that the device had before it lost the network.
    contact_at: Option<DateTime<Utc>>,
}

/// The reason why an entry was refused.
#[derive(Serialize, ToSchema)]
#[schema(as = DeskRefusal, example = json!({ "code": "may_not_vote_here", "error": "This person may not vote in this meeting" }))]
pub(crate) struct DeskRefusalView {
    code: String,
    error: String,
}

/// What became of an entry: either `answer` or `refusal`.
#[derive(Serialize, ToSchema)]
#[schema(as = DeskEntryResult, example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000031", "answer": { "outcome": "NOTED", "entry": example_entry() }, "refusal": null,
}))]
pub(crate) struct DeskEntryResultView {
    id: Uuid,
    #[schema(required)]
    answer: Option<PresenceOutcomeView>,
    #[schema(required)]
    refusal: Option<DeskRefusalView>,
}

/// What became of the entries, in their order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeskEntriesAnswer {
    success: bool,
    data: Vec<DeskEntryResultView>,
    server_time: DateTime<Utc>,
}

/// Checks people in and out. Each entry is stored by itself: a request without a response is sent again with the same ids, and nobody is
/// checked in twice. A person who is already in, or out, stays so; the response names the earlier entry.
#[utoipa::path(
    tag = "desk",
    security(("bearer" = [])),
    request_body(content = DeskEntriesBody, example = json!({
        "entries": [{
            "id": "019a9d5e-0000-7000-8000-000000000031", "endUserId": "019a9d5e-0000-7000-8000-000000000003", "kind": "IN",
            "at": null,
        }],
        "contactAt": null,
    })),
    responses(
        (status = 200, description = "The outcomes", body = DeskEntriesAnswer),
    ),
)]
#[post("/desk/entries")]
pub(crate) async fn send_desk_entries(
    Desk(desk): Desk,
    Body(body): Body<DeskEntriesBody>,
    check_ins: Data<CheckInService>,
    clock: Data<dyn Clock>,
) -> Result<Json<DeskEntriesAnswer>, ApiError> {
    if body.entries.len() > MAX_ENTRIES {
        return Err(ApiError::invalid_field("entries", format!("Must have at most {MAX_ENTRIES} entries.")));
    }
    let mut data = Vec::with_capacity(body.entries.len());
    for entry in body.entries {
        let new = DeskEntry {
            id: PresenceEntryId::from_uuid(entry.id),
            end_user: EndUserId::from_uuid(entry.end_user_id),
            kind: entry.kind.into(),
            happened_at: entry.at,
        };
        let (answer, refusal) = match check_ins.note_at_desk(&desk, new, body.contact_at).await {
            Ok(outcome) => (Some(outcome.into()), None),
            Err(error) => {
                let (code, text) = refusal_of(error)?;
                (None, Some(DeskRefusalView { code: code.to_owned(), error: capitalized(&text) }))
            }
        };
        data.push(DeskEntryResultView { id: entry.id, answer, refusal });
    }
    Ok(Json(DeskEntriesAnswer { success: true, data, server_time: clock.now() }))
}

/// The entries to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeskEntriesQuery {
    /// The number of the last entry that the desk knows; 0 if missing.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 200000)]
    after: Option<String>,
}

/// Entries of all desks, in order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeskLogAnswer {
    success: bool,
    data: Vec<PresenceEntryView>,
    server_time: DateTime<Utc>,
}

/// Lists at most 1,000 entries of the meeting after the one with this number, so that each desk knows who came at another one.
#[utoipa::path(
    tag = "desk",
    security(("bearer" = [])),
    params(DeskEntriesQuery),
    responses(
        (status = 200, description = "The entries", body = DeskLogAnswer),
    ),
)]
#[get("/desk/entries")]
pub(crate) async fn list_desk_entries(
    Desk(desk): Desk,
    query: Query<DeskEntriesQuery>,
    check_ins: Data<CheckInService>,
    clock: Data<dyn Clock>,
) -> Result<Json<DeskLogAnswer>, ApiError> {
    let mut check = FieldCheck::default();
    let text = query.after.as_deref().filter(|text| *text != "0");
    let after = match text {
        None => Some(0),
        Some(_) => read_number(&mut check, NumberParameter { name: "after", text, default: 0, max: 200_000 }),
    };
    let after = check.finish(after)?;
    let server_time = clock.now();
    let entries = check_ins.entries_of_desk(&desk, after).await?;
    Ok(Json(DeskLogAnswer {
        success: true,
        data: entries.into_iter().map(PresenceEntryView::from).collect(),
        server_time,
    }))
}
