use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection as _;
use diesel::dsl::exists;
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_clients::{
    Account, AccountFilter, AccountOverview, AccountSort, AccountStore, AddAccountError, ClientCode, ClientKey,
    ClientName, ClientReference, PasswordHash, PersonName, PersonProfile, StoredCredentials, Username,
};
use plenum_kernel::{AccountId, ClientId, EmailAddress, EndUserId, Page, Person, PortFailure};
use uuid::Uuid;

use crate::Db;
use crate::pool::failure::{Abort, violated_constraint};
use crate::rows::columns::{NewAccountRow, client_status, client_status_text, count, lower};
use crate::schema::{accounts, client_codes, clients, end_users};

/// Accounts and voters who sign in, in PostgreSQL.
#[derive(Clone)]
pub struct PostgresAccounts {
    db: Db,
}

impl PostgresAccounts {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl AccountStore for PostgresAccounts {
    async fn add(&self, account: Account) -> Result<(), AddAccountError> {
        self.db.of_person(account.person()).transaction(move |conn| insert(conn, &account)).await
    }

    async fn add_first_super_admin(&self, account: Account) -> Result<bool, AddAccountError> {
        self.db
            .platform()
            .transaction(move |conn| {
                // With its own seed, because all schemas of a database share these locks.
                conn.batch_execute("SELECT pg_advisory_xact_lock(hashtextextended(current_schema()::text, 3))")?;
                if has_super_admin(conn)? {
                    return Ok(false);
                }
                insert(conn, &account)?;
                Ok(true)
            })
            .await
    }

    async fn has_super_admin(&self) -> Result<bool, PortFailure> {
        self.db.platform().run(has_super_admin).await
    }

    async fn account_credentials(&self, email: &EmailAddress) -> Result<Option<StoredCredentials>, PortFailure> {
        let email = email.as_str().to_owned();
        self.db
            .platform()
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
        let scope = match client {
            ClientKey::Code(_) => self.db.platform(),
            ClientKey::Id(id) => self.db.of(id),
        };
        scope
            .run(move |conn| {
                let mut query = end_users::table
                    .inner_join(clients::table)
                    .filter(end_users::username_lower.eq(lower(username)))
                    .select((
                        end_users::id,
                        end_users::client_id,
                        end_users::password_hash,
                        end_users::is_active,
                        clients::status,
                    ))
                    .into_boxed();
                query = match client {
                    ClientKey::Code(code) => {
                        let code = client_codes::table.filter(client_codes::code.eq(code.as_str().to_owned()));
                        query.filter(clients::id.eq_any(code.select(client_codes::client_id)))
                    }
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

    async fn list(&self, filter: &AccountFilter) -> Result<Page<AccountOverview>, PortFailure> {
        let filter = filter.clone();
        self.db
            .platform()
            .snapshot(move |conn| {
                let mut query = fitting(&filter);
                query = match filter.sort {
                    AccountSort::Newest => query.order((accounts::created_at.desc(), accounts::id.desc())),
                    AccountSort::NameAscending => query.order((lower(full_name()).asc(), accounts::id.asc())),
                    AccountSort::NameDescending => query.order((lower(full_name()).desc(), accounts::id.desc())),
                };
                if let Some(page) = filter.page {
                    query = query.limit(i64::from(page.page_size)).offset(page.offset());
                }
                let rows: Vec<(AccountRow, Option<ReferenceRow>)> =
                    query.select((AccountRow::as_select(), Option::<ReferenceRow>::as_select())).load(conn)?;
                let total = match filter.page {
                    Some(_) => count(fitting(&filter).count().get_result(conn)?)?,
                    None => rows.len() as u64,
                };
                let rows: QueryResult<Vec<AccountOverview>> = rows.into_iter().map(overview).collect();
                Ok(Page { rows: rows?, total })
            })
            .await
    }

    async fn profile(&self, person: Person) -> Result<Option<PersonProfile>, PortFailure> {
        self.db
            .of_person(person)
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

fn has_super_admin(conn: &mut PgConnection) -> QueryResult<bool> {
    diesel::select(exists(accounts::table.filter(accounts::client_id.is_null()))).get_result(conn)
}

fn insert(conn: &mut PgConnection, account: &Account) -> Result<(), Abort<AddAccountError>> {
    let inserted = diesel::insert_into(accounts::table).values(NewAccountRow::from(account)).execute(conn);
    inserted.map_err(|error| match violated_constraint(&error) {
        Some("accounts_email_key") => Abort::Refused(AddAccountError::EmailTaken),
        _ => error.into(),
    })?;
    Ok(())
}

/// A status as people read it.
#[diesel::dsl::auto_type]
fn full_name() -> _ {
    accounts::first_name.concat(" ").concat(accounts::last_name)
}

/// Accounts with their clients, in no order.
type AccountQuery =
    diesel::helper_types::IntoBoxed<'static, diesel::helper_types::LeftJoin<accounts::table, clients::table>, Pg>;

/// The accounts that match the filter, in no order.
fn fitting(filter: &AccountFilter) -> AccountQuery {
    let mut query = accounts::table.left_join(clients::table).into_boxed();
    if let Some(search) = &filter.search {
        let pattern = search.as_like_pattern();
        query = query.filter(
            full_name()
                .ilike(pattern.clone())
                .or(accounts::email.ilike(pattern.clone()))
                .or(clients::name.nullable().ilike(pattern).assume_not_null()),
        );
    }
    query
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = accounts, check_for_backend(Pg))]
struct AccountRow {
    id: Uuid,
    email: String,
    first_name: String,
    last_name: String,
    last_login_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = clients, check_for_backend(Pg))]
struct ReferenceRow {
    id: Uuid,
    name: String,
    client_code: String,
    status: String,
}

impl TryFrom<ReferenceRow> for ClientReference {
    type Error = diesel::result::Error;

    fn try_from(row: ReferenceRow) -> Result<Self, Self::Error> {
        Ok(Self {
            id: ClientId::from_uuid(row.id),
            name: ClientName::from_stored(row.name),
            code: ClientCode::from_stored(row.client_code),
            status: client_status(&row.status)?,
        })
    }
}

fn overview((account, client): (AccountRow, Option<ReferenceRow>)) -> QueryResult<AccountOverview> {
    Ok(AccountOverview {
        id: AccountId::from_uuid(account.id),
        email: EmailAddress::from_stored(account.email),
        first_name: PersonName::from_stored(account.first_name),
        last_name: PersonName::from_stored(account.last_name),
        last_login_at: account.last_login_at,
        created_at: account.created_at,
        client: client.map(ClientReference::try_from).transpose()?,
    })
}

/// Code and name of a client.
type ClientNames = (String, String);

/// The person of an account.
pub(crate) fn account_person(account: Uuid, client: Option<Uuid>) -> Person {
    let account = AccountId::from_uuid(account);
    match client.map(ClientId::from_uuid) {
        None => Person::SuperAdmin { account },
        Some(client) => Person::ClientAdmin { account, client },
    }
}

/// The person of an end user.
pub(crate) fn end_user_person(end_user: Uuid, client: Uuid) -> Person {
    Person::EndUser { end_user: EndUserId::from_uuid(end_user), client: ClientId::from_uuid(client) }
}

/// Whether people of this client may act. Super administrators have no client.
pub(crate) fn client_may_act(client: Option<Uuid>, status: Option<&str>) -> bool {
    client.is_none() || status == Some(client_status_text(plenum_clients::ClientStatus::Active))
}
