use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Text, Timestamptz, Uuid as SqlUuid};
use plenum_clients::{
    FactorConfirmation, NewFactor, RecoveryCodeHash, SealedSecret, SecondFactorProof, SecondFactorStore, StoredFactor,
    TotpStep,
};
use plenum_kernel::{AccountId, Person, PortFailure};
use uuid::Uuid;

use crate::Db;
use crate::identity::accounts::account_person;
use crate::identity::own_sessions::lock_person;
use crate::identity::sessions::{end_sessions_but, keys};
use crate::pool::failure::Abort;
use crate::schema::{accounts, recovery_codes, second_factors};

/// Second factors in PostgreSQL.
#[derive(Clone)]
pub struct PostgresSecondFactors {
    db: Db,
}

impl PostgresSecondFactors {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl SecondFactorStore for PostgresSecondFactors {
    async fn find(&self, account: AccountId) -> Result<Option<StoredFactor>, PortFailure> {
        let account = account.as_uuid();
        self.db
            .platform()
            .run(move |conn| {
                let found: Option<(Vec<u8>, Option<i64>)> = second_factors::table
                    .find(account)
                    .select((second_factors::secret_sealed, second_factors::last_step))
                    .first(conn)
                    .optional()?;
                let Some((secret, last_step)) = found else { return Ok(None) };
                let unused: Vec<Vec<u8>> = recovery_codes::table
                    .filter(recovery_codes::account_id.eq(account).and(recovery_codes::used_at.is_null()))
                    .select(recovery_codes::code_hash)
                    .load(conn)?;
                Ok(Some(StoredFactor {
                    secret: SealedSecret(secret),
                    last_step: last_step.map(TotpStep),
                    unused_codes: unused.into_iter().map(RecoveryCodeHash).collect(),
                }))
            })
            .await
    }

    async fn owner(&self, account: AccountId) -> Result<Option<Person>, PortFailure> {
        self.db.platform().run(move |conn| owner(conn, account.as_uuid())).await
    }

    async fn begin(&self, new: NewFactor) -> Result<bool, PortFailure> {
        const BEGIN: &str = "
            INSERT INTO second_factors (account_id, secret_sealed, created_at)
            SELECT id, $3, $4 FROM accounts WHERE id = $1 AND password_hash = $2
            ON CONFLICT (account_id) DO UPDATE
                SET secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
                WHERE second_factors.confirmed_at IS NULL";
        self.db
            .of_person(new.person)
            .transaction(move |conn| {
                let NewFactor { person, checked, secret, at } = new;
                let Some(account) = lock_account(conn, person)? else { return Ok(false) };
                let begun = diesel::sql_query(BEGIN)
                    .bind::<SqlUuid, _>(account)
                    .bind::<Text, _>(checked.as_str())
                    .bind::<Binary, _>(secret.0)
                    .bind::<Timestamptz, _>(at)
                    .execute(conn)?;
                Ok(begun > 0)
            })
            .await
    }

    async fn confirm(&self, confirmation: FactorConfirmation) -> Result<bool, PortFailure> {
        self.db
            .of_person(confirmation.person)
            .transaction(move |conn| {
                let FactorConfirmation { person, secret, step, codes, kept, at } = confirmation;
                let Some(account) = lock_account(conn, person)? else { return Ok(false) };
                let confirmed = diesel::update(second_factors::table.find(account))
                    .filter(second_factors::confirmed_at.is_null().and(second_factors::secret_sealed.eq(secret.0)))
                    .set((second_factors::confirmed_at.eq(at), second_factors::last_step.eq(step.0)))
                    .execute(conn)?;
                if confirmed == 0 {
                    return Ok(false);
                }
                replace_codes(conn, account, codes)?;
                end_sessions_but(conn, person, Some(kept), at)?;
                Ok(true)
            })
            .await
    }

