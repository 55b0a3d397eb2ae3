use std::sync::Arc;

use plenum_adapter_http::HttpSettings;
use plenum_adapter_postgres::{DbSettings, migrate};
use plenum_adapter_security::{BcryptHasher, BcryptSettings, EvidenceKeyRing, SystemClock};
use plenum_kernel::{Clock as _, EmailAddress};
use plenum_voting::UrnService;

use super::CommandError;
use super::signing_key::signing_key;
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database, Product, ProductSettings, TimestampSetup};

pub(super) fn run(config: &Config, email: &str) -> Result<(), CommandError> {
    let email = EmailAddress::parse(email).map_err(|requirement| format!("--email: {requirement}"))?;
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(remove(config, &database, email));
    database.close()?;
    outcome
}

async fn remove(config: &Config, database: &Database, email: EmailAddress) -> Result<(), CommandError> {
    migrate(database.url()).await?;
    let product = Product::build(ProductSettings {
        database: DbSettings::new(database.url()),
        signing_key: signing_key(config, database.url()).await?,
        // Nothing is declared or exported here, and no round opens.
        evidence_keys: Arc::new(EvidenceKeyRing::generate(SystemClock.now())),
        urn_keys: None,
        vote_key_patience: UrnService::PATIENCE,
        hasher: Arc::new(BcryptHasher::start(BcryptSettings::default())?),
        http: HttpSettings::default(),
        mail: None,
        timestamps: TimestampSetup::default(),
        nats: None,
        embedded: None,
        certificate: None,
    })?;
    product.services.second_factors.recover_by_email(&email).await?;
    print_line(&format!("{email} signs in with the password alone. All sessions of the account have ended."));
    Ok(())
}
