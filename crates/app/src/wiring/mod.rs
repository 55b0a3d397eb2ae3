//! Composition of the product: each port gets its adapter, and each service its ports.

mod clients;
mod confirmed_live;
mod http;
mod identity;
mod live;
mod meetings;
mod security;
mod stores;
mod urn_keys;
mod voting;

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use plenum_adapter_documents::Documents;
use plenum_adapter_http::{HttpSettings, MetricsPage, RequestMetrics, Services};
use plenum_adapter_live::LiveHub;
use plenum_adapter_nats::{NatsAddress, NatsBus, NatsSettings};
use plenum_adapter_postgres::{AuditChains, DbSettings, PostgresPurges, StartBallotBoxError, UrlError};
use plenum_adapter_security::{BcryptHasher, EvidenceKeyRing, FolderUrnKeys, ShortKey, SystemClock, installation_name};
use plenum_adapter_tls::CurrentValidity;
use plenum_clients::SuperAdminPorts;
use plenum_embedded_postgres::ServerWatch;
use plenum_kernel::{Clock, EvidenceKeys, Secrets};
use plenum_meetings::MeetingStore;
use plenum_meetings::live::LiveBus;
use plenum_records::{CanonicalRecords, TimestampAuthority};
use plenum_timestamp_format::Authorities;
use plenum_verify::KnownAuthorities;
use plenum_voting::{PreparationService, PurgeStore, RecordWriter, ResultRecords, UrnKeyService};

use crate::EvidenceCheck;
use crate::database::Pools;
use crate::metrics::{ProductMetrics, ProductState};
use crate::workers::{MailSetup, MailWorker, TimestampSetup, TimestampWorker};
use clients::Clients;
use http::ServiceParts;
use identity::{Identity, password_resets};
use live::Live;
use meetings::Meetings;
use security::SecurityPorts;
use stores::{EvidenceWriters, Stores};
use urn_keys::urn_keys;
use voting::Voting;

