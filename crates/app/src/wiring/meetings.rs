use std::sync::Arc;

use plenum_clients::RefreshTokens;
use plenum_meetings::live::Presence;
use plenum_meetings::{
    AgendaService, CheckInPorts, CheckInService, DeskTokenHash, DeskTokens, InvitationPorts, InvitationService,
    MailSignals, MeetingPorts, MeetingService, RehearsalPorts, RehearsalService, RemarkService,
};

use super::live::Live;
use super::security::SecurityPorts;
use super::stores::Stores;
use crate::workers::{MailSetup, MailWorker};

/// Meetings, invitations, agendas, rehearsals and remarks.
pub(super) struct Meetings {
    pub(super) meetings: Arc<MeetingService>,
    pub(super) invitations: Arc<InvitationService>,
    pub(super) check_ins: Arc<CheckInService>,
    pub(super) agenda: Arc<AgendaService>,
    pub(super) rehearsals: Arc<RehearsalService>,
    pub(super) remarks: Arc<RemarkService>,
    /// Sends the queued invitations once it is started. `None` without a mail server.
    pub(super) mail_worker: Option<MailWorker>,
}

impl Meetings {
    pub(super) fn new(stores: &Stores, ports: &SecurityPorts, live: &Live, mail: Option<MailSetup>) -> Self {
        let mail_worker = mail.map(|mail| {
            MailWorker::new(
                Arc::clone(&stores.invitations),
                mail,
                Arc::clone(&ports.link_tokens),
                Arc::clone(&ports.clock),
            )
        });
        let mail_signals = mail_worker.as_ref().map(MailWorker::signals);
        Self {
            meetings: Arc::new(MeetingService::new(MeetingPorts {
                meetings: Arc::clone(&stores.meetings),
                voter_meetings: Arc::clone(&stores.voter_meetings),
                signals: Arc::clone(&live.meeting_signals),
                clock: Arc::clone(&ports.clock),
                ids: Arc::clone(&ports.ids),
                secrets: Arc::clone(&ports.secrets),
            })),
            invitations: Arc::new(InvitationService::new(invitation_ports(stores, ports, live, mail_signals))),
            check_ins: Arc::new(CheckInService::new(check_in_ports(stores, ports, live))),
            agenda: Arc::new(AgendaService::new(
                Arc::clone(&stores.questions),
                Arc::clone(&live.meeting_signals),
                Arc::clone(&ports.clock),
                Arc::clone(&ports.ids),
            )),
            rehearsals: Arc::new(RehearsalService::new(RehearsalPorts {
                rehearsals: Arc::clone(&stores.rehearsals),
                voter_meetings: Arc::clone(&stores.voter_meetings),
                signals: Arc::clone(&live.meeting_signals),
                presence: Arc::clone(&live.hub) as Arc<dyn Presence>,
                clock: Arc::clone(&ports.clock),
                ids: Arc::clone(&ports.ids),
            })),
            remarks: Arc::new(RemarkService::new(
                Arc::clone(&stores.remarks),
                Arc::clone(&ports.clock),
                Arc::clone(&ports.ids),
            )),
            mail_worker,
        }
    }
}

/// Hashes the tokens of desks as those of sessions.
struct HashedDeskTokens(Arc<dyn RefreshTokens>);

impl DeskTokens for HashedDeskTokens {
    fn hash(&self, token: &str) -> DeskTokenHash {
        DeskTokenHash(self.0.hash(token).0)
    }
}

fn check_in_ports(stores: &Stores, ports: &SecurityPorts, live: &Live) -> CheckInPorts {
    CheckInPorts {
        check_ins: Arc::clone(&stores.check_ins),
        desks: Arc::clone(&stores.desks),
        tokens: Arc::new(HashedDeskTokens(Arc::clone(&ports.refresh_tokens))),
        signals: Arc::clone(&live.meeting_signals),
        clock: Arc::clone(&ports.clock),
        ids: Arc::clone(&ports.ids),
        secrets: Arc::clone(&ports.secrets),
    }
}

fn invitation_ports(
    stores: &Stores,
    ports: &SecurityPorts,
    live: &Live,
    mail_signals: Option<Arc<dyn MailSignals>>,
) -> InvitationPorts {
    InvitationPorts {
        participants: Arc::clone(&stores.participants),
        invitations: Arc::clone(&stores.invitations),
        live_signals: Arc::clone(&live.meeting_signals),
        mail_signals,
        secrets: Arc::clone(&ports.secrets),
        clock: Arc::clone(&ports.clock),
    }
}
