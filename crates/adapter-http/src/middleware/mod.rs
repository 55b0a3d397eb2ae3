//! Middleware around all handlers, and its shared state.

mod attribution;
pub(crate) mod cors;
mod created;
mod detach;
mod errors_as_text;
mod identify;
mod lookup_rate_limit;
mod methods;
mod request_id;
mod request_metrics;
mod request_span;
mod security_headers;

pub use attribution::{Attribution, LocalWork};
pub(crate) use created::{created, finish_response};
pub(crate) use detach::{CallerConnection, detach};
pub(crate) use errors_as_text::errors_as_text;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use errors_as_text::wants_json;
pub(crate) use identify::identify;
pub(crate) use lookup_rate_limit::{Lookup, LookupKind, LookupRateLimit};
pub(crate) use methods::{Methods, asks_for_headers_only, check_method};
pub(crate) use request_id::{REQUEST_ID, RequestName, RequestRoute, RequestStart, set_request_id};
pub use request_metrics::RequestMetrics;
pub(crate) use request_span::RequestSpan;
pub(crate) use security_headers::{SecurityHeaders, set_security_headers, static_data_headers};
