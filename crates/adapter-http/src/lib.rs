//! The HTTP rim: routes, DTOs, live streams, the OpenAPI document and the front end. The only crate that knows actix.
//!
//! One folder for each part of the API, one file for each endpoint, with its request, its response and its handler.
//! A handler has three steps: extract, call the service, map to a view. `rim/` holds what all endpoints share.
//!
//! Who may call is part of a handler's signature ([`SuperAdmin`](rim::SuperAdmin), [`ClientAdmin`](rim::ClientAdmin),
//! [`Voter`](rim::Voter), …): the services want the ids that only these types carry, so a handler that forgets the
//! check does not compile.

mod accounts;
mod activity;
mod audit;
mod auth;
mod clients;
mod connections;
mod cors;
mod end_users;
mod front_end;
mod live;
mod meetings;
mod methods;
mod openapi;
mod public;
mod questions;
mod reports;
mod request_figures;
mod request_name;
mod request_span;
mod results;
mod rim;
mod routes;
mod security_headers;
mod server;
mod sessions;
mod settings;
mod shared;
mod system;
mod test_calls;
mod voting;

pub use connections::{ConnectionLimits, Patience};
pub use live::{JsonFrames, Revocations};
pub use openapi::openapi_document;
pub use request_figures::{AnswerCount, RequestFigures};
#[cfg(any(test, feature = "fuzzing"))]
pub use rim::fuzzing;
pub use rim::{Attribution, LocalWork, TrustedProxies};
pub use server::serve;
pub use settings::{HttpSettings, Services};
pub use system::{MetricsPage, MetricsToken, NotReady, Readiness, Stopping};
pub use test_calls::{
    DatabaseFacts, Diagnostics, IntegrityCheck, IntegrityIssue, MemoryFacts, MigrationFacts, ProcessMemory,
};
