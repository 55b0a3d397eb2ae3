use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::EmailAddress;

/// The time that a code works after it was sent.
pub(crate) const CODE_LIFETIME: TimeDelta = TimeDelta::minutes(10);
/// The number of wrong tries of one code. With [`CODE_MAILS`], a stranger who has the link has 30 tries of a million codes in an
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
