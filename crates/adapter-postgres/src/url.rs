use std::fmt::Write;

/// Why a database address cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// This program was built without the feature `pg-tls`.
    #[error(
        "the database address asks for TLS (sslmode), but this build of Plenum cannot do TLS to PostgreSQL; \
         use a distribution build, build with `--features pg-tls`, or connect without TLS (sslmode=disable)"
    )]
    TlsMissing,
}

/// Settings that keep a lost network from blocking a connection for hours; what the address says itself stands.
const DEFAULTS: [(&str, &str); 6] = [
    ("application_name", "plenum"),
    ("connect_timeout", "5"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "5"),
    ("keepalives_count", "3"),
    ("tcp_user_timeout", "25000"),
];

/// Checks the address and adds what it does not say.
pub(crate) fn complete(url: &str) -> Result<String, UrlError> {
    let settings = settings_of(url);
    let wants_tls = settings
        .iter()
        .any(|(name, value)| name == "sslmode" && matches!(value.as_str(), "require" | "verify-ca" | "verify-full"));
    if wants_tls && !cfg!(feature = "pg-tls") {
        return Err(UrlError::TlsMissing);
    }
    let mut complete = url.to_owned();
    for (name, value) in DEFAULTS {
        if !settings.iter().any(|(given, _)| given == name) {
            add(&mut complete, name, value);
        }
    }
    Ok(complete)
}

/// Adds one setting; `value` must need no escaping.
pub(crate) fn add(url: &mut String, name: &str, value: &str) {
    let separator = match (is_uri(url), url.contains('?')) {
        (false, _) => ' ',
        (true, false) => '?',
        (true, true) => '&',
    };
    // Writing to a string cannot fail.
    let _ = write!(url, "{separator}{name}={value}");
}

/// libpq reads addresses of two kinds: `postgresql://…?name=value&…` and `name=value name=value …`.
fn is_uri(url: &str) -> bool {
    url.starts_with("postgresql://") || url.starts_with("postgres://")
}

fn settings_of(url: &str) -> Vec<(String, String)> {
    let pairs: Vec<&str> = if is_uri(url) {
        url.split_once('?').map_or_else(Vec::new, |(_, query)| query.split('&').collect())
    } else {
        url.split_whitespace().collect()
    };
    pairs
        .into_iter()
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.trim_matches('\'').to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_completed_in_its_own_syntax() {
        assert!(
            complete("postgresql://db/plenum").unwrap().starts_with("postgresql://db/plenum?application_name=plenum&")
        );
        assert!(complete("postgres:///p?host=/run").unwrap().starts_with("postgres:///p?host=/run&application_name="));
        assert!(
            complete("host=db dbname=plenum").unwrap().starts_with("host=db dbname=plenum application_name=plenum ")
        );
    }

    #[test]
    fn what_the_address_says_stands() {
        let url = complete("postgresql://db/plenum?connect_timeout=60").unwrap();
        assert_eq!(url.matches("connect_timeout").count(), 1);
    }

    #[cfg(not(feature = "pg-tls"))]
    #[test]
    fn tls_is_refused_with_a_clear_error_by_a_build_without_it() {
        for url in [
            "postgresql://db/plenum?sslmode=require",
            "postgresql://db/plenum?application_name=x&sslmode=verify-full",
            "host=db sslmode=verify-ca",
            "host=db sslmode='require'",
        ] {
            assert_eq!(complete(url), Err(UrlError::TlsMissing), "{url}");
        }
        assert!(complete("postgresql://db/plenum?sslmode=prefer").is_ok());
        assert!(complete("postgresql://db/sslmode=require").is_ok());
    }

    #[cfg(feature = "pg-tls")]
    #[test]
    fn tls_is_accepted_by_a_build_with_it() {
        assert!(complete("postgresql://db/plenum?sslmode=require").is_ok());
    }
}
