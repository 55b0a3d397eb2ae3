use plenum_kernel::EvidenceKeys;
use plenum_result_format::{
    CLOSING_FORMAT, ClosingRecord, DamagedRecord, RECORD_FORMAT, RecordMark, RecordSeal, RoundFile, RoundRecord,
    SealedClosing, closing_message, hexadecimal, record_message, sha256,
};
use plenum_voting::{SealedRecord, StoredClosing, StoredRecord};
use serde::de::DeserializeOwned;

/// The damage of a stored record. Its content is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordDamage {
    /// The round is declared and has no record.
    #[error("its record is missing")]
    Missing,
    /// The document differs from the hashed one.
    #[error("its content was changed: the hash does not match")]
    Changed,
    /// It has a signature of another key, or none.
    #[error("this installation did not sign it")]
    Forged,
    /// The document is signed, but is not a record of this version.
    #[error("it cannot be read by this version")]
    Unreadable,
    /// The document is signed, but belongs to another round or meeting.
    #[error("it belongs to another round or meeting")]
    Misplaced,
    /// The record is intact, but its round was removed from the database.
    #[error("its round was removed from the database; the organizer's results show the record")]
    Orphaned,
}

/// Checks a stored record and reads it.
///
/// # Errors
/// Returns the damage.
pub fn read_record(stored: &StoredRecord, keys: &dyn EvidenceKeys) -> Result<RoundRecord, RecordDamage> {
    let record: RoundRecord = read_signed(&stored.sealed, record_message, keys)?;
    if record.format != RECORD_FORMAT {
        return Err(RecordDamage::Unreadable);
    }
    let (client, meeting, round) = (stored.client.as_uuid(), stored.meeting.as_uuid(), stored.round.as_uuid());
    let found = (record.organization_id, record.meeting.id, record.round.result.round_id, record.number);
    if found == (client, meeting, round, stored.number) { Ok(record) } else { Err(RecordDamage::Misplaced) }
}

/// Checks a stored closing record and reads it.
///
/// # Errors
/// Returns the damage.
pub fn read_closing(stored: &StoredClosing, keys: &dyn EvidenceKeys) -> Result<SealedClosing, RecordDamage> {
    let sealed = &stored.sealed;
    let record: ClosingRecord = read_signed(sealed, closing_message, keys)?;
    if record.format != CLOSING_FORMAT {
        return Err(RecordDamage::Unreadable);
    }
    let place = (stored.client.as_uuid(), stored.meeting.as_uuid(), stored.number);
    if (record.organization_id, record.meeting.id, record.number) != place {
        return Err(RecordDamage::Misplaced);
    }
    let (hash, key) = (sealed.hash.clone(), sealed.key.clone());
    let signature = hexadecimal(&sealed.signature);
    Ok(SealedClosing { record, hash, key, signature, timestamp: None, timestamp_token: None })
}

/// Checks hash and signature of a document, and reads it. `message` creates the signed message from a hash.
fn read_signed<T: DeserializeOwned>(
    sealed: &SealedRecord,
    message: fn(&str) -> Vec<u8>,
    keys: &dyn EvidenceKeys,
) -> Result<T, RecordDamage> {
    if sha256(sealed.document.as_bytes()) != sealed.hash {
        return Err(RecordDamage::Changed);
    }
    if !keys.is_signed(&sealed.key, &message(&sealed.hash), &sealed.signature) {
        return Err(RecordDamage::Forged);
    }
    serde_json::from_str(&sealed.document).map_err(|_| RecordDamage::Unreadable)
}

/// The round of a record in the format of files: with the mark and the seal of the record.
pub(crate) fn sealed_round(record: RoundRecord, stored: &StoredRecord) -> RoundFile {
    let RoundRecord { organization_id, meeting, number, previous_hash, audit_head, mut round, .. } = record;
    round.result.record = Some(RecordMark {
        hash: stored.sealed.hash.clone(),
        key: stored.sealed.key.clone(),
        recorded_at: record.recorded_at,
        is_recorded_later: record.is_recorded_later,
        timestamp: None,
    });
    let signature = hexadecimal(&stored.sealed.signature);
    let timestamp_token = None;
    round.seal =
        Some(RecordSeal { organization_id, meeting, number, previous_hash, audit_head, signature, timestamp_token });
    round
}

/// A round that is not shown because of this damage.
pub(crate) fn damaged(round: uuid::Uuid, place: (u32, u32), damage: RecordDamage) -> DamagedRecord {
    let (position, number) = place;
    DamagedRecord { round_id: round, position, number, damage: damage.to_string() }
}
