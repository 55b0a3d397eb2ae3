use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use chrono::{DateTime, SecondsFormat, Utc};

use crate::{Closable, ClosedTimes, Purgeable, RecordWriter, Recordable, SealedRecord, StoredClosing, StoredRecord};

/// Writes records as Rust prints them, after their times, for tests that do not read them. Equal records have equal hashes, and
/// the signature is always the same.
#[derive(Clone, Copy, Debug)]
pub struct PlainRecords;

impl RecordWriter for PlainRecords {
    fn seal(&self, round: Recordable) -> SealedRecord {
        plain(format!("{} {round:?}", time(Some(round.at))))
    }

    fn close(&self, meeting: Closable) -> SealedRecord {
        let times = [Some(meeting.at), meeting.meeting.started_at, meeting.meeting.ended_at].map(time);
        plain(format!("{} {meeting:?}", times.join(" ")))
    }

    fn purge(&self, purge: Purgeable) -> SealedRecord {
        plain(format!("{purge:?}"))
    }

    fn recorded_at(&self, record: &StoredRecord) -> Result<DateTime<Utc>, String> {
        read(&record.sealed, 0)?.ok_or_else(unreadable)
    }

    fn closed_at(&self, closing: &StoredClosing) -> Result<ClosedTimes, String> {
        let sealed = &closing.sealed;
        let recorded_at = read(sealed, 0)?.ok_or_else(unreadable)?;
        Ok(ClosedTimes { recorded_at, started_at: read(sealed, 1)?, ended_at: read(sealed, 2)? })
    }
}

/// A time, or a hyphen without one.
fn time(time: Option<DateTime<Utc>>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| time.to_rfc3339_opts(SecondsFormat::Nanos, true))
}

/// The time at this place of a document. `None` for a hyphen.
fn read(sealed: &SealedRecord, place: usize) -> Result<Option<DateTime<Utc>>, String> {
    match sealed.document.split(' ').nth(place) {
        Some("-") => Ok(None),
        text => text.and_then(|text| text.parse().ok()).map(Some).ok_or_else(unreadable),
    }
}

fn unreadable() -> String {
    "it cannot be read".to_owned()
}

fn plain(document: String) -> SealedRecord {
    let mut hasher = DefaultHasher::new();
    document.hash(&mut hasher);
    let hash = format!("{:016x}", hasher.finish()).repeat(4);
    SealedRecord { document, hash, key: "plain".to_owned(), signature: vec![7; 64] }
}
