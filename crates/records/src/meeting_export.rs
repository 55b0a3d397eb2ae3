//! A meeting with its rounds for a signed file, so that neither contradicts the other.

use plenum_kernel::{ClientId, MeetingId, PortFailure};
use plenum_voting::{MeetingRecord, MeetingRecords};

use crate::file_format::RoundsOfMeeting;
use crate::recorded_results::RecordedResults;

/// The maximum number of times that the rounds are read.
const MOST_READS: usize = 5;

/// Reads a meeting and its rounds for a file. They are in several transactions, and a count can take seconds, so both are read
/// again if the meeting ended or was amended meanwhile: a result that is declared after the end is an amendment. `None` when
/// this client has no such meeting.
///
/// # Errors
/// Fails when a store does not respond, or as busy when the meeting changed during each read.
pub async fn exported_meeting(
    meetings: &dyn MeetingRecords,
    results: &RecordedResults,
    client: ClientId,
    meeting: MeetingId,
) -> Result<Option<(MeetingRecord, RoundsOfMeeting)>, PortFailure> {
    let Some(mut before) = meetings.record(client, meeting).await? else { return Ok(None) };
    for _ in 0..MOST_READS {
        let Some(rounds) = results.files(client, meeting).await? else { return Ok(None) };
        let Some(after) = meetings.record(client, meeting).await? else { return Ok(None) };
        if is_same_state(&before, &after) {
            // The later one also has everybody who checked in before the last of these rounds opened.
            return Ok(Some((after, rounds)));
        }
        before = after;
    }
    Err(PortFailure::busy("a meeting that changes all the time"))
}

/// Whether a meeting neither started, ended nor was amended between two reads. The logs of a running meeting may have grown.
fn is_same_state(before: &MeetingRecord, after: &MeetingRecord) -> bool {
    before.status == after.status && before.closings == after.closings && before.amendments == after.amendments
}
