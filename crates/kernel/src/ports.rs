use chrono::{DateTime, Utc};
use uuid::Uuid;

/// What time it is. A port, so that tests can hold time still.
pub trait Clock: Send + Sync {
    /// The present moment, in UTC.
    fn now(&self) -> DateTime<Utc>;
}

/// Where new ids come from.
pub trait NewIds: Send + Sync {
    /// A UUID that no one has used before; later ones sort after earlier ones.
    fn next_uuid(&self) -> Uuid;
}

/// Where random secrets come from. MUST be a cryptographic source.
pub trait Secrets: Send + Sync {
    /// A secret of 256 bits in letters that need no escaping in a URL: refresh tokens, invitation links.
    fn token(&self) -> String;

    /// A password of 12 characters from letters, digits and `!@#$%^&*`.
    fn password(&self) -> String;

    /// `length` random lower-case letters, for names that have nothing else left.
    fn letters(&self, length: usize) -> String;
}
