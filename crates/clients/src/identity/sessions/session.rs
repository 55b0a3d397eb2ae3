use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{Person, SessionId};

use crate::identity::rate_limiter::counted_address;
use crate::{PasswordHash, SecondFactorProof};

/// The hash under which a refresh token is kept; the token itself is known to its owner only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RefreshTokenHash(pub Vec<u8>);

/// Turns a refresh token into what is kept of it.
pub trait RefreshTokens: Send + Sync {
    /// The hash of `token`. MUST be one-way and always the same; tokens have 256 random bits, so it need not be slow.
    fn hash(&self, token: &str) -> RefreshTokenHash;

    /// The token that follows `token`. MUST always be the same, and MUST follow from a key of the server: nobody else
    /// can tell it from the token before.
    fn successor(&self, token: &str) -> String;
}

/// The network and the browser that a refresh token is used from, as a hash: two uses by one device are told from two
/// uses by different ones, and nothing else is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceMark(pub Vec<u8>);

/// A refresh token that is presented for its successor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renewal {
    /// The hash of the token.
    pub presented: RefreshTokenHash,
    /// The hash of its successor.
    pub next: RefreshTokenHash,
    /// From where it is presented.
    pub by: DeviceMark,
}

/// A refresh token to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRefreshToken {
    /// Its hash.
    pub hash: RefreshTokenHash,
    /// When it was made.
    pub issued_at: DateTime<Utc>,
    /// When it ends, if it is not used before.
    pub expires_at: DateTime<Utc>,
}

/// Where somebody signed in from, as far as it is known: for nothing but to tell them so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionOrigin {
    /// The address that they called from.
    pub address: Option<IpAddr>,
    /// What their browser says of itself.
    pub device: Option<String>,
}

impl SessionOrigin {
    /// The longest device that is kept, in characters.
    pub const MAX_DEVICE: usize = 200;

    /// From this address, with a device that names itself so. Whatever it says there, what is kept is short and one line.
    pub fn new(address: IpAddr, device: Option<&str>) -> Self {
        let device: String = device.unwrap_or_default().trim().chars().filter(|letter| !letter.is_control()).collect();
        let device: String = device.chars().take(Self::MAX_DEVICE).collect();
        Self { address: Some(address), device: Some(device).filter(|device| !device.is_empty()) }
    }

    /// Network and browser in one text.
    pub(crate) fn mark(&self) -> String {
        let network = self.address.map(counted_address).map(|address| address.to_string());
        format!("{} {}", network.unwrap_or_default(), self.device.as_deref().unwrap_or_default())
    }
}

/// A sign-in that goes on, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSession {
    /// Its id.
    pub id: SessionId,
    /// Where it was begun from.
    pub origin: SessionOrigin,
    /// Whether they wanted to stay signed in.
    pub remember_me: bool,
    /// When they signed in.
    pub started_at: DateTime<Utc>,
    /// When its tokens were renewed last, or made; while it is in use that is every quarter of an hour.
    pub last_used_at: DateTime<Utc>,
    /// When it ends, if it is not used before.
    pub expires_at: DateTime<Utc>,
}

/// A sign-in to be kept, with its first refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// Who signed in.
    pub person: Person,
    /// What their password was checked against.
    pub password_hash: PasswordHash,
    /// What else they have shown.
    pub second_factor: SecondFactorProof,
    /// Whether they wanted to stay signed in.
    pub remember_me: bool,
    /// Where they signed in from.
    pub origin: SessionOrigin,
    /// The first refresh token; its times are the session's.
    pub first_token: NewRefreshToken,
}

/// How long a refresh token lasts: a day, or 30 days with "remember me".
pub(crate) fn refresh_lifetime(remember_me: bool) -> TimeDelta {
    TimeDelta::days(if remember_me { 30 } else { 1 })
}

/// Whether someone who signed in may still act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Who signed in.
    pub person: Person,
    /// False when the session has ended, or the person or their client is not active.
    pub is_active: bool,
}

/// What became of the successor of a refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Successor {
    /// There is none: the token was not used, or the server's key is another one by now.
    Missing,
    /// Nobody has used it.
    Unused,
    /// It was used from here; a version before this one kept no mark.
    Used(Option<DeviceMark>),
}

/// A refresh token that was presented, as the store finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedToken {
    /// The sign-in that it belongs to.
    pub session: SessionId,
    /// Whether its owner may still act.
    pub standing: Standing,
    /// Whether they wanted to stay signed in.
    pub remember_me: bool,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
    /// When it was used first, if it was.
    pub used_at: Option<DateTime<Utc>>,
    /// What became of its successor.
    pub successor: Successor,
    /// When the renewals of the session so far will be forgotten, as [`Self::next_renewals`] says.
    pub renewals_until: Option<DateTime<Utc>>,
}

