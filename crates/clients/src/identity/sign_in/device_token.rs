use chrono::{DateTime, TimeDelta, Utc};

/// A device on which somebody has signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceId(pub [u8; Self::BYTES]);

impl DeviceId {
    /// Its length. Random, so that no two devices have the same.
    pub const BYTES: usize = 16;
}

/// Makes and reads device tokens. Such a token says that a name has signed in on a device, and lets nobody in: it only
/// keeps failures elsewhere from holding up that name on that device.
pub trait DeviceTokens: Send + Sync {
    /// A signed token for this name on this device, or on a new one.
    fn issue(&self, name: &str, device: Option<DeviceId>, now: DateTime<Utc>) -> String;

    /// Whether the token is ours and younger than [`DEVICE_TOKEN_LIFETIME`], whatever name it is for.
    fn is_genuine(&self, token: &str, now: DateTime<Utc>) -> bool;

    /// The device of a genuine token for this name. `None` for any other token.
    fn read(&self, name: &str, token: &str, now: DateTime<Utc>) -> Option<DeviceId>;
}

/// How long a device is known after the last sign-in on it: until the next annual meeting.
pub const DEVICE_TOKEN_LIFETIME: TimeDelta = TimeDelta::days(400);

/// How many device tokens of one sign-in are read; a device that several people share has one for each of them.
pub const MAX_DEVICE_TOKENS: usize = 20;
