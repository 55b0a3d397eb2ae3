use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::{Closable, Purgeable, RecordWriter, Recordable, SealedRecord};

/// Writes records as Rust prints them, for tests that do not read them. Equal records have equal hashes, and the signature is
/// always the same.
#[derive(Clone, Copy, Debug)]
pub struct PlainRecords;

impl RecordWriter for PlainRecords {
    fn seal(&self, round: Recordable) -> SealedRecord {
        plain(format!("{round:?}"))
    }

    fn close(&self, meeting: Closable) -> SealedRecord {
        plain(format!("{meeting:?}"))
    }

    fn purge(&self, purge: Purgeable) -> SealedRecord {
        plain(format!("{purge:?}"))
    }
}

fn plain(document: String) -> SealedRecord {
    let mut hasher = DefaultHasher::new();
    document.hash(&mut hasher);
    let hash = format!("{:016x}", hasher.finish()).repeat(4);
    SealedRecord { document, hash, key: "plain".to_owned(), signature: vec![7; 64] }
}
