//! The invariants of results files, for any input. The tests of this crate check them with altered files of the server,
//! and so does the target `results` of `fuzz/`.

use crate::{read, verify};

/// A readable file is counted to its end, and has the same report after it is written and read again.
pub fn results(data: &[u8]) {
    let file = match read(data) {
        Ok(file) => file,
        Err(unreadable) => {
            assert!(!unreadable.to_string().is_empty());
            return;
        }
    };
    let report = verify(&file);
    assert_eq!(report.rounds.len(), file.rounds.len());
    let written = serde_json::to_vec(&file).expect("a parsed file can be serialized");
    let again = read(&written).expect("a serialized file can be parsed");
    assert_eq!(again, file);
    assert_eq!(verify(&again), report);
}
