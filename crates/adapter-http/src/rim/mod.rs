//! What every endpoint shares: errors, the acting person, the caller's address, ids in paths, bodies, lists.

mod attribution;
mod body;
mod caller_address;
mod caller_device;
mod codes;
mod created;
mod detach;
mod error;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod identity;
mod ids;
mod listing;
mod lookup_rate_limit;
mod numbers;
mod plain_text;
mod read_body;
mod shape;

pub use attribution::{Attribution, LocalWork};
pub(crate) use body::{Body, MAX_BODY, body_compressed, body_too_large, body_too_slow};
pub use caller_address::TrustedProxies;
pub(crate) use caller_address::{CallerAddress, network_of};
pub(crate) use caller_device::CallerDevice;
pub(crate) use codes::ErrorCode;
pub(crate) use created::{UNKNOWN_FIELDS, created, finish_answer};
pub(crate) use detach::{CallerPresence, carry_out};
pub(crate) use error::{ApiError, ApiErrorBody, FieldCheck, try_again_in, whole_seconds};
pub(crate) use identity::{AccountHolder, ClientAdmin, Onlooker, SignedIn, SuperAdmin, Voter, identify};
pub(crate) use ids::{At, PathId};
pub(crate) use listing::{
    ListQuery, Listing, PageMeta, meta_of, query_config, read_choice, read_number, status_parameter,
};
pub(crate) use lookup_rate_limit::{Guess, LookupRateLimit};
pub(crate) use numbers::{cleared, exact, read_exact};
pub(crate) use plain_text::errors_as_text;
