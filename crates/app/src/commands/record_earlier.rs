//! Records of results and ends of meetings from before there were records.
//!
//! Only a command writes them. A start that did so would sign whatever stands in the rows of a result whose record somebody
//! has removed from the database.

use std::sync::Arc;

use plenum_adapter_postgres::{Db, DbSettings, ExpectedFingerprints, PostgresMeetings, PostgresRecords, migrate};
use plenum_adapter_security::SystemClock;
use plenum_kernel::{ClientId, EvidenceKeys, MeetingId, PortFailure};
use plenum_meetings::MeetingStore;
use plenum_records::CanonicalRecords;
use plenum_voting::{RecordWriter, ResultRecords, UnrecordedResult};

use super::CommandError;
use super::close_earlier_meetings::close_earlier_meetings;
use super::record_earlier_results::record_earlier_results;
use super::verify::counted;
use crate::config::evidence_key;
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database};

/// Declared results and ended meetings without a record. Of each, the first ones.
pub(super) struct Unrecorded {
    results: Vec<UnrecordedResult>,
    meetings: Vec<(ClientId, MeetingId)>,
}

impl Unrecorded {
    /// Looks for them.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub(super) async fn find(
        records: &dyn ResultRecords,
        meetings: &dyn MeetingStore,
        keys: &dyn EvidenceKeys,
    ) -> Result<Self, PortFailure> {
        // A result that was declared after the first key had a record.
        let results = match keys.published().first() {
            Some(first) => records.unrecorded(first.created_at).await?,
            None => Vec::new(),
        };
        Ok(Self { results, meetings: meetings.unclosed().await? })
    }

    /// Warns of them at a start.
    pub(super) fn warn(&self) {
        if !self.is_empty() {
            tracing::warn!(
                results = self.results.len(),
                meetings = self.meetings.len(),
                "declared results or ended meetings have no signed record. If they are from a version without records, \
                 `plenum evidence-key record-earlier` lists and records them. Otherwise somebody has changed the database"
            );
        }
    }

    fn is_empty(&self) -> bool {
        self.results.is_empty() && self.meetings.is_empty()
    }

    fn show(&self) {
        print_line("Without a record, at least:");
        for UnrecordedResult { client, meeting, round } in &self.results {
            print_line(&format!("  Result of round {round}, meeting {meeting}, organization {client}"));
        }
        for (client, meeting) in &self.meetings {
            print_line(&format!("  End of meeting {meeting}, organization {client}"));
        }
    }
}

/// Lists what has no record and, once confirmed, records and signs it as it stands in the database now.
pub(super) fn run(config: &Config, is_confirmed: bool) -> Result<(), CommandError> {
    let file = evidence_key::path(config);
    let ring = evidence_key::load(&file)?.ok_or("there is no evidence key here: it signs the records")?;
    let database = Database::open_beside(config)?;
    let outcome = runtime()?.block_on(async {
        migrate(database.url()).await?;
        let expected = ExpectedFingerprints::of(database.url()).await?;
        evidence_key::check_expected(&file, Some(&ring), expected.evidence.as_deref())?;
        let keys: Arc<dyn EvidenceKeys> = Arc::new(ring);
        let db = Db::new(&DbSettings::new(database.url().to_owned()))?;
        let writer: Arc<dyn RecordWriter> = Arc::new(CanonicalRecords::new(Arc::clone(&keys)));
        let records = PostgresRecords::new(db.clone(), Arc::clone(&writer));
        let meetings = PostgresMeetings::new(db, writer);
        record(&records, &meetings, &*keys, is_confirmed).await
    });
    database.close()?;
    outcome
}

async fn record(
    records: &dyn ResultRecords,
    meetings: &dyn MeetingStore,
    keys: &dyn EvidenceKeys,
    is_confirmed: bool,
) -> Result<(), CommandError> {
    let unrecorded = Unrecorded::find(records, meetings, keys).await?;
    if unrecorded.is_empty() {
        print_line("Every declared result and ended meeting has its record.");
        return Ok(());
    }
    unrecorded.show();
    if !is_confirmed {
        print_line(
            "Nothing was recorded. If all of this is from a version without records, run the command again with --yes to record \
             and sign it as it stands in the database now.",
        );
        return Ok(());
    }
    let results = match keys.published().first() {
        Some(first) => record_earlier_results(records, &SystemClock, first.created_at).await?,
        None => 0,
    };
    // After the results: a closing record lists their records.
    let closed = close_earlier_meetings(meetings, &SystemClock).await?;
    let counts = [counted(usize::try_from(results)?, "result"), counted(usize::try_from(closed)?, "ended meeting")];
    print_line(&format!("Recorded, and marked as recorded later: {}", counts.join(", ")));
    Ok(())
}
