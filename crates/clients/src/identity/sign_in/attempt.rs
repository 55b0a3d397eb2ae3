use std::fmt;
use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::EmailAddress;

use crate::identity::rate_limiter::counted_address;
use crate::{ClientKey, DeviceId, Username};

/// A rate limit on failures: some at once, then one more at a steady rate.
pub(crate) struct Limit {
    at_once: i32,
    pub(crate) one_more_each: TimeDelta,
}

impl Limit {
    /// A name at one address, or on one device. Ten are more than anybody needs who looks for the right one of their
    /// passwords; six more in a minute are no way to guess one.
    pub(crate) const NAME: Self = Self { at_once: 10, one_more_each: TimeDelta::seconds(10) };
    /// A name at all addresses of one kind together. An attack from many addresses gets no further than this; one
    /// address alone uses up a third of it at most.
    const NAME_IN_ALL: Self = Self { at_once: 30, one_more_each: TimeDelta::seconds(10) };
    /// An address. A hall of 2,000 voters shares one: if one in ten mistypes while all sign in within two minutes, these
    /// are 200 failures, and 60 + 120 × 2 are let pass.
    const ADDRESS: Self = Self { at_once: 60, one_more_each: TimeDelta::milliseconds(500) };

    /// How many checks of one name may wait or run at a time. They are failures only afterwards, if at all; and one
    /// person with a right password must not fill the queue in which a hall waits.
    pub(crate) const CHECKS_OF_A_NAME: i32 = 100;

    /// How long it takes until as many failures as are let pass at once have healed.
    pub(crate) fn full(&self) -> TimeDelta {
        self.one_more_each * self.at_once
    }

    /// How long to wait for one more try after failures that will have healed at this time.
    pub(crate) fn wait(&self, healed_at: DateTime<Utc>, now: DateTime<Utc>) -> Option<TimeDelta> {
        let wait = healed_at + self.one_more_each - self.full() - now;
        (wait > TimeDelta::zero()).then_some(wait)
    }
}

/// A name that somebody signs in with, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SignInName {
    Account(EmailAddress),
    EndUser(ClientKey, String),
}

impl SignInName {
    /// Of somebody with an account.
    pub(crate) fn account(email: &EmailAddress) -> Self {
        Self::Account(email.clone())
    }

    /// Of an end user; the client is best named by its id. Stores compare usernames in whatever case; one person must
    /// not have as many keys as spellings. Letter by letter, because the full lower case of `İ` is two letters, and a
    /// database's is `i`.
    pub(crate) fn end_user(client: &ClientKey, username: &Username) -> Self {
        let username = username.as_str().chars().filter_map(|letter| letter.to_lowercase().next()).collect();
        Self::EndUser(client.clone(), username)
    }

    /// Whose sign-ins say something of an address.
    pub(crate) fn group(&self) -> Group {
        match self {
            Self::Account(_) => Group::Anybody,
            Self::EndUser(client, _) => Group::Client(client.clone()),
        }
    }
}

/// The name as device tokens are bound to it. No two names have the same text.
impl fmt::Display for SignInName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(email) => write!(f, "account {email}"),
            Self::EndUser(ClientKey::Id(client), username) => write!(f, "voter {client} {username}"),
            Self::EndUser(ClientKey::Code(code), username) => write!(f, "voter of {code} {username}"),
        }
    }
}

/// People whose sign-ins make an address known to others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// For end users: the people of their client.
    Client(ClientKey),
    /// For accounts, whose client is not known before they are looked up: everybody.
    Anybody,
}

/// Where an attempt comes from, as far as the server knows the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A device on which this name has signed in before.
    KnownDevice(DeviceId),
    /// An address from which this name has signed in before.
    KnownAddress,
    /// An address from which others of the group have signed in: the hall of a meeting.
    SharedAddress,
    /// Anywhere else.
    Elsewhere,
}

