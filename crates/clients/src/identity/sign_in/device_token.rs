use chrono::{DateTime, TimeDelta, Utc};

/// A device on which a person has signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceId(pub [u8; Self::BYTES]);

impl DeviceId {
    /// The length of a device id. It is random, so that no two devices share it.
    pub const BYTES: usize = 16;
}

/// Issues and reads device tokens. A device token proves that a name has signed in on a device. It does not sign in: it
/// only lets the name sign in on that device while failures elsewhere have used up its limit.
pub trait DeviceTokens: Send + Sync {
    /// Issues a signed token for this name on this device, or on a new device.
    fn issue(&self, name: &str, device: Option<DeviceId>, now: DateTime<Utc>) -> String;

    /// Whether the server has issued the token less than [`DEVICE_TOKEN_LIFETIME`] ago, for any name.
    fn is_genuine(&self, token: &str, now: DateTime<Utc>) -> bool;

    /// The device of a genuine token for this name. `None` for any other token.
    fn read(&self, name: &str, token: &str, now: DateTime<Utc>) -> Option<DeviceId>;
}

/// The time for which a device is known after its last sign-in: until the next annual meeting.
pub const DEVICE_TOKEN_LIFETIME: TimeDelta = TimeDelta::days(400);

/// The most device tokens that a sign-in reads. A shared device has one for each of its people.
pub const MAX_DEVICE_TOKENS: usize = 20;
