//! Rules for every address: HTTP conventions, headers, invalid input, and limits on connections.

mod connection_limits;
mod conventions;
mod headers;
pub(crate) mod hostile_input;
mod lookup_limits;
mod openapi_document;
