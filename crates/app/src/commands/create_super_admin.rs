use std::sync::Arc;

use plenum_adapter_postgres::{DbSettings, migrate};
use plenum_adapter_security::{BcryptHasher, BcryptSettings};
use plenum_clients::Password;
use plenum_kernel::EmailAddress;

use super::CommandError;
use super::signing_key::signing_key;
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database, Product, ProductSettings};

pub(super) fn run(config: &Config, email: &str, password: Option<&str>) -> Result<(), CommandError> {
    let email = EmailAddress::parse(email).map_err(|requirement| format!("--email: {requirement}"))?;
    let password =
        password.map(Password::parse).transpose().map_err(|requirement| format!("--password: {requirement}"))?;
    let password = password.or_else(|| config.new_password.clone());
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(create(config, &database, email, password));
    database.close()?;
    outcome
}

async fn create(
    config: &Config,
    database: &Database,
    email: EmailAddress,
    password: Option<Password>,
) -> Result<(), CommandError> {
    migrate(database.url()).await?;
    let key = signing_key(config, database.url()).await?;
    let hasher = Arc::new(BcryptHasher::start(BcryptSettings::default())?);
    let product = Product::build(ProductSettings::for_command(DbSettings::new(database.url()), key, hasher))?;
    let generated = product.secrets.password();
    let chosen = password.is_some();
    let password = password.map_or_else(|| Password::parse(&generated), Ok)?;
    plenum_clients::create_super_admin(&product.super_admins, email.clone(), password).await?;
    if chosen {
        print_line(&format!("Created the super administrator {email}."));
    } else {
        print_line(&format!("Created the super administrator {email} with the password {generated}"));
    }
    Ok(())
}
