use chrono::TimeDelta;
use plenum_kernel::{EmailAddress, PortFailure};

use crate::{NewReset, NotedAct, ResetPorts, ResetRequest};

/// A mail with a reset link. `Debug` hides it, because only the recipient may see it.
#[derive(Clone, PartialEq, Eq)]
pub struct ResetLetter {
    /// The address of the account.
    pub to: EmailAddress,
    /// The name of the recipient.
    pub to_name: String,
    /// The subject, in one line.
    pub subject: String,
    /// Plain text, with `\n` at the end of each line.
    pub text: String,
}

impl std::fmt::Debug for ResetLetter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ResetLetter(…)")
    }
}

/// Makes reset links, and writes the mails that carry them.
pub struct ResetLetters {
    ports: ResetPorts,
}

impl ResetLetters {
    /// The lifetime of a link.
    pub const LIFETIME: TimeDelta = TimeDelta::hours(1);

    /// A service by these ports.
    pub fn new(ports: ResetPorts) -> Self {
        Self { ports }
    }

    /// Stores a reset link for the account of a request, and writes the mail with it. The link leads to `page`. `None`
    /// when there is no such account, or it may not sign in.
    ///
    /// # Errors
    /// Fails when a store does not answer.
    pub async fn letter_for(&self, request: &ResetRequest, page: &str) -> Result<Option<ResetLetter>, PortFailure> {
        let found = self.ports.accounts.account_credentials(&request.email).await?;
        let Some(found) = found.filter(|found| found.may_sign_in) else { return Ok(None) };
        let Some(profile) = self.ports.accounts.profile(found.person).await? else { return Ok(None) };
        let (token, now) = (self.ports.secrets.token(), self.ports.clock.now());
        let reset = NewReset {
            token: self.ports.hash_token(&token),
            person: found.person,
            email: request.email.clone(),
            password_hash: found.password_hash,
            made_at: now,
            expires_at: now + Self::LIFETIME,
        };
        let is_kept = self.ports.passwords.store_reset(reset).await?;
        if is_kept {
            self.ports.trail.note(NotedAct::PasswordResetAsked(found.person, request.from)).await?;
        }
        // Browsers do not send the part after `#` to a server, so it reaches no server log.
        Ok(is_kept.then(|| write_letter(request, &profile.name, &format!("{page}#token={token}"))))
    }
}

/// Writes the mail for this request.
pub(crate) fn write_letter(request: &ResetRequest, name: &str, link: &str) -> ResetLetter {
    let ResetRequest { email, from } = request;
    let from = from.to_canonical();
    let text = format!(
        "Hello {name},\n\
         \n\
         someone requested a new password for your Plenum account {email}.\n\
         \n\
         To set a new password, open this link within one hour. It works once:\n\
         {link}\n\
         \n\
         A new password signs you out on all devices.\n\
         \n\
         If you did not request this, you need not do anything: your password stays the same.\n\
         The request came from the address {from}.\n"
    );
    ResetLetter {
        to: email.clone(),
        to_name: name.to_owned(),
        subject: "Set a new password for Plenum".to_owned(),
        text,
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn the_letter_explains_the_link_its_lifetime_and_the_origin_of_the_request() {
        let email = EmailAddress::parse("Anna@Example.org").unwrap();
        let request = ResetRequest { email: email.clone(), from: IpAddr::from([192, 0, 2, 7]) };
        let letter = write_letter(&request, "Anna Berg", "https://vote.example.org/reset-password#token=abc");
        assert_eq!((letter.to, letter.to_name.as_str()), (email, "Anna Berg"));
        assert_eq!(
            letter.text,
            "Hello Anna Berg,\n\
             \n\
             someone requested a new password for your Plenum account anna@example.org.\n\
             \n\
             To set a new password, open this link within one hour. It works once:\n\
             https://vote.example.org/reset-password#token=abc\n\
             \n\
             A new password signs you out on all devices.\n\
             \n\
             If you did not request this, you need not do anything: your password stays the same.\n\
             The request came from the address 192.0.2.7.\n"
        );
    }

    #[test]
    fn the_link_does_not_show_in_debug_output() {
        let request =
            ResetRequest { email: EmailAddress::parse("a@example.org").unwrap(), from: IpAddr::from([192, 0, 2, 7]) };
        assert!(!format!("{:?}", write_letter(&request, "Anna", "https://x.example/#token=abc")).contains("abc"));
    }
}
