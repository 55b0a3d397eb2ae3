//! The check of records and of the audit log: for `plenum verify --database`, the data integrity test and the start.

use std::sync::Arc;

use plenum_adapter_postgres::{
    AuditChains, Db, PostgresMeetingRecords, PostgresPurgeDocuments, PostgresRecords, PostgresResults,
    PostgresTimestamps,
};
use plenum_kernel::{ClientId, EvidenceKeys, MeetingId, PortFailure};
use plenum_records::{CanonicalRecords, CheckPorts, CheckedRecords, RecordCheck};
use plenum_result_format::{AuditHead, hexadecimal};
use plenum_timestamp_format::Authorities;
use plenum_verify::{ChainCheck, ChainFault, CheckedPurges};
use plenum_voting::{LostRecord, RecordWriter, ResultRecords};
use uuid::Uuid;

use crate::purges::PurgeCheck;

/// Checks whether records and audit log are those that the product wrote.
pub struct EvidenceCheck {
    records: Arc<dyn ResultRecords>,
    check: RecordCheck,
    chains: AuditChains,
    purges: PurgeCheck,
}

/// The findings of a check of one chain of the audit log.
#[derive(Clone, Debug)]
pub struct CheckedChain {
    /// The end of the chain. `None` without entries.
    pub head: Option<AuditHead>,
    /// The number of the last entry that was purged under a signed document; 0 without a purge.
    pub purged: u64,
    /// The number of entries that are not linked yet.
    pub waiting: u64,
    /// The entries whose time is before that of the entry before them. No contradictions.
    pub set_back: Vec<u64>,
    /// The contradictions.
    pub faults: Vec<ChainFault>,
}

/// Something that does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceFinding {
    /// The table.
    pub table: &'static str,
    /// The meeting of a record, or the chain of the audit log.
    pub id: Uuid,
    /// A sentence without a full stop. It contains ids and names of fields, and no text of people.
    pub text: String,
}

/// All that does not match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvidenceFindings {
    /// About declared results.
    pub records: Vec<EvidenceFinding>,
    /// About the audit log.
    pub audit_log: Vec<EvidenceFinding>,
}

impl EvidenceCheck {
    /// A check of this database with the keys of this installation.
    pub fn new(db: Db, keys: Arc<dyn EvidenceKeys>) -> Self {
        let writer: Arc<dyn RecordWriter> = Arc::new(CanonicalRecords::new(Arc::clone(&keys)));
        let records: Arc<dyn ResultRecords> = Arc::new(PostgresRecords::new(db.clone(), Arc::clone(&writer)));
        let purges = Arc::new(PostgresPurgeDocuments::new(db.clone()));
        let purges = PurgeCheck::new(purges, Some(Arc::clone(&keys)));
        let results = Arc::new(PostgresResults::new(db.clone(), writer));
        let meetings = Arc::new(PostgresMeetingRecords::new(db.clone()));
        let timestamps = Arc::new(PostgresTimestamps::new(db.clone()));
        let ports = CheckPorts { records: Arc::clone(&records), results, meetings, timestamps };
        let check = RecordCheck::new(ports, keys);
        Self { records, check, chains: AuditChains::new(db), purges }
    }

    /// The same check, in which these certificates must vouch for each timestamp.
    #[must_use]
    pub fn with_authorities(self, authorities: Option<Arc<Authorities>>) -> Self {
        Self { check: self.check.with_authorities(authorities), ..self }
    }

