use plenum_kernel::{ClientId, EmailAddress, Person};

use crate::{ClientCode, Username};

/// The names of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonProfile {
    /// The person.
    pub person: Person,
    /// Their full name.
    pub name: String,
    /// The email address; an end user may have none.
    pub email: Option<EmailAddress>,
    /// The username of an end user.
    pub username: Option<Username>,
    /// The client of the person: id, code and name.
    pub client: Option<(ClientId, ClientCode, String)>,
}
