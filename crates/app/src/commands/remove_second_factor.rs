use std::sync::Arc;

use plenum_adapter_postgres::{DbSettings, migrate};
use plenum_adapter_security::{BcryptHasher, BcryptSettings};
use plenum_kernel::EmailAddress;

use super::CommandError;
use super::signing_key::signing_key;
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database, Product, ProductSettings};

pub(super) fn run(config: &Config, email: &str) -> Result<(), CommandError> {
    let email = EmailAddress::parse(email).map_err(|requirement| format!("--email: {requirement}"))?;
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(remove(config, &database, email));
    database.close()?;
    outcome
}

async fn remove(config: &Config, database: &Database, email: EmailAddress) -> Result<(), CommandError> {
    migrate(database.url()).await?;
    let key = signing_key(config, database.url()).await?;
    let hasher = Arc::new(BcryptHasher::start(BcryptSettings::default())?);
    let product = Product::build(ProductSettings::for_command(DbSettings::new(database.url()), key, hasher))?;
    product.services.second_factors.recover_by_email(&email).await?;
    print_line(&format!("{email} signs in with the password alone. All sessions of the account have ended."));
    Ok(())
}
