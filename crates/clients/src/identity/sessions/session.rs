use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{Person, SessionId};
use uuid::Uuid;

use crate::identity::rate_limiter::counted_address;
use crate::{JoinLinkUse, PasswordHash, SecondFactorProof};

/// The hash of a refresh token. The server stores only the hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RefreshTokenHash(pub Vec<u8>);

/// Hashes refresh tokens, and derives their successors.
pub trait RefreshTokens: Send + Sync {
    /// The hash of `token`. MUST be one-way and deterministic. Tokens have 256 random bits, so a fast hash is enough.
    fn hash(&self, token: &str) -> RefreshTokenHash;

    /// The successor of `token`. MUST be deterministic, and MUST depend on a key of the server, so that no one else can
    /// derive it from the token.
    fn successor(&self, token: &str) -> String;
}

/// A hash of the network and the browser that use a refresh token. It only distinguishes one device from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceMark(pub Vec<u8>);

/// The exchange of a refresh token for its successor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renewal {
    /// The hash of the presented token.
    pub presented: RefreshTokenHash,
    /// The hash of its successor.
    pub next: RefreshTokenHash,
    /// The device that presents it.
    pub by: DeviceMark,
    /// The id that the device chose for this renewal, and sends again until it has the response.
    pub id: Option<Uuid>,
}

/// A refresh token to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRefreshToken {
    /// The hash of the token.
    pub hash: RefreshTokenHash,
    /// The time of issue.
    pub issued_at: DateTime<Utc>,
    /// The time of expiry if it is not used.
    pub expires_at: DateTime<Utc>,
}

/// The address and browser of a sign-in, as far as known. Only its owner sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionOrigin {
    /// The network address of the caller.
    pub address: Option<IpAddr>,
    /// The browser's description of itself.
    pub device: Option<String>,
}

impl SessionOrigin {
    /// The longest description that is stored, in characters.
    pub const MAX_DEVICE: usize = 200;

    /// An origin with this address and browser description. The description is shortened and reduced to one line.
    pub fn new(address: IpAddr, device: Option<&str>) -> Self {
        let device: String = device.unwrap_or_default().trim().chars().filter(|letter| !letter.is_control()).collect();
        let device: String = device.chars().take(Self::MAX_DEVICE).collect();
        Self { address: Some(address), device: Some(device).filter(|device| !device.is_empty()) }
    }

    /// The network and the browser in one text.
    pub(crate) fn mark(&self) -> String {
        let network = self.address.map(counted_address).map(|address| address.to_string());
        format!("{} {}", network.unwrap_or_default(), self.device.as_deref().unwrap_or_default())
    }
}

/// An active session, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSession {
    /// The id of the session.
    pub id: SessionId,
    /// The origin of the sign-in.
    pub origin: SessionOrigin,
    /// Whether the person chose to stay signed in.
    pub remember_me: bool,
    /// The time of the sign-in.
    pub started_at: DateTime<Utc>,
    /// The time of the last renewal of its tokens, or of the sign-in. A session in use renews them at least every 15 minutes.
    pub last_used_at: DateTime<Utc>,
    /// The time of expiry if it is not used.
    pub expires_at: DateTime<Utc>,
}

/// A session to store, with its first refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// The id of the session.
    pub id: SessionId,
    /// The person who signed in.
    pub person: Person,
    /// The hash against which the password was checked.
    pub password_hash: PasswordHash,
    /// The proof of the second factor.
    pub second_factor: SecondFactorProof,
    /// The personal link with which an end user signs in, if they do. MUST still work; the store notes its use.
    pub join_link: Option<JoinLinkUse>,
    /// Whether the person chose to stay signed in.
    pub remember_me: bool,
    /// The origin of the sign-in.
    pub origin: SessionOrigin,
    /// The first refresh token. Its times are those of the session.
    pub first_token: NewRefreshToken,
}

/// The lifetime of a refresh token: a day, or 30 days with "remember me".
pub(crate) fn refresh_lifetime(remember_me: bool) -> TimeDelta {
    TimeDelta::days(if remember_me { 30 } else { 1 })
}

/// Whether the owner of a session may still act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionState {
    /// The owner.
    pub person: Person,
    /// `false` when the session has ended, or the person or their client is not active.
    pub is_active: bool,
}

