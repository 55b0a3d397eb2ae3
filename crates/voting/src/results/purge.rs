use async_trait::async_trait;
use chrono::{DateTime, Months, TimeDelta, Utc};
use plenum_kernel::{ClientId, Clock, MeetingId, PortFailure, RoundId};
use uuid::Uuid;

use crate::{ClockDoubt, KnownTimes, SETTLED_DAYS, SealedRecord};

/// The retention time of evidence, in years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention(u32);

impl Retention {
    /// The longest time.
    pub const MAX_YEARS: u32 = 100;

    /// So many years, from 1 to [`Self::MAX_YEARS`].
    pub fn years(years: u32) -> Option<Self> {
        (1..=Self::MAX_YEARS).contains(&years).then_some(Self(years))
    }

    /// The end of the retention time: everything older may be purged.
    pub fn cutoff(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now.checked_sub_months(Months::new(self.0 * 12)).unwrap_or(DateTime::<Utc>::MIN_UTC)
    }

    /// Checks the time before which somebody wants to purge. A time within the retention time needs a confirmation of its own,
    /// and even with it the last [`YOUNGEST_DAYS`] days are kept.
    ///
    /// # Errors
    /// States why nothing is purged.
    pub fn check(self, before: DateTime<Utc>, now: DateTime<Utc>, is_confirmed: bool) -> Result<(), TooYoung> {
        if before > now - TimeDelta::days(YOUNGEST_DAYS) {
            Err(TooYoung::Recent)
        } else if before > self.cutoff(now) && !is_confirmed {
            Err(TooYoung::Retained(self.0))
        } else {
            Ok(())
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self(10)
    }
}

/// The number of days whose evidence nobody purges.
pub const YOUNGEST_DAYS: i64 = 30;

/// Why a time is too young for a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooYoung {
    /// It is in the future, or less than [`YOUNGEST_DAYS`] days ago.
    #[error("the date must be at least {YOUNGEST_DAYS} days ago: younger evidence is never purged")]
    Recent,
    /// It is within the retention time.
    #[error(
        "the date is within the retention time of {0} years; to purge what should still be kept, add --within-retention"
    )]
    Retained(u32),
}

/// The data that a purge may remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PurgeScope {
    /// Only what is older than this.
    pub before: DateTime<Utc>,
    /// Only what belongs to this organization.
    pub client: Option<ClientId>,
    /// Only this meeting. Then the audit log stays.
    pub meeting: Option<MeetingId>,
}

/// A meeting that a purge removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueMeeting {
    /// The organization.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// Its title. `None` if it was deleted.
    pub title: Option<String>,
    /// The time of its end, or of what was recorded about it last.
    pub at: DateTime<Utc>,
    /// The number of records of results.
    pub records: u32,
    /// The number of closing records.
    pub closings: u32,
    /// The number of amendments.
    pub amendments: u32,
}

/// A meeting that is due by its rows, and that no purge removes, because its rows are not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMeeting {
    /// The organization.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// Its title. `None` if it was deleted.
    pub title: Option<String>,
    /// What does not match, as a sentence without a full stop. It contains ids, and no text of people.
    pub reason: String,
}

/// Entries of an audit log that a purge removes, always from the first one that is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueEntries {
    /// The organization, or zeros for the platform.
    pub chain: Uuid,
    /// The number of the first one.
    pub first: u64,
    /// The number of the last one.
    pub last: u64,
    /// The hash of the last one, in hexadecimal.
    pub last_hash: String,
}

/// All that a purge removes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuePurge {
    /// Meetings, those of one organization one after the other.
    pub meetings: Vec<DueMeeting>,
    /// Meetings that are due by their rows only. They stay.
    pub refused: Vec<RefusedMeeting>,
    /// Entries of audit logs that no record needs which is kept. A purge of meetings frees further ones.
    pub entries: Vec<DueEntries>,
}

impl DuePurge {
    /// The organizations of which something is due, with zeros for the platform, each once. The platform comes last: its log
    /// tells which organizations were deleted, as long as their records are kept.
    pub fn chains(&self) -> Vec<Uuid> {
        let of_meetings = self.meetings.iter().map(|due| due.client.as_uuid());
        let mut chains: Vec<Uuid> = of_meetings.chain(self.entries.iter().map(|due| due.chain)).collect();
        chains.sort_unstable_by_key(|chain| (chain.is_nil(), *chain));
        chains.dedup();
        chains
    }
}

/// The initiator of a purge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PurgedBy {
    /// The retention rule.
    Rule,
    /// The command, and the name that was given to it.
    Command(Option<String>),
}

/// A purge that is carried out now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeOrder {
    /// The data that may be removed.
    pub scope: PurgeScope,
    /// The initiator.
    pub by: PurgedBy,
    /// The present time.
    pub at: DateTime<Utc>,
}

