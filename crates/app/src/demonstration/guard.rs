//! Which installations are demonstrations, and what may be served of them. See decision 45.

use plenum_adapter_postgres::{DemonstrationFindings, DemonstrationPerson, MigrationError, find_demonstration};
use plenum_clients::{PasswordHasher, Turn};
use plenum_kernel::PortFailure;

use super::data::{DEMO_PASSWORD, DEMO_SUPER_ADMIN, demonstration_names};
use crate::config::Config;

/// How many names of organizations or people a sentence lists.
const NAMED: usize = 3;

/// Whether a database is a demonstration, and who can sign in to it as in one.
pub(crate) struct Standing {
    pub(crate) found: DemonstrationFindings,
}

impl Standing {
    /// Looks into the database, which need not be up to date.
    ///
    /// # Errors
    /// Fails when the database cannot be reached or refuses.
    pub(crate) async fn of(url: &str) -> Result<Self, MigrationError> {
        Ok(Self { found: find_demonstration(url, demonstration_names()).await? })
    }

    /// Whether everything in it is there for demonstration. Where there is no mark, which versions before this one did not
    /// make: whether there is nothing but the demonstration's organization, or nobody but its super administrator.
    pub(crate) fn is_demonstration(&self) -> bool {
        let found = &self.found;
        let is_founded = !found.demonstration_clients.is_empty();
        let is_begun =
            found.other_super_admins.is_empty() && found.people.iter().any(|person| person.sign_in == DEMO_SUPER_ADMIN);
        found.is_marked || (found.other_clients.is_empty() && (is_founded || is_begun))
    }

    /// Refuses to make a demonstration of what is none.
    ///
    /// # Errors
    /// Says what there is, and what to do.
    pub(crate) fn check_demo(&self) -> Result<(), String> {
        if self.found.is_empty || self.is_demonstration() {
            return Ok(());
        }
        let organizations = self.found.other_clients.iter().map(|name| format!("the organization \"{name}\""));
        let super_admins = self.found.other_super_admins.iter().map(|email| format!("the super administrator {email}"));
        Err(format!(
            "--demo is refused, because this database holds more than a demonstration ({}), and a demonstration adds \
             accounts whose passwords everybody knows. Start without --demo, or give the demonstration a place of its own: \
             another PLENUM_DATA_DIR, or another DATABASE_URL.",
            listed(organizations.chain(super_admins))
        ))
    }

    /// Refuses to serve a demonstration, and whoever can sign in by its password, as if they were real.
    ///
    /// # Errors
    /// Says who they are, and what to do; or that passwords cannot be checked.
    pub(crate) async fn check_real(&self, hasher: &dyn PasswordHasher) -> Result<(), String> {
        const WHAT_TO_DO: &str = "`plenum end-demonstration` removes the demonstration with its accounts, and \
            `plenum end-demonstration --keep-data` keeps its organization and locks its accounts";
        if self.found.is_marked {
            return Err(format!(
                "this database is a demonstration: everybody knows the passwords of its accounts. {WHAT_TO_DO}. Or go on with \
                 `plenum serve --demo`, or set PLENUM_DATA_DIR or DATABASE_URL to another place."
            ));
        }
        // One is enough, and each costs the time of a password.
        let known = known_people(&self.found.people, 1, hasher).await.map_err(|failure| failure.to_string())?;
        match known.first() {
            None => Ok(()),
            Some(person) => Err(format!(
                "demonstration accounts can sign in to this database, and everybody knows their password ({}, and perhaps others). \
                 {WHAT_TO_DO}.",
                person.sign_in
            )),
        }
    }
}

/// The first of them, so many at most, whose password is the demonstration's.
///
/// # Errors
/// Fails when passwords cannot be checked.
pub(crate) async fn known_people(
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

/// Refuses to show a demonstration to others unless that is said a second time, after the address itself.
///
/// # Errors
/// Says which setting lets others in, and what to do.
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
        "--demo is refused with {reached_by}: others could reach the demonstration, and everybody knows its passwords. Listen on \
         127.0.0.1 (and leave PLENUM_PUBLIC_URL away), or say that others may come: --demo --demo-on-any-address."
    ))
}

/// Whether an origin leads to this machine alone.
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
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
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
