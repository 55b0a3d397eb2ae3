//! The erasure of a voter's personal data.

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, Invalid, KindWeights, PortFailure, TEST_PREFIX, lower_case};

use super::service::EndUserService;
use crate::{EndUser, EraseEndUserError, Password, PasswordHash, PersonName, Username};

/// The name of people whose personal data was erased.
pub const ERASED_NAME: &str = "Erased person";

/// The start of the usernames of erased people.
const ERASED_PREFIX: &str = "erased-";

/// The requirement of usernames that somebody chooses.
pub(crate) const NOT_RESERVED: &str =
    "Must not be \"erased-\" and 32 hexadecimal digits: such usernames are reserved for people whose data was erased.";

/// The erasure of one end user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The end user.
    pub id: EndUserId,
    /// The origin of the erasure, with its condition.
    pub by: ErasedBy,
    /// The hash of a password that nobody knows.
    pub password: PasswordHash,
}

/// The origin of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErasedBy {
    /// An organizer, who typed this username to confirm it.
    Organizer(Username),
    /// The rule, for people who were deactivated before this time and have not signed in since.
    Rule(DateTime<Utc>),
}

/// The result of the rule, for all clients.
#[derive(Debug, Default)]
pub struct RuleErasures {
    /// The number of erased people.
    pub erased: u64,
    /// The people whose erasure failed. The next run tries again.
    pub failed: Vec<FailedErasure>,
}

/// An erasure by the rule that failed.
#[derive(Debug)]
pub struct FailedErasure {
    /// The client.
    pub client: ClientId,
    /// The end user.
    pub end_user: EndUserId,
    /// The reason.
    pub reason: EraseEndUserError,
}

impl EndUser {
    /// The end user without personal data. The weight stays, because it is none of a person, and the marks of test data. Values of
    /// kinds of weight go: a number of shares can tell who somebody is.
    #[must_use]
    pub fn erased(&self) -> Self {
        let name = if self.is_test() { format!("{TEST_PREFIX}{ERASED_NAME}") } else { ERASED_NAME.to_owned() };
        Self {
            username: Username::from_stored(format!("{ERASED_PREFIX}{}", self.id.as_uuid().simple())),
            name: PersonName::from_stored(name),
            email: None,
            address: None,
            weights: KindWeights::default(),
            groups: Vec::new(),
            is_active: false,
            last_login_at: None,
            is_erased: true,
            ..self.clone()
        }
    }
}

impl Username {
    /// Parses a username that somebody chooses: that of a new end user, or a new one of an end user.
    ///
    /// # Errors
    /// States the requirement.
    pub fn parse_chosen(text: &str) -> Result<Self, Invalid> {
        let username = Self::parse(text)?;
        if is_reserved(username.as_str()) { Err(Invalid::new(NOT_RESERVED)) } else { Ok(username) }
    }
}

/// Whether an erased person could have this username, in any case. Somebody else with it would look erased, and hold back the
/// erasure of the person with this id.
pub(crate) fn is_reserved(username: &str) -> bool {
    const DIGITS: usize = 32;
    let username = lower_case(username);
    let is_id = |id: &str| id.len() == DIGITS && id.chars().all(|digit| digit.is_ascii_hexdigit());
    username.strip_prefix(ERASED_PREFIX).is_some_and(is_id)
}

/// The number of people that one look finds.
const AT_ONCE: u32 = 500;

impl EndUserService {
    /// Erases the personal data of an end user, and signs them out everywhere. Votes, registers and records stay. `confirmed` is the
    /// username that somebody typed.
    ///
    /// # Errors
    /// Fails when the client has no such end user, another username was typed, the end user may vote in a running meeting, or
    /// somebody else has the username that the end user would get.
    pub async fn erase(&self, owner: ClientId, id: EndUserId, confirmed: Username) -> Result<(), EraseEndUserError> {
        let found = self.ports.end_users.find(owner, id).await?.ok_or(EraseEndUserError::NotFound)?;
        // Checked before the slow hash. The store checks it again.
        if found.is_erased {
            return Err(EraseEndUserError::AlreadyErased);
        }
        let password = self.unknown_password().await?;
        self.ports.end_users.erase(owner, Erasure { id, by: ErasedBy::Organizer(confirmed), password }).await
    }

    /// Erases the personal data of everybody who was deactivated before this time and has not signed in since, of all clients.
    /// Leaves out people of running meetings: the next run finds them again. If one erasure fails, it goes on with the next.
    ///
    /// # Errors
    /// Fails when the people cannot be listed, or no password can be made. Everybody who was erased until then stays erased.
    pub async fn erase_inactive(&self, before: DateTime<Utc>) -> Result<RuleErasures, PortFailure> {
        let (mut outcome, mut behind) = (RuleErasures::default(), None);
        loop {
            let found = self.ports.end_users.inactive_since(before, behind, AT_ONCE).await?;
            let Some((_, last)) = found.last().copied() else { return Ok(outcome) };
            let password = self.unknown_password().await?;
            // One transaction for each, because each locks the running meetings of the client.
            for (client, end_user) in found {
                let erasure = Erasure { id: end_user, by: ErasedBy::Rule(before), password: password.clone() };
                match self.ports.end_users.erase(client, erasure).await {
                    Ok(()) => outcome.erased += 1,
                    Err(reason @ (EraseEndUserError::UsernameTaken | EraseEndUserError::Port(_))) => {
                        outcome.failed.push(FailedErasure { client, end_user, reason });
                    }
                    Err(
                        EraseEndUserError::NotFound
                        | EraseEndUserError::AlreadyErased
                        | EraseEndUserError::OtherUsername
                        | EraseEndUserError::VotingNow
                        | EraseEndUserError::InRunningMeeting,
                    ) => {}
                }
            }
            behind = Some(last);
        }
    }

    async fn unknown_password(&self) -> Result<PasswordHash, PortFailure> {
        let password = Password::parse(&self.ports.secrets.password())
            .map_err(|wanted| PortFailure::new("the source of secrets", wanted.to_string()))?;
        self.ports.hasher.hash_random(password).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_chooses_the_username_of_an_erased_person() {
        let id = "019a9d5e00007000800000000000000a";
        for prefix in ["erased-", "ERASED-", " Erased-"] {
            for id in [id.to_owned(), id.to_uppercase()] {
                let typed = format!("{prefix}{id}");
                assert!(Username::parse(&typed).is_ok(), "sign-in reads {typed}");
                assert_eq!(Username::parse_chosen(&typed), Err(Invalid::new(NOT_RESERVED)), "{typed}");
            }
        }
        for typed in ["erased", "erased-1", &format!("erased-{id}0"), &format!("erased-{}", &id[1..]), id, "anna"] {
            assert_eq!(Username::parse_chosen(typed), Username::parse(typed), "{typed}");
        }
        assert!(Username::parse_chosen(&format!("erased-{}", "g".repeat(32))).is_ok());
    }
}
