use plenum_kernel::{PageRequest, SearchText};

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
