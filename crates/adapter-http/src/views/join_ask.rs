use plenum_clients::JoinAsk;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What personal links ask for before they sign in.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = JoinAsk)]
pub(crate) enum JoinAskName {
    Nothing,
    Password,
    EmailCode,
}

impl From<JoinAsk> for JoinAskName {
    fn from(ask: JoinAsk) -> Self {
        match ask {
            JoinAsk::Nothing => Self::Nothing,
            JoinAsk::Password => Self::Password,
            JoinAsk::EmailCode => Self::EmailCode,
        }
    }
}

impl From<JoinAskName> for JoinAsk {
    fn from(ask: JoinAskName) -> Self {
        match ask {
            JoinAskName::Nothing => Self::Nothing,
            JoinAskName::Password => Self::Password,
            JoinAskName::EmailCode => Self::EmailCode,
        }
    }
}
