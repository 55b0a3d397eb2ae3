use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{Person, SessionId};

use crate::{PasswordHash, SecondFactorProof};

/// The hash under which a refresh token is kept; the token itself is known to its owner only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RefreshTokenHash(pub Vec<u8>);

/// Turns a refresh token into what is kept of it.
pub trait RefreshTokens: Send + Sync {
    /// The hash of `token`. MUST be one-way and always the same; tokens have 256 random bits, so it need not be slow.
    fn hash(&self, token: &str) -> RefreshTokenHash;
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
}

/// What becomes of a refresh token that was presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// It is used up, and its owner gets a fresh pair.
    First,
    /// It was used a moment ago: two tabs, or an answer lost on bad Wi-Fi. Its owner gets another fresh pair.
    Again,
    /// It was used long ago, so somebody else has a copy: the whole session ends.
    Stolen,
    /// It has expired, or its owner may no longer act.
    Over,
}

impl PresentedToken {
    /// For how long after its first use a token may be used again.
    const GRACE: TimeDelta = TimeDelta::seconds(30);

    /// Decides what becomes of the token.
    pub fn spend(&self, now: DateTime<Utc>) -> Spending {
        if !self.standing.is_active {
            return Spending::Over;
        }
        match self.used_at {
            Some(used_at) if now - used_at > Self::GRACE => Spending::Stolen,
            Some(_) => Spending::Again,
            None if now >= self.expires_at => Spending::Over,
            None => Spending::First,
        }
    }

    /// When a token that follows this one ends.
    pub fn next_expiry(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + refresh_lifetime(self.remember_me)
    }
}

/// What a store did with a refresh token that was presented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// A new token was stored for this session.
    Renewed {
        /// The sign-in.
        session: SessionId,
        /// Its owner.
        person: Person,
    },
    /// Nothing was renewed: unknown, expired, ended, or ended just now because the token had been stolen.
    Refused,
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
        }
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
        assert_eq!(token(now).spend(now), Spending::First);
        assert_eq!(token(now).spend(now + TimeDelta::days(1)), Spending::Over);
    }

    #[test]
    fn a_token_may_be_used_again_for_half_a_minute_and_not_longer() {
        let now = StillClock::new().now();
        let used = PresentedToken { used_at: Some(now), ..token(now) };
        assert_eq!(used.spend(now + TimeDelta::seconds(30)), Spending::Again);
        assert_eq!(used.spend(now + TimeDelta::seconds(31)), Spending::Stolen);
    }

    #[test]
    fn nobody_who_may_not_act_gets_a_new_pair() {
        let now = StillClock::new().now();
        let mut token = token(now);
        token.standing.is_active = false;
        assert_eq!(token.spend(now), Spending::Over);
    }

    #[test]
    fn remember_me_lasts_thirty_days() {
        let now = StillClock::new().now();
        let remembered = PresentedToken { remember_me: true, ..token(now) };
        assert_eq!(remembered.next_expiry(now), now + TimeDelta::days(30));
        assert_eq!(token(now).next_expiry(now), now + TimeDelta::days(1));
    }
}
