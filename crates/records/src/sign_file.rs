use std::sync::Arc;

use plenum_kernel::{Endorsement, EvidenceKey, EvidenceKeys};
use plenum_result_format::{
    ArchiveFile, AuditFile, DocumentSeal, FileSignature, PublicKey, ResultsFile, canonical, file_message,
    fingerprint_of, from_hexadecimal, hexadecimal, sha256,
};
use serde::Serialize;

/// Signs all members of a results file.
pub fn sign_results(file: &mut ResultsFile, keys: &dyn EvidenceKeys) {
    file.signature = Some(unsigned(keys));
    let signature = signature(&*file, keys);
    file.signature = Some(signature);
}

/// Signs all members of an archive.
pub(crate) fn sign_archive(file: &mut ArchiveFile, keys: &dyn EvidenceKeys) {
    file.signature = Some(unsigned(keys));
    let signature = signature(&*file, keys);
    file.signature = Some(signature);
}

/// The signature of an audit log, given its members except the entries, which its chain joins to the head.
pub fn sign_audit(head: &AuditFile, keys: &dyn EvidenceKeys) -> FileSignature {
    let head = AuditFile { entries: Vec::new(), signature: Some(unsigned(keys)), ..head.clone() };
    // A file of this crate can always be serialized.
    let mut head = serde_json::to_value(head).unwrap_or_default();
    if let Some(members) = head.as_object_mut() {
        members.remove("entries");
    }
    signature(&head, keys)
}

/// The signature of a file whose own signature has no value yet.
fn signature(unsigned_file: &impl Serialize, keys: &dyn EvidenceKeys) -> FileSignature {
    let value = hexadecimal(&keys.sign(&file_message(&sha256(&canonical(unsigned_file)))));
    FileSignature { value, ..unsigned(keys) }
}

/// The signer of result documents, which link to the page at this address.
pub fn document_seal(keys: Arc<dyn EvidenceKeys>, verify_at: String) -> DocumentSeal {
    DocumentSeal { unsigned: unsigned(&*keys), keys, verify_at }
}

/// A signature that has no value yet: the key that signs, and the published keys.
pub fn unsigned(keys: &dyn EvidenceKeys) -> FileSignature {
    FileSignature { key: keys.fingerprint().to_owned(), keys: public_keys(keys), value: String::new() }
}

/// The public keys of the installation, the first one first.
pub fn public_keys(keys: &dyn EvidenceKeys) -> Vec<PublicKey> {
    keys.published().iter().map(public_key).collect()
}

/// The keys of their published form. `None` if one of them is invalid.
pub fn keys_of(published: &[PublicKey]) -> Option<Vec<EvidenceKey>> {
    published.iter().map(key_of).collect()
}

fn key_of(published: &PublicKey) -> Option<EvidenceKey> {
    let public_key = <[u8; 32]>::try_from(from_hexadecimal(&published.public_key)?).ok()?;
    let endorsement = match (&published.endorsed_by, &published.endorsement) {
        (Some(by), Some(signature)) => Some(Endorsement { by: by.clone(), signature: from_hexadecimal(signature)? }),
        _ => None,
    };
    let (created_at, retired_at, is_lost) = (published.created_at, published.retired_at, published.is_lost);
    Some(EvidenceKey {
        fingerprint: fingerprint_of(&public_key),
        public_key,
        created_at,
        retired_at,
        endorsement,
        is_lost,
    })
}

fn public_key(key: &EvidenceKey) -> PublicKey {
    PublicKey {
        fingerprint: key.fingerprint.clone(),
        public_key: hexadecimal(&key.public_key),
        created_at: key.created_at,
        retired_at: key.retired_at,
        is_lost: key.is_lost,
        endorsed_by: key.endorsement.as_ref().map(|endorsement| endorsement.by.clone()),
        endorsement: key.endorsement.as_ref().map(|endorsement| hexadecimal(&endorsement.signature)),
    }
}
