use sha2::{Digest, Sha256};

/// A name that all instances with this signing key have in common, and no others. The key does not follow from it.
pub fn installation_name(signing_key: &[u8]) -> String {
    let digest = Sha256::new().chain_update(b"plenum installation\0").chain_update(signing_key).finalize();
    digest[..10].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_is_one_installation() {
        let name = installation_name(&[7; 32]);
        assert_eq!(name, installation_name(&[7; 32]));
        assert_ne!(name, installation_name(&[8; 32]));
        assert!(name.len() == 20 && name.chars().all(|letter| letter.is_ascii_alphanumeric()), "{name}");
    }
}
