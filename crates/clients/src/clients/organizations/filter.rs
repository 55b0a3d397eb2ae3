use plenum_kernel::{PageRequest, SearchText};

use crate::ClientStatus;

/// The order in which clients are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientSort {
    /// The newest first.
    #[default]
    Newest,
    /// By name, ascending.
    NameAscending,
    /// By name, descending.
    NameDescending,
}

/// The clients to list, and their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFilter {
    /// Text to find in the name, the code or the contact address.
    pub search: Option<SearchText>,
    /// Only clients with this status.
    pub status: Option<ClientStatus>,
    /// The order.
    pub sort: ClientSort,
    /// The page to return; `None` for all.
    pub page: Option<PageRequest>,
}
