use actix_web::get;
use actix_web::web::{self, Data, Json, ServiceConfig};
use plenum_kernel::EvidenceKeys;
use plenum_records::public_keys;
use plenum_result_format::PublicKey;
use serde::Serialize;
use utoipa::ToSchema;

/// The public keys of the installation.
#[derive(Serialize, ToSchema)]
pub(crate) struct EvidenceKeysAnswer {
    /// The keys, the first one first. The last one signs.
    keys: Vec<PublicKey>,
}

/// Returns the public keys that sign records and exports, for `plenum verify --keys`. No login. The same document is at
/// `/.well-known/plenum-evidence-keys.json`.
#[utoipa::path(
    tag = "public",
    responses((status = 200, description = "The keys", body = EvidenceKeysAnswer)),
)]
#[get("/public/evidence-keys")]
pub(crate) async fn list_evidence_keys(keys: Data<dyn EvidenceKeys>) -> Json<EvidenceKeysAnswer> {
    published(keys).await
}

async fn published(keys: Data<dyn EvidenceKeys>) -> Json<EvidenceKeysAnswer> {
    Json(EvidenceKeysAnswer { keys: public_keys(&**keys) })
}

/// The well-known address of the keys, below the base path.
pub(crate) fn well_known_routes(config: &mut ServiceConfig, base_path: &str) {
    config.route(&format!("{base_path}/.well-known/plenum-evidence-keys.json"), web::get().to(published));
}
