use std::sync::Arc;

use plenum_adapter_documents::Documents;
use plenum_clients::{
    AuditLog, BrandingStore, ClientPorts, ClientService, EndUserPorts, EndUserService, GroupService, ReportService,
    WeightKindService,
};

use super::security::SecurityPorts;
use super::stores::Stores;

/// Organizations, their end users, their use of the product, and the audit log.
pub(super) struct Clients {
    pub(super) clients: Arc<ClientService>,
    pub(super) branding: Arc<dyn BrandingStore>,
    pub(super) end_users: Arc<EndUserService>,
    pub(super) groups: Arc<GroupService>,
    pub(super) weight_kinds: Arc<WeightKindService>,
    pub(super) reports: Arc<ReportService>,
    pub(super) audit: Arc<AuditLog>,
}

impl Clients {
    pub(super) fn new(stores: &Stores, ports: &SecurityPorts, documents: &Arc<Documents>) -> Self {
        Self {
            clients: Arc::new(ClientService::new(ClientPorts {
                clients: Arc::clone(&stores.clients),
                hasher: Arc::clone(&ports.hasher),
                clock: Arc::clone(&ports.clock),
                ids: Arc::clone(&ports.ids),
                secrets: Arc::clone(&ports.secrets),
            })),
            branding: Arc::clone(&stores.branding),
            end_users: Arc::new(EndUserService::new(EndUserPorts {
                end_users: Arc::clone(&stores.end_users),
                groups: Arc::clone(&stores.groups),
                weight_kinds: Arc::clone(&stores.weight_kinds),
                hasher: Arc::clone(&ports.hasher),
                sheets: Arc::clone(documents) as _,
                clock: Arc::clone(&ports.clock),
                ids: Arc::clone(&ports.ids),
                secrets: Arc::clone(&ports.secrets),
            })),
            groups: Arc::new(GroupService::new(Arc::clone(&stores.groups), Arc::clone(&ports.ids))),
            weight_kinds: Arc::new(WeightKindService::new(
                Arc::clone(&stores.weight_kinds),
                Arc::clone(&ports.ids),
                Arc::clone(&ports.clock),
            )),
            reports: Arc::new(ReportService::new(
                Arc::clone(&stores.client_reports),
                Arc::clone(&stores.activity),
                Arc::clone(documents) as _,
                Arc::clone(&ports.clock),
            )),
            audit: Arc::new(AuditLog::new(
                Arc::clone(&stores.audit_trail),
                Arc::clone(documents) as _,
                Arc::clone(&ports.clock),
            )),
        }
    }
}
