use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// A SHA-256 checksum over data in parts.
#[derive(Clone, Debug, Default)]
pub struct Checksum(Sha256);

impl Checksum {
    /// Adds a part.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The checksum of all parts, as 64 hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finalize().iter().fold(String::with_capacity(64), |mut digits, byte| {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_in_parts_has_the_checksum_of_the_whole() {
        let mut checksum = Checksum::default();
        checksum.add(b"a");
        checksum.add(b"bc");
        // The first test vector of FIPS 180-2.
        assert_eq!(checksum.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
