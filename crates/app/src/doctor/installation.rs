use std::path::Path;

use plenum_embedded_postgres::free_bytes;

use super::finding::Finding;
use crate::Config;
use crate::config::key_file::nearest_existing;
use crate::server::raise_open_files;

/// The limit of open files below which the doctor warns.
const ENOUGH_OPEN_FILES: u64 = 4_096;

/// The free space below which a meeting is at risk: of a disk with the embedded database, and of one with keys only.
const ENOUGH_FOR_DATABASE: u64 = 100_000_000;
const ENOUGH_FOR_KEYS: u64 = 1_000_000;

/// Names what is unwise in the configuration.
pub(super) fn check_configuration(config: &Config) -> Vec<Finding> {
    let mut findings = vec![Finding::well("The configuration can be read.")];
    findings.extend(config.warnings.iter().map(Finding::warning));
    findings
}

/// Checks how many screens can connect.
pub(super) fn check_open_files(_: &Config) -> Vec<Finding> {
    vec![match raise_open_files() {
        Some(limit) if limit < ENOUGH_OPEN_FILES => {
            Finding::warning(format!("The limit of open files is {limit}, so about as many screens can connect."))
                .because("Whoever comes after them is refused, although the machine could serve more.")
                .so("Raise the limit: `ulimit -n`, or LimitNOFILE of the service.")
        }
        Some(limit) => {
            Finding::well(format!("The limit of open files is {limit}, so about as many screens can connect."))
        }
        None => Finding::warning("The system does not report the limit of open files.")
            .because("It limits the number of screens that can connect."),
    }]
}

/// Checks that the disk of the data directory is not full. Says nothing if the system does not report its free space.
pub(super) fn check_disk(config: &Config) -> Vec<Finding> {
    let enough = if config.database_url.is_some() { ENOUGH_FOR_KEYS } else { ENOUGH_FOR_DATABASE };
    let free = nearest_existing(&config.data_dir).and_then(|folder| free_bytes(&folder));
    free.map(|free| room_finding(&config.data_dir, free, enough)).into_iter().collect()
}

fn room_finding(folder: &Path, free: u64, enough: u64) -> Finding {
    let (folder, megabytes) = (folder.display(), free / 1_000_000);
    if free >= enough {
        return Finding::well(format!("The disk of {folder} has {megabytes} MB of free space."));
    }
    Finding::failure(format!("The disk of {folder} is full: it has {megabytes} MB of free space."))
        .because("A database without space confirms no vote, and no key of a secret vote can be stored.")
        .so("Free space, but delete nothing in the data directory.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_a_failure() {
        let finding = |free| room_finding(Path::new("/data"), free, ENOUGH_FOR_DATABASE);
        let full = finding(99_999_999);
        assert!(full.is_failure());
        assert_eq!(
            full.in_one_line(),
            "The disk of /data is full: it has 99 MB of free space. Free space, but delete nothing in the data directory."
        );
        assert!(!finding(ENOUGH_FOR_DATABASE).is_failure());
    }

    #[test]
    fn the_disk_of_a_folder_that_is_still_to_be_made_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("a/b");
        let config = Config::read([("PLENUM_DATA_DIR", &data)]).unwrap();
        assert_eq!(check_disk(&config).len(), 1);
        assert!(!data.exists());
    }
}
