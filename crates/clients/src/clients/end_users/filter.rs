use std::sync::Arc;

use plenum_kernel::{ClientId, EndUserId, Page, PageRequest, PortFailure, SearchText};

use crate::{EndUser, EndUserStats, EndUserStore};

/// In what order end users are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndUserSort {
    /// By name, A first.
    #[default]
    NameAscending,
    /// By name, Z first.
    NameDescending,
}

/// Which end users are wanted, and in what order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndUserFilter {
    /// In name, username or e-mail address.
    pub search: Option<SearchText>,
    /// Only those who are active, or only those who are not.
    pub is_active: Option<bool>,
    /// Only those who count in the client's figures: without test data, unless the client is.
    pub counted_only: bool,
    /// In this order.
    pub sort: EndUserSort,
    /// This part of them; all when missing.
    pub page: Option<PageRequest>,
}

/// Looks end users of one client up.
pub struct EndUserDirectory {
    end_users: Arc<dyn EndUserStore>,
}

impl EndUserDirectory {
    /// A directory over this store.
    pub fn new(end_users: Arc<dyn EndUserStore>) -> Self {
        Self { end_users }
    }

    /// The client's end users that fit the filter.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure> {
        self.end_users.list(owner, filter).await
    }

    /// One end user of the client.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure> {
        self.end_users.find(owner, id).await
    }

    /// How many end users the client has, and what they weigh.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure> {
        self.end_users.stats(owner).await
    }
}
