//! Checks the records of declared results and of ended meetings in the database.

use plenum_kernel::{ClientId, PortFailure};
use plenum_records::CheckedRecords;

use crate::EvidenceCheck;
use crate::output::print_line;

/// Checks the records of all organizations, or of one, and prints contradictions. Sets `is_broken` if there are any.
///
/// # Errors
/// Fails when the database does not respond. Contradictions that were found before are in `is_broken`.
pub(super) async fn check(
    check: &EvidenceCheck,
    owner: Option<ClientId>,
    is_broken: &mut bool,
) -> Result<(), PortFailure> {
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
        *is_broken |= !findings.is_empty();
    }
    for (client, finding) in check.check_log(owner).await? {
        print_line(&format!("BROKEN   records of organization {client}"));
        print_line(&format!("         {finding}"));
        *is_broken = true;
    }
    Ok(())
}
