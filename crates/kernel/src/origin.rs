use std::net::IpAddr;

use crate::ActingPerson;

/// The caller of a transaction: person and address. The audit log records it with each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The acting person. `None` before sign-in.
    pub acting: Option<ActingPerson>,
    /// The address of the caller.
    pub address: IpAddr,
}