/// A session, as its first refresh token finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedSession {
    /// The id of the session.
    pub id: SessionId,
    /// Whether the owner may still act.
    pub session_state: SessionState,
    /// The time of the sign-in.
    pub started_at: DateTime<Utc>,
    /// Whether the first refresh token was used.
    pub is_renewed: bool,
}

impl OpenedSession {
    /// The time in which a sign-in can be repeated. A phone notices a lost connection after two minutes, and a session in use
    /// renews its tokens within 15.
    const REPEATABLE: TimeDelta = TimeDelta::minutes(10);

    /// Whether the sign-in that opened the session is answered again when it is repeated.
    pub fn can_be_repeated(&self, now: DateTime<Utc>) -> bool {
        self.session_state.is_active && !self.is_renewed && now - self.started_at < Self::REPEATABLE
    }
}

/// The state of a refresh token's successor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Successor {
    /// There is no successor: the token was not used, or the server's key has changed.
    Missing,
    /// The successor was not used.
    Unused,
    /// The successor was used by this device. Earlier versions stored no device.
    Used(Option<DeviceMark>),
}

/// A presented refresh token, as the store finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedToken {
    /// The session of the token.
    pub session: SessionId,
    /// Whether the owner may still act.
    pub session_state: SessionState,
    /// Whether the person chose to stay signed in.
    pub remember_me: bool,
    /// The time of expiry.
    pub expires_at: DateTime<Utc>,
    /// The time of the first use.
    pub used_at: Option<DateTime<Utc>>,
    /// The id of the renewal at the first use, if there was one.
    pub used_for: Option<Uuid>,
    /// The state of the successor.
    pub successor: Successor,
    /// The time until which the renewals of the session count, as [`Self::next_renewals`] computes it.
    pub renewals_until: Option<DateTime<Utc>>,
}

/// The decision about a presented refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// The first use. The owner gets a new pair of tokens.
    First,
    /// A repeated use within the grace period, or the same renewal at any time, if nobody has used the successor: two tabs, or a
    /// lost response. The owner gets the same successor again.
    Again,
    /// Another use after the grace period, or one whose successor another device has used. Another device has a copy, so the
    /// session ends.
    Stolen,
    /// The session was renewed too often. Nothing changes.
    TooOften {
        /// The time until the next renewal is allowed.
        retry_after: TimeDelta,
    },
    /// The token has expired, or its owner may no longer act.
    Over,
}

impl PresentedToken {
    /// The grace period after the first use, in which a token may be used again.
    const GRACE: TimeDelta = TimeDelta::seconds(30);

    /// The number of renewals of a session that are allowed at once. Tabs that open together renew it a few times.
    const RENEWALS_AT_ONCE: i32 = 30;
    /// The interval at which one more renewal is allowed. An access token lasts 15 minutes.
    const ONE_MORE_EACH: TimeDelta = TimeDelta::seconds(10);

    /// Decides about the token when it is presented for this renewal.
    pub fn spend(&self, renewal: &Renewal, now: DateTime<Utc>) -> Spending {
        if !self.session_state.is_active {
            return Spending::Over;
        }
        match (self.used_at, &self.successor) {
            // A copy of the token does not reveal the id.
            (Some(used_at), Successor::Unused) if self.is_repeated(renewal) && now < self.next_expiry(used_at) => {
                self.in_time(now, Spending::Again)
            }
            // The owner's own repeat, after the server's key has changed.
            (Some(_), Successor::Missing) if self.is_repeated(renewal) => Spending::Over,
            (Some(used_at), _) if now - used_at > Self::GRACE => Spending::Stolen,
            (Some(_), Successor::Used(Some(other))) if *other != renewal.by => Spending::Stolen,
            (Some(_), Successor::Missing) => Spending::Over,
            (Some(_), Successor::Unused | Successor::Used(_)) => self.in_time(now, Spending::Again),
            (None, _) if now >= self.expires_at => Spending::Over,
            (None, _) => self.in_time(now, Spending::First),
        }
    }

    fn is_repeated(&self, renewal: &Renewal) -> bool {
        renewal.id.is_some() && renewal.id == self.used_for
    }

    fn in_time(&self, now: DateTime<Utc>, spending: Spending) -> Spending {
        let retry_after = self.next_renewals(now) - Self::ONE_MORE_EACH * Self::RENEWALS_AT_ONCE - now;
        if retry_after > TimeDelta::zero() { Spending::TooOften { retry_after } } else { spending }
    }

