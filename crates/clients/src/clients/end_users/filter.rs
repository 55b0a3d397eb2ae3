use plenum_kernel::{GroupId, PageRequest, SearchText};

/// The order in which end users are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndUserSort {
    /// By name, ascending.
    #[default]
    NameAscending,
    /// By name, descending.
    NameDescending,
}

/// The end users to list, and their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndUserFilter {
    /// Text to find in the name, the username or the email address.
    pub search: Option<SearchText>,
    /// Only active end users, or only inactive ones.
    pub is_active: Option<bool>,
    /// Only members of this group. Nobody for a group of another client.
    pub group: Option<GroupId>,
    /// Only end users who count in the client's statistics: without test data, unless the client is test data.
    pub counted_only: bool,
    /// The order.
    pub sort: EndUserSort,
    /// The page to return; `None` for all.
    pub page: Option<PageRequest>,
}
