//! The documents of purges: written at the purge, and read for checks and files.

use plenum_result_format::{
    AuditHead, ClosedResult, PURGE_FORMAT, PurgeDocument, PurgedClosing, PurgedEntries, PurgedMeeting, SealedPurge,
    hexadecimal,
};
use plenum_voting::{DueEntries, Purgeable, PurgeableMeeting, PurgedBy, StoredPurge};

/// A stored purge document that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("purge document {0} cannot be read")]
pub struct UnreadablePurge(pub u32);

/// The document of a purge, before it is hashed and signed.
pub(crate) fn purge_document(purge: Purgeable) -> PurgeDocument {
    let Purgeable { chain, number, previous_hash, order, meetings, entries } = purge;
    let (by, operator) = match order.by {
        PurgedBy::Rule => ("rule", None),
        PurgedBy::Command(operator) => ("command", operator),
    };
    PurgeDocument {
        format: PURGE_FORMAT.to_owned(),
        organization_id: chain,
        number,
        previous_hash,
        purged_at: order.at,
        before: order.scope.before,
        by: by.to_owned(),
        operator,
        meetings: meetings.into_iter().map(purged_meeting).collect(),
        audit: entries.map(|DueEntries { first, last: number, last_hash: hash, .. }| PurgedEntries {
            first,
            last: AuditHead { number, hash },
        }),
    }
}

fn purged_meeting(purged: PurgeableMeeting) -> PurgedMeeting {
    let PurgeableMeeting { meeting, records, closings, amendments } = purged;
    let record = |(round, number, hash): (plenum_kernel::RoundId, u32, String)| ClosedResult {
        round_id: round.as_uuid(),
        number,
        hash,
    };
    PurgedMeeting {
        meeting_id: meeting.as_uuid(),
        records: records.into_iter().map(record).collect(),
        closings: closings.into_iter().map(|(number, hash)| PurgedClosing { number, hash }).collect(),
        amendments,
    }
}

/// Reads a stored purge document. Its hash and its signature are checked by `plenum-verify`.
///
/// # Errors
/// Fails for a document that is none, or that is stored under another number.
pub fn read_purge(stored: &StoredPurge) -> Result<SealedPurge, UnreadablePurge> {
    let unreadable = UnreadablePurge(stored.number);
    let document: PurgeDocument = serde_json::from_str(&stored.sealed.document).map_err(|_| unreadable)?;
    if document.number != stored.number {
        return Err(unreadable);
    }
    let sealed = &stored.sealed;
    let (hash, key, signature) = (sealed.hash.clone(), sealed.key.clone(), hexadecimal(&sealed.signature));
    Ok(SealedPurge { document, hash, key, signature })
}

/// The documents that can be read, for a file. Those that cannot are missing there, which its check finds.
pub fn sealed_purges(stored: &[StoredPurge]) -> Vec<SealedPurge> {
    stored.iter().filter_map(|stored| read_purge(stored).ok()).collect()
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{MeetingId, RoundId};
    use plenum_voting::{PurgeOrder, PurgeScope, SealedRecord};

    use super::*;

    #[test]
    fn a_document_names_what_was_purged_and_is_read_as_it_was_written() {
        let ids = CountingIds::new();
        let at = "2036-11-25T03:00:00Z".parse().unwrap();
        let document = purge_document(Purgeable {
            chain: MeetingId::new(&ids).as_uuid(),
            number: 2,
            previous_hash: Some("1".repeat(64)),
            order: PurgeOrder {
                scope: PurgeScope { before: at, client: None, meeting: None },
                by: PurgedBy::Command(Some("Maria".to_owned())),
                at,
            },
            meetings: vec![PurgeableMeeting {
                meeting: MeetingId::new(&ids),
                records: vec![(RoundId::new(&ids), 1, "2".repeat(64))],
                closings: vec![(1, "3".repeat(64))],
                amendments: 4,
            }],
            entries: Some(DueEntries { chain: uuid::Uuid::nil(), first: 5, last: 9, last_hash: "4".repeat(64) }),
        });
        assert_eq!(document.record_hashes().collect::<Vec<_>>(), ["2".repeat(64)]);
        let text = String::from_utf8(document.document()).unwrap();
        let sealed = SealedRecord { document: text, hash: String::new(), key: String::new(), signature: vec![1] };
        let stored = StoredPurge { chain: document.organization_id, number: 2, sealed };
        assert_eq!(read_purge(&stored).unwrap().document, document);
        let misplaced = StoredPurge { number: 3, ..stored };
        assert_eq!(read_purge(&misplaced), Err(UnreadablePurge(3)));
    }
}
