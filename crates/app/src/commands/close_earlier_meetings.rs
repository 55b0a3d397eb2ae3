use plenum_kernel::{Clock, PortFailure};
use plenum_meetings::MeetingStore;

/// Writes the missing closing records of meetings that ended before there were closing records, marked as recorded
/// later. A meeting that had one keeps its hash, so that a missing record counts as damage. Returns the number of
/// written records.
///
/// # Errors
/// Fails when the database does not respond. A repeat continues from there.
pub(super) async fn close_earlier_meetings(meetings: &dyn MeetingStore, clock: &dyn Clock) -> Result<u64, PortFailure> {
    let mut closed = 0;
    loop {
        let unclosed = meetings.unclosed().await?;
        if unclosed.is_empty() {
            return Ok(closed);
        }
        // One transaction for each, because each locks its meeting.
        for (owner, meeting) in unclosed {
            meetings.close_later(owner, meeting, clock.now()).await?;
            closed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use plenum_adapter_security::SystemClock;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, MeetingId};
    use plenum_meetings::testkit::MockMeetingStore;

    use super::*;

    #[tokio::test]
    async fn all_meetings_without_a_closing_record_get_one() {
        let ids = CountingIds::new();
        let place = || (ClientId::new(&ids), MeetingId::new(&ids));
        let mut pages = vec![Vec::new(), vec![place()], vec![place(), place()]];
        let mut meetings = MockMeetingStore::new();
        meetings.expect_unclosed().times(3).returning(move || Ok(pages.pop().unwrap_or_default()));
        meetings.expect_close_later().times(3).returning(|_, _, _| Ok(()));
        assert_eq!(close_earlier_meetings(&meetings, &SystemClock).await.unwrap(), 3);
    }
}
