use rand::rngs::OsRng;
use rand::{RngCore as _, TryRngCore as _};

/// Random bytes of the system. Panics when it supplies none, because a predictable secret would be worse.
pub(crate) fn random<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    OsRng.unwrap_err().fill_bytes(&mut bytes);
    bytes
}