    async fn renew_codes(
        &self,
        person: Person,
        proof: SecondFactorProof,
        codes: Vec<RecoveryCodeHash>,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure> {
        self.db
            .of_person(person)
            .transaction(move |conn| {
                let Some(account) = spend_own(conn, person, &proof, now)? else { return Ok(false) };
                replace_codes(conn, account, codes)?;
                Ok(true)
            })
            .await
    }

    async fn remove(&self, person: Person, proof: SecondFactorProof, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        self.db
            .of_person(person)
            .transaction(move |conn| {
                let Some(account) = spend_own(conn, person, &proof, now)? else { return Ok(false) };
                Ok(diesel::delete(second_factors::table.find(account)).execute(conn)? > 0)
            })
            .await
    }

    async fn remove_without_proof(
        &self,
        account: AccountId,
        now: DateTime<Utc>,
    ) -> Result<Option<Person>, PortFailure> {
        self.db
            .platform()
            .transaction(move |conn| {
                let Some(person) = owner(conn, account.as_uuid())? else { return Ok(None) };
                let Some(account) = lock_account(conn, person)? else { return Ok(None) };
                let is_on = second_factors::confirmed_at.is_not_null();
                if diesel::delete(second_factors::table.find(account).filter(is_on)).execute(conn)? == 0 {
                    return Ok(None);
                }
                end_sessions_but(conn, person, None, now)?;
                Ok(Some(person))
            })
            .await
    }
}

fn owner(conn: &mut PgConnection, account: Uuid) -> QueryResult<Option<Person>> {
    let client: Option<Option<Uuid>> =
        accounts::table.find(account).select(accounts::client_id).first(conn).optional()?;
    Ok(client.map(|client| account_person(account, client)))
}

/// Locks the account against changes and sign-ins until the transaction commits.
fn lock_account(conn: &mut PgConnection, person: Person) -> Result<Option<Uuid>, Abort<PortFailure>> {
    let (_, Some(account), _) = keys(person) else { return Ok(None) };
    Ok(lock_person(conn, person)?.then_some(account))
}

/// Spends the code or recovery code of a sign-in, and returns whether it was valid. The account's row MUST be locked, so
/// that of several calls with the same code the later ones find it spent.
pub(crate) fn spend(
    conn: &mut PgConnection,
    account: Uuid,
    proof: &SecondFactorProof,
    now: DateTime<Utc>,
) -> QueryResult<bool> {
    let spent = match proof {
        SecondFactorProof::NotAsked => {
            let on = second_factors::table.find(account).filter(second_factors::confirmed_at.is_not_null());
            return diesel::select(diesel::dsl::not(exists(on))).get_result(conn);
        }
        SecondFactorProof::Step(TotpStep(step)) => diesel::update(second_factors::table.find(account))
            .filter(second_factors::last_step.lt(*step))
            .set(second_factors::last_step.eq(*step))
            .execute(conn)?,
        SecondFactorProof::Recovery(RecoveryCodeHash(hash)) => {
            diesel::update(recovery_codes::table.find((account, hash)))
                .filter(recovery_codes::used_at.is_null())
                .set(recovery_codes::used_at.eq(now))
                .execute(conn)?
        }
    };
    Ok(spent > 0)
}

/// Like [`spend`], for a signed-in person who changes their second factor.
fn spend_own(
    conn: &mut PgConnection,
    person: Person,
    proof: &SecondFactorProof,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>, Abort<PortFailure>> {
    if *proof == SecondFactorProof::NotAsked {
        return Ok(None);
    }
    let Some(account) = lock_account(conn, person)? else { return Ok(None) };
    Ok(spend(conn, account, proof, now)?.then_some(account))
}

fn replace_codes(conn: &mut PgConnection, account: Uuid, codes: Vec<RecoveryCodeHash>) -> QueryResult<()> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::account_id.eq(account))).execute(conn)?;
    let rows: Vec<_> = codes
        .into_iter()
        .map(|code| (recovery_codes::account_id.eq(account), recovery_codes::code_hash.eq(code.0)))
        .collect();
    diesel::insert_into(recovery_codes::table).values(rows).execute(conn)?;
    Ok(())
}
