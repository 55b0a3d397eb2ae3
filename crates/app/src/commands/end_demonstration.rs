use plenum_adapter_postgres::{DemonstrationEnding, DemonstrationPerson, end_demonstration, migrate};
use plenum_adapter_security::{BcryptHasher, BcryptSettings, OsSecrets};
use plenum_clients::{Password, PasswordHasher as _};
use plenum_kernel::Secrets as _;
use uuid::Uuid;

use super::CommandError;
use crate::demonstration::{DemonstrationCheck, people_with_demo_password};
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database};

/// Turns a demonstration into a real installation: deletes its organization and accounts. With `keep_data`, keeps the
/// organization and locks its accounts until they get new passwords.
pub(super) fn run(config: &Config, keep_data: bool) -> Result<(), CommandError> {
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(end(database.url(), keep_data));
    database.close()?;
    outcome
}

async fn end(url: &str, keep_data: bool) -> Result<(), CommandError> {
    let hasher = BcryptHasher::start(BcryptSettings::default())?;
    migrate(url).await?;
    let found = DemonstrationCheck::of(url).await?.found;
    let clients = if keep_data { Vec::new() } else { found.demonstration_clients.clone() };
    let is_deleted = |person: &DemonstrationPerson| person.client.is_some_and(|client| clients.contains(&client));
    let known = people_with_demo_password(&found.people, found.people.len(), &hasher).await?;
    let left: Vec<_> = known.into_iter().filter(|person| !is_deleted(person)).collect();
    if !found.is_marked && clients.is_empty() && left.is_empty() {
        print_line("This database contains no demonstration.");
        return Ok(());
    }
    let of = |is_meant: fn(&DemonstrationPerson) -> bool| -> Vec<Uuid> {
        left.iter().filter(|person| is_meant(person)).map(|person| person.id).collect()
    };
    let ending = DemonstrationEnding {
        super_admins: of(|person| person.client.is_none()),
        organizers: of(|person| person.client.is_some() && !person.is_voter),
        voters: of(|person| person.is_voter),
        password_hash: hasher.hash_random(Password::parse(&OsSecrets.password())?).await?,
        clients,
    };
    end_demonstration(url, ending.clone()).await?;
    report(&ending, &found.other_clients, keep_data);
    Ok(())
}

fn report(ending: &DemonstrationEnding, kept: &[String], keep_data: bool) {
    print_line("This installation is no longer a demonstration.");
    if !ending.clients.is_empty() {
        print_line("Removed the organization of the demonstration, with its people, meetings and votes.");
    }
    if !ending.super_admins.is_empty() {
        print_line("Removed the super administrator of the demonstration.");
    }
    let locked = ending.organizers.len() + ending.voters.len();
    if locked > 0 {
        print_line(&format!(
            "Locked {locked} accounts of the demonstration with unknown random passwords. A super administrator gives organizers \
             a new address and password (edit client). Organizers give voters a new password (end users, edit), or remove them."
        ));
    }
    for name in kept.iter().filter(|_| !keep_data) {
        print_line(&format!("Kept the organization \"{name}\"."));
    }
    print_line(
        "`plenum serve` creates the first super administrator if there is none: PLENUM_SUPER_ADMIN_EMAIL with \
         PLENUM_SUPER_ADMIN_PASSWORD, or an account with a generated password that it prints once.",
    );
}