    /// The time until which the renewals of the session count, with one more renewal.
    pub fn next_renewals(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let most = now + Self::ONE_MORE_EACH * Self::RENEWALS_AT_ONCE;
        // Clocks of several instances differ by seconds. A later time comes from a clock that was set back since.
        let until = self.renewals_until.filter(|until| *until <= most + TimeDelta::minutes(1));
        now.max(until.map_or(now, |until| until.min(most))) + Self::ONE_MORE_EACH
    }

    /// The time of expiry of the successor of a token that is used now.
    pub fn next_expiry(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + refresh_lifetime(self.remember_me)
    }
}

/// The outcome of a presented refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// The store has stored the successor for this session.
    Renewed {
        /// The session.
        session: SessionId,
        /// The owner of the session.
        person: Person,
    },
    /// The session was renewed too often. Nothing changed.
    TooOften {
        /// The time until the next renewal is allowed.
        retry_after: TimeDelta,
    },
    /// The token was stolen, so this call has ended its session. Nothing was renewed.
    Stolen {
        /// The session.
        session: SessionId,
    },
    /// Nothing was renewed: the token is unknown or expired, or its session had ended before.
    Refused,
}

/// The numbers of active sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionStats {
    /// Sessions of accounts.
    pub accounts: u64,
    /// Sessions of end users.
    pub end_users: u64,
}

