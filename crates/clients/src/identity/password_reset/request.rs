use std::net::IpAddr;

use plenum_kernel::EmailAddress;

/// A request for a reset link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetRequest {
    /// The address of the account, as typed.
    pub email: EmailAddress,
    /// The network address of the caller.
    pub from: IpAddr,
}