/// What failures are counted for. Names that nobody has are counted, too, else the limit would tell which ones exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A name on a device that is known.
    OnDevice(SignInName, DeviceId),
    /// A name at an address.
    At(SignInName, IpAddr),
    /// A name at all shared addresses.
    Shared(SignInName),
    /// A name at all other addresses at which it is not known.
    Elsewhere(SignInName),
    /// An address, whatever the name.
    Address(IpAddr),
}

impl Key {
    pub(crate) fn limit(&self) -> &'static Limit {
        match self {
            Self::OnDevice(..) | Self::At(..) => &Limit::NAME,
            Self::Shared(_) | Self::Elsewhere(_) => &Limit::NAME_IN_ALL,
            Self::Address(_) => &Limit::ADDRESS,
        }
    }
}

/// A sign-in that is being tried: for which name, and from where.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// `None` for what cannot be a name.
    pub(crate) name: Option<SignInName>,
    /// The address as it is counted.
    pub(crate) from: IpAddr,
    /// Where that is.
    pub(crate) place: Place,
    /// What failures of the name are counted for here, the widest last. None without a name.
    pub(crate) name_keys: Vec<Key>,
    /// What failures of the address are counted for.
    pub(crate) address: Key,
}

impl Attempt {
    /// With this name, or with what can be none.
    pub(crate) fn new(name: Option<SignInName>, from: IpAddr, place: Place) -> Self {
        let from = counted_address(from);
        let name_keys = name.iter().flat_map(|name| keys_of(name, from, place)).collect();
        Self { name, from, place, name_keys, address: Key::Address(from) }
    }

    /// The device on which the name has signed in before.
    pub(crate) fn device(&self) -> Option<DeviceId> {
        match self.place {
            Place::KnownDevice(device) => Some(device),
            Place::KnownAddress | Place::SharedAddress | Place::Elsewhere => None,
        }
    }

    /// Whether failures of others at the same address hold it up. A device that is known has its own limit.
    pub(crate) fn counts_address(&self) -> bool {
        self.device().is_none()
    }

    /// What may hold the attempt up, and what a failure is counted for.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.name_keys.iter().chain(self.counts_address().then_some(&self.address))
    }
}

fn keys_of(name: &SignInName, from: IpAddr, place: Place) -> Vec<Key> {
    let at = || Key::At(name.clone(), from);
    match place {
        Place::KnownDevice(device) => vec![Key::OnDevice(name.clone(), device)],
        Place::KnownAddress => vec![at()],
        Place::SharedAddress => vec![at(), Key::Shared(name.clone())],
        Place::Elsewhere => vec![at(), Key::Elsewhere(name.clone())],
    }
}

/// A place where a name has signed in before; see [`crate::SignInService::known_place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KnownPlace {
    /// A device.
    Device(DeviceId),
    /// An address, as it is counted.
    Address(IpAddr),
}

#[cfg(test)]
mod tests {
    use super::super::throttle_fixture::from;
    use crate::ClientCode;
    use plenum_kernel::ClientId;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn one_person_has_one_key_however_the_username_is_spelt() {
        let client = ClientKey::Id(ClientId::new(&CountingIds::new()));
        let key = |client: &ClientKey, name: &str| SignInName::end_user(client, &Username::parse(name).unwrap());
        for (one, other) in [("Anna", "aNNa"), ("LİLİ", "lili"), ("ÄRGER", "ärger"), (" anna ", "anna")] {
            assert_eq!(key(&client, one), key(&client, other));
        }
        assert_ne!(key(&client, "anna"), key(&client, "anne"));
        let unknown = ClientKey::Code(ClientCode::parse("club").unwrap());
        assert_ne!(key(&client, "anna"), key(&unknown, "anna"));
    }

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_address() {
        let key = |text: &str| from(text).address;
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("::ffff:192.0.2.1"), key("::ffff:192.0.2.2"));
    }
}
