//! The separation of demonstrations and real installations. See decision 45.

use plenum_adapter_postgres::{DemonstrationFindings, DemonstrationPerson, MigrationError, find_demonstration};
use plenum_clients::{PasswordHasher, Turn};
use plenum_kernel::PortFailure;

use super::data::{DEMO_PASSWORD, DEMO_SUPER_ADMIN, demonstration_names};
use crate::config::Config;

/// The most names of organizations or people in a sentence.
const MAX_LISTED: usize = 3;

/// The traces of a demonstration in a database.
pub(crate) struct DemonstrationCheck {
    pub(crate) found: DemonstrationFindings,
}

impl DemonstrationCheck {
    /// Reads the database. It may lack migrations.
    ///
    /// # Errors
    /// Fails when the database cannot be reached or refuses the statements.
    pub(crate) async fn of(url: &str) -> Result<Self, MigrationError> {
        Ok(Self { found: find_demonstration(url, demonstration_names()).await? })
    }

    /// Whether the whole database is a demonstration. Earlier versions left no mark: without one, the database must contain no
    /// other organization than that of the demonstration, or only its super administrator.
    pub(crate) fn is_demonstration(&self) -> bool {
        let found = &self.found;
        let has_client = !found.demonstration_clients.is_empty();
        let has_super_admin =
            found.other_super_admins.is_empty() && found.people.iter().any(|person| person.sign_in == DEMO_SUPER_ADMIN);
        found.is_marked || (found.other_clients.is_empty() && (has_client || has_super_admin))
    }

    /// Refuses to turn a real installation into a demonstration.
    ///
    /// # Errors
    /// Names the real data and the remedy.
    pub(crate) fn check_demo(&self) -> Result<(), String> {
        if self.found.is_empty || self.is_demonstration() {
            return Ok(());
        }
        let organizations = self.found.other_clients.iter().map(|name| format!("the organization \"{name}\""));
        let super_admins = self.found.other_super_admins.iter().map(|email| format!("the super administrator {email}"));
        Err(format!(
            "--demo is refused, because this database contains more than a demonstration ({}), and a demonstration adds \
             accounts with public passwords. Start without --demo, or use another PLENUM_DATA_DIR or DATABASE_URL for the \
             demonstration.",
            listed(organizations.chain(super_admins))
        ))
    }

    /// Refuses to serve a demonstration, or accounts with its password, as a real installation.
    ///
    /// # Errors
    /// Names an account and the remedy. Also fails when passwords cannot be checked.
    pub(crate) async fn check_real(&self, hasher: &dyn PasswordHasher) -> Result<(), String> {
        const WHAT_TO_DO: &str = "`plenum end-demonstration` removes the demonstration with its accounts, and \
            `plenum end-demonstration --keep-data` keeps its organization and locks its accounts";
        if self.found.is_marked {
            return Err(format!(
                "this database is a demonstration: the passwords of its accounts are public. {WHAT_TO_DO}. Or continue with \
                 `plenum serve --demo`, or set PLENUM_DATA_DIR or DATABASE_URL to another database."
            ));
        }
        // One is enough, and each check takes the time of a password hash.
        let known =
            people_with_demo_password(&self.found.people, 1, hasher).await.map_err(|failure| failure.to_string())?;
        match known.first() {
            None => Ok(()),
            Some(person) => Err(format!(
                "demonstration accounts can sign in to this database, and their password is public ({}, and perhaps others). \
                 {WHAT_TO_DO}.",
                person.sign_in
            )),
        }
    }
}

/// The first people with the password of the demonstration, at most `at_most`.
///
/// # Errors
/// Fails when passwords cannot be checked.
pub(crate) async fn people_with_demo_password(
    people: &[DemonstrationPerson],
    at_most: usize,
    hasher: &dyn PasswordHasher,
) -> Result<Vec<DemonstrationPerson>, PortFailure> {
    let mut known = Vec::new();
    for person in people {
        if known.len() >= at_most {
            break;
        }
        let hash = Some(person.password_hash.clone());
        if hasher.verify(DEMO_PASSWORD.to_owned(), hash, Turn::anonymous()).await? {
            known.push(person.clone());
        }
    }
    Ok(known)
}

/// Refuses a demonstration on a public address without a second confirmation.
///
/// # Errors
/// Names the setting that makes it public, and the remedy.
pub(crate) fn check_demo_address(config: &Config, on_any_address: bool) -> Result<(), String> {
    if on_any_address {
        return Ok(());
    }
    let reached_by = if !config.listen.ip().to_canonical().is_loopback() {
        format!("PLENUM_LISTEN={}", config.listen)
    } else if let Some(url) = config.public_url.as_ref().filter(|url| !is_of_this_machine(url)) {
        format!("PLENUM_PUBLIC_URL={url}")
    } else {
        return Ok(());
    };
    Err(format!(
        "--demo is refused with {reached_by}: others could reach the demonstration, and its passwords are public. Listen on \
         127.0.0.1 (and leave PLENUM_PUBLIC_URL unset), or confirm that others may reach it: --demo --demo-on-any-address."
    ))
}

/// Whether an origin is on this machine.
fn is_of_this_machine(origin: &str) -> bool {
    let host = url::Url::parse(origin).ok().and_then(|url| url.host().map(|host| host.to_owned()));
    host.is_some_and(|host| match host {
        url::Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.to_canonical().is_loopback(),
    })
}

fn listed(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    names.truncate(MAX_LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(variables: &[(&str, &str)]) -> Config {
        Config::read(variables.iter().copied()).unwrap()
    }

    #[test]
    fn a_public_demonstration_needs_a_second_confirmation() {
        for (variable, value) in [
            ("PLENUM_LISTEN", "0.0.0.0:8080"),
            ("PLENUM_LISTEN", "[::]:8080"),
            ("PLENUM_LISTEN", "192.168.0.7:80"),
            ("PLENUM_PUBLIC_URL", "https://vote.example.org"),
            ("PLENUM_PUBLIC_URL", "http://localhost.example.org"),
        ] {
            let config = config(&[(variable, value)]);
            let refused = check_demo_address(&config, false).unwrap_err();
            assert!(refused.contains(variable) && refused.contains("--demo-on-any-address"), "{refused}");
            assert_eq!(check_demo_address(&config, true), Ok(()), "{value}");
        }
    }

    #[test]
    fn a_local_demonstration_needs_no_second_confirmation() {
        for variables in [
            &[][..],
            &[("PLENUM_LISTEN", "127.0.0.1:0")],
            &[("PLENUM_LISTEN", "[::1]:8080")],
            &[("PLENUM_LISTEN", "[::ffff:127.0.0.1]:8080")],
            &[("PLENUM_PUBLIC_URL", "http://localhost:5173")],
        ] {
            assert_eq!(check_demo_address(&config(variables), false), Ok(()), "{variables:?}");
        }
    }
}
