use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The time. A port, so that tests can control it.
pub trait Clock: Send + Sync {
    /// The current time, in UTC.
    fn now(&self) -> DateTime<Utc>;
}

/// The source of new ids.
pub trait NewIds: Send + Sync {
    /// A new unique UUID. Later ones sort after earlier ones.
    fn next_uuid(&self) -> Uuid;
}

/// The source of random secrets. It must be cryptographically secure.
pub trait Secrets: Send + Sync {
    /// A secret of 256 bits in characters that need no escaping in a URL, for refresh tokens and invitation links.
    fn token(&self) -> String;

    /// A password of 12 characters from letters, digits and `!@#$%^&*`.
    fn password(&self) -> String;

    /// `length` random lower-case letters, for names of which nothing else is left.
    fn letters(&self, length: usize) -> String;
}
