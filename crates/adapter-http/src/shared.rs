use actix_web::web::{Data, ServiceConfig};

use crate::live::Seats;
use crate::methods::Methods;
use crate::openapi::{WrittenDocument, operations};
use crate::rim::FailedTries;
use crate::settings::HttpSettings;

/// What all threads of a server have in common, beside the services.
#[derive(Clone)]
pub(crate) struct Shared {
    document: Data<WrittenDocument>,
    seats: Data<Seats>,
    failed_tries: Data<FailedTries>,
    methods: Data<Methods>,
}

impl Shared {
    /// Of a server that starts.
    pub(crate) fn new(settings: &HttpSettings) -> Self {
        Self {
            document: Data::new(WrittenDocument::default()),
            seats: Data::new(Seats::new(&settings.limits)),
            failed_tries: Data::new(FailedTries::new()),
            methods: Data::new(Methods::new(settings, &operations())),
        }
    }

    /// Makes all of it available to handlers by its type.
    pub(crate) fn share(&self, config: &mut ServiceConfig) {
        config
            .app_data(self.document.clone())
            .app_data(self.seats.clone())
            .app_data(self.failed_tries.clone())
            .app_data(self.methods.clone());
    }
}
