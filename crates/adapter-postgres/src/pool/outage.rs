use std::sync::{Arc, Mutex, PoisonError};

use diesel::r2d2::event::AcquireEvent;
use diesel::r2d2::{Error, HandleError, HandleEvent};

/// Whether PostgreSQL currently refuses connections. The pool reports its attempts in the background here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outage {
    /// `None` before the first attempt, and while the last one succeeded.
    refusal: Arc<Mutex<Option<Arc<Error>>>>,
}

impl Outage {
    /// The error of the last attempt to connect, if it failed.
    pub(crate) fn refusal(&self) -> Option<Arc<Error>> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, refusal: Option<Arc<Error>>) -> Option<Arc<Error>> {
        std::mem::replace(&mut *self.refusal.lock().unwrap_or_else(PoisonError::into_inner), refusal)
    }
}

impl HandleError<Error> for Outage {
    fn handle_error(&self, error: Error) {
        // Only one idle connection died. The next attempt shows whether a new one can be made.
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
