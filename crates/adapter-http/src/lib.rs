//! The HTTP adapter: routes, request and response types, live streams, the OpenAPI document and the front end. The only
//! crate that uses actix.
//!
//! Each part of the API has a folder, and each endpoint has a file with its request, its response and its handler. A
//! handler has three steps: extract the arguments, call the service, map the result to a view. `extract/`,
//! `middleware/` and `error/` are shared by all endpoints.
//!
//! The signature of a handler states the role of the caller ([`SuperAdmin`](extract::SuperAdmin),
//! [`ClientAdmin`](extract::ClientAdmin), [`Voter`](extract::Voter), …). The services require the ids in these types,
//! so a handler without the check does not compile.

mod accounts;
mod activity;
mod application;
mod audit;
mod auth;
mod branding;
mod check_in;
mod clients;
mod config;
mod connections;
mod desk;
mod diagnostics;
mod end_users;
mod error;
mod extract;
mod front_end;
mod groups;
mod join_links;
mod live;
mod meetings;
mod middleware;
mod openapi;
mod paper_votes;
mod proxies;
mod public;
mod questions;
mod redirect;
mod registration;
mod reports;
mod results;
mod routes;
mod server;
mod services;
mod sessions;
mod shared_state;
mod system;
mod views;
mod voting;
mod weight_kinds;

pub use config::{HttpSettings, MetricsToken, TrustedProxies};
pub use connections::{ConnectionLimits, ConnectionTimeouts, Duplex, EncryptedStream, Encryption};
pub use diagnostics::{
    DatabaseFacts, Diagnostics, IntegrityCheck, IntegrityIssue, MemoryFacts, MigrationFacts, ProcessMemory,
};
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub use front_end::front_end_licenses;
pub use live::{JsonFrames, Revocations};
pub use middleware::{Attribution, LocalWork, RequestMetrics};
pub use openapi::openapi_document;
pub use redirect::{Redirect, RedirectTarget};
pub use server::{Listeners, serve};
pub use services::Services;
pub use system::{MetricsPage, NotReady, Readiness, Stopping};
