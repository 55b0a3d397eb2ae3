use plenum_clients::{AddGroupError, ChangeMembersError, RemoveGroupError, RenameGroupError};
use plenum_kernel::GroupId;

use crate::error::ApiError;
use crate::extract::ApiId as _;

impl From<AddGroupError> for ApiError {
    fn from(error: AddGroupError) -> Self {
        match error {
            AddGroupError::NameTaken => name_taken(),
            AddGroupError::TooMany => Self::conflict("too_many_groups", error),
            AddGroupError::Port(failure) => failure.into(),
        }
    }
}

impl From<RenameGroupError> for ApiError {
    fn from(error: RenameGroupError) -> Self {
        match error {
            RenameGroupError::NotFound => GroupId::missing(),
            RenameGroupError::NameTaken => name_taken(),
            RenameGroupError::Port(failure) => failure.into(),
        }
    }
}

impl From<RemoveGroupError> for ApiError {
    fn from(error: RemoveGroupError) -> Self {
        match error {
            RemoveGroupError::NotFound => GroupId::missing(),
            RemoveGroupError::InUse { .. } => Self::conflict("group_in_use", error),
            RemoveGroupError::Port(failure) => failure.into(),
        }
    }
}

impl From<ChangeMembersError> for ApiError {
    fn from(error: ChangeMembersError) -> Self {
        match error {
            ChangeMembersError::NotFound => GroupId::missing(),
            ChangeMembersError::UnknownEndUsers => {
                Self::invalid_field("add", "Must be ids of end users of your organization.")
            }
            ChangeMembersError::TooManyGroups { .. } => Self::conflict("too_many_groups_of_person", error),
            ChangeMembersError::Port(failure) => failure.into(),
        }
    }
}

fn name_taken() -> ApiError {
    ApiError::taken("group_name_taken", "name", "Another group has this name.")
}
