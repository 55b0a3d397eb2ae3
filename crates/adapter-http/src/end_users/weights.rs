use plenum_clients::{WeightChanges, WeightKindService};
use plenum_kernel::{ClientId, KindWeight, KindWeights, MAX_WEIGHT_KINDS, WeightKindId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::{ApiError, FieldCheck};

/// The requirement for the id of a kind of weight.
pub(super) const WANTED_KIND: &str = "Must be the id of a kind of weight of your organization.";

/// A voter's value of a kind of weight.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = KindWeight, example = json!({ "kindId": "019a9d5e-0000-7000-8000-000000000030", "value": "250.5" }))]
pub(crate) struct WeightView {
    kind_id: Uuid,
    /// Exact, as a text. More than 0, except for a value that an import changes to 0.
    value: String,
}

impl WeightView {
    /// The values above 0.
    pub(super) fn all(weights: &KindWeights) -> Vec<Self> {
        Self::each(weights.iter())
    }

    /// These values, also 0.
    pub(super) fn each(values: impl IntoIterator<Item = (WeightKindId, KindWeight)>) -> Vec<Self> {
        let view =
            |(kind, value): (WeightKindId, KindWeight)| Self { kind_id: kind.as_uuid(), value: value.to_string() };
        values.into_iter().map(view).collect()
    }
}

/// The value of a kind of weight.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "kindId": "019a9d5e-0000-7000-8000-000000000030", "value": "250.5" }))]
pub(crate) struct WeightBody {
    /// The id of one of the organization's kinds of weight, each at most once.
    #[schema(value_type = Uuid)]
    kind_id: String,
    /// 0 to less than 10^18, with at most the decimals of the kind: digits, with a point before the decimals.
    value: String,
}

/// The values of all kinds. A kind that is not listed has 0.
///
/// # Errors
/// Names the fields that are wrong.
pub(super) async fn read_weights(
    kinds: &WeightKindService,
    owner: ClientId,
    bodies: &[WeightBody],
) -> Result<KindWeights, ApiError> {
    Ok(read_values(kinds, owner, "weights", bodies).await?.into_iter().collect())
}

/// The changes to the values of `all` kinds (the field `weights`) or of `some` of them (`weightChanges`).
///
/// # Errors
/// Names the fields that are wrong: `weightChanges` if both are given.
pub(super) async fn read_weight_changes(
    kinds: &WeightKindService,
    owner: ClientId,
    all: Option<&[WeightBody]>,
    some: Option<&[WeightBody]>,
) -> Result<Option<WeightChanges>, ApiError> {
    match (all, some) {
        (None, None) => Ok(None),
        (Some(all), None) => Ok(Some(WeightChanges::All(read_weights(kinds, owner, all).await?))),
        (None, Some(some)) => Ok(Some(WeightChanges::Some(read_values(kinds, owner, "weightChanges", some).await?))),
        (Some(_), Some(_)) => Err(ApiError::invalid_field("weightChanges", "Must not be sent together with weights.")),
    }
}

/// The listed values, also those of 0, each kind once. Errors name the `field`.
async fn read_values(
    kinds: &WeightKindService,
    owner: ClientId,
    field: &str,
    bodies: &[WeightBody],
) -> Result<Vec<(WeightKindId, KindWeight)>, ApiError> {
    if bodies.is_empty() {
        return Ok(Vec::new());
    }
    if bodies.len() > MAX_WEIGHT_KINDS {
        return Err(ApiError::invalid_field(field, format!("Must be at most {MAX_WEIGHT_KINDS} kinds.")));
    }
    let known = kinds.kinds(owner).await?;
    let mut check = FieldCheck::default();
    let mut read: Vec<(WeightKindId, KindWeight)> = Vec::new();
    for (place, WeightBody { kind_id, value }) in bodies.iter().enumerate() {
        let mut entry = FieldCheck::default();
        match kind_id.parse().ok().and_then(|id: WeightKindId| known.iter().find(|kind| kind.id == id)) {
            None => entry.note("kindId", WANTED_KIND.to_owned()),
            Some(kind) if read.iter().any(|(other, _)| *other == kind.id) => {
                entry.note("kindId", "Must be listed only once.".to_owned());
            }
            Some(kind) => {
                let value = entry.keep("value", KindWeight::parse(value, kind.decimals));
                read.push((kind.id, value.unwrap_or_default()));
            }
        }
        check.note_all(&format!("{field}.{place}"), entry);
    }
    check.finish(Some(read))
}
