use plenum_clients::{AddWeightKindError, ChangeWeightKindError, RemoveWeightKindError};
use plenum_kernel::WeightKindId;

use crate::error::ApiError;
use crate::extract::ApiId as _;

impl From<AddWeightKindError> for ApiError {
    fn from(error: AddWeightKindError) -> Self {
        match error {
            AddWeightKindError::NameTaken => name_taken(),
            AddWeightKindError::TooMany => Self::conflict("too_many_weight_kinds", error),
            AddWeightKindError::Port(failure) => failure.into(),
        }
    }
}

impl From<ChangeWeightKindError> for ApiError {
    fn from(error: ChangeWeightKindError) -> Self {
        match error {
            ChangeWeightKindError::NotFound => WeightKindId::missing(),
            ChangeWeightKindError::NameTaken => name_taken(),
            ChangeWeightKindError::FewerDecimals => {
                Self::taken("fewer_decimals", "decimals", "The number of decimals cannot be reduced.")
            }
            ChangeWeightKindError::Port(failure) => failure.into(),
        }
    }
}

impl From<RemoveWeightKindError> for ApiError {
    fn from(error: RemoveWeightKindError) -> Self {
        match error {
            RemoveWeightKindError::NotFound => WeightKindId::missing(),
            RemoveWeightKindError::InUse { .. } => Self::conflict("weight_kind_in_use", error),
            RemoveWeightKindError::Port(failure) => failure.into(),
        }
    }
}

fn name_taken() -> ApiError {
    ApiError::taken("weight_kind_name_taken", "name", "Another kind of weight has this name.")
}
