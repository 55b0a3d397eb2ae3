use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::EndUserId;
use plenum_meetings::{CheckInService, MAX_DESK_PAGE};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::check_in::AttendeeView;
use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::Desk;
use crate::extract::Query;

/// The part of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeskPeopleQuery {
    /// The `next` of the part before. The first part if missing.
    #[param(value_type = Option<Uuid>)]
    after: Option<String>,
}

/// A part of the people who may vote in the meeting.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeskPeopleAnswer {
    success: bool,
    data: Vec<AttendeeView>,
    /// The `after` of the next part. Null after the last one.
    #[schema(required)]
    next: Option<Uuid>,
}

/// Lists the people who may vote in the desk's meeting, in parts of at most 1,000, in arbitrary order. A desk keeps them, so
/// that it can go on without a network.
#[utoipa::path(
    tag = "desk",
    security(("bearer" = [])),
    params(DeskPeopleQuery),
    responses(
        (status = 200, description = "The people", body = DeskPeopleAnswer),
    ),
)]
#[get("/desk/people")]
pub(crate) async fn list_desk_people(
    Desk(desk): Desk,
    query: Query<DeskPeopleQuery>,
    check_ins: Data<CheckInService>,
) -> Result<Json<DeskPeopleAnswer>, ApiError> {
    let mut check = FieldCheck::default();
    let after = query.after.as_deref().map(str::parse::<EndUserId>);
    if matches!(after, Some(Err(_))) {
        check.note("after", "Must be the next of the part before.".to_owned());
    }
    let after = check.finish(Some(after.and_then(Result::ok)))?;
    let people = check_ins.people_of_desk(&desk, after).await?;
    let is_full = people.len() >= MAX_DESK_PAGE as usize;
    let next = people.last().filter(|_| is_full).map(|person| person.id.as_uuid());
    Ok(Json(DeskPeopleAnswer { success: true, data: people.into_iter().map(AttendeeView::from).collect(), next }))
}