/// A meeting with the hashes of everything that is removed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeableMeeting {
    /// The meeting.
    pub meeting: MeetingId,
    /// The records of results: round, number and hash.
    pub records: Vec<(RoundId, u32, String)>,
    /// The closing records: number and hash.
    pub closings: Vec<(u32, String)>,
    /// The number of amendments.
    pub amendments: u32,
}

/// The content of one purge document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purgeable {
    /// The organization, or zeros for the platform.
    pub chain: Uuid,
    /// The place among the purges of the organization, from 1.
    pub number: u32,
    /// The hash of the purge before it.
    pub previous_hash: Option<String>,
    /// The purge.
    pub order: PurgeOrder,
    /// The meetings.
    pub meetings: Vec<PurgeableMeeting>,
    /// The entries of the audit log.
    pub entries: Option<DueEntries>,
}

/// The data that one purge removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    /// The hash of the document.
    pub document: String,
    /// The number of meetings.
    pub meetings: u64,
    /// The number of records of results and of closing records.
    pub records: u64,
    /// The number of entries of the audit log.
    pub entries: u64,
    /// The meetings that stayed, because their rows are not proven.
    pub refused: Vec<RefusedMeeting>,
}

/// The document of a purge as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPurge {
    /// The organization, or zeros for the platform.
    pub chain: Uuid,
    /// The place among the purges of the organization, from 1.
    pub number: u32,
    /// The document, its hash and its signature.
    pub sealed: SealedRecord,
}

/// Removes old evidence. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PurgeStore: Send + Sync {
    /// The data that a purge of this scope removes. At most `limit` meetings, the oldest first in each organization.
    ///
    /// A meeting is due if it was completed or deleted, and its end, its records and amendments are all older than the time of
    /// the scope. Entries of an audit log are due up to the first one that is younger, or that a record names which is kept.
    /// An entry that tells of the deletion of an organization is needed as long as one of its records is kept.
    ///
    /// MUST decide by what is signed: a meeting is refused if one of its records is damaged, or if its rows have other times
    /// than the documents. Refused, too, is one about which the audit log has an entry that is younger, that is behind younger
    /// ones, or that was changed. MUST NOT remove entries of an audit log that were changed.
    async fn due(&self, scope: PurgeScope, limit: u32) -> Result<DuePurge, PortFailure>;

    /// Removes some of what is due in one organization, or in the platform's log, under a signed document. Waits for a purge
    /// that is running. `None` when nothing is due. Leaves alone the meetings in `except`, which need no further check.
    ///
    /// MUST lock the meetings and check them again, so that nothing goes that was added meanwhile. MUST leave an entry in the
    /// audit log.
    async fn purge(
        &self,
        chain: Uuid,
        order: PurgeOrder,
        except: Vec<MeetingId>,
    ) -> Result<Option<Purged>, PortFailure>;

    /// The clock of the database, and the newest entry of all audit logs before `before`. MUST leave out entries that a later
    /// one sets back by more than ten minutes.
    async fn known_times(&self, before: DateTime<Utc>) -> Result<KnownTimes, PortFailure>;
}

/// Reads the documents of purges.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait PurgeDocuments: Send + Sync {
    /// The documents of all purges, or of those of one organization (zeros: of the platform), in the order of organizations and
    /// numbers.
    async fn documents(&self, chain: Option<Uuid>) -> Result<Vec<StoredPurge>, PortFailure>;
}

/// The number of meetings of which one look finds out that they are due.
const AT_ONCE: u32 = 10_000;

