use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};

/// Derives a key for one purpose from the signing key. It does not reveal the signing key.
///
/// # Panics
/// Never: HKDF returns as many bytes as its own hash has.
pub(crate) fn derived_key(signing_key: &[u8], purpose: &[u8]) -> [u8; 32] {
    let extracted = Salt::new(HKDF_SHA256, &[]).extract(signing_key);
    let info = [purpose];
    let expanded = extracted.expand(&info, HKDF_SHA256).expect("one block is not too much to ask for");
    let mut key = [0; 32];
    expanded.fill(&mut key).expect("the key is as long as the hash");
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_depends_on_its_purpose_and_its_installation() {
        let key = derived_key(&[7; 32], b"one");
        assert_eq!(key, derived_key(&[7; 32], b"one"));
        assert_ne!(key, derived_key(&[7; 32], b"other"));
        assert_ne!(key, derived_key(&[8; 32], b"one"));
    }
}
