use chrono::{DateTime, Utc};
use plenum_kernel::{Clock, PortFailure};
use plenum_voting::ResultRecords;

/// Writes the missing records of results that were declared before there were records, marked as recorded later.
/// `first_key` is the time of the installation's first key: a result declared after it had a record, so a missing
/// record counts as damage. Returns the number of written records.
///
/// # Errors
/// Fails when the database does not respond. A repeat continues from there.
pub(super) async fn record_earlier_results(
    records: &dyn ResultRecords,
    clock: &dyn Clock,
    first_key: DateTime<Utc>,
) -> Result<u64, PortFailure> {
    let mut recorded = 0;
    loop {
        let unrecorded = records.unrecorded(first_key).await?;
        if unrecorded.is_empty() {
            return Ok(recorded);
        }
        // One transaction for each, because each locks its meeting.
        for result in unrecorded {
            records.record_later(result, clock.now()).await?;
            recorded += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use plenum_adapter_security::SystemClock;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, MeetingId, RoundId};
    use plenum_voting::UnrecordedResult;
    use plenum_voting::testkit::MockResultRecords;

    use super::*;

    #[tokio::test]
    async fn all_results_before_the_first_key_are_recorded() {
        let ids = CountingIds::new();
        let result = || UnrecordedResult {
            client: ClientId::new(&ids),
            meeting: MeetingId::new(&ids),
            round: RoundId::new(&ids),
        };
        let mut pages = vec![Vec::new(), vec![result()], vec![result(), result()]];
        let first_key = SystemClock.now() - TimeDelta::days(1);
        let mut records = MockResultRecords::new();
        records.expect_unrecorded().times(3).returning(move |before| {
            assert_eq!(before, first_key);
            Ok(pages.pop().unwrap_or_default())
        });
        records.expect_record_later().times(3).returning(|_, _| Ok(()));
        assert_eq!(record_earlier_results(&records, &SystemClock, first_key).await.unwrap(), 3);
    }
}