/// What becomes of a refresh token that was presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// It is used up, and its owner gets a fresh pair.
    First,
    /// It was used a moment ago: two tabs, or an answer lost on bad Wi-Fi. Its owner gets the same successor again.
    Again,
    /// It was used long ago, or its successor was used on another device: somebody else has a copy, and the whole session
    /// ends.
    Stolen,
    /// The session was renewed too often. Nothing changes.
    TooOften {
        /// When one more renewal is free.
        retry_after: TimeDelta,
    },
    /// It has expired, or its owner may no longer act.
    Over,
}

impl PresentedToken {
    /// For how long after its first use a token may be used again.
    const GRACE: TimeDelta = TimeDelta::seconds(30);

    /// How often a session may be renewed at once. Tabs that open together renew it a few times.
    const RENEWALS_AT_ONCE: i32 = 30;
    /// Then once more each time this has passed; an access token lasts 15 minutes.
    const ONE_MORE_EACH: TimeDelta = TimeDelta::seconds(10);

    /// Decides what becomes of the token, presented from here.
    pub fn spend(&self, by: &DeviceMark, now: DateTime<Utc>) -> Spending {
        if !self.standing.is_active {
            return Spending::Over;
        }
        match (self.used_at, &self.successor) {
            (Some(used_at), _) if now - used_at > Self::GRACE => Spending::Stolen,
            (Some(_), Successor::Used(Some(other))) if other != by => Spending::Stolen,
            (Some(_), Successor::Missing) => Spending::Over,
            (Some(_), Successor::Unused | Successor::Used(_)) => self.in_time(now, Spending::Again),
            (None, _) if now >= self.expires_at => Spending::Over,
            (None, _) => self.in_time(now, Spending::First),
        }
    }

    fn in_time(&self, now: DateTime<Utc>, spending: Spending) -> Spending {
        let retry_after = self.next_renewals(now) - Self::ONE_MORE_EACH * Self::RENEWALS_AT_ONCE - now;
        if retry_after > TimeDelta::zero() { Spending::TooOften { retry_after } } else { spending }
    }

    /// When the renewals of the session will be forgotten, with one more.
    pub fn next_renewals(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let most = now + Self::ONE_MORE_EACH * Self::RENEWALS_AT_ONCE;
        // Clocks of several instances differ by seconds. What is beyond that was noted before a clock was put back.
        let until = self.renewals_until.filter(|until| *until <= most + TimeDelta::minutes(1));
        now.max(until.map_or(now, |until| until.min(most))) + Self::ONE_MORE_EACH
    }

    /// When a token that follows this one ends.
    pub fn next_expiry(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + refresh_lifetime(self.remember_me)
    }
}

/// What a store did with a refresh token that was presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// The successor is stored for this session.
    Renewed {
        /// The sign-in.
        session: SessionId,
        /// Its owner.
        person: Person,
    },
    /// Nothing was renewed, and nothing changed: the session was renewed too often.
    TooOften {
        /// When one more renewal is free.
        retry_after: TimeDelta,
    },
    /// Nothing was renewed: unknown, expired, ended, or ended just now because the token had been stolen.
    Refused,
}

/// How many sessions go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionStats {
    /// Those of accounts.
    pub accounts: u64,
    /// Those of end users.
    pub end_users: u64,
}

