use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use plenum_clients::{EndUserService, RuleErasures};
use plenum_kernel::Clock;
use plenum_voting::{PurgeStore, Purged, Retention, RuleFailure, purge_by_rule};
use tokio::time::interval;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The dependencies of the daily job.
pub(crate) struct RetentionJob {
    /// Removes old evidence, one purge at a time.
    pub(crate) purges: Arc<dyn PurgeStore>,
    /// Erases people.
    pub(crate) end_users: Arc<EndUserService>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// The retention time of evidence.
    pub(crate) retention: Retention,
    /// The retention time of personal data of deactivated people. `None` means unlimited.
    pub(crate) inactive: Option<Retention>,
}

/// Purges what has had its time and erases people by rule, at once and then every day, until it is dropped. Several instances
/// may do so at the same time: the store lets one purge after the other.
pub(crate) async fn apply_retention(job: RetentionJob) {
    let mut days = interval(DAY);
    loop {
        days.tick().await;
        apply_once(&job).await;
    }
}

async fn apply_once(job: &RetentionJob) {
    match purge_by_rule(&*job.purges, &*job.clock, job.retention).await {
        Ok(purged) => report(&purged),
        // What a wrong clock erases never comes back, either.
        Err(RuleFailure::Clock(doubt)) => {
            tracing::warn!(
                error = &doubt as &dyn Error,
                "did not purge old evidence and did not erase people, because the clock is in doubt: set it, or see `plenum purge`"
            );
            return;
        }
        // The next run retries. The clock may not have been checked, so nobody is erased either.
        Err(RuleFailure::Store(failure)) => {
            tracing::warn!(error = &failure as &dyn Error, "could not purge old evidence, and erased nobody");
            return;
        }
    }
    let Some(inactive) = job.inactive else { return };
    match job.end_users.erase_inactive(inactive.cutoff(job.clock.now())).await {
        Ok(outcome) => report_erasures(&outcome),
        Err(failure) => tracing::warn!(error = &failure as &dyn Error, "could not erase inactive people"),
    }
}

/// Logs what was purged, and what stayed although its rows say that it is old.
fn report(purged: &Purged) {
    for refused in &purged.refused {
        tracing::warn!(
            client = %refused.client,
            meeting = %refused.meeting,
            reason = %refused.reason,
            "did not purge a meeting whose rows are not proven: run `plenum verify --database`"
        );
    }
    if !purged.document.is_empty() {
        let (meetings, records, entries) = (purged.meetings, purged.records, purged.entries);
        tracing::info!(meetings, records, entries, "purged evidence that is older than the retention time");
    }
}

/// Logs how many people were erased, and who could not be.
fn report_erasures(outcome: &RuleErasures) {
    for failed in &outcome.failed {
        tracing::warn!(
            client = %failed.client,
            end_user = %failed.end_user,
            error = &failed.reason as &dyn Error,
            "could not erase an inactive person, and went on with the next"
        );
    }
    if outcome.erased > 0 {
        tracing::info!(erased = outcome.erased, "erased the personal data of people who were inactive for long");
    }
}

#[cfg(test)]
mod tests {
    use plenum_adapter_security::SystemClock;
    use plenum_voting::testkit::MockPurgeStore;
    use plenum_voting::{ClockDoubt, DuePurge, KnownTimes, PurgedBy};

    use super::*;

    #[tokio::test]
    async fn the_rule_purges_what_is_older_than_the_retention_time() {
        let retention = Retention::years(3).unwrap();
        let mut purges = MockPurgeStore::new();
        purges.expect_known_times().once().returning(|before| {
            assert!(before < SystemClock.now() - chrono::TimeDelta::days(29), "{before}");
            Ok(KnownTimes { database: SystemClock.now(), settled: Some(before) })
        });
        purges.expect_due().once().returning(move |scope, _| {
            let now = SystemClock.now();
            assert!(scope.before <= retention.cutoff(now), "{scope:?}");
            assert_eq!((scope.client, scope.meeting), (None, None));
            let entries =
                plenum_voting::DueEntries { chain: uuid::Uuid::nil(), first: 1, last: 2, last_hash: String::new() };
            Ok(DuePurge { entries: vec![entries], ..DuePurge::default() })
        });
        purges.expect_purge().once().returning(|_, order, _| {
            assert_eq!(order.by, PurgedBy::Rule);
            Ok(None)
        });
        purge_by_rule(&purges, &SystemClock, retention).await.unwrap();
    }

    #[tokio::test]
    async fn a_clock_that_is_years_ahead_of_the_audit_log_purges_nothing() {
        let settled = SystemClock.now() - chrono::TimeDelta::days(11 * 365);
        let mut purges = MockPurgeStore::new();
        purges
            .expect_known_times()
            .returning(move |_| Ok(KnownTimes { database: SystemClock.now(), settled: Some(settled) }));
        let refused = purge_by_rule(&purges, &SystemClock, Retention::default()).await;
        assert!(matches!(refused, Err(RuleFailure::Clock(ClockDoubt::Ahead { .. }))), "{refused:?}");
    }
}
