//! The origin of a file: its signer, and whether it has changed since.

use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use plenum_result_format::{
    ArchiveFile, AuditFile, AuditFileEntry, ClosedMeeting, FileSignature, PublicKey, ResultsFile, RoundFile,
    RoundRecord, canonical, closing_message, file_message, fingerprint_of, from_hexadecimal, record_message, sha256,
    succession_message,
};
use serde::Deserialize;
use serde_json::Value;

use crate::read::MARK;
use crate::report::Differences;
use crate::{Difference, Unreadable};

/// The keys whose signature proves the origin of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownKeys {
    /// No key is known.
    None,
    /// The keys of this installation. A file of another installation may be valid, too.
    Own(Vec<String>),
    /// The keys that the file must be signed with, by their fingerprints.
    Pinned(Vec<String>),
}

/// The proven origin of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The known key with this fingerprint signed it, and it has not changed since.
    Signed(String),
    /// The origin is not proven. Contains the key of the file's signature, if it has one.
    Unknown(Option<String>),
}

/// The reasons for refusing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub Vec<Difference>);

/// Checks the records and signatures of a results file, given its content.
///
/// # Errors
/// Lists every place that was changed after signing.
pub fn check_origin(content: &[u8], file: &ResultsFile, known: &KnownKeys) -> Result<Origin, Refusal> {
    let mut found = Differences::default();
    check_records(&mut found, file);
    check_record_links(&mut found, file);
    check_closings(&mut found, file);
    for damage in &file.closing_damage {
        found.wants("closingDamage", damage, "nothing: closing records must be whole");
    }
    for damaged in &file.damaged {
        found.wants(format!("damaged.{}", damaged.round_id), &damaged.damage, "a record that is whole");
    }
    check_file(found, &SignedContent { content, signature: file.signature.as_ref(), left_out: &[] }, known)
}

/// Checks the signature of an audit log, which covers its head. The chain covers the entries, as far as they have the members
/// of an entry and no others.
///
/// # Errors
/// Lists every place that was changed after signing.
pub fn check_audit_origin(content: &[u8], file: &AuditFile, known: &KnownKeys) -> Result<Origin, Refusal> {
    let mut found = Differences::default();
    check_members(&mut found, content, file);
    let signed = SignedContent { content, signature: file.signature.as_ref(), left_out: &["entries"] };
    check_file(found, &signed, known)
}

/// Checks that each entry is in the file as an export writes it: no further member, none missing, and each value in its form.
/// The chain hashes the values that were read, so it does not see what is read as something else, or not at all.
fn check_members(found: &mut Differences, content: &[u8], file: &AuditFile) {
    #[derive(Deserialize)]
    struct Entries {
        entries: Vec<Value>,
    }
    let bare = content.strip_prefix(MARK).unwrap_or(content);
    let Ok(Entries { entries }) = serde_json::from_slice(bare) else {
        found.wants("entries", "something else", "the entries of an audit log");
        return;
    };
    let is_other = |(written, read): &(&Value, &AuditFileEntry)| {
        let exported = serde_json::to_value(read).ok();
        exported.as_ref() != Some(*written)
    };
    for (_, entry) in entries.iter().zip(&file.entries).filter(is_other) {
        let at = format!("entries.{}", entry.number);
        found.wants(at, "other members", "exactly those that an export writes");
    }
    if entries.len() != file.entries.len() {
        found.differs("entries", entries.len(), file.entries.len());
    }
}

/// Checks the signature of an archive, and those of the results in it.
///
/// # Errors
/// Lists every place that was changed after signing.
pub fn check_archive_origin(content: &[u8], file: &ArchiveFile, known: &KnownKeys) -> Result<Origin, Refusal> {
    let mut found = Differences::default();
    if file.signature.is_none() {
        found.wants("signature", "none", "the signature of the archive");
    }
    let bare = content.strip_prefix(MARK).unwrap_or(content);
    let results = serde_json::from_slice(bare).map(|value: Value| value.get("results").map(Value::to_string));
    let results = results.ok().flatten().unwrap_or_default();
    if let Err(Refusal(differences)) = check_origin(results.as_bytes(), &file.results, known) {
        found
            .all
            .extend(differences.into_iter().map(|one| Difference { field: format!("results.{}", one.field), ..one }));
    }
    check_file(found, &SignedContent { content, signature: file.signature.as_ref(), left_out: &[] }, known)
}

