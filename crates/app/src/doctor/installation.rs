use super::finding::Finding;
use crate::Config;
use crate::server::raise_open_files;

/// The limit of open files below which the doctor warns.
const ENOUGH_OPEN_FILES: u64 = 4_096;

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
