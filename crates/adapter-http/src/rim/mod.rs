//! What every endpoint shares: errors, the acting person, ids in paths, bodies, lists.

mod body;
mod carry_out;
mod codes;
mod error;
mod identity;
mod ids;
mod listing;
mod numbers;
mod plain_text;

pub(crate) use body::Body;
pub(crate) use carry_out::carry_out;
pub(crate) use codes::ErrorCode;
pub(crate) use error::{ApiError, ApiErrorBody, FieldCheck};
pub(crate) use identity::{ClientAdmin, Onlooker, SignedIn, SuperAdmin, Voter, identify};
pub(crate) use ids::{At, PathId};
pub(crate) use listing::{ListQuery, Listing, PageMeta, meta_of, query_config};
pub(crate) use numbers::{cleared, exact, exact_option};
pub(crate) use plain_text::errors_as_text;
