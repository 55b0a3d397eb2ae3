use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::WeightKindService;
use plenum_kernel::WeightKindId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::weight_kinds::views::{WeightKindAnswer, WeightKindView, example_weight_kind};

/// The kinds of weight of an organization, by name. There are at most 20.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_weight_kind()] }))]
pub(crate) struct WeightKindListAnswer {
    success: bool,
    data: Vec<WeightKindView>,
}

/// Lists the organization's kinds of weight, by name.
#[utoipa::path(
    tag = "weight kinds",
    security(("bearer" = [])),
    responses((status = 200, description = "The kinds of weight", body = WeightKindListAnswer)),
)]
#[get("/client/weight-kinds")]
pub(crate) async fn list_weight_kinds(
    admin: ClientAdmin,
    kinds: Data<WeightKindService>,
) -> Result<Json<WeightKindListAnswer>, ApiError> {
    let known = kinds.list(admin.client_id).await?;
    Ok(Json(WeightKindListAnswer { success: true, data: known.iter().map(WeightKindView::from).collect() }))
}

/// Returns one kind of weight.
#[utoipa::path(
    tag = "weight kinds",
    security(("bearer" = [])),
    params(("kindId" = Uuid, Path)),
    responses(
        (status = 200, description = "The kind of weight", body = WeightKindAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody,
         example = json!({ "code": "weight_kind_not_found", "error": "The kind of weight does not exist" })),
    ),
)]
#[get("/client/weight-kinds/{kindId}")]
pub(crate) async fn find_weight_kind(
    admin: ClientAdmin,
    PathId(id): PathId<WeightKindId>,
    kinds: Data<WeightKindService>,
) -> Result<Json<WeightKindAnswer>, ApiError> {
    let known = kinds.find(admin.client_id, id).await?.ok_or_else(WeightKindId::missing)?;
    Ok(Json(WeightKindAnswer::of(&known)))
}
