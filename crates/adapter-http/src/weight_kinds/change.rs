use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, post, put};
use plenum_clients::{NewWeightKind, WeightKindChanges, WeightKindName, WeightKindService, WeightUnit};
use plenum_kernel::{WeightDecimals, WeightKindId};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::cleared;
use crate::middleware::created;
use crate::views::DoneView;
use crate::weight_kinds::views::WeightKindAnswer;

/// A new kind of weight.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Living area", "unit": "m²", "decimals": 2 }))]
pub(crate) struct CreateWeightKindBody {
    /// Unique in the organization regardless of case. 1 to 100 characters after trimming.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// At most 20 characters after trimming. Empty means none.
    #[schema(max_length = 20)]
    unit: Option<String>,
    /// The decimals that a value may have: 0 to 6.
    #[schema(minimum = 0, maximum = 6)]
    decimals: i64,
}

impl CreateWeightKindBody {
    fn check(&self) -> Result<NewWeightKind, ApiError> {
        let mut check = FieldCheck::default();
        let name = check.keep("name", WeightKindName::parse(&self.name));
        let unit = check.keep_text("unit", self.unit.as_deref(), WeightUnit::parse);
        let decimals = check.keep("decimals", WeightDecimals::new(self.decimals));
        let new = name.zip(decimals).map(|(name, decimals)| NewWeightKind { name, unit, decimals });
        check.finish(new)
    }
}

/// Changes to a kind of weight. Missing fields change nothing. `null` or an empty text removes the unit.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Area", "unit": null, "decimals": 3 }))]
pub(crate) struct ChangeWeightKindBody {
    /// Unique in the organization regardless of case. 1 to 100 characters after trimming.
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    /// At most 20 characters after trimming.
    #[serde(default, deserialize_with = "cleared")]
    #[schema(value_type = Option<String>, max_length = 20)]
    unit: Option<Option<String>>,
    /// The decimals that a value may have: 0 to 6, and not fewer than before.
    #[schema(minimum = 0, maximum = 6)]
    decimals: Option<i64>,
}

impl ChangeWeightKindBody {
    fn check(&self) -> Result<WeightKindChanges, ApiError> {
        let mut check = FieldCheck::default();
        let changes = WeightKindChanges {
            name: self.name.as_deref().and_then(|name| check.keep("name", WeightKindName::parse(name))),
            unit: check.keep_change("unit", self.unit.as_ref(), WeightUnit::parse),
            decimals: self.decimals.and_then(|decimals| check.keep("decimals", WeightDecimals::new(decimals))),
        };
        check.finish(Some(changes))
    }
}

/// Creates a kind of weight. The value of every voter is 0.
#[utoipa::path(
    tag = "weight kinds",
    security(("bearer" = [])),
    request_body = CreateWeightKindBody,
    responses(
        (status = 201, description = "Created", body = WeightKindAnswer),
        (status = 409, description = "The name is taken, or there are 20 kinds (`too_many_weight_kinds`)",
         body = ApiErrorBody, example = json!({
             "code": "weight_kind_name_taken", "error": "Another kind of weight has this name.",
             "fields": { "name": ["Another kind of weight has this name."] },
         })),
    ),
)]
#[post("/client/weight-kinds")]
pub(crate) async fn create_weight_kind(
    admin: ClientAdmin,
    Body(body): Body<CreateWeightKindBody>,
    kinds: Data<WeightKindService>,
) -> Result<HttpResponse, ApiError> {
    let made = kinds.add(admin.client_id, body.check()?).await?;
    Ok(created(format_args!("/client/weight-kinds/{}", made.kind.id), WeightKindAnswer::of(&made)))
}

/// Changes a kind of weight. Rounds that were opened before keep its name, its unit and its decimals.
#[utoipa::path(
    tag = "weight kinds",
    security(("bearer" = [])),
    params(("kindId" = Uuid, Path)),
    request_body = ChangeWeightKindBody,
    responses(
        (status = 200, description = "The changed kind of weight", body = WeightKindAnswer),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody,
         example = json!({ "code": "weight_kind_not_found", "error": "The kind of weight does not exist" })),
        (status = 409, description = "The name is taken, or the number of decimals would be reduced (`fewer_decimals`)",
         body = ApiErrorBody, example = json!({
             "code": "fewer_decimals", "error": "The number of decimals cannot be reduced.",
             "fields": { "decimals": ["The number of decimals cannot be reduced."] },
         })),
    ),
)]
#[put("/client/weight-kinds/{kindId}")]
pub(crate) async fn change_weight_kind(
    admin: ClientAdmin,
    PathId(id): PathId<WeightKindId>,
    Body(body): Body<ChangeWeightKindBody>,
    kinds: Data<WeightKindService>,
) -> Result<Json<WeightKindAnswer>, ApiError> {
    let changed = kinds.change(admin.client_id, id, body.check()?).await?;
    Ok(Json(WeightKindAnswer::of(&changed)))
}

/// Deletes a kind of weight with the values of all voters. A kind that a meeting or a question counts by cannot be deleted.
#[utoipa::path(
    tag = "weight kinds",
    security(("bearer" = [])),
    params(("kindId" = Uuid, Path)),
    responses(
        (status = 200, description = "Deleted", body = DoneView),
        (status = 404, description = "The organization has none with this id", body = ApiErrorBody,
         example = json!({ "code": "weight_kind_not_found", "error": "The kind of weight does not exist" })),
        (status = 409, description = "Meetings or questions count by it; the text names them", body = ApiErrorBody,
         example = json!({
             "code": "weight_kind_in_use",
             "error": "This kind of weight is used by the meeting “General assembly”; change that first",
         })),
    ),
)]
#[delete("/client/weight-kinds/{kindId}")]
pub(crate) async fn delete_weight_kind(
    admin: ClientAdmin,
    PathId(id): PathId<WeightKindId>,
    kinds: Data<WeightKindService>,
) -> Result<Json<DoneView>, ApiError> {
    kinds.remove(admin.client_id, id).await?;
    Ok(Json(DoneView::DONE))
}