    /// The meetings with declared results, of all clients or of one, the one with the latest result first.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn meetings(&self, owner: Option<ClientId>) -> Result<Vec<(ClientId, MeetingId)>, PortFailure> {
        self.records.meetings(owner, u32::MAX).await
    }

    /// Checks the records of a meeting.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn check_meeting(&self, client: ClientId, meeting: MeetingId) -> Result<CheckedRecords, PortFailure> {
        let checked = self.check.check(client, meeting).await?;
        if checked.findings.is_empty() || !self.purges.of(client.as_uuid()).await?.covers_meeting(meeting.as_uuid()) {
            return Ok(checked);
        }
        // It is being purged, or somebody brought a part of it back.
        let again = self.check.check(client, meeting).await?;
        let is_gone = again.is_meeting_gone && (again.records, again.closings) == (0, 0);
        Ok(if is_gone { CheckedRecords { findings: Vec::new(), ..again } } else { again })
    }

    /// Looks for declared results in the audit log whose records are gone and were not purged, of all clients or of one.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn check_log(&self, owner: Option<ClientId>) -> Result<Vec<(ClientId, String)>, PortFailure> {
        let chain = owner.map(ClientId::as_uuid);
        let mut purges = self.purges.all(chain).await?;
        loop {
            let is_purged = |lost: &LostRecord| {
                purges.get(&lost.client.as_uuid()).is_some_and(|purges| purges.covers_record(&lost.hash))
            };
            let found = self.check.check_log(owner, is_purged).await?;
            // A purge may have come between.
            let now = if found.is_empty() { return Ok(found) } else { self.purges.all(chain).await? };
            if now == purges {
                return Ok(found);
            }
            purges = now;
        }
    }

    /// All that does not match, in the data of all clients or of one.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn findings(&self, owner: Option<ClientId>) -> Result<EvidenceFindings, PortFailure> {
        let chains = match owner {
            Some(owner) => vec![owner.as_uuid()],
            None => self.chains.all().await?,
        };
        let meetings = self.meetings(owner).await?;
        self.look(owner, meetings, chains).await
    }

    /// All that does not match in the last meeting with a declared result and its organization's audit log.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn findings_of_last_meeting(&self) -> Result<EvidenceFindings, PortFailure> {
        let last = self.records.meetings(None, 1).await?;
        let chains = last.iter().map(|(client, _)| client.as_uuid()).collect();
        self.look(None, last, chains).await
    }

    async fn look(
        &self,
        owner: Option<ClientId>,
        meetings: Vec<(ClientId, MeetingId)>,
        chains: Vec<Uuid>,
    ) -> Result<EvidenceFindings, PortFailure> {
        let mut found = EvidenceFindings::default();
        for (client, meeting) in meetings {
            let id = meeting.as_uuid();
            let texts = self.check_meeting(client, meeting).await?.findings;
            found.records.extend(texts.into_iter().map(|text| EvidenceFinding { table: "result_records", id, text }));
        }
        for (client, text) in self.check_log(owner).await? {
            found.records.push(EvidenceFinding { table: "result_records", id: client.as_uuid(), text });
        }
        for id in chains {
            for fault in self.check_chain(id).await?.faults {
                found.audit_log.push(EvidenceFinding { table: "audit_entries", id, text: fault.to_string() });
            }
        }
        Ok(found)
    }

    /// Checks one chain up to its head at the start. Entries that are linked during the check are left for the next one.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn check_chain(&self, chain: Uuid) -> Result<CheckedChain, PortFailure> {
        check_chain(&self.chains, chain, &self.purges).await
    }
}

/// As [`EvidenceCheck::check_chain`], with these purges.
///
/// # Errors
/// Fails when the database does not respond.
pub(crate) async fn check_chain(
    chains: &AuditChains,
    chain: Uuid,
    purges: &PurgeCheck,
) -> Result<CheckedChain, PortFailure> {
    let mut known = purges.of(chain).await?;
    loop {
        let checked = check_once(chains, chain, &known).await?;
        // A purge may have come between.
        let now = if checked.faults.is_empty() { return Ok(checked) } else { purges.of(chain).await? };
        if now == known {
            return Ok(checked);
        }
        known = now;
    }
}

async fn check_once(chains: &AuditChains, chain: Uuid, purges: &CheckedPurges) -> Result<CheckedChain, PortFailure> {
    let purged = purges.purged_head().number;
    let state = chains.state(chain).await?;
    let head = state.head.map(|(number, hash)| AuditHead { number, hash: hexadecimal(&hash) });
    let last = head.as_ref().map_or(0, |head| head.number);
    let mut check = ChainCheck::new(chain, purges);
    let mut taken = 0;
    'pages: loop {
        let page = chains.page(chain, taken).await?;
        for entry in &page.entries {
            // An entry behind the head was linked during the check, or was inserted without a link.
            if entry.number > last && chains.state(chain).await?.head.is_some_and(|(number, _)| number >= entry.number)
            {
                break 'pages;
            }
            check.take(entry);
            taken = entry.number;
        }
        if !page.is_full {
            break;
        }
    }
    let set_back = check.set_back().to_vec();
    let faults = check.finish(head.as_ref());
    Ok(CheckedChain { head, purged, waiting: state.waiting, set_back, faults })
}
