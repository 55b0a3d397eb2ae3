use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{EmailAddress, PortFailure};

use crate::identity::join_links::service::join_token_hash;
use crate::{FoundJoinLink, JoinAsk, JoinTokenHash, SignInService};

/// The time that a code works after it was sent.
pub(crate) const CODE_LIFETIME: TimeDelta = TimeDelta::minutes(10);
/// The number of tries of one code. With [`CODE_MAILS`], a stranger who has the link has 30 tries of a million codes in an
/// hour.
pub const CODE_TRIES: i16 = 5;
/// The mails of one link: so many at once, then one in each interval.
pub(crate) const CODE_MAILS: (i32, TimeDelta) = (3, TimeDelta::minutes(20));

/// The hash of a link's token and a code. Only the link contains the token, so whoever reads the hash cannot try the few
/// codes one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinCodeHash(pub Vec<u8>);

/// A new one-time code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJoinCode {
    /// Its hash.
    pub hash: JoinCodeHash,
    /// The time of the request.
    pub made_at: DateTime<Utc>,
    /// The end of its time.
    pub expires_at: DateTime<Utc>,
}

/// A mail with a one-time code.
#[derive(Clone, PartialEq, Eq)]
pub struct JoinCodeLetter {
    /// The address of the link's owner.
    pub to: EmailAddress,
    /// The name of the link's owner.
    pub to_name: String,
    /// The subject. It does not contain the code, which would then be on locked screens.
    pub subject: String,
    /// The text.
    pub text: String,
}

impl std::fmt::Debug for JoinCodeLetter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JoinCodeLetter(…)")
    }
}

/// The queue of mails with codes.
pub trait JoinCodeMails: Send + Sync {
    /// Puts a mail into the queue, and says whether there was space.
    fn put(&self, letter: JoinCodeLetter) -> bool;
}

/// Why no code was sent.
#[derive(Debug, thiserror::Error)]
pub enum JoinCodeError {
    /// The link does not work.
    #[error(
        "this personal link no longer works; sign in with your username and password, or ask your organizer for a new link"
    )]
    Void,
    /// The link asks for something else.
    #[error("this personal link asks for no code")]
    NotAsked,
    /// The link had its mails.
    #[error("too many codes were sent")]
    TooMany {
        /// The time until the next code can be sent.
        retry_after: TimeDelta,
    },
    /// A port failed.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl SignInService {
    /// Sends a new code to the owner of the link with this token. The earlier code is void.
    ///
    /// # Errors
    /// Fails when the link does not work or asks for no code, when it had too many mails, or when the queue is full.
    pub async fn send_join_code(&self, token: &str) -> Result<(), JoinCodeError> {
        let found = self.find_join_link(token).await?.ok_or(JoinCodeError::Void)?;
        let mails = self.ports.code_mails.as_ref().filter(|_| found.asks == JoinAsk::EmailCode);
        let (Some(mails), Some(email)) = (mails, found.email.clone()) else { return Err(JoinCodeError::NotAsked) };
        let link = self.join_token(token);
        self.code_mails.take(&link).map_err(|retry_after| JoinCodeError::TooMany { retry_after })?;
        let (code, made_at) = (self.new_code(), self.ports.clock.now());
        let new = NewJoinCode { hash: self.code_hash(token, &code), made_at, expires_at: made_at + CODE_LIFETIME };
        if !self.ports.join_links.put_code(found.client, &link, new).await? {
            return Err(JoinCodeError::Void);
        }
        if mails.put(write_letter(&found, email, &code)) {
            Ok(())
        } else {
            Err(PortFailure::busy("the queue of mail").into())
        }
    }

    /// Uses up the code of a link, and says whether it was the right one. A wrong one counts as a try.
    pub(crate) async fn use_join_code(
        &self,
        found: &FoundJoinLink,
        token: &str,
        code: &str,
    ) -> Result<bool, PortFailure> {
        // Mails are copied with spaces.
        let code: String = code.chars().filter(|character| !character.is_whitespace()).collect();
        let (link, hash) = (self.join_token(token), self.code_hash(token, &code));
        self.ports.join_links.use_code(found.client, &link, &hash, self.ports.clock.now()).await
    }

    pub(crate) fn join_token(&self, token: &str) -> JoinTokenHash {
        join_token_hash(&*self.ports.refresh_tokens, token)
    }

    /// Six random digits.
    fn new_code(&self) -> String {
        let random = self.ports.refresh_tokens.hash(&self.ports.secrets.token()).0;
        let number = random.iter().fold(0_u64, |sum, byte| (sum * 256 + u64::from(*byte)) % 1_000_000);
        format!("{number:06}")
    }

    fn code_hash(&self, token: &str, code: &str) -> JoinCodeHash {
        JoinCodeHash(self.ports.refresh_tokens.hash(&format!("code {code} of {token}")).0)
    }
}

fn write_letter(found: &FoundJoinLink, to: EmailAddress, code: &str) -> JoinCodeLetter {
    let (name, organization) = (&found.name, &found.client_name);
    let text = format!(
        "Hello {name},\n\
         \n\
         your code for {organization} is {code}\n\
         \n\
         It works once, within ten minutes, and only with your personal link.\n\
         \n\
         If you did not open your personal link, somebody else has it: do not pass on this code, and tell your organizer.\n"
    );
    JoinCodeLetter { to, to_name: name.to_string(), subject: format!("Your code for {organization}"), text }
}

/// An address of which only the first letter and the domain are readable: "a…@example.org".
pub fn masked_address(address: &EmailAddress) -> String {
    let address = address.to_string();
    let (name, domain) = address.split_once('@').unwrap_or((&address, ""));
    let first: String = name.chars().take(1).collect();
    format!("{first}…@{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_its_first_letter_and_its_domain() {
        let address = EmailAddress::parse("anna.berg@example.org").unwrap();
        assert_eq!(masked_address(&address), "a…@example.org");
    }
}
