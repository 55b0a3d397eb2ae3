use crate::{AccountId, ClientId, EndUserId, SessionId};

/// The role of a signed-in person.
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
        /// The account.
        account: AccountId,
    },
    /// An account of one client.
    ClientAdmin {
        /// The account.
        account: AccountId,
        /// The administered client.
        client: ClientId,
    },
    /// A voter of one client.
    EndUser {
        /// The voter.
        end_user: EndUserId,
        /// The voter's client.
        client: ClientId,
    },
}

impl Person {
    /// The role of this person.
    pub const fn role(self) -> Role {
        match self {
            Self::SuperAdmin { .. } => Role::SuperAdmin,
            Self::ClientAdmin { .. } => Role::Client,
            Self::EndUser { .. } => Role::EndUser,
        }
    }

    /// The client of this person. `None` for a super administrator.
    pub const fn client(self) -> Option<ClientId> {
        match self {
            Self::SuperAdmin { .. } => None,
            Self::ClientAdmin { client, .. } | Self::EndUser { client, .. } => Some(client),
        }
    }
}

/// A signed-in person, with the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActingPerson {
    /// The session of the request.
    pub session: SessionId,
    /// The acting person.
    pub person: Person,
}
