use crate::{AccountId, ClientId, EndUserId, SessionId};

/// What someone may do at large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Manages client organizations.
    SuperAdmin,
    /// Administers one client organization.
    Client,
    /// Votes in the meetings of one client organization.
    EndUser,
}

/// A person with the data of the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Person {
    /// An account without a client.
    SuperAdmin {
        /// Their account.
        account: AccountId,
    },
    /// An account of one client.
    ClientAdmin {
        /// Their account.
        account: AccountId,
        /// The client they administer.
        client: ClientId,
    },
    /// A voter of one client.
    EndUser {
        /// The voter.
        end_user: EndUserId,
        /// The client they vote in.
        client: ClientId,
    },
}

impl Person {
    /// The role that this person has.
    pub const fn role(self) -> Role {
        match self {
            Self::SuperAdmin { .. } => Role::SuperAdmin,
            Self::ClientAdmin { .. } => Role::Client,
            Self::EndUser { .. } => Role::EndUser,
        }
    }

    /// The client that this person belongs to, if any.
    pub const fn client(self) -> Option<ClientId> {
        match self {
            Self::SuperAdmin { .. } => None,
            Self::ClientAdmin { client, .. } | Self::EndUser { client, .. } => Some(client),
        }
    }
}

/// A person who is signed in, and by which session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActingPerson {
    /// The sign-in that the request belongs to.
    pub session: SessionId,
    /// The acting person.
    pub person: Person,
}
