//! What must hold of files of results, whatever comes in. The tests of this crate call it with files that are not what
//! the server wrote any more, and so does the target `results` of `fuzz/`.

use crate::{read, verify};

/// A file that can be read is counted to its end, and says the same of itself when it is written and read again.
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
    let written = serde_json::to_vec(&file).expect("what was read can be written");
    let again = read(&written).expect("what was written can be read");
    assert_eq!(again, file);
    assert_eq!(verify(&again), report);
}
