//! Checks the records of declared results and of ended meetings in the database.

use std::sync::Arc;

use plenum_adapter_postgres::Db;
use plenum_kernel::{ClientId, EvidenceKeys, PortFailure};
use plenum_records::CheckedRecords;
use plenum_timestamp_format::Authorities;

use crate::EvidenceCheck;
use crate::output::print_line;

/// Checks the records of all organizations, or of one, and prints contradictions. Returns whether all is well.
///
/// # Errors
/// Fails when the database does not respond.
pub(super) async fn check(
    db: &Db,
    keys: Arc<dyn EvidenceKeys>,
    authorities: Option<Arc<Authorities>>,
    owner: Option<ClientId>,
) -> Result<bool, PortFailure> {
    let check = EvidenceCheck::new(db.clone(), keys).with_authorities(authorities);
    let mut are_whole = true;
    for (client, meeting) in check.meetings(owner).await? {
        let CheckedRecords { records, closings, timestamps, is_meeting_gone, findings } =
            check.check_meeting(client, meeting).await?;
        let outcome = if findings.is_empty() { "intact " } else { "BROKEN " };
        let gone = if is_meeting_gone { ", the meeting was deleted" } else { "" };
        print_line(&format!(
            "{outcome}  records of meeting {meeting}: {records}, closing records: {closings}, timestamps: {timestamps}{gone}"
        ));
        for finding in &findings {
            print_line(&format!("         {finding}"));
        }
        are_whole &= findings.is_empty();
    }
    for (client, finding) in check.check_log(owner).await? {
        print_line(&format!("BROKEN   records of organization {client}"));
        print_line(&format!("         {finding}"));
        are_whole = false;
    }
    Ok(are_whole)
}
