use std::sync::Arc;

use actix_web::web::{Data, ServiceConfig};
use plenum_clients::{
    AccessCheck, AccountService, AuditLog, BrandingStore, ClientService, EndUserService, GroupService, JoinLinkService,
    PasswordResetService, ReportService, SecondFactorService, SessionService, SheetReader, SheetWriter, SignInService,
    WeightKindService,
};
use plenum_kernel::{Clock, EvidenceKeys};
use plenum_meetings::live::{LiveSignals, LiveStreams};
use plenum_meetings::{
    AgendaService, CheckInService, InvitationService, MeetingService, RehearsalService, RemarkService,
};
use plenum_records::{AnswerWalls, KnownRecords, RecordedResults};
use plenum_result_format::{MeetingAudit, ResultDocuments, TableReader};
use plenum_verify::KnownAuthorities;
use plenum_voting::{
    BallotService, MeetingRecords, PaperVoteService, ProxyService, PurgeDocuments, RegisterService, ResultService,
    RoundService,
};

use crate::diagnostics::Diagnostics;
use crate::diagnostics::ProcessMemory;
use crate::live::{Revocations, WatcherChecks};
use crate::middleware::Attribution;
use crate::middleware::RequestMetrics;
use crate::system::{MetricsPage, Readiness, Stopping};

/// All services that handlers call.
#[derive(Clone)]
#[expect(missing_docs, reason = "each field is named after the service it holds")]
pub struct Services {
    pub access: Arc<AccessCheck>,
    pub revocations: Arc<Revocations>,
    pub sign_in: Arc<SignInService>,
    pub clients: Arc<ClientService>,
    pub branding: Arc<dyn BrandingStore>,
    pub accounts: Arc<AccountService>,
    pub sessions: Arc<SessionService>,
    pub reports: Arc<ReportService>,
    pub end_users: Arc<EndUserService>,
    pub groups: Arc<GroupService>,
    pub weight_kinds: Arc<WeightKindService>,
    pub join_links: Arc<JoinLinkService>,
    pub sheet_reader: Arc<dyn SheetReader>,
    pub sheet_writer: Arc<dyn SheetWriter>,
    pub meetings: Arc<MeetingService>,
    pub invitations: Arc<InvitationService>,
    pub check_ins: Arc<CheckInService>,
    pub agenda: Arc<AgendaService>,
    pub remarks: Arc<RemarkService>,
    pub rehearsals: Arc<RehearsalService>,
    pub rounds: Arc<RoundService>,
    pub registers: Arc<RegisterService>,
    pub results: Arc<ResultService>,
    pub recorded_results: Arc<RecordedResults>,
    pub answer_walls: Arc<AnswerWalls>,
    pub evidence_keys: Arc<dyn EvidenceKeys>,
    pub known_records: Arc<KnownRecords>,
    pub purge_documents: Arc<dyn PurgeDocuments>,
    pub timestamp_authorities: Arc<KnownAuthorities>,
    pub table_reader: Arc<dyn TableReader>,
    pub meeting_records: Arc<dyn MeetingRecords>,
    pub result_documents: Arc<dyn ResultDocuments>,
    pub meeting_audit: Arc<dyn MeetingAudit>,
    pub ballots: Arc<BallotService>,
    pub proxies: Arc<ProxyService>,
    pub paper_votes: Arc<PaperVoteService>,
    pub live: Arc<dyn LiveStreams>,
    pub live_signals: Arc<dyn LiveSignals>,
    pub clock: Arc<dyn Clock>,
    pub readiness: Arc<dyn Readiness>,
    pub diagnostics: Arc<dyn Diagnostics>,
    pub memory: Arc<dyn ProcessMemory>,
    pub audit: Arc<AuditLog>,
    pub attribution: Arc<dyn Attribution>,
    pub password_resets: Arc<PasswordResetService>,
    pub stopping: Arc<Stopping>,
    pub requests: Arc<RequestMetrics>,
    pub metrics: Arc<dyn MetricsPage>,
    pub second_factors: Arc<SecondFactorService>,
}

impl Services {
    /// Makes every service available to handlers by its type.
    pub(crate) fn share(&self, config: &mut ServiceConfig) {
        config
            .app_data(Data::from(Arc::clone(&self.access)))
            .app_data(Data::from(Arc::clone(&self.revocations)))
            .app_data(Data::from(Arc::clone(&self.sign_in)))
            .app_data(Data::from(Arc::clone(&self.clients)))
            .app_data(Data::from(Arc::clone(&self.branding)))
            .app_data(Data::from(Arc::clone(&self.accounts)))
            .app_data(Data::from(Arc::clone(&self.sessions)))
            .app_data(Data::from(Arc::clone(&self.reports)))
            .app_data(Data::from(Arc::clone(&self.end_users)))
            .app_data(Data::from(Arc::clone(&self.groups)))
            .app_data(Data::from(Arc::clone(&self.weight_kinds)))
            .app_data(Data::from(Arc::clone(&self.join_links)))
            .app_data(Data::from(Arc::clone(&self.sheet_reader)))
            .app_data(Data::from(Arc::clone(&self.meetings)))
            .app_data(Data::from(Arc::clone(&self.invitations)))
            .app_data(Data::from(Arc::clone(&self.check_ins)))
            .app_data(Data::from(Arc::clone(&self.agenda)))
            .app_data(Data::from(Arc::clone(&self.remarks)))
            .app_data(Data::from(Arc::clone(&self.rehearsals)))
            .app_data(Data::from(Arc::clone(&self.rounds)))
            .app_data(Data::from(Arc::clone(&self.registers)))
            .app_data(Data::from(Arc::clone(&self.results)))
            .app_data(Data::from(Arc::clone(&self.recorded_results)))
            .app_data(Data::from(Arc::clone(&self.answer_walls)))
            .app_data(Data::from(Arc::clone(&self.evidence_keys)))
            .app_data(Data::from(Arc::clone(&self.known_records)))
            .app_data(Data::from(Arc::clone(&self.purge_documents)))
            .app_data(Data::from(Arc::clone(&self.timestamp_authorities)))
            .app_data(Data::from(Arc::clone(&self.table_reader)))
            .app_data(Data::from(Arc::clone(&self.meeting_records)))
            .app_data(Data::from(Arc::clone(&self.result_documents)))
            .app_data(Data::from(Arc::clone(&self.meeting_audit)))
            .app_data(Data::from(Arc::clone(&self.ballots)))
            .app_data(Data::from(Arc::clone(&self.proxies)))
            .app_data(Data::from(Arc::clone(&self.paper_votes)))
            .app_data(Data::from(Arc::clone(&self.live)))
            .app_data(Data::from(Arc::clone(&self.live_signals)))
            .app_data(Data::from(Arc::clone(&self.clock)))
            .app_data(Data::from(Arc::clone(&self.readiness)))
            .app_data(Data::from(Arc::clone(&self.diagnostics)))
            .app_data(Data::from(Arc::clone(&self.memory)))
            .app_data(Data::from(Arc::clone(&self.audit)))
            .app_data(Data::from(Arc::clone(&self.attribution)))
            .app_data(Data::from(Arc::clone(&self.password_resets)))
            .app_data(Data::from(Arc::clone(&self.stopping)))
            .app_data(Data::from(Arc::clone(&self.requests)))
            .app_data(Data::from(Arc::clone(&self.metrics)))
            .app_data(Data::from(Arc::clone(&self.second_factors)))
            // Each thread gathers the checks of its own streams.
            .app_data(Data::new(WatcherChecks::new(Arc::clone(&self.access), Arc::clone(&self.meetings))));
    }
}
