use std::net::IpAddr;

use crate::ActingPerson;

/// The caller of a transaction: person and address. The audit log records it with each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The acting person; none when nobody is signed in.
    pub acting: Option<ActingPerson>,
    /// Where they called from.
    pub address: IpAddr,
}
