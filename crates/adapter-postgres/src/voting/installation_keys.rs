use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use plenum_kernel::PortFailure;

use crate::pool::migrations::with_own_connection;
use crate::schema::installation_keys;
use crate::{Db, MigrationError};

const EVIDENCE: &str = "evidence";
const SIGNING: &str = "signing";

/// A key that a database expects.
#[derive(Clone)]
pub struct ExpectedKey {
    db: Db,
    purpose: &'static str,
}

impl ExpectedKey {
    /// The key that signs records and exports.
    pub fn evidence(db: Db) -> Self {
        Self { db, purpose: EVIDENCE }
    }

    /// The key that signs access tokens.
    pub fn signing(db: Db) -> Self {
        Self { db, purpose: SIGNING }
    }

    /// The fingerprint of the key that was used last. `None` before the first start.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn fingerprint(&self) -> Result<Option<String>, PortFailure> {
        let purpose = self.purpose;
        self.db.platform().run(move |conn| find(conn, purpose)).await
    }

    /// Expects the key with this fingerprint from now on, if the database still expects `before`. Returns the fingerprint that
    /// it then expects: another one if another instance was faster.
    ///
    /// # Errors
    /// Fails when the database does not respond.
    pub async fn replace(&self, before: Option<String>, fingerprint: String) -> Result<String, PortFailure> {
        let purpose = self.purpose;
        self.db
            .platform()
            .transaction(move |conn| {
                let key = installation_keys::table;
                let row = (installation_keys::purpose.eq(purpose), installation_keys::fingerprint.eq(&fingerprint));
                match before {
                    None => diesel::insert_into(key).values(row).on_conflict_do_nothing().execute(conn)?,
                    Some(before) => diesel::update(key.find(purpose))
                        .filter(installation_keys::fingerprint.eq(before))
                        .set(installation_keys::fingerprint.eq(&fingerprint))
                        .execute(conn)?,
                };
                Ok(key.find(purpose).select(installation_keys::fingerprint).first(conn)?)
            })
            .await
    }
}

/// The fingerprints of the keys that a database expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedFingerprints {
    /// That of the key that signs records and exports.
    pub evidence: Option<String>,
    /// That of the key that signs access tokens.
    pub signing: Option<String>,
}

impl ExpectedFingerprints {
    /// Reads them. A database without tables, which connections of the product need, expects none.
    ///
    /// # Errors
    /// Fails when the database cannot be reached.
    pub async fn of(url: &str) -> Result<Self, MigrationError> {
        with_own_connection(url, |conn| {
            let has_table = sql::<Bool>("to_regclass('installation_keys') IS NOT NULL");
            if !diesel::select(has_table).get_result::<bool>(conn)? {
                return Ok(Self::default());
            }
            Ok(Self { evidence: find(conn, EVIDENCE)?, signing: find(conn, SIGNING)? })
        })
        .await
    }
}

fn find(conn: &mut PgConnection, purpose: &str) -> QueryResult<Option<String>> {
    installation_keys::table.find(purpose).select(installation_keys::fingerprint).first(conn).optional()
}