impl SessionStats {
    /// All active sessions.
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
            session_state: SessionState { person, is_active: true },
            remember_me: false,
            expires_at: now + TimeDelta::days(1),
            used_at: None,
            used_for: None,
            successor: Successor::Missing,
            renewals_until: None,
        }
    }

    fn mark(text: &str) -> DeviceMark {
        DeviceMark(text.as_bytes().to_vec())
    }

    /// A renewal without an id.
    fn by(device: &str) -> Renewal {
        let hash = |text: &str| RefreshTokenHash(text.as_bytes().to_vec());
        Renewal { presented: hash("first"), next: hash("second"), by: mark(device), id: None }
    }

    #[test]
    fn a_device_is_shortened_to_one_line() {
        let address = IpAddr::from([192, 0, 2, 1]);
        let device = |said: &str| SessionOrigin::new(address, Some(said)).device;
        assert_eq!(device(" Mozilla/5.0\r\n (X11)\u{0} ").as_deref(), Some("Mozilla/5.0 (X11)"));
        assert_eq!(device(&"ä".repeat(300)), Some("ä".repeat(200)));
        assert_eq!(device(" \u{7f} "), None);
        assert_eq!(SessionOrigin::new(address, None), SessionOrigin { address: Some(address), device: None });
    }

    #[test]
    fn a_token_is_valid_until_it_expires() {
        let now = StillClock::new().now();
        assert_eq!(token(now).spend(&by("phone"), now), Spending::First);
        assert_eq!(token(now).spend(&by("phone"), now + TimeDelta::days(1)), Spending::Over);
    }

    #[test]
    fn a_token_may_be_used_again_for_30_seconds() {
        let now = StillClock::new().now();
        let used = PresentedToken { used_at: Some(now), successor: Successor::Unused, ..token(now) };
        for device in ["phone", "laptop"] {
            assert_eq!(used.spend(&by(device), now + TimeDelta::seconds(30)), Spending::Again);
            assert_eq!(used.spend(&by(device), now + TimeDelta::seconds(31)), Spending::Stolen);
        }
    }

    #[test]
    fn the_same_renewal_may_be_repeated_until_its_successor_is_used_or_expires() {
        let now = StillClock::new().now();
        let id = Some(Uuid::from_u128(1));
        let used = PresentedToken { used_at: Some(now), used_for: id, successor: Successor::Unused, ..token(now) };
        let a_day = TimeDelta::days(1);
        for device in ["phone", "laptop"] {
            let repeated = Renewal { id, ..by(device) };
            assert_eq!(used.spend(&repeated, now + a_day - TimeDelta::seconds(1)), Spending::Again);
            assert_eq!(used.spend(&repeated, now + a_day), Spending::Stolen);
            let later = now + TimeDelta::minutes(1);
            let of_copy = Renewal { id: Some(Uuid::from_u128(2)), ..by(device) };
            assert_eq!(used.spend(&of_copy, later), Spending::Stolen);
            assert_eq!(used.spend(&by(device), later), Spending::Stolen);
            let without_id = PresentedToken { used_for: None, ..used.clone() };
            assert_eq!(without_id.spend(&by(device), later), Spending::Stolen);
            for other in ["phone", "laptop"] {
                let continued = PresentedToken { successor: Successor::Used(Some(mark(other))), ..used.clone() };
                assert_eq!(continued.spend(&repeated, later), Spending::Stolen);
            }
        }
    }

    #[test]
    fn a_repeated_renewal_after_a_change_of_the_key_ends_nothing() {
        let now = StillClock::new().now();
        let id = Some(Uuid::from_u128(1));
        let used = PresentedToken { used_at: Some(now), used_for: id, ..token(now) };
        let later = now + TimeDelta::minutes(1);
        assert_eq!(used.spend(&Renewal { id, ..by("phone") }, later), Spending::Over);
        assert_eq!(used.spend(&by("phone"), later), Spending::Stolen);
    }

    #[test]
    fn a_token_counts_as_stolen_once_another_device_used_its_successor() {
        let now = StillClock::new().now();
        let used = |by: Option<DeviceMark>| PresentedToken {
            used_at: Some(now),
            successor: Successor::Used(by),
            ..token(now)
        };
        assert_eq!(used(Some(mark("phone"))).spend(&by("phone"), now), Spending::Again);
        assert_eq!(used(Some(mark("laptop"))).spend(&by("phone"), now), Spending::Stolen);
        assert_eq!(used(None).spend(&by("phone"), now), Spending::Again, "the version before kept no mark");
    }

    #[test]
    fn a_used_token_without_a_stored_successor_is_refused() {
        let now = StillClock::new().now();
        let used = PresentedToken { used_at: Some(now), ..token(now) };
        assert_eq!(used.spend(&by("phone"), now), Spending::Over);
    }

    #[test]
    fn a_session_is_renewed_30_times_at_once_and_then_every_10_seconds() {
        let now = StillClock::new().now();
        let mut token = token(now);
        let mut renew = |now| {
            let spending = token.spend(&by("phone"), now);
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
        // A slightly slower clock changes nothing, and a clock that was set back delays no renewal.
        let slower = later - TimeDelta::seconds(30);
        assert_eq!(renew(slower), Spending::TooOften { retry_after: TimeDelta::seconds(10) });
        assert_eq!(renew(now - TimeDelta::days(1)), Spending::First);
    }

    #[test]
    fn a_device_mark_distinguishes_networks_and_browsers_only() {
        let mark = |address: &str, device| SessionOrigin::new(address.parse().unwrap(), device).mark();
        assert_eq!(mark("2001:db8::1", Some("Firefox")), mark("2001:db8::ffff", Some("Firefox")));
        assert_ne!(mark("192.0.2.1", Some("Firefox")), mark("192.0.2.2", Some("Firefox")));
        assert_ne!(mark("192.0.2.1", Some("Firefox")), mark("192.0.2.1", Some("Safari")));
        assert_ne!(mark("192.0.2.1", Some("Firefox")), mark("192.0.2.1", None));
    }

    #[test]
    fn a_person_who_may_not_act_gets_no_new_tokens() {
        let now = StillClock::new().now();
        let mut token = token(now);
        token.session_state.is_active = false;
        assert_eq!(token.spend(&by("phone"), now), Spending::Over);
    }

    #[test]
    fn a_sign_in_is_repeated_for_ten_minutes_until_its_session_is_renewed_or_ends() {
        let now = StillClock::new().now();
        let PresentedToken { session: id, session_state, .. } = token(now);
        let opened = OpenedSession { id, session_state, started_at: now, is_renewed: false };
        let at_last = now + TimeDelta::seconds(599);
        assert!(opened.can_be_repeated(now) && opened.can_be_repeated(at_last));
        // The clock of another instance is behind.
        assert!(opened.can_be_repeated(now - TimeDelta::seconds(1)));
        assert!(!opened.can_be_repeated(now + TimeDelta::minutes(10)));
        assert!(!OpenedSession { is_renewed: true, ..opened }.can_be_repeated(now));
        let session_state = SessionState { is_active: false, ..session_state };
        assert!(!OpenedSession { session_state, ..opened }.can_be_repeated(now));
    }

    #[test]
    fn remember_me_lasts_30_days() {
        let now = StillClock::new().now();
        let remembered = PresentedToken { remember_me: true, ..token(now) };
        assert_eq!(remembered.next_expiry(now), now + TimeDelta::days(30));
        assert_eq!(token(now).next_expiry(now), now + TimeDelta::days(1));
    }
}