/// The published keys in a file: those of an installation, or of a signed export. `None` if there are none.
pub fn read_keys(content: &[u8]) -> Option<Vec<PublicKey>> {
    let value: Value = serde_json::from_slice(content.strip_prefix(MARK).unwrap_or(content)).ok()?;
    let keys = value.get("keys").or_else(|| value.get("signature")?.get("keys"))?;
    let keys: Vec<PublicKey> = serde_json::from_value(keys.clone()).ok()?;
    (!keys.is_empty()).then_some(keys)
}

/// A file with its signature.
struct SignedContent<'a> {
    content: &'a [u8],
    /// `None` if the file is not signed.
    signature: Option<&'a FileSignature>,
    /// The members that the signature does not cover.
    left_out: &'a [&'a str],
}

fn check_file(mut found: Differences, file: &SignedContent<'_>, known: &KnownKeys) -> Result<Origin, Refusal> {
    let origin = match file.signature {
        None => {
            if let KnownKeys::Pinned(keys) = known {
                found.wants("signature", "none", format!("one by the key {}", keys.join(" or ")));
            }
            Origin::Unknown(None)
        }
        Some(signature) => {
            check_signature(&mut found, file.content, signature, file.left_out);
            origin_of(&mut found, signature, known)
        }
    };
    if found.all.is_empty() { Ok(origin) } else { Err(Refusal(found.all)) }
}

fn check_signature(found: &mut Differences, content: &[u8], signature: &FileSignature, left_out: &[&str]) {
    let Some(key) = check_keys(found, signature) else { return };
    let message = signed_form(content, left_out).map(|form| file_message(&sha256(&form)));
    if !message.is_ok_and(|message| is_signed(key, &message, &signature.value)) {
        found.wants("signature.value", &signature.value, "the signature of this content: something was changed");
    }
}

/// Checks the keys of a signature, and finds the one that signed.
pub(crate) fn check_keys<'a>(found: &mut Differences, signature: &'a FileSignature) -> Option<&'a PublicKey> {
    for (index, key) in signature.keys.iter().enumerate() {
        if from_hexadecimal(&key.public_key).is_none_or(|public| fingerprint_of(&public) != key.fingerprint) {
            found.wants(format!("signature.keys.{index}.fingerprint"), &key.fingerprint, "the hash of the public key");
        }
    }
    let key = signature.keys.iter().find(|key| key.fingerprint == signature.key);
    if key.is_none() {
        found.wants("signature.key", &signature.key, "one of signature.keys");
    }
    key
}

/// The canonical form of the signed content: without the value of the signature, and without these members.
fn signed_form(content: &[u8], left_out: &[&str]) -> Result<Vec<u8>, Unreadable> {
    let bare = content.strip_prefix(MARK).unwrap_or(content);
    let mut value: Value = serde_json::from_slice(bare).map_err(Unreadable::Damaged)?;
    if let Some(members) = value.as_object_mut() {
        left_out.iter().for_each(|name| drop(members.remove(*name)));
    }
    if let Some(signature) = value.get_mut("signature") {
        signature["value"] = Value::String(String::new());
    }
    Ok(canonical(&value))
}

pub(crate) fn is_signed(key: &PublicKey, message: &[u8], signature: &str) -> bool {
    let parts = from_hexadecimal(&key.public_key).zip(from_hexadecimal(signature));
    parts
        .is_some_and(|(public, signature)| UnparsedPublicKey::new(&ED25519, public).verify(message, &signature).is_ok())
}

/// Checks that each declared round has a record, and that the record agrees with the file.
fn check_records(found: &mut Differences, file: &ResultsFile) {
    let no_keys = Vec::new();
    let keys = file.signature.as_ref().map_or(&no_keys, |signature| &signature.keys);
    for (index, round) in file.rounds.iter().enumerate() {
        let at = |field: &str| format!("rounds.{index}.{field}");
        match (RoundRecord::of_file(round), &round.result.record, &round.seal) {
            (Some(record), Some(mark), Some(seal)) => {
                let hash = sha256(&record.document());
                if hash != mark.hash {
                    found.differs(at("result.record.hash"), &mark.hash, &hash);
                }
                let key = keys.iter().find(|key| key.fingerprint == mark.key);
                if file.signature.is_some()
                    && !key.is_some_and(|key| is_signed(key, &record_message(&mark.hash), &seal.signature))
                {
                    found.wants(at("seal.signature"), &seal.signature, "the signature of the record");
                }
            }
            (None, None, None) if round.result.declared.is_some() && file.signature.is_some() => {
                found.wants(at("seal"), "nothing", "the seal of a declared result");
            }
            (None, None, None) => {}
            _ => found.wants(at("seal"), "a part", "the mark and the seal of a record, or neither"),
        }
    }
}