/// The reason why the product could not be built.
#[derive(Debug, thiserror::Error)]
pub enum ProductError {
    /// The address of the database cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The ballot writers did not start.
    #[error(transparent)]
    BallotBox(#[from] StartBallotBoxError),
    /// The signing key is too short.
    #[error(transparent)]
    Key(#[from] ShortKey),
}

/// The settings of the product.
pub struct ProductSettings {
    /// A migrated database.
    pub database: DbSettings,
    /// The key that signs access tokens, at least 32 bytes.
    pub signing_key: Vec<u8>,
    /// Sign records and exported files.
    pub evidence_keys: Arc<dyn EvidenceKeys>,
    /// The key folder of secret rounds. `None` for commands that open no round.
    pub urn_keys: Option<FolderUrnKeys>,
    /// The time for which the key of a vote may be missing before it is lost.
    pub vote_key_patience: TimeDelta,
    /// Hashes passwords.
    pub hasher: Arc<BcryptHasher>,
    /// The settings of the API.
    pub http: HttpSettings,
    /// The settings of outgoing mail. `None` turns mail off.
    pub mail: Option<MailSetup>,
    /// The timestamps of records.
    pub timestamps: TimestampSetup,
    /// The NATS server through which the instances on this database exchange messages. `None` for a single instance.
    pub nats: Option<NatsAddress>,
    /// The state of the embedded database. `None` with an external one.
    pub embedded: Option<ServerWatch>,
    /// The validity of the server's certificate. `None` if it does not encrypt.
    pub certificate: Option<CurrentValidity>,
}

impl ProductSettings {
    /// The settings of a command that changes an account and ends. It serves nothing and sends no mail.
    pub(crate) fn for_command(database: DbSettings, signing_key: Vec<u8>, hasher: Arc<BcryptHasher>) -> Self {
        Self {
            database,
            signing_key,
            // Nothing is declared or exported here, and no round opens.
            evidence_keys: Arc::new(EvidenceKeyRing::generate(SystemClock.now())),
            urn_keys: None,
            vote_key_patience: UrnKeyService::PATIENCE,
            hasher,
            http: HttpSettings::default(),
            mail: None,
            timestamps: TimestampSetup::default(),
            nats: None,
            embedded: None,
            certificate: None,
        }
    }
}

/// The whole product on one database.
pub struct Product {
    /// The services that handlers call.
    pub services: Services,
    /// The settings of the API.
    pub http: HttpSettings,
    /// Creates super administrators.
    pub super_admins: SuperAdminPorts,
    /// Records of declared results.
    pub records: Arc<dyn ResultRecords>,
    /// Checks records and audit log.
    pub evidence: Arc<EvidenceCheck>,
    /// Finds ended meetings without a closing record, for the warning at the start.
    pub meetings: Arc<dyn MeetingStore>,
    /// Destroys keys of secret rounds.
    pub urns: Arc<UrnKeyService>,
    /// Removes old evidence.
    pub purges: Arc<dyn PurgeStore>,
    /// Links the entries of the audit log.
    pub audit_chains: AuditChains,
    /// Sends invitations once it is started. `None` without a mail server.
    pub mail_worker: Option<MailWorker>,
    /// Gets timestamps for records once it is started. `None` without a timestamp service.
    pub timestamp_worker: Option<Arc<TimestampWorker>>,
    /// Supplies passwords.
    pub secrets: Arc<dyn Secrets>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The connections to the database.
    pub pools: Pools,
    /// Prepares the registers of large meetings.
    pub preparations: Arc<PreparationService>,
    /// Carries the notices of changes.
    pub bus: Arc<dyn LiveBus>,
    hub: Arc<LiveHub>,
    nats: Option<Arc<NatsBus>>,
}

impl Product {
    /// Connects all parts, and starts the tasks of the live hub on the current Tokio runtime.
    ///
    /// # Errors
    /// Fails when the address of the database or the key cannot be used, or the ballot writers do not start.
    pub fn build(settings: ProductSettings) -> Result<Self, ProductError> {
        let ports = SecurityPorts::new(&settings)?;
        let connection = settings.database;
        let pools = Pools::new(&connection)?;
        let keys = settings.evidence_keys;
        let writer: Arc<dyn RecordWriter> = Arc::new(CanonicalRecords::new(Arc::clone(&keys)));
        // At most two connections: voters need the others.
        let evidence = EvidenceCheck::new(pools.general.at_most(2), Arc::clone(&keys));
        let TimestampSetup { authority, known } = settings.timestamps;
        let evidence = Arc::new(evidence.with_authorities(known.clone()));
        let nats = settings.nats.map(|address| {
            let installation = installation_name(&settings.signing_key);
            Arc::new(NatsBus::start(NatsSettings { address, installation }))
        });
        let urn_keys = urn_keys(settings.urn_keys, nats.as_ref(), &ports, &settings.signing_key);
        let evidence_writers = EvidenceWriters { records: Arc::clone(&writer), urn_keys };
        let stores = Stores::open(&pools, &connection, &evidence_writers, &ports)?;
        let live = Live::start(&pools, &ports, nats.as_ref(), &stores.sealing_keys);

        let documents = Arc::new(Documents::new());
        let resets = password_resets(&stores, &ports, settings.mail.as_ref(), &settings.http);
        let identity = Identity::new(&stores, &ports, resets, settings.mail.as_ref());
        let clients = Clients::new(&stores, &ports, &documents);
        let meetings = Meetings::new(&stores, &ports, &live, settings.mail);
        let voting = Voting::new(&stores, &ports, &live, &keys);

        let timestamp_worker = authority.map(|authority| timestamp_worker(authority, &stores, &ports));
        let requests = Arc::new(RequestMetrics::default());
        let state = ProductState {
            hasher: settings.hasher,
            hub: Arc::clone(&live.hub),
            pools: pools.clone(),
            embedded: settings.embedded,
            nats: nats.clone(),
            timestamps: timestamp_worker.as_ref().map(|worker| worker.counts()),
            certificate: settings.certificate,
            started_at: ports.clock.now(),
        };
        let metrics: Arc<dyn MetricsPage> = Arc::new(ProductMetrics::new(&requests, &stores.ballot_metrics, state));
        let services = ServiceParts {
            pools: &pools,
            nats: nats.clone(),
            clock: Arc::clone(&ports.clock),
            evidence_keys: keys,
            evidence: Arc::clone(&evidence),
            timestamp_authorities: known
                .map_or(KnownAuthorities::None, |known| KnownAuthorities::Own(Authorities::clone(&known))),
            documents,
            identity: &identity,
            clients: &clients,
            meetings: &meetings,
            voting: &voting,
            live: &live,
            requests,
            metrics,
        }
        .into_services();
        Ok(Self {
            services,
            http: settings.http,
            super_admins: identity.super_admins,
            evidence,
            records: Arc::clone(&stores.records),
            meetings: Arc::clone(&stores.meetings),
            urns: voting.urns,
            preparations: voting.preparations,
            bus: live.bus,
            purges: Arc::new(PostgresPurges::new(pools.general.at_most(1), writer)),
            audit_chains: AuditChains::new(pools.general.clone()),
            mail_worker: meetings.mail_worker,
            timestamp_worker,
            secrets: ports.secrets,
            clock: ports.clock,
            hub: live.hub,
            nats,
            pools,
        })
    }

    /// Waits until the other instances have reported their connected voters, for 2 seconds at most. So the first snapshots
    /// and registers of this instance include them. Returns at once without other instances.
    pub async fn wait_for_presence_reports(&self) {
        if let Some(nats) = &self.nats {
            nats.wait_for_first_reports(Duration::from_secs(2)).await;
        }
    }

    /// Reports this instance as not ready, so that load balancers send no more requests to it. It continues to serve.
    /// The first step of an orderly stop.
    pub fn announce_stop(&self) {
        self.services.stopping.begin();
    }

    /// Informs every watching screen when to reconnect, and ends its stream.
    pub fn end_streams(&self) {
        self.services.stopping.begin();
        self.hub.shutdown();
    }
}

fn timestamp_worker(
    authority: Arc<dyn TimestampAuthority>,
    stores: &Stores,
    ports: &SecurityPorts,
) -> Arc<TimestampWorker> {
    Arc::new(TimestampWorker::new(Arc::clone(&stores.timestamps), authority, Arc::clone(&ports.clock)))
}
