use plenum_kernel::{PageRequest, SearchText};

use crate::ClientStatus;

/// In what order clients are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientSort {
    /// The newest first.
    #[default]
    Newest,
    /// By name, A first.
    NameAscending,
    /// By name, Z first.
    NameDescending,
}

/// Which clients are wanted, and in what order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFilter {
    /// In name, code or contact address.
    pub search: Option<SearchText>,
    /// With this status only.
    pub status: Option<ClientStatus>,
    /// In this order.
    pub sort: ClientSort,
    /// This part of them; all when missing.
    pub page: Option<PageRequest>,
}
