use super::finding::Finding;
use crate::config::signing_key as key_file;
use crate::server::raise_open_files;
use crate::{Config, whole_chain};

/// The limit of open files below which the doctor warns.
const ENOUGH_OPEN_FILES: u64 = 4_096;

/// Names what is unwise in the configuration.
pub(super) fn check_configuration(config: &Config) -> Vec<Finding> {
    let mut findings = vec![Finding::well("The configuration can be read.")];
    findings.extend(config.warnings.iter().map(Finding::warning));
    findings.extend(config.public_url.as_deref().filter(|url| !is_secure_context(url)).map(|url| {
        Finding::warning(format!("Voters reach Plenum at {url}, without https."))
            .because(
                "Browsers encrypt nothing there: passwords and votes can be read on the way, devices cannot seal secret ballots, and \
                 cameras cannot scan codes.",
            )
            .so("Put a proxy with a certificate in front of Plenum, and set PLENUM_PUBLIC_URL to its https address.")
    }));
    findings
}

/// Whether browsers offer cryptography and cameras to pages of this origin: <https://www.w3.org/TR/secure-contexts/>.
fn is_secure_context(origin: &str) -> bool {
    let Some(rest) = origin.strip_prefix("http://") else { return true };
    let host = rest.split('/').next().unwrap_or_default();
    let name = if host.starts_with('[') { host.split(']').next() } else { host.split(':').next() };
    let name = name.unwrap_or_default().trim_start_matches('[');
    name == "localhost" || name.ends_with(".localhost") || name == "::1" || is_loopback(name)
}

fn is_loopback(name: &str) -> bool {
    name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// Checks the key that signs access tokens.
pub(super) fn check_key(config: &Config) -> Vec<Finding> {
    if config.jwt_secret.is_some() {
        return Vec::new();
    }
    vec![match key_file::load(&config.data_dir) {
        Ok(Some(_)) => match key_file::warning(&config.data_dir) {
            Some(warning) => Finding::warning(warning).because("Whoever reads the key can sign in as anybody."),
            None => Finding::well("There is a signing key, and only its owner can read it."),
        },
        Ok(None) => Finding::known("The first `plenum serve` creates the signing key."),
        Err(error) => Finding::failure(whole_chain(&error)),
    }]
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

#[cfg(test)]
mod tests {
    use super::is_secure_context;

    #[test]
    fn browsers_trust_https_and_the_own_machine() {
        for origin in ["https://vote.example.org", "http://localhost:8080", "http://127.0.0.1:80", "http://[::1]:8080"]
        {
            assert!(is_secure_context(origin), "{origin}");
        }
        for origin in ["http://vote.example.org", "http://192.168.1.7:8080", "http://localhost.example.org"] {
            assert!(!is_secure_context(origin), "{origin}");
        }
    }
}
