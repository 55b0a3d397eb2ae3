//! Public data, without a token.

mod client;
mod evidence_keys;
mod logo;
mod meeting_by_link;
mod records;
mod verify;

pub(crate) use evidence_keys::well_known_routes;
pub(crate) use verify::FileChecks;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(client::find_public_client)
        .service(logo::find_logo)
        .service(evidence_keys::list_evidence_keys)
        .service(meeting_by_link::find_meeting_by_link)
        .service(records::find_records)
        .service(verify::verify_file);
}
