use chrono::TimeDelta;
use plenum_kernel::{EmailAddress, PortFailure};

use crate::{NewReset, NotedAct, ResetPorts, ResetRequest};

/// A mail with a reset link. Only its owner may see it: `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct ResetLetter {
    /// The address of the account.
    pub to: EmailAddress,
    /// The name of its owner.
    pub to_name: String,
    /// One line.
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
    /// How long a link is valid.
    pub const LIFETIME: TimeDelta = TimeDelta::hours(1);

    /// Letters by these ports.
    pub fn new(ports: ResetPorts) -> Self {
        Self { ports }
    }

    /// What to send to whoever has this wish, with a link that leads to `page`. Nothing when there is no such account, or it
    /// may not sign in.
    ///
    /// # Errors
    /// Fails when a store does not answer.
    pub async fn letter_for(&self, wish: &ResetRequest, page: &str) -> Result<Option<ResetLetter>, PortFailure> {
        let found = self.ports.accounts.account_credentials(&wish.email).await?;
        let Some(found) = found.filter(|found| found.may_sign_in) else { return Ok(None) };
        let Some(profile) = self.ports.accounts.profile(found.person).await? else { return Ok(None) };
        let (token, now) = (self.ports.secrets.token(), self.ports.clock.now());
        let reset = NewReset {
            token: self.ports.hash_token(&token),
            person: found.person,
            email: wish.email.clone(),
            password_hash: found.password_hash,
            made_at: now,
            expires_at: now + Self::LIFETIME,
        };
        let is_kept = self.ports.passwords.keep_reset(reset).await?;
        if is_kept {
            self.ports.trail.note(NotedAct::PasswordResetAsked(found.person, wish.from)).await?;
        }
        // What stands behind `#` is sent to no server, and so stands in no log of one.
        Ok(is_kept.then(|| write_letter(wish, &profile.name, &format!("{page}#token={token}"))))
    }
}

/// Writes the mail to whoever has, or is said to have, this wish.
pub(crate) fn write_letter(wish: &ResetRequest, name: &str, link: &str) -> ResetLetter {
    let ResetRequest { email, from } = wish;
    let from = from.to_canonical();
    let text = format!(
        "Hello {name},\n\
         \n\
         somebody asked for a new password for your Plenum account {email}.\n\
         \n\
         To choose one, open this link within one hour. It works once:\n\
         {link}\n\
         \n\
         With the new password you are signed out on all devices.\n\
         \n\
         If it was not you, there is nothing to do: your password stays as it is.\n\
         The request came from the address {from}.\n"
    );
    ResetLetter { to: email.clone(), to_name: name.to_owned(), subject: "A new password for Plenum".to_owned(), text }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn it_says_what_to_do_for_how_long_it_works_and_who_asked() {
        let email = EmailAddress::parse("Anna@Example.org").unwrap();
        let wish = ResetRequest { email: email.clone(), from: IpAddr::from([192, 0, 2, 7]) };
        let letter = write_letter(&wish, "Anna Berg", "https://vote.example.org/reset-password#token=abc");
        assert_eq!((letter.to, letter.to_name.as_str()), (email, "Anna Berg"));
        assert_eq!(
            letter.text,
            "Hello Anna Berg,\n\
             \n\
             somebody asked for a new password for your Plenum account anna@example.org.\n\
             \n\
             To choose one, open this link within one hour. It works once:\n\
             https://vote.example.org/reset-password#token=abc\n\
             \n\
             With the new password you are signed out on all devices.\n\
             \n\
             If it was not you, there is nothing to do: your password stays as it is.\n\
             The request came from the address 192.0.2.7.\n"
        );
    }

    #[test]
    fn the_link_does_not_show_in_debug_output() {
        let wish =
            ResetRequest { email: EmailAddress::parse("a@example.org").unwrap(), from: IpAddr::from([192, 0, 2, 7]) };
        assert!(!format!("{:?}", write_letter(&wish, "Anna", "https://x.example/#token=abc")).contains("abc"));
    }
}
