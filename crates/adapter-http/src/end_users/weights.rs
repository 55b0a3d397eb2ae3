use plenum_clients::WeightKindService;
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
    if bodies.is_empty() {
        return Ok(KindWeights::default());
    }
    if bodies.len() > MAX_WEIGHT_KINDS {
        return Err(ApiError::invalid_field("weights", format!("Must be at most {MAX_WEIGHT_KINDS} kinds.")));
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
        check.note_all(&format!("weights.{place}"), entry);
    }
    check.finish(Some(read.into_iter().collect()))
}
