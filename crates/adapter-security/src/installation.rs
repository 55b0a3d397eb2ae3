use sha2::{Digest, Sha256};

/// The common name of all instances with this signing key. It does not reveal the key.
pub fn installation_name(signing_key: &[u8]) -> String {
    let digest = Sha256::new().chain_update(b"plenum installation\0").chain_update(signing_key).finalize();
    digest[..10].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_installation_name() {
        let name = installation_name(&[7; 32]);
        assert_eq!(name, installation_name(&[7; 32]));
        assert_ne!(name, installation_name(&[8; 32]));
        assert!(name.len() == 20 && name.chars().all(|letter| letter.is_ascii_alphanumeric()), "{name}");
    }
}
