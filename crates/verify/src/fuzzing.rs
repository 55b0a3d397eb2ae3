//! The invariants of results files and archives, for any input. The tests of this crate check them with altered files of the server,
//! and so does the target `results` of `fuzz/`.

use crate::read::{MARK, read_json};
use crate::{Exported, KnownKeys, check_archive, check_archive_origin, read, verify};

/// A readable file is counted to its end, and has the same report after it is written and read again.
pub fn results(data: &[u8]) {
    if let Ok(Exported::Archive(archive)) = read_json(data.strip_prefix(MARK).unwrap_or(data)) {
        verify(&archive.results);
        let differences = check_archive(&archive);
        let is_refused = check_archive_origin(data, &archive, &KnownKeys::None).is_err();
        assert!(is_refused || archive.signature.is_some(), "an archive without a signature is refused");
        let written = serde_json::to_vec(&archive).expect("a parsed archive can be serialized");
        let Ok(Exported::Archive(again)) = read_json(&written) else { panic!("a serialized archive is one") };
        assert_eq!(check_archive(&again), differences);
        return;
    }
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
