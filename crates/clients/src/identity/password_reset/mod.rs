//! Forgotten passwords: the request, the mail with a link, and the new password.

pub(crate) mod letter;
pub(crate) mod link;
pub(crate) mod ports;
pub(crate) mod request;
pub(crate) mod service;
