use std::fmt;

use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;
use url::Url;

/// The encryption of the connection to the mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Security {
    /// None: a relay on the same machine or in the same network.
    None,
    /// After the greeting, and required (STARTTLS).
    StartTls,
    /// From the first byte.
    Tls,
}

/// The account at the mail server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) user: String,
    pub(crate) password: String,
}

/// The address of the mail server, and its account.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpAddress {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) security: Security,
    pub(crate) account: Option<Account>,
}

impl SmtpAddress {
    /// The description of a valid address.
    pub const WANTED: &str = "must be the address of a mail server: smtps://user:password@mail.example.org, \
                              smtp://user:password@mail.example.org:587?tls=required, or smtp://localhost:25 for a relay \
                              of one's own";

    /// Parses `smtps://…`, `smtp://…?tls=required` and `smtp://…?tls=none`. Without `tls`, encryption is required with
    /// a password and off without one, so that no password is sent unencrypted by accident.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let host = url.host_str()?.trim_start_matches('[').trim_end_matches(']').to_owned();
        let account = match (decoded(url.username())?, url.password()) {
            (user, None) if user.is_empty() => None,
            (user, Some(password)) if !user.is_empty() => Some(Account { user, password: decoded(password)? }),
            _ => return None,
        };
        let mut tls = None;
        for (name, value) in url.query_pairs() {
            if name != "tls" || tls.is_some() {
                return None;
            }
            tls = Some(value.into_owned());
        }
        let security = match (url.scheme(), tls.as_deref(), &account) {
            ("smtps", None, _) => Security::Tls,
            ("smtp", Some("required"), _) | ("smtp", None, Some(_)) => Security::StartTls,
            ("smtp", Some("none"), _) | ("smtp", None, None) => Security::None,
            _ => return None,
        };
        let usual_port = match security {
            Security::None => 25,
            Security::StartTls => 587,
            Security::Tls => 465,
        };
        let is_plain = matches!(url.path(), "" | "/") && url.fragment().is_none() && !host.is_empty();
        is_plain.then(|| Self { host, port: url.port().unwrap_or(usual_port), security, account })
    }
}

fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(|text| text.into_owned())
}

impl fmt::Debug for SmtpAddress {
    /// Hides the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpAddress")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("security", &self.security)
            .field("signs_in", &self.account.is_some())
            .finish()
    }
}

/// The sender of the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(pub(crate) Mailbox);

impl Sender {
    /// The description of a valid sender.
    pub const WANTED: &str =
        "must be an email address with or without a name, for example Plenum <no-reply@example.org>";

    /// Parses `Name <address>` or an address alone.
    pub fn parse(text: &str) -> Option<Self> {
        let mailbox: Mailbox = text.parse().ok()?;
        let is_readable = !mailbox.name.as_deref().unwrap_or_default().contains(char::is_control);
        is_readable.then_some(Self(mailbox))
    }
}

/// The settings for sending mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailSettings {
    /// The mail server.
    pub server: SmtpAddress,
    /// The sender of the messages.
    pub sender: Sender,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_server_and_its_encryption() {
        for (text, host, port, security, signs_in) in [
            ("smtps://me:secret@mail.example.org", "mail.example.org", 465, Security::Tls, true),
            ("smtps://mail.example.org:4650/", "mail.example.org", 4650, Security::Tls, false),
            ("smtp://me:secret@mail.example.org:587?tls=required", "mail.example.org", 587, Security::StartTls, true),
            ("smtp://me:secret@mail.example.org", "mail.example.org", 587, Security::StartTls, true),
            ("smtp://me:secret@localhost:1025?tls=none", "localhost", 1025, Security::None, true),
            ("smtp://relay:25", "relay", 25, Security::None, false),
            ("smtp://relay?tls=required", "relay", 587, Security::StartTls, false),
            ("smtp://[::1]:2525", "::1", 2525, Security::None, false),
        ] {
            let address = SmtpAddress::parse(text).unwrap_or_else(|| panic!("{text} is refused"));
            assert_eq!((address.host.as_str(), address.port, address.security), (host, port, security), "{text}");
            assert_eq!(address.account.is_some(), signs_in, "{text}");
        }
    }

    #[test]
    fn an_invalid_address_is_refused() {
        for text in [
            "",
            "mail.example.org",
            "http://mail.example.org",
            "smtp://",
            "smtp://mail.example.org/inbox",
            "smtp://mail.example.org?tls=perhaps",
            "smtps://mail.example.org?tls=none",
            "smtp://mail.example.org?ssl=1",
            "smtp://me@mail.example.org",
            "smtp://:secret@mail.example.org",
            "smtp://mail.example.org:99999",
            "smtp://mail.example.org#x",
        ] {
            assert_eq!(SmtpAddress::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_password_may_have_any_character_and_is_never_shown() {
        let address = SmtpAddress::parse("smtps://me%40example.org:p%40ss%3A%2F%C3%A4@mail.example.org").unwrap();
        let account = address.account.clone().unwrap();
        assert_eq!((account.user.as_str(), account.password.as_str()), ("me@example.org", "p@ss:/ä"));
        let shown = format!("{address:?}");
        assert!(!shown.contains("p@ss") && !shown.contains("p%40ss") && shown.contains("mail.example.org"), "{shown}");
    }

    #[test]
    fn a_sender_is_an_address_with_or_without_a_name() {
        for text in ["Plenum <no-reply@example.org>", "no-reply@example.org", "\"Club, e.V.\" <club@example.org>"] {
            assert!(Sender::parse(text).is_some(), "{text}");
        }
        for text in ["", "Plenum", "no-reply@", "a@example.org, b@example.org", "Plenum\nBcc: x <a@example.org>"] {
            assert!(Sender::parse(text).is_none(), "{text:?}");
        }
    }
}
