use actix_web::web::{Data, ServiceConfig};

use crate::config::HttpSettings;
use crate::live::StreamQuota;
use crate::middleware::LookupRateLimit;
use crate::middleware::Methods;
use crate::openapi::{WrittenDocument, operations};
use crate::public::FileChecks;

/// The state that all threads of a server share, besides the services.
#[derive(Clone)]
pub(crate) struct Shared {
    document: Data<WrittenDocument>,
    stream_quota: Data<StreamQuota>,
    lookup_rate_limit: Data<LookupRateLimit>,
    file_checks: Data<FileChecks>,
    methods: Data<Methods>,
}

impl Shared {
    /// The state of a new server.
    pub(crate) fn new(settings: &HttpSettings) -> Self {
        Self {
            document: Data::new(WrittenDocument::default()),
            stream_quota: Data::new(StreamQuota::new(&settings.limits)),
            lookup_rate_limit: Data::new(LookupRateLimit::new()),
            file_checks: Data::new(FileChecks::new()),
            methods: Data::new(Methods::new(settings, &operations())),
        }
    }

    /// Makes the state available to handlers by type.
    pub(crate) fn share(&self, config: &mut ServiceConfig) {
        config
            .app_data(self.document.clone())
            .app_data(self.stream_quota.clone())
            .app_data(self.lookup_rate_limit.clone())
            .app_data(self.file_checks.clone())
            .app_data(self.methods.clone());
    }
}
