use std::collections::HashMap;

use actix_web::post;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_kernel::PortFailure;
use plenum_records::{KnownRecord, KnownRecords};
use plenum_result_format::from_hexadecimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::error::{ApiError, ApiErrorBody};
use crate::extract::{Body, CallerAddress};
use crate::middleware::{Lookup, LookupKind, LookupRateLimit};

/// Hashes of records, from the QR code of minutes or from a screen.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "hashes": ["5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456"] }))]
pub(crate) struct FindRecordsBody {
    /// 1 to 100 record hashes, each of 64 hexadecimal digits.
    #[schema(min_items = 1, max_items = 100)]
    hashes: Vec<String>,
    /// The signature of minutes over exactly these hashes, in hexadecimal.
    #[schema(max_length = 128)]
    signature: Option<String>,
}

/// The digits of an Ed25519 signature.
const SIGNATURE_DIGITS: usize = 128;

/// Whether this installation has a record. It names neither the meeting nor the organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = RecordView::example)]
pub(crate) struct RecordView {
    /// The record hash.
    hash: String,
    /// Whether this installation has written a record with this hash, and signed it.
    is_known: bool,
    /// The position among the records of its meeting, from 1. Null if it is unknown.
    #[schema(required)]
    number: Option<u32>,
    /// The time of the record: that of the declaration. Null if it is unknown.
    #[schema(required)]
    recorded_at: Option<DateTime<Utc>>,
    /// The fingerprint of the key that signed the record. Null if it is unknown.
    #[schema(required)]
    key: Option<String>,
}

impl RecordView {
    pub(super) fn example() -> Value {
        json!({
            "hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456", "isKnown": true, "number": 1,
            "recordedAt": "2026-11-21T18:10:02Z",
            "key": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        })
    }

    /// The known facts about each of these hashes, in their order.
    pub(super) async fn all(records: &KnownRecords, hashes: Vec<String>) -> Result<Vec<Self>, PortFailure> {
        let mut known = HashMap::new();
        for part in hashes.chunks(KnownRecords::MOST) {
            let found = records.find(part.to_vec()).await?;
            known.extend(found.into_iter().map(|record| (record.hash.clone(), record)));
        }
        let view = |hash: String| match known.get(&hash) {
            Some(KnownRecord { number, recorded_at, key, .. }) => Self {
                hash,
                is_known: true,
                number: Some(*number),
                recorded_at: Some(*recorded_at),
                key: Some(key.clone()),
            },
            None => Self { hash, is_known: false, number: None, recorded_at: None, key: None },
        };
        Ok(hashes.into_iter().map(view).collect())
    }
}

/// The known facts about the records.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "records": [RecordView::example()], "minutesKey": null }))]
pub(crate) struct FoundRecordsView {
    /// The records, in the order of the hashes.
    records: Vec<RecordView>,
    /// The fingerprint of this installation's key that signed these hashes for minutes. Null without a signature, and with one
    /// that no such key made.
    #[schema(required)]
    minutes_key: Option<String>,
}

/// Known records in the envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": { "records": [RecordView::example()], "minutesKey": null } }))]
pub(crate) struct FoundRecordsAnswer {
    success: bool,
    data: FoundRecordsView,
}

/// Says whether this installation has records with these hashes, and whether it signed minutes with them. No login. It stores
/// nothing.
#[utoipa::path(
    tag = "public",
    request_body = FindRecordsBody,
    responses(
        (status = 200, description = "What is known of each hash", body = FoundRecordsAnswer),
        (status = 429, description = "Too many unknown hashes were tried; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many unknown record hashes were tried in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[post("/public/verify/records")]
pub(crate) async fn find_records(
    from: CallerAddress,
    Body(body): Body<FindRecordsBody>,
    limit: Data<LookupRateLimit>,
    records: Data<KnownRecords>,
) -> Result<Json<FoundRecordsAnswer>, ApiError> {
    let FindRecordsBody { hashes, signature } = body;
    let hashes: Vec<String> = hashes.into_iter().map(|hash| hash.to_ascii_lowercase()).collect();
    let is_hash = |hash: &String| from_hexadecimal(hash).is_some_and(|bytes| bytes.len() == 32);
    if hashes.is_empty() || hashes.len() > 100 || !hashes.iter().all(is_hash) {
        return Err(ApiError::invalid_field("hashes", "Must be 1 to 100 record hashes of 64 hexadecimal digits."));
    }
    if signature.as_ref().is_some_and(|signature| signature.len() > SIGNATURE_DIGITS) {
        return Err(ApiError::invalid_field("signature", "Must be at most 128 hexadecimal digits."));
    }
    let signature = signature.map(|signature| signature.to_ascii_lowercase());
    let minutes_key = signature.and_then(|signature| records.signer_of_minutes(&hashes, &signature));
    let find = async {
        let found = RecordView::all(&records, hashes.clone()).await?;
        Ok(found.iter().any(|record| record.is_known).then_some(found))
    };
    let lookup = Lookup { kind: LookupKind::Record, from: from.0, value: &hashes.concat() };
    let found = limit.look_up(lookup, find).await?;
    let unknown = |hash| RecordView { hash, is_known: false, number: None, recorded_at: None, key: None };
    let records = found.unwrap_or_else(|| hashes.into_iter().map(unknown).collect());
    Ok(Json(FoundRecordsAnswer { success: true, data: FoundRecordsView { records, minutes_key } }))
}
