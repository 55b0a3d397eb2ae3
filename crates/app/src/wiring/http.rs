use std::sync::Arc;

use plenum_adapter_documents::Documents;
use plenum_adapter_http::{
    Attribution, Diagnostics, MetricsPage, ProcessMemory, Readiness, RequestMetrics, Revocations, Services, Stopping,
};
use plenum_adapter_nats::NatsBus;
use plenum_adapter_postgres::{
    PostgresDiagnostics, PostgresMeetingAudit, PostgresMeetingRecords, PostgresPurgeDocuments,
};
use plenum_clients::AccessCheck;
use plenum_kernel::{Clock, EvidenceKeys};
use plenum_meetings::live::LiveStreams;
use plenum_verify::KnownAuthorities;

use super::clients::Clients;
use super::identity::Identity;
use super::live::Live;
use super::meetings::Meetings;
use super::voting::Voting;
use crate::EvidenceCheck;
use crate::database::{DatabaseAttribution, DatabaseDiagnostics, Pools};
use crate::server::{OwnMemory, ProductReadiness};

/// The parts of the HTTP adapter's services.
pub(super) struct ServiceParts<'a> {
    pub(super) pools: &'a Pools,
    pub(super) nats: Option<Arc<NatsBus>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) evidence_keys: Arc<dyn EvidenceKeys>,
    pub(super) evidence: Arc<EvidenceCheck>,
    pub(super) timestamp_authorities: KnownAuthorities,
    pub(super) documents: Arc<Documents>,
    pub(super) identity: &'a Identity,
    pub(super) clients: &'a Clients,
    pub(super) meetings: &'a Meetings,
    pub(super) voting: &'a Voting,
    pub(super) live: &'a Live,
    pub(super) requests: Arc<RequestMetrics>,
    pub(super) metrics: Arc<dyn MetricsPage>,
}

impl ServiceParts<'_> {
    /// The services that handlers call. Starts to apply revocations of other instances.
    pub(super) fn into_services(self) -> Services {
        let Self { pools, nats, identity, clients, meetings, voting, .. } = self;
        let stopping = Arc::new(Stopping::default());
        Services {
            revocations: revocations(&identity.access, nats.as_ref()),
            access: Arc::clone(&identity.access),
            sign_in: Arc::clone(&identity.sign_in),
            accounts: Arc::clone(&identity.accounts),
            sessions: Arc::clone(&identity.sessions),
            join_links: Arc::clone(&identity.join_links),
            second_factors: Arc::clone(&identity.second_factors),
            password_resets: Arc::clone(&identity.password_resets),
            clients: Arc::clone(&clients.clients),
            branding: Arc::clone(&clients.branding),
            end_users: Arc::clone(&clients.end_users),
            groups: Arc::clone(&clients.groups),
            weight_kinds: Arc::clone(&clients.weight_kinds),
            reports: Arc::clone(&clients.reports),
            audit: Arc::clone(&clients.audit),
            sheet_reader: Arc::clone(&self.documents) as _,
            sheet_writer: Arc::clone(&self.documents) as _,
            meetings: Arc::clone(&meetings.meetings),
            invitations: Arc::clone(&meetings.invitations),
            check_ins: Arc::clone(&meetings.check_ins),
            agenda: Arc::clone(&meetings.agenda),
            rehearsals: Arc::clone(&meetings.rehearsals),
            remarks: Arc::clone(&meetings.remarks),
            rounds: Arc::clone(&voting.rounds),
            registers: Arc::clone(&voting.registers),
            ballots: Arc::clone(&voting.ballots),
            proxies: Arc::clone(&voting.proxies),
            paper_votes: Arc::clone(&voting.paper_votes),
            results: Arc::clone(&voting.results),
            recorded_results: Arc::clone(&voting.recorded_results),
            answer_walls: Arc::clone(&voting.answer_walls),
            evidence_keys: Arc::clone(&self.evidence_keys),
            known_records: Arc::clone(&voting.known_records),
            purge_documents: Arc::new(PostgresPurgeDocuments::new(pools.general.clone())),
            timestamp_authorities: Arc::new(self.timestamp_authorities),
            table_reader: Arc::clone(&self.documents) as _,
            meeting_records: Arc::new(PostgresMeetingRecords::new(pools.general.clone())),
            meeting_audit: Arc::new(PostgresMeetingAudit::new(&pools.general)),
            result_documents: self.documents,
            live: Arc::clone(&self.live.hub) as Arc<dyn LiveStreams>,
            live_signals: Arc::clone(&self.live.meeting_signals),
            clock: self.clock,
            attribution: Arc::new(DatabaseAttribution) as Arc<dyn Attribution>,
            diagnostics: Arc::new(DatabaseDiagnostics::new(
                PostgresDiagnostics::new(pools.general.clone()),
                self.evidence,
            )) as Arc<dyn Diagnostics>,
            memory: Arc::new(OwnMemory) as Arc<dyn ProcessMemory>,
            requests: self.requests,
            metrics: self.metrics,
            readiness: Arc::new(ProductReadiness {
                database: pools.health.clone(),
                nats,
                stopping: Arc::clone(&stopping),
            }) as Arc<dyn Readiness>,
            stopping,
        }
    }
}

fn revocations(access: &Arc<AccessCheck>, nats: Option<&Arc<NatsBus>>) -> Arc<Revocations> {
    let revocations = Arc::new(Revocations::new(Arc::clone(access), nats.map(|nats| Arc::clone(nats) as _)));
    if nats.is_some() {
        tokio::spawn(Arc::clone(&revocations).apply_remote());
    }
    revocations
}
