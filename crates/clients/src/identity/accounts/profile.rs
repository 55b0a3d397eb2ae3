use plenum_kernel::{ClientId, EmailAddress, Person};

use crate::{ClientCode, Username};

/// Who someone is, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonProfile {
    /// Who.
    pub person: Person,
    /// Their full name.
    pub name: String,
    /// Their e-mail address; an end user may have none.
    pub email: Option<EmailAddress>,
    /// An end user's username.
    pub username: Option<Username>,
    /// The organization they belong to.
    pub client: Option<(ClientId, ClientCode, String)>,
}
