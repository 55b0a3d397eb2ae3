//! The names of the environment variables, and suggestions for mistyped ones.

use super::ConfigError;

/// Every variable that the program reads, as `docs/operations.md` lists them.
pub(crate) const VARIABLES: &[&str] = &[
    "DATABASE_URL",
    "PLENUM_ACME_CERTIFICATES",
    "PLENUM_ACME_CONTACT",
    "PLENUM_ACME_URL",
    "PLENUM_ALLOW_VOTE_RESET",
    "PLENUM_BASE_PATH",
    "PLENUM_CONNECTIONS",
    "PLENUM_CONNECTIONS_PER_ADDRESS",
    "PLENUM_CORS_ORIGINS",
    "PLENUM_DATA_DIR",
    "PLENUM_DOMAIN",
    "PLENUM_DRAIN_SECONDS",
    "PLENUM_ERASE_INACTIVE_YEARS",
    "PLENUM_EVIDENCE_KEY_FILE",
    "PLENUM_JWT_SECRET",
    "PLENUM_LISTEN",
    "PLENUM_LOG",
    "PLENUM_LOG_FORMAT",
    "PLENUM_MAIL_FROM",
    "PLENUM_METRICS_TOKEN",
    "PLENUM_NATS_URL",
    "PLENUM_NEW_PASSWORD",
    "PLENUM_POSTGRES_BIN",
    "PLENUM_PUBLIC_URL",
    "PLENUM_REDIRECT_LISTEN",
    "PLENUM_RETENTION_YEARS",
    "PLENUM_SECRET_KEYS_DIR",
    "PLENUM_SMTP_URL",
    "PLENUM_STREAMS_PER_PERSON",
    "PLENUM_SUPER_ADMIN_EMAIL",
    "PLENUM_SUPER_ADMIN_PASSWORD",
    "PLENUM_TIMESTAMP_CERTIFICATES",
    "PLENUM_TIMESTAMP_URL",
    "PLENUM_TLS_CERTIFICATE",
    "PLENUM_TLS_KEY",
    "PLENUM_TRUSTED_PROXIES",
];

const PREFIX: &str = "PLENUM_";

/// Variables of the project's tests and tools, which may share a shell with the program.
const OF_TOOLS: [&str; 4] = ["BIN", "BLESS", "FONTS", "KEEP_MINUTES"];
const OF_TOOLS_BEGIN: [&str; 4] = ["API_", "FUZZ_", "LOAD_", "TEST_"];

/// Checks the names of all variables that are set. A probably mistyped name is an error. Any other unknown name with the
/// prefix is a warning, because the environment may set it for its own use (as Kubernetes does).
pub(crate) fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> (Vec<ConfigError>, Vec<String>) {
    let mut unknown: Vec<&str> = names.filter(|name| is_unknown(name)).collect();
    unknown.sort_unstable();
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for name in unknown {
        match meant_by(name) {
            Some(meant) => {
                let requirement =
                    format!("must be renamed or removed: there is no such variable; did you mean {meant}?");
                errors.push(ConfigError::new(name.to_owned(), requirement));
            }
            None => warnings.push(format!("{name} is not a variable of Plenum and has no effect.")),
        }
    }
    (errors, warnings)
}

fn is_unknown(name: &str) -> bool {
    let Some(rest) = own_part(name) else { return false };
    let is_of_tools = OF_TOOLS.contains(&rest) || OF_TOOLS_BEGIN.iter().any(|begin| rest.starts_with(begin));
    !VARIABLES.contains(&name) && !is_of_tools
}

/// The part after the prefix. The case of the prefix does not matter.
fn own_part(name: &str) -> Option<&str> {
    let (prefix, rest) = name.split_at_checked(PREFIX.len())?;
    prefix.eq_ignore_ascii_case(PREFIX).then_some(rest)
}

/// The variable that a mistyped name probably means: it differs by a few letters, or shares whole words.
fn meant_by(name: &str) -> Option<&'static str> {
    let typed = own_part(name)?.to_ascii_uppercase();
    let own = |known: &'static str| known.strip_prefix(PREFIX).unwrap_or(known);
    let has_part =
        |long: &str, part: &str| long.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let distance = |known: &&'static str| letters_between(&typed, own(known));
    let nearest = VARIABLES.iter().copied().min_by_key(distance)?;
    if distance(&nearest) <= (typed.len() / 4).clamp(1, 3) {
        return Some(nearest);
    }
    let is_part = |known: &&'static str| has_part(own(known), &typed) || has_part(&typed, own(known));
    VARIABLES.iter().copied().filter(|known| !typed.is_empty() && is_part(known)).max_by_key(|known| known.len())
}

/// The edit distance: the fewest letters to change, add or remove.
pub(crate) fn letters_between(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other_letter) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other_letter);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_is_refused_with_a_suggestion() {
        for (typed, meant) in [
            ("PLENUM_TRUSTED_PROXY", "PLENUM_TRUSTED_PROXIES"),
            ("PLENUM_CORS_ORIGIN", "PLENUM_CORS_ORIGINS"),
            ("PLENUM_LISTEM", "PLENUM_LISTEN"),
            ("PLENUM_LISTEN_ADDRESS", "PLENUM_LISTEN"),
            ("PLENUM_SMTP", "PLENUM_SMTP_URL"),
            ("PLENUM_PUBLICURL", "PLENUM_PUBLIC_URL"),
            ("PLENUM_DATABASE_URL", "DATABASE_URL"),
            ("PLENUM_LOG_LEVEL", "PLENUM_LOG"),
            ("PLENUM_LOGS", "PLENUM_LOG"),
            ("Plenum_Data_Dir", "PLENUM_DATA_DIR"),
            ("PLENUM_SUPERADMIN_EMAIL", "PLENUM_SUPER_ADMIN_EMAIL"),
        ] {
            let (errors, warnings) = check_names([typed].into_iter());
            assert_eq!((errors.len(), warnings.len()), (1, 0), "{typed}");
            assert!(errors[0].variable == typed && errors[0].requirement.contains(meant), "{typed}: {}", errors[0]);
        }
    }

    #[test]
    fn an_unknown_name_with_our_prefix_leads_to_a_warning() {
        for name in ["PLENUM_SERVICE_HOST", "PLENUM_PORT", "PLENUM_PORT_8080_TCP_ADDR", "PLENUM_VERSION", "PLENUM_"] {
            let (errors, warnings) = check_names([name].into_iter());
            assert_eq!(errors, [], "{name}");
            assert!(warnings[0].starts_with(name), "{warnings:?}");
        }
    }

    #[test]
    fn the_names_of_the_product_and_its_tools_are_accepted() {
        let tools = ["PLENUM_TEST_DATABASE_URL", "PLENUM_BLESS", "PLENUM_API_URL", "PLENUM_FUZZ_SEED", "PLENUM_BIN"];
        let others = ["PATH", "PLENUMX", "HOME"];
        let (errors, warnings) = check_names(VARIABLES.iter().copied().chain(tools).chain(others));
        assert!(errors.is_empty() && warnings.is_empty(), "{errors:?} {warnings:?}");
    }

    #[test]
    fn every_variable_is_documented() {
        let documented = include_str!("../../../../docs/operations.md");
        for variable in VARIABLES {
            assert!(documented.contains(&format!("`{variable}`")), "{variable}");
        }
    }
}
