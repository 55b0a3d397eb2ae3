use std::sync::{Arc, Mutex, PoisonError};

use diesel::r2d2::event::AcquireEvent;
use diesel::r2d2::{Error, HandleError, HandleEvent};

/// Whether new connections are refused at the moment. The pool reports to it whatever it tries in the background.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outage {
    /// Nothing was tried yet, or the last attempt succeeded: nothing.
    refusal: Arc<Mutex<Option<Arc<Error>>>>,
}

impl Outage {
    /// Why the last attempt to connect failed, if it did.
    pub(crate) fn refusal(&self) -> Option<Arc<Error>> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, refusal: Option<Arc<Error>>) -> Option<Arc<Error>> {
        std::mem::replace(&mut *self.refusal.lock().unwrap_or_else(PoisonError::into_inner), refusal)
    }
}

impl HandleError<Error> for Outage {
    fn handle_error(&self, error: Error) {
        // Only one connection died while it lay idle. Whether there can be another is found out next.
        if matches!(error, Error::QueryError(_)) {
            return;
        }
        let error = Arc::new(error);
        if self.replace(Some(Arc::clone(&error))).is_none() {
            tracing::warn!(error = &*error as &dyn std::error::Error, "cannot connect to the database");
        }
    }
}

impl HandleEvent for Outage {
    fn handle_acquire(&self, _: AcquireEvent) {
        if self.replace(None).is_some() {
            tracing::info!("connected to the database again");
        }
    }
}
