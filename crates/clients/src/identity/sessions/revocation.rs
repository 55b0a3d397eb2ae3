use plenum_kernel::{AccountId, ActingPerson, ClientId, EndUserId, Person, SessionId};

/// The sessions that have ended, or may have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionRevocation {
    /// One session.
    Session(SessionId),
    /// All sessions of a voter.
    EndUser(EndUserId),
    /// All sessions of a client's administrators.
    Administrators(ClientId),
    /// All sessions of a client's administrators and voters.
    Client(ClientId),
    /// All sessions of an account.
    Account(AccountId),
}

impl SessionRevocation {
    /// The revocation of all sessions of this person.
    pub fn of(person: Person) -> Self {
        match person {
            Person::SuperAdmin { account } | Person::ClientAdmin { account, .. } => Self::Account(account),
            Person::EndUser { end_user, .. } => Self::EndUser(end_user),
        }
    }

    /// Whether it may have ended the session in which this person acts.
    pub fn concerns(self, acting: &ActingPerson) -> bool {
        match self {
            Self::Session(session) => acting.session == session,
            Self::EndUser(_) | Self::Administrators(_) | Self::Client(_) | Self::Account(_) => {
                self.concerns_person(&acting.person)
            }
        }
    }

    /// Whether it may have ended all sessions of this person.
    pub fn concerns_person(self, person: &Person) -> bool {
        match self {
            Self::Session(_) => false,
            Self::EndUser(id) => matches!(person, Person::EndUser { end_user, .. } if *end_user == id),
            Self::Administrators(id) => matches!(person, Person::ClientAdmin { client, .. } if *client == id),
            Self::Client(id) => person.client() == Some(id),
            Self::Account(id) => Self::of(*person) == Self::Account(id),
        }
    }
}
