//! Checks the records of declared results and of ended meetings in the database.

use std::sync::Arc;

use plenum_adapter_postgres::{Db, PostgresMeetingRecords, PostgresRecords, PostgresResults};
use plenum_kernel::{ClientId, EvidenceKeys, PortFailure};
use plenum_records::{CanonicalRecords, CheckPorts, CheckedRecords, RecordCheck};
use plenum_voting::{RecordWriter, ResultRecords};

use crate::output::print_line;

/// Checks the records of all organizations, or of one, and prints what does not fit. Returns whether all is well.
///
/// # Errors
/// Fails when the database does not respond.
pub(super) async fn check(db: &Db, keys: Arc<dyn EvidenceKeys>, owner: Option<ClientId>) -> Result<bool, PortFailure> {
    let writer: Arc<dyn RecordWriter> = Arc::new(CanonicalRecords::new(Arc::clone(&keys)));
    let records: Arc<dyn ResultRecords> = Arc::new(PostgresRecords::new(db.clone(), Arc::clone(&writer)));
    let results = Arc::new(PostgresResults::new(db.clone(), writer));
    let meetings = Arc::new(PostgresMeetingRecords::new(db.clone()));
    let check = RecordCheck::new(CheckPorts { records: Arc::clone(&records), results, meetings }, keys);
    let mut are_whole = true;
    for (client, meeting) in records.meetings(owner, u32::MAX).await? {
        let CheckedRecords { records, closings, is_meeting_gone, findings } = check.check(client, meeting).await?;
        let outcome = if findings.is_empty() { "intact " } else { "BROKEN " };
        let gone = if is_meeting_gone { ", the meeting was deleted" } else { "" };
        print_line(&format!("{outcome}  records of meeting {meeting}: {records}, closing records: {closings}{gone}"));
        for finding in &findings {
            print_line(&format!("         {finding}"));
        }
        are_whole &= findings.is_empty();
    }
    Ok(are_whole)
}
