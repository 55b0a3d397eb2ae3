use std::net::IpAddr;

use crate::ActingPerson;

/// On whose behalf a request is carried out, and where it came from. The audit log tells it of each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Who is acting; none when nobody is signed in.
    pub acting: Option<ActingPerson>,
    /// Where they called from.
    pub address: IpAddr,
}