/// Checks that the records are numbered from 1, and that each contains the hash of the one before. So a declared result that was left
/// out is missed, unless it is the last one. The number of a damaged record is unknown, and the file is refused because of it.
/// Gaps are allowed in the file of a deleted meeting, from whose records the deletion took those of test data.
fn check_record_links(found: &mut Differences, file: &ResultsFile) {
    if !file.damaged.is_empty() {
        return;
    }
    let rounds = file.rounds.iter().enumerate();
    let mut records: Vec<_> = rounds
        .filter_map(|(index, round)| Some((index, round.seal.as_ref()?, &round.result.record.as_ref()?.hash)))
        .collect();
    records.sort_by_key(|(_, seal, _)| seal.number);
    let mut before: Option<(u32, &String)> = None;
    for (index, seal, hash) in records {
        let at = |field: &str| format!("rounds.{index}.seal.{field}");
        let expected = before.map_or(1, |(number, _)| number.saturating_add(1));
        let is_next = seal.number == expected;
        let is_gap = seal.number > expected && file.closings.is_none();
        if !is_next && !is_gap {
            found.wants(at("number"), seal.number, "the number after that of the record before");
        } else if is_next && seal.previous_hash.as_ref() != before.map(|(_, hash)| hash) {
            let previous = seal.previous_hash.as_deref().unwrap_or("none");
            found.wants(at("previousHash"), previous, "the hash of the record before");
        }
        before = Some((seal.number, hash));
    }
}

/// Checks that each closing record is unchanged, and that the meeting agrees with the last one and the amendments.
/// Files of earlier versions have none.
fn check_closings(found: &mut Differences, file: &ResultsFile) {
    let Some(closings) = &file.closings else { return };
    let no_keys = Vec::new();
    let keys = file.signature.as_ref().map_or(&no_keys, |signature| &signature.keys);
    for (index, closing) in closings.iter().enumerate() {
        let hash = sha256(&closing.record.document());
        if hash != closing.hash {
            found.differs(format!("closings.{index}.hash"), &closing.hash, &hash);
        }
        let key = keys.iter().find(|key| key.fingerprint == closing.key);
        let message = closing_message(&closing.hash);
        if file.signature.is_some() && !key.is_some_and(|key| is_signed(key, &message, &closing.signature)) {
            found.wants(
                format!("closings.{index}.signature"),
                &closing.signature,
                "the signature of the closing record",
            );
        }
    }
    if !file.closing_damage.is_empty() || !file.damaged.is_empty() {
        return;
    }
    let hash = |round: &RoundFile| Some((round.result.round_id, round.result.record.as_ref()?.hash.clone()));
    let records: Vec<_> = file.rounds.iter().filter_map(hash).collect();
    let closed = ClosedMeeting {
        meeting: &file.meeting,
        attendance: &file.attendance,
        check_ins: &file.check_ins,
        remarks: &file.remarks,
        records: &records,
        closings,
        amendments: &file.amendments,
    };
    for gap in closed.gaps() {
        found.wants(gap.field, gap.found, gap.wanted);
    }
}

pub(crate) fn origin_of(found: &mut Differences, signature: &FileSignature, known: &KnownKeys) -> Origin {
    let key = &signature.key;
    match known {
        KnownKeys::Own(keys) | KnownKeys::Pinned(keys) if is_vouched_for(signature, keys) => {
            Origin::Signed(key.clone())
        }
        KnownKeys::Pinned(keys) => {
            found.wants("signature.key", key, format!("{}, or a key that it signed", keys.join(" or ")));
            Origin::Unknown(Some(key.clone()))
        }
        KnownKeys::None | KnownKeys::Own(_) => Origin::Unknown(Some(key.clone())),
    }
}

/// Whether a known key signed, or vouches for the signing key through a chain of key signatures.
fn is_vouched_for(signature: &FileSignature, known: &[String]) -> bool {
    let mut key = signature.keys.iter().find(|key| key.fingerprint == signature.key);
    // No chain is longer than the list.
    for _ in 0..signature.keys.len() {
        let Some(last) = key else { return false };
        if known.contains(&last.fingerprint) {
            return true;
        }
        let (Some(by), Some(endorsement)) = (&last.endorsed_by, &last.endorsement) else { return false };
        let before = signature.keys.iter().find(|key| key.fingerprint == *by);
        let message = from_hexadecimal(&last.public_key).map(|public| succession_message(&public));
        key = before.filter(|before| message.is_some_and(|message| is_signed(before, &message, endorsement)));
    }
    false
}