impl SessionStats {
    /// All of them.
    pub fn total(self) -> u64 {
        self.accounts + self.end_users
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::AccountId;
    use plenum_kernel::Clock;
    use plenum_kernel::testkit::{CountingIds, StillClock};

    use super::*;

    fn token(now: DateTime<Utc>) -> PresentedToken {
        let ids = CountingIds::new();
        let person = Person::SuperAdmin { account: AccountId::new(&ids) };
        PresentedToken {
            session: SessionId::new(&ids),
            standing: Standing { person, is_active: true },
            remember_me: false,
            expires_at: now + TimeDelta::days(1),
            used_at: None,
            successor: Successor::Missing,
            renewals_until: None,
        }
    }

    fn mark(text: &str) -> DeviceMark {
        DeviceMark(text.as_bytes().to_vec())
    }

    #[test]
    fn a_device_is_kept_short_and_on_one_line() {
        let address = IpAddr::from([192, 0, 2, 1]);
        let device = |said: &str| SessionOrigin::new(address, Some(said)).device;
        assert_eq!(device(" Mozilla/5.0\r\n (X11)\u{0} ").as_deref(), Some("Mozilla/5.0 (X11)"));
        assert_eq!(device(&"ä".repeat(300)), Some("ä".repeat(200)));
        assert_eq!(device(" \u{7f} "), None);
        assert_eq!(SessionOrigin::new(address, None), SessionOrigin { address: Some(address), device: None });
    }

    #[test]
    fn a_token_is_good_until_it_expires() {
        let now = StillClock::new().now();
        assert_eq!(token(now).spend(&mark("phone"), now), Spending::First);
        assert_eq!(token(now).spend(&mark("phone"), now + TimeDelta::days(1)), Spending::Over);
    }

    #[test]
    fn a_token_may_be_used_again_for_half_a_minute_and_not_longer() {
        let now = StillClock::new().now();
        let used = PresentedToken { used_at: Some(now), successor: Successor::Unused, ..token(now) };
        for device in ["phone", "laptop"] {
            assert_eq!(used.spend(&mark(device), now + TimeDelta::seconds(30)), Spending::Again);
            assert_eq!(used.spend(&mark(device), now + TimeDelta::seconds(31)), Spending::Stolen);
        }
    }

    #[test]
    fn a_token_whose_successor_was_used_on_another_device_is_stolen_at_once() {
        let now = StillClock::new().now();
        let used = |by: Option<DeviceMark>| PresentedToken {
            used_at: Some(now),
            successor: Successor::Used(by),
            ..token(now)
        };
        assert_eq!(used(Some(mark("phone"))).spend(&mark("phone"), now), Spending::Again);
        assert_eq!(used(Some(mark("laptop"))).spend(&mark("phone"), now), Spending::Stolen);
        assert_eq!(used(None).spend(&mark("phone"), now), Spending::Again, "the version before kept no mark");
    }

    #[test]
    fn a_used_token_without_the_successor_that_is_its_own_gives_none() {
        let now = StillClock::new().now();
        let used = PresentedToken { used_at: Some(now), ..token(now) };
        assert_eq!(used.spend(&mark("phone"), now), Spending::Over);
    }

    #[test]
    fn a_session_is_renewed_thirty_times_at_once_and_then_once_each_ten_seconds() {
        let now = StillClock::new().now();
        let mut token = token(now);
        let mut renew = |now| {
            let spending = token.spend(&mark("phone"), now);
            if spending == Spending::First {
                token.renewals_until = Some(token.next_renewals(now));
            }
            spending
        };
        for number in 0..30 {
            assert_eq!(renew(now), Spending::First, "{number}");
        }
        assert_eq!(renew(now), Spending::TooOften { retry_after: TimeDelta::seconds(10) });
        let later = now + TimeDelta::seconds(10);
        assert_eq!(renew(later), Spending::First);
        assert_eq!(renew(later), Spending::TooOften { retry_after: TimeDelta::seconds(10) });
        // A clock that goes a little slower changes nothing, and one that was put back holds nobody up.
        let slower = later - TimeDelta::seconds(30);
        assert_eq!(renew(slower), Spending::TooOften { retry_after: TimeDelta::seconds(10) });
        assert_eq!(renew(now - TimeDelta::days(1)), Spending::First);
    }

    #[test]
    fn a_mark_tells_networks_and_browsers_apart_and_no_more() {
        let mark = |address: &str, device| SessionOrigin::new(address.parse().unwrap(), device).mark();
        assert_eq!(mark("2001:db8::1", Some("Firefox")), mark("2001:db8::ffff", Some("Firefox")));
        assert_ne!(mark("192.0.2.1", Some("Firefox")), mark("192.0.2.2", Some("Firefox")));
        assert_ne!(mark("192.0.2.1", Some("Firefox")), mark("192.0.2.1", Some("Safari")));
        assert_ne!(mark("192.0.2.1", Some("Firefox")), mark("192.0.2.1", None));
    }

    #[test]
    fn nobody_who_may_not_act_gets_a_new_pair() {
        let now = StillClock::new().now();
        let mut token = token(now);
        token.standing.is_active = false;
        assert_eq!(token.spend(&mark("phone"), now), Spending::Over);
    }

    #[test]
    fn remember_me_lasts_thirty_days() {
        let now = StillClock::new().now();
        let remembered = PresentedToken { remember_me: true, ..token(now) };
        assert_eq!(remembered.next_expiry(now), now + TimeDelta::days(30));
        assert_eq!(token(now).next_expiry(now), now + TimeDelta::days(1));
    }
}
