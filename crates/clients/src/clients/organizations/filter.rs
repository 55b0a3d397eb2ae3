use std::sync::Arc;

use plenum_kernel::{ClientId, Page, PageRequest, PortFailure, SearchText};

use crate::{Client, ClientCode, ClientOverview, ClientStats, ClientStatus, ClientStore};

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

/// Looks clients up.
pub struct ClientDirectory {
    clients: Arc<dyn ClientStore>,
}

impl ClientDirectory {
    /// A directory over this store.
    pub fn new(clients: Arc<dyn ClientStore>) -> Self {
        Self { clients }
    }

    /// The clients that fit the filter.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure> {
        self.clients.list(filter).await
    }

    /// One client.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure> {
        self.clients.find(id).await
    }

    /// The client that people know by this code.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure> {
        self.clients.find_by_code(code).await
    }

    /// How many clients there are.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self) -> Result<ClientStats, PortFailure> {
        self.clients.stats().await
    }
}
