//! HKDF-SHA256 with the labels of RFC 9180, section 4.

use aws_lc_rs::hmac::{Context, HMAC_SHA256, Key};

use crate::secret::Secret;

/// The id of HKDF-SHA256 (RFC 9180, section 7.2).
pub(crate) const KDF_ID: u16 = 0x0001;

/// The empty salt. HMAC pads a shorter key with zeros, so these are the same.
pub(crate) const NO_SALT: &[u8] = &[0; 32];

/// The algorithms that a label belongs to, as bytes.
#[derive(Clone, Copy)]
pub(crate) struct Suite<'a>(pub(crate) &'a [u8]);

impl Suite<'_> {
    /// `LabeledExtract` (RFC 9180, section 4).
    pub(crate) fn extract(self, salt: &[u8], label: &str, ikm: &[u8]) -> Secret {
        hmac(salt, &[b"HPKE-v1", self.0, label.as_bytes(), ikm])
    }

    /// `LabeledExpand` (RFC 9180, section 4) for up to 32 bytes, which are one block of HKDF-Expand (RFC 5869, section 2.3). The
    /// caller takes as many of the bytes as `length` says.
    pub(crate) fn expand(self, prk: &Secret, label: &str, info: &[&[u8]], length: u8) -> Secret {
        debug_assert!(length <= 32, "one block");
        let length = u16::from(length).to_be_bytes();
        let head: [&[u8]; 4] = [&length, b"HPKE-v1", self.0, label.as_bytes()];
        hmac(prk.expose(), &[&head, info, &[&[1]]].concat())
    }
}

/// HKDF-SHA256 (RFC 5869) for 32 bytes, without the labels of HPKE.
pub(crate) fn hkdf(salt: &[u8], ikm: &[&[u8]], info: &[u8]) -> Secret {
    let prk = hmac(salt, ikm);
    hmac(prk.expose(), &[info, &[1]])
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> Secret {
    let mut context = Context::with_key(&Key::new(HMAC_SHA256, key));
    for part in parts {
        context.update(part);
    }
    Secret::new(context.sign().as_ref().try_into().expect("SHA-256 has 32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::unhex;
    use crate::hex::hex;

    #[test]
    fn hkdf_is_that_of_rfc_5869() {
        // Its test cases 1 and 3, cut to 32 bytes.
        let ikm = [0x0b; 22];
        let salt = unhex("000102030405060708090a0b0c");
        let okm = hkdf(&salt, &[&ikm[..9], &ikm[9..]], &unhex("f0f1f2f3f4f5f6f7f8f9"));
        assert_eq!(hex(okm.expose()), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
        let okm = hkdf(NO_SALT, &[&ikm], b"");
        assert_eq!(hex(okm.expose()), "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
    }
}
