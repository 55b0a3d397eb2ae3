use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, EndUserId, JoinLinkId, MeetingId, PageRequest, PasswordSetter};

use crate::{ClientCode, JoinCodeHash, PersonName, StoredCredentials, Username};

/// The hash of a link's token. Only the link contains the token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JoinTokenHash(pub Vec<u8>);

/// The use of a link for a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinLinkUse {
    /// The hash of the link's token.
    pub token: JoinTokenHash,
    /// The right code, if the link asks for one.
    pub code: Option<JoinCodeHash>,
}

/// What the links of an organization ask for before they sign in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JoinAsk {
    /// Nothing.
    #[default]
    Nothing,
    /// The password, so that a link that was passed on is not enough.
    Password,
    /// A one-time code that is mailed to the owner; the password of owners without an email address.
    EmailCode,
}

/// The people who get links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinPeople {
    /// Everybody.
    All,
    /// Those who have never signed in.
    NeverSignedIn,
    /// Those among these.
    Named(Vec<EndUserId>),
}

/// Who gets links, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinLinkOrder {
    /// The meeting, whose end makes the links void. `None` for the organization.
    pub meeting: Option<MeetingId>,
    /// The people. With a meeting, only the invited ones.
    pub people: JoinPeople,
    /// Whether each link signs in only once.
    pub is_single_use: bool,
    /// The person who makes the links. A link is as good as a password, so the same rule holds for both.
    pub setter: PasswordSetter,
}

/// An end user who gets a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinPerson {
    /// The id of the end user.
    pub id: EndUserId,
    /// The full name.
    pub name: PersonName,
    /// The name for sign-in.
    pub username: Username,
    /// The email address, if known.
    pub email: Option<EmailAddress>,
}

/// A new link. The token is shown once, to the person who made the link.
#[derive(Clone, Debug)]
pub struct MadeJoinLink {
    /// The owner of the link.
    pub person: JoinPerson,
    /// The token.
    pub token: String,
}

/// Links to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJoinLinks {
    /// The end users, with the hashes of their tokens.
    pub links: Vec<(EndUserId, JoinTokenHash)>,
    /// The meeting, if they are for one.
    pub meeting: Option<MeetingId>,
    /// Whether each of them signs in only once.
    pub is_single_use: bool,
    /// The person who makes them.
    pub setter: PasswordSetter,
    /// The time of creation.
    pub made_at: DateTime<Utc>,
    /// The time of expiry. `None` for those that end with their meeting.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A link that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundJoinLink {
    /// Its owner.
    pub credentials: StoredCredentials,
    /// The full name of the owner.
    pub name: PersonName,
    /// The owner's name for sign-in.
    pub username: Username,
    /// The organization.
    pub client: ClientId,
    /// The code of the organization.
    pub client_code: ClientCode,
    /// The name of the organization.
    pub client_name: String,
    /// The address for codes.
    pub email: Option<EmailAddress>,
    /// The meeting and its title, if the link is for one.
    pub meeting: Option<(MeetingId, String)>,
    /// What the link asks for.
    pub asks: JoinAsk,
}

/// A stored link, as an organizer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinLink {
    /// The id of the link.
    pub id: JoinLinkId,
    /// Its owner.
    pub end_user: EndUserId,
    /// The full name of the owner.
    pub name: PersonName,
    /// The owner's name for sign-in.
    pub username: Username,
    /// The meeting and its title, if the link is for one.
    pub meeting: Option<(MeetingId, String)>,
    /// Whether it signs in only once.
    pub is_single_use: bool,
    /// Whether it would sign in now.
    pub works: bool,
    /// The time of creation.
    pub made_at: DateTime<Utc>,
    /// The time of expiry, if it does not end with a meeting.
    pub expires_at: Option<DateTime<Utc>>,
    /// The time of the last sign-in with it.
    pub last_used_at: Option<DateTime<Utc>>,
    /// The time of its revocation.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// The links to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinLinkFilter {
    /// Only those of this person.
    pub end_user: Option<EndUserId>,
    /// Only those for this meeting.
    pub meeting: Option<MeetingId>,
    /// The page.
    pub page: PageRequest,
}

/// The links to revoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinLinkChoice {
    /// One.
    One(JoinLinkId),
    /// All of a meeting.
    OfMeeting(MeetingId),
    /// All of the organization, those of meetings among them.
    All,
}
