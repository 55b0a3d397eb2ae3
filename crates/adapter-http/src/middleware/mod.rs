//! Middleware around all handlers, and state that it shares with them.

pub(crate) mod cors;
mod created;
mod detach;
mod errors_as_text;
mod lookup_rate_limit;
mod methods;
mod request_id;
mod request_metrics;
mod request_span;
mod security_headers;

pub(crate) use created::{created, finish_answer};
pub(crate) use detach::{CallerPresence, carry_out};
pub(crate) use errors_as_text::errors_as_text;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use errors_as_text::wants_json;
pub(crate) use lookup_rate_limit::{Guess, LookupRateLimit};
pub(crate) use methods::{Methods, answer_methods, asks_for_headers_only};
pub(crate) use request_id::{REQUEST_ID, RequestBegin, RequestName, RequestRoute, name_answer};
pub use request_metrics::{AnswerCount, RequestFigures};
pub(crate) use request_span::RequestSpan;
pub(crate) use security_headers::{SecurityHeaders, secure};
