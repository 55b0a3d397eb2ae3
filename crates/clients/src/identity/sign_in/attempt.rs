use std::fmt;
use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{EmailAddress, lower_case};

use crate::identity::rate_limiter::counted_address;
use crate::{ClientKey, DeviceId, Username};

/// A rate limit on failures: a number at once, then one more at a fixed interval.
pub(crate) struct Limit {
    burst: i32,
    pub(crate) interval: TimeDelta,
}

impl Limit {
    /// The limit of a name at one address or on one device. Ten attempts are enough to find the right one of several
    /// own passwords. Six more in a minute are too few to guess a password.
    pub(crate) const NAME: Self = Self { burst: 10, interval: TimeDelta::seconds(10) };
    /// The limit of a name at all addresses of one kind together. It stops an attack from many addresses. One address
    /// alone uses at most a third of it.
    const NAME_IN_ALL: Self = Self { burst: 30, interval: TimeDelta::seconds(10) };
    /// The limit of an address. A hall of 2,000 voters shares one address. If one in ten mistypes while all sign in
    /// within two minutes, there are 200 failures, and the limit allows 60 + 120 × 2.
    const ADDRESS: Self = Self { burst: 60, interval: TimeDelta::milliseconds(500) };

    /// The number of password checks of one name that may wait or run at a time. Checks count as failures only
    /// afterwards, and one person with a right password must not fill the queue of a hall.
    pub(crate) const CHECKS_OF_A_NAME: i32 = 100;

    /// The time after which a full burst of failures has expired.
    pub(crate) fn full(&self) -> TimeDelta {
        self.interval * self.burst
    }

    /// The time until the next attempt is allowed, for failures that expire at this time.
    pub(crate) fn wait(&self, expires_at: DateTime<Utc>, now: DateTime<Utc>) -> Option<TimeDelta> {
        let wait = expires_at + self.interval - self.full() - now;
        (wait > TimeDelta::zero()).then_some(wait)
    }
}

/// A name of a sign-in, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SignInName {
    Account(EmailAddress),
    EndUser(ClientKey, String),
}

impl SignInName {
    /// The name of an account.
    pub(crate) fn account(email: &EmailAddress) -> Self {
        Self::Account(email.clone())
    }

    /// The name of an end user. The client should be given by its id.
    ///
    /// Stores compare usernames without case, so all spellings share one key.
    pub(crate) fn end_user(client: &ClientKey, username: &Username) -> Self {
        Self::EndUser(client.clone(), lower_case(username.as_str()))
    }

    /// The group whose sign-ins make an address known for this name.
    pub(crate) fn group(&self) -> Group {
        match self {
            Self::Account(_) => Group::Anybody,
            Self::EndUser(client, _) => Group::Client(client.clone()),
        }
    }
}

/// The text to which device tokens are bound. It is unique for each name.
impl fmt::Display for SignInName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(email) => write!(f, "account {email}"),
            Self::EndUser(ClientKey::Id(client), username) => write!(f, "voter {client} {username}"),
            Self::EndUser(ClientKey::Code(code), username) => write!(f, "voter of {code} {username}"),
        }
    }
}

/// People whose sign-ins make an address known to each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// The end users and administrators of a client, for end users.
    Client(ClientKey),
    /// All people, for accounts: their client is unknown before the lookup.
    Anybody,
}

/// The known facts about the place of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A device on which this name has signed in before.
    KnownDevice(DeviceId),
    /// An address from which this name has signed in before.
    KnownAddress,
    /// An address from which others of the group have signed in, such as the hall of a meeting.
    SharedAddress,
    /// Any other place.
    Elsewhere,
}

/// The keys by which failures are counted. Unknown names count too, so that the limit does not reveal which names
/// exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A name on a known device.
    OnDevice(SignInName, DeviceId),
    /// A name at an address.
    At(SignInName, IpAddr),
    /// A name at all shared addresses.
    Shared(SignInName),
    /// A name at all addresses where it is not known.
    Elsewhere(SignInName),
    /// An address, for all names.
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

/// An attempt to sign in: its name and its place.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// `None` for text that cannot be a name.
    pub(crate) name: Option<SignInName>,
    /// The address by which attempts are counted.
    pub(crate) from: IpAddr,
    /// The known facts about the place.
    pub(crate) place: Place,
    /// The keys of the name's failures here, the widest last. Empty without a name.
    pub(crate) name_keys: Vec<Key>,
    /// The key of the address's failures.
    pub(crate) address: Key,
}

impl Attempt {
    /// An attempt with this name, or `None` for text that cannot be a name.
    pub(crate) fn new(name: Option<SignInName>, from: IpAddr, place: Place) -> Self {
        let from = counted_address(from);
        let name_keys = name.iter().flat_map(|name| keys_of(name, from, place)).collect();
        Self { name, from, place, name_keys, address: Key::Address(from) }
    }

    /// The known device, if the attempt comes from one.
    pub(crate) fn device(&self) -> Option<DeviceId> {
        match self.place {
            Place::KnownDevice(device) => Some(device),
            Place::KnownAddress | Place::SharedAddress | Place::Elsewhere => None,
        }
    }

    /// Whether failures of others at the same address count. A known device has its own limit.
    pub(crate) fn counts_address(&self) -> bool {
        self.device().is_none()
    }

    /// All keys whose failures limit the attempt, and which count its own failure.
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
    /// An address, as attempts are counted.
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
    fn all_spellings_of_a_username_share_one_key() {
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
