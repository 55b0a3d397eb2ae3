use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::prelude::*;
use plenum_clients::{
    Account, AccountStore, AddAccountError, ClientCode, ClientKey, PasswordHash, PersonProfile, StoredCredentials,
    Username,
};
use plenum_kernel::{AccountId, ClientId, EmailAddress, EndUserId, Person, PortFailure};
use uuid::Uuid;

use crate::Db;
use crate::db::{Abort, violated_constraint};
use crate::rows::{NewAccountRow, client_status_text, lower};
use crate::schema::{accounts, clients, end_users};

/// Everyone who signs in, in PostgreSQL.
#[derive(Clone)]
pub struct PostgresAccounts {
    db: Db,
}

impl PostgresAccounts {
    /// Accounts in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl AccountStore for PostgresAccounts {
    async fn add(&self, account: Account) -> Result<(), AddAccountError> {
        self.db
            .transaction(move |conn| {
                diesel::insert_into(accounts::table).values(NewAccountRow::from(&account)).execute(conn).map_err(
                    |error| match violated_constraint(&error) {
                        Some("accounts_email_key") => Abort::Refused(AddAccountError::EmailTaken),
                        _ => error.into(),
                    },
                )?;
                Ok(())
            })
            .await
    }

    async fn has_super_admin(&self) -> Result<bool, PortFailure> {
        self.db
            .run(|conn| diesel::select(exists(accounts::table.filter(accounts::client_id.is_null()))).get_result(conn))
            .await
    }

    async fn account_credentials(&self, email: &EmailAddress) -> Result<Option<StoredCredentials>, PortFailure> {
        let email = email.as_str().to_owned();
        self.db
            .run(move |conn| {
                let row: Option<(Uuid, Option<Uuid>, String, Option<String>)> = accounts::table
                    .left_join(clients::table)
                    .filter(accounts::email.eq(email))
                    .select((accounts::id, accounts::client_id, accounts::password_hash, clients::status.nullable()))
                    .first(conn)
                    .optional()?;
                Ok(row.map(|(id, client, hash, status)| StoredCredentials {
                    person: account_person(id, client),
                    password_hash: PasswordHash::new(hash),
                    may_sign_in: client_may_act(client, status.as_deref()),
                }))
            })
            .await
    }

    async fn end_user_credentials(
        &self,
        client: &ClientKey,
        username: &Username,
    ) -> Result<Option<StoredCredentials>, PortFailure> {
        let client = client.clone();
        let username = username.as_str().to_owned();
        self.db
            .run(move |conn| {
                let mut query = end_users::table
                    .inner_join(clients::table)
                    .filter(lower(end_users::username).eq(lower(username)))
                    .select((
                        end_users::id,
                        end_users::client_id,
                        end_users::password_hash,
                        end_users::is_active,
                        clients::status,
                    ))
                    .into_boxed();
                query = match client {
                    ClientKey::Code(code) => query.filter(clients::client_code.eq(code.as_str().to_owned())),
                    ClientKey::Id(id) => query.filter(clients::id.eq(id.as_uuid())),
                };
                let row: Option<(Uuid, Uuid, String, bool, String)> = query.first(conn).optional()?;
                Ok(row.map(|(id, client, hash, is_active, status)| StoredCredentials {
                    person: end_user_person(id, client),
                    password_hash: PasswordHash::new(hash),
                    may_sign_in: is_active && client_may_act(Some(client), Some(&status)),
                }))
            })
            .await
    }

    async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure> {
        self.db
            .run(move |conn| match person {
                Person::SuperAdmin { account } => {
                    let row: Option<(String, String, String)> = accounts::table
                        .find(account.as_uuid())
                        .filter(accounts::client_id.is_null())
                        .select((accounts::first_name, accounts::last_name, accounts::email))
                        .first(conn)
                        .optional()?;
                    Ok(row.map(|(first_name, last_name, email)| PersonProfile {
                        person,
                        name: format!("{first_name} {last_name}"),
                        email: Some(EmailAddress::from_stored(email)),
                        username: None,
                        client: None,
                    }))
                }
                Person::ClientAdmin { account, client } => {
                    let row: Option<(String, String, String, ClientNames)> = accounts::table
                        .inner_join(clients::table)
                        .filter(accounts::id.eq(account.as_uuid()))
                        .filter(clients::id.eq(client.as_uuid()))
                        .select((
                            accounts::first_name,
                            accounts::last_name,
                            accounts::email,
                            (clients::client_code, clients::name),
                        ))
                        .first(conn)
                        .optional()?;
                    Ok(row.map(|(first_name, last_name, email, (code, client_name))| PersonProfile {
                        person,
                        name: format!("{first_name} {last_name}"),
                        email: Some(EmailAddress::from_stored(email)),
                        username: None,
                        client: Some((client, ClientCode::from_stored(code), client_name)),
                    }))
                }
                Person::EndUser { end_user, client } => {
                    let row: Option<(String, Option<String>, String, ClientNames)> = end_users::table
                        .inner_join(clients::table)
                        .filter(end_users::id.eq(end_user.as_uuid()))
                        .filter(clients::id.eq(client.as_uuid()))
                        .select((
                            end_users::name,
                            end_users::email,
                            end_users::username,
                            (clients::client_code, clients::name),
                        ))
                        .first(conn)
                        .optional()?;
                    Ok(row.map(|(name, email, username, (code, client_name))| PersonProfile {
                        person,
                        name,
                        email: email.map(EmailAddress::from_stored),
                        username: Some(Username::from_stored(username)),
                        client: Some((client, ClientCode::from_stored(code), client_name)),
                    }))
                }
            })
            .await
    }
}

/// Code and name of a client.
type ClientNames = (String, String);

/// Who acts by an account.
pub(crate) fn account_person(account: Uuid, client: Option<Uuid>) -> Person {
    let account = AccountId::from_uuid(account);
    match client.map(ClientId::from_uuid) {
        None => Person::SuperAdmin { account },
        Some(client) => Person::ClientAdmin { account, client },
    }
}

/// An end user as a person.
pub(crate) fn end_user_person(end_user: Uuid, client: Uuid) -> Person {
    Person::EndUser { end_user: EndUserId::from_uuid(end_user), client: ClientId::from_uuid(client) }
}

/// Whether people of this client may act at all; super administrators have none.
pub(crate) fn client_may_act(client: Option<Uuid>, status: Option<&str>) -> bool {
    client.is_none() || status == Some(client_status_text(plenum_clients::ClientStatus::Active))
}
