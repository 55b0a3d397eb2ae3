//! Whether a start can use the database: the rights of its login, its settings, and other instances.

use plenum_adapter_postgres::{DatabaseFitness, DbSettings, ServingInstance};

use super::finding::Finding;
use crate::Config;
use crate::database::Pools;

/// The encoding in which the database stores texts of every language.
const ENCODING: &str = "UTF8";

/// The connections of commands that run beside the server, such as `plenum backup`.
const FOR_COMMANDS: i64 = 2;

/// Names what prevents a start. `is_pending` if migrations are missing, which only some logins can apply.
pub(super) fn check(kind: &str, fitness: &DatabaseFitness, is_pending: bool) -> Vec<Finding> {
    const REFUSED: &str = "`plenum serve` fails.";
    let DatabaseFitness { login, is_read_only, encoding, may_create_tables, bypasses_policies, connections } = fitness;
    let mut findings = Vec::new();
    if *is_read_only {
        findings.push(
            Finding::failure(format!("{kind} accepts no writes from the login {login}."))
                .because("No vote can be stored.")
                .so("Connect to the primary server, or reset default_transaction_read_only of the database and of the login."),
        );
    }
    if encoding != ENCODING {
        findings.push(
            Finding::failure(format!("{kind} stores texts in {encoding}, and Plenum needs {ENCODING}."))
                .because(REFUSED)
                .so("Create another database: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."),
        );
    }
    if is_pending && !may_create_tables {
        findings.push(
            Finding::failure(format!("The login {login} may not create tables in {kind}."))
                .because(REFUSED)
                .so("Make the login the owner of the database, or of a schema on its search path."),
        );
    }
    if is_pending && *bypasses_policies {
        findings.push(
            Finding::failure(format!(
                "The login {login} has BYPASSRLS, so {kind} cannot separate the rows of organizations."
            ))
            .because(REFUSED)
            .so(&format!("Remove it: ALTER ROLE {login} NOBYPASSRLS.")),
        );
    }
    let needed = Pools::connections(&DbSettings::new(String::new()));
    if *connections < needed {
        let enough = needed + FOR_COMMANDS;
        findings.push(
            Finding::warning(format!(
                "The login {login} may have {connections} connections to {kind}, and one instance needs {needed}."
            ))
            .because("Votes wait for connections that are refused.")
            .so(&format!(
                "Allow {enough} for each instance and the commands beside it: CONNECTION LIMIT of the login and of the database, and \
                 max_connections of the server."
            )),
        );
    }
    findings
}

/// Names the instances that serve the database now. A start waits for those that exclude it, and is then refused.
pub(super) fn check_instances(config: &Config, serving: &[ServingInstance]) -> Vec<Finding> {
    let (alone, together): (Vec<_>, Vec<_>) = serving.iter().partition(|instance| instance.is_alone);
    let listed = |some: &[&ServingInstance]| some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let refused = |found: String| {
        Finding::warning(found)
            .because(
                "Instances that exchange no messages do not have each other's keys of secret votes. A start is refused, unless that \
                 instance is the one that you restart.",
            )
            .so("Set the same PLENUM_NATS_URL for all instances, or stop the others.")
    };
    if config.nats.is_none() && !together.is_empty() {
        return vec![refused(format!(
            "Instances with PLENUM_NATS_URL serve the database ({}), and PLENUM_NATS_URL is not set here.",
            listed(&together)
        ))];
    }
    if alone.is_empty() {
        return Vec::new();
    }
    let found = format!("An instance without PLENUM_NATS_URL serves the database ({})", listed(&alone));
    if config.nats.is_some() {
        return vec![refused(format!("{found}, and PLENUM_NATS_URL is set here."))];
    }
    vec![
        Finding::known(format!("{found}."))
            .because("A second instance is refused until both have the same PLENUM_NATS_URL."),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit() -> DatabaseFitness {
        DatabaseFitness {
            login: "plenum".to_owned(),
            is_read_only: false,
            encoding: ENCODING.to_owned(),
            may_create_tables: true,
            bypasses_policies: false,
            connections: 97,
        }
    }

    #[test]
    fn a_fit_database_leads_to_no_finding() {
        assert!(check("DATABASE_URL", &fit(), true).is_empty());
        // Tables that exist need no right to create others, and row level security is checked by itself.
        let migrated = DatabaseFitness { may_create_tables: false, bypasses_policies: true, ..fit() };
        assert!(check("DATABASE_URL", &migrated, false).is_empty());
    }

    #[test]
    fn what_prevents_a_start_is_a_failure() {
        for (unfit, words) in [
            (DatabaseFitness { is_read_only: true, ..fit() }, "accepts no writes"),
            (DatabaseFitness { encoding: "LATIN1".to_owned(), ..fit() }, "stores texts in LATIN1"),
            (DatabaseFitness { may_create_tables: false, ..fit() }, "plenum may not create tables"),
            (DatabaseFitness { bypasses_policies: true, ..fit() }, "ALTER ROLE plenum NOBYPASSRLS"),
        ] {
            let found = check("DATABASE_URL", &unfit, true);
            assert_eq!(found.len(), 1, "{words}");
            assert!(found[0].is_failure() && found[0].in_one_line().contains(words), "{}", found[0]);
        }
    }

    #[test]
    fn too_few_connections_are_a_warning() {
        let found = check("DATABASE_URL", &DatabaseFitness { connections: 17, ..fit() }, true);
        assert_eq!(found.len(), 1);
        assert!(found[0].is_warning() && found[0].in_one_line().contains("and one instance needs 18"), "{}", found[0]);
        assert!(check("DATABASE_URL", &DatabaseFitness { connections: 18, ..fit() }, true).is_empty());
    }
}