/// Why the retention rule purged nothing, or not everything.
#[derive(Debug, thiserror::Error)]
pub enum RuleFailure {
    /// The clock is not plausible.
    #[error(transparent)]
    Clock(#[from] ClockDoubt),
    /// The store does not respond.
    #[error(transparent)]
    Store(#[from] PortFailure),
}

/// Checks that a clock is plausible before something is purged by it.
///
/// # Errors
/// Fails when the store does not respond.
pub async fn check_clock(store: &dyn PurgeStore, now: DateTime<Utc>) -> Result<Option<ClockDoubt>, PortFailure> {
    let times = store.known_times(now - TimeDelta::days(SETTLED_DAYS)).await?;
    Ok(times.doubt(now))
}

/// Purges all that is due by the retention rule, and returns what was removed.
///
/// # Errors
/// Fails when the clock is not plausible: then nothing was removed. Fails, too, when the store does not respond: what was
/// removed until then stays removed.
pub async fn purge_by_rule(
    store: &dyn PurgeStore,
    clock: &dyn Clock,
    retention: Retention,
) -> Result<Purged, RuleFailure> {
    let at = clock.now();
    if let Some(doubt) = check_clock(store, at).await? {
        return Err(doubt.into());
    }
    let scope = PurgeScope { before: retention.cutoff(at), client: None, meeting: None };
    Ok(purge_all(store, PurgeOrder { scope, by: PurgedBy::Rule, at }).await?)
}

/// Purges all that is due by an order, and returns what was removed.
///
/// # Errors
/// Fails when the store does not respond. What was removed until then stays removed.
pub async fn purge_all(store: &dyn PurgeStore, order: PurgeOrder) -> Result<Purged, PortFailure> {
    let mut sum = Purged::default();
    loop {
        let before = (sum.meetings, sum.records, sum.entries);
        let due = store.due(order.scope, AT_ONCE).await?;
        for chain in due.chains() {
            let of_chain = due.refused.iter().filter(|refused| refused.client.as_uuid() == chain);
            let except: Vec<MeetingId> = of_chain.map(|refused| refused.meeting).collect();
            // One transaction for each part, because each locks its meetings.
            while let Some(purged) = store.purge(chain, order.clone(), except.clone()).await? {
                sum.meetings += purged.meetings;
                sum.records += purged.records;
                sum.entries += purged.entries;
                sum.document = purged.document;
            }
        }
        // Removed records free entries of audit logs, also of the platform's.
        if (sum.meetings, sum.records, sum.entries) == before {
            return Ok(Purged { refused: due.refused, ..sum });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_retention_is_a_number_of_years() {
        assert_eq!((Retention::years(0), Retention::years(101)), (None, None));
        let cutoff = |years, now| Retention::years(years).map(|retention| retention.cutoff(at(now)));
        assert_eq!(cutoff(1, "2026-11-25T10:00:00Z"), Some(at("2025-11-25T10:00:00Z")));
        assert_eq!(cutoff(100, "2026-11-25T10:00:00Z"), Some(at("1926-11-25T10:00:00Z")));
        assert_eq!(cutoff(1, "2028-02-29T10:00:00Z"), Some(at("2027-02-28T10:00:00Z")));
        assert_eq!(Retention::default(), Retention(10));
    }

    #[test]
    fn what_should_be_kept_needs_a_confirmation_and_the_last_days_stay() {
        let (now, retention) = (at("2026-11-25T10:00:00Z"), Retention::default());
        for (before, is_confirmed, expected) in [
            ("2016-11-25T10:00:00Z", false, Ok(())),
            ("2016-11-25T10:00:01Z", false, Err(TooYoung::Retained(10))),
            ("2016-11-25T10:00:01Z", true, Ok(())),
            ("2026-10-26T10:00:00Z", true, Ok(())),
            ("2026-10-26T10:00:01Z", true, Err(TooYoung::Recent)),
            ("2027-01-01T00:00:00Z", true, Err(TooYoung::Recent)),
        ] {
            assert_eq!(retention.check(at(before), now, is_confirmed), expected, "{before}");
        }
    }

    #[tokio::test]
    async fn refused_meetings_are_not_checked_again_in_each_part() {
        let (one, two) = (ClientId::from_uuid(Uuid::from_u128(1)), ClientId::from_uuid(Uuid::from_u128(2)));
        let kept = [3, 4].map(|id| MeetingId::from_uuid(Uuid::from_u128(id)));
        let refused = [(one, kept[0]), (two, kept[1])].map(|(client, meeting)| RefusedMeeting {
            client,
            meeting,
            title: None,
            reason: "its closing record is missing".to_owned(),
        });
        let entries = DueEntries { chain: one.as_uuid(), first: 1, last: 2, last_hash: String::new() };
        let due = DuePurge { refused: refused.to_vec(), entries: vec![entries], ..DuePurge::default() };
        let mut store = MockPurgeStore::new();
        store.expect_due().once().returning(move |_, _| Ok(due.clone()));
        store.expect_purge().once().returning(move |chain, _, except| {
            assert_eq!((chain, except), (one.as_uuid(), vec![kept[0]]));
            Ok(None)
        });
        let before = at("2016-11-25T10:00:00Z");
        let scope = PurgeScope { before, client: None, meeting: None };
        let order = PurgeOrder { scope, by: PurgedBy::Rule, at: before };
        assert_eq!(purge_all(&store, order).await.unwrap().refused, refused);
    }

    #[test]
    fn the_platform_is_purged_last() {
        let entries = |chain| DueEntries { chain, first: 1, last: 2, last_hash: String::new() };
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let due = DuePurge {
            entries: vec![entries(Uuid::nil()), entries(two), entries(one), entries(two)],
            ..DuePurge::default()
        };
        assert_eq!(due.chains(), [one, two, Uuid::nil()]);
    }
}
