use std::net::IpAddr;

use plenum_kernel::EmailAddress;

/// Somebody who has forgotten their password, or says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetRequest {
    /// The address that they say is that of their account.
    pub email: EmailAddress,
    /// The address that they called from.
    pub from: IpAddr,
}
