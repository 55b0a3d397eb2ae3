use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::dsl::{count_star, exists, not};
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use plenum_clients::{
    Account, AccountRole, AddClientError, ChangeClientError, Client, ClientChanges, ClientCode, ClientFilter,
    ClientName, ClientOverview, ClientSort, ClientStats, ClientStatus, ClientStore, CodeOwner, ContactAdmin,
    PasswordHash, PersonName, SubscriptionPlan,
};
use plenum_kernel::{AccountId, ClientId, EmailAddress, Page, Person, PortFailure};
use plenum_voting::RoundStatus;
use uuid::Uuid;

use crate::Db;
use crate::clients::end_users::end_user_stats;
use crate::clients::open_votes::lock_running_meetings;
use crate::identity::sessions::end_sessions_of;
use crate::meetings::planning::kept_by_status;
use crate::pool::failure::{Abort, damaged, violated_constraint};
use crate::rows::columns::{NewAccountRow, allow_long_removal, client_status, client_status_text, count, lower};
use crate::schema::{accounts, client_codes, clients, end_users, meetings, rounds};
use crate::voting::rows::{end_running_rounds_of_client, round_status_text};

/// Clients in PostgreSQL.
#[derive(Clone)]
pub struct PostgresClients {
    db: Db,
    /// For calls that may read very many rows.
    general: Db,
}

impl PostgresClients {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { general: db.clone(), db }
    }

    /// Only the lookup of a client's code uses the other connections, for sign-ins.
    #[must_use]
    pub fn with_general(self, general: Db) -> Self {
        Self { general, ..self }
    }
}

#[async_trait]
impl ClientStore for PostgresClients {
    async fn add(&self, client: Client, admin: Account) -> Result<(), AddClientError> {
        self.general
            .platform()
            .transaction(move |conn| {
                diesel::insert_into(clients::table).values(ClientRow::from(&client)).execute(conn).map_err(taken)?;
                diesel::insert_into(accounts::table)
                    .values(NewAccountRow::from(&admin))
                    .execute(conn)
                    .map_err(taken)?;
                Ok(())
            })
            .await
    }

    async fn find(&self, id: ClientId) -> Result<Option<ClientOverview>, PortFailure> {
        self.general
            .of(id)
            .snapshot(move |conn| {
                let row = clients::table.find(id.as_uuid()).select(ClientRow::as_select()).first(conn).optional()?;
                Ok(overviews(conn, row.into_iter().collect())?.pop())
            })
            .await
    }

    async fn find_by_code(&self, code: &ClientCode) -> Result<Option<Client>, PortFailure> {
        let code = code.as_str().to_owned();
        self.db
            .platform()
            .run(move |conn| {
                client_codes::table
                    .inner_join(clients::table)
                    .filter(client_codes::code.eq(code))
                    .select(ClientRow::as_select())
                    .first(conn)
                    .optional()?
                    .map(Client::try_from)
                    .transpose()
            })
            .await
    }

    async fn code_owners(&self, codes: &[ClientCode]) -> Result<Vec<CodeOwner>, PortFailure> {
        let codes: Vec<String> = codes.iter().map(|code| code.as_str().to_owned()).collect();
        self.general
            .platform()
            .run(move |conn| {
                let rows: Vec<(String, Uuid, String)> = client_codes::table
                    .inner_join(clients::table)
                    .filter(client_codes::code.eq_any(codes))
                    .select((client_codes::code, clients::id, clients::client_code))
                    .load(conn)?;
                let owner = |(code, client, current): (String, Uuid, String)| CodeOwner {
                    is_current: code == current,
                    code: ClientCode::from_stored(code),
                    client: ClientId::from_uuid(client),
                };
                Ok(rows.into_iter().map(owner).collect())
            })
            .await
    }

    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientOverview>, PortFailure> {
        let filter = filter.clone();
        self.general
            .platform()
            .snapshot(move |conn| {
                let Page { rows, total } = page_of_rows(conn, &filter, || fitting(&filter))?;
                Ok(Page { rows: overviews(conn, rows)?, total })
            })
            .await
    }

    async fn stats(&self) -> Result<ClientStats, PortFailure> {
        self.general
            .platform()
            .run(|conn| {
                let by_status: Vec<(String, i64)> = clients::table
                    .filter(not(clients::is_test))
                    .group_by(clients::status)
                    .select((clients::status, count_star()))
                    .load(conn)?;
                let mut stats = ClientStats::default();
                for (status, number) in by_status {
                    let number = count(number)?;
                    stats.total += number;
                    match client_status(&status)? {
                        ClientStatus::Active => stats.active += number,
                        ClientStatus::Inactive | ClientStatus::Suspended => stats.inactive += number,
                    }
                }
                Ok(stats)
            })
            .await
    }

    async fn update(
        &self,
        id: ClientId,
        changes: ClientChanges,
        password: Option<PasswordHash>,
        now: DateTime<Utc>,
    ) -> Result<(), ChangeClientError> {
        self.general
            .of(id)
            .transaction(move |conn| {
                let row: ClientRow = clients::table
                    .find(id.as_uuid())
                    .select(ClientRow::as_select())
                    // Unlike a removal, a change does not block sign-ins.
                    .for_no_key_update()
                    .first(conn)
                    .optional()?
                    .ok_or(Abort::Refused(ChangeClientError::NotFound))?;
                let before = Client::try_from(row)?;
                let mut client = before.clone();
                changes.apply_to(&mut client);
                require_settled_mark(conn, &before, &client)?;
                diesel::update(clients::table.find(id.as_uuid())).set(ClientRow::from(&client)).execute(conn).map_err(
                    |error| match violated_constraint(&error) {
                        Some("clients_client_code_key") => Abort::Refused(ChangeClientError::CodeTaken),
                        _ => error.into(),
                    },
                )?;
                if let Some(signed_out) = change_contact(conn, id, &changes, password)? {
                    end_sessions_of(conn, signed_out, now)?;
                }
                Ok(())
            })
            .await
    }

    async fn remove(&self, id: ClientId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        self.general.of(id).transaction(move |conn| Ok(remove_all(conn, id.as_uuid(), now)?)).await
    }
}

/// Refuses a name with another mark of test data after a round of the client was opened. The client's row MUST be locked. Openings
/// come before or after the transaction: the meetings are locked after the client, as a removal does.
fn require_settled_mark(
    conn: &mut PgConnection,
    before: &Client,
    changed: &Client,
) -> Result<(), Abort<ChangeClientError>> {
    if before.is_test() == changed.is_test() {
        return Ok(());
    }
    lock_running_meetings(conn, before.id)?;
    let of_client = rounds::table.filter(rounds::client_id.eq(before.id.as_uuid()));
    let was_opened = diesel::select(exists(of_client)).get_result(conn)?;
    before.check_test_mark(changed, was_opened).map_err(Abort::Refused)
}

/// Changes the contact administrator, who is the client's oldest account. The client's row MUST be locked. Returns the
/// administrator if a new password ends their sessions.
fn change_contact(
    conn: &mut PgConnection,
    client: ClientId,
    changes: &ClientChanges,
    password: Option<PasswordHash>,
) -> QueryResult<Option<Person>> {
    let row: Option<AccountRow> = accounts::table
        .filter(accounts::client_id.eq(client.as_uuid()))
        .order((accounts::created_at, accounts::id))
        .select(AccountRow::as_select())
        .for_update()
        .first(conn)
        .optional()?;
    let Some(mut contact) = row.map(|row| row.into_account(client)) else { return Ok(None) };
    changes.apply_to_contact(&mut contact);
    let signs_out = password.is_some();
    if let Some(password) = password {
        contact.password_hash = password;
    }
    diesel::update(accounts::table.find(contact.id.as_uuid()))
        .set((
            accounts::first_name.eq(contact.first_name.as_str()),
            accounts::last_name.eq(contact.last_name.as_str()),
            accounts::password_hash.eq(contact.password_hash.as_str()),
        ))
        .execute(conn)?;
    Ok(signs_out.then(|| contact.person()))
}

/// Removes a client with all its data, and returns whether it existed.
///
/// Takes locks in the common order: the client (which new meetings, end users and sign-ins need), its meetings (which
/// invitations and openings lock), end users before their sessions, and the round last. From the end of an open round
/// its ballots wait, and those of other clients in the same batch: almost everything must be removed before that.
pub(crate) fn remove_all(conn: &mut PgConnection, client: Uuid, now: DateTime<Utc>) -> QueryResult<bool> {
    allow_long_removal(conn)?;
    // The client's audit log is removed, too, so entries about each row are not written first.
    conn.batch_execute("SET LOCAL plenum.removes_client = 'yes'")?;
    let known: Option<Uuid> = clients::table.find(client).select(clients::id).for_update().first(conn).optional()?;
    if known.is_none() {
        return Ok(false);
    }
    let of_client = meetings::table.filter(meetings::client_id.eq(client)).order(meetings::id);
    of_client.select(meetings::id).for_update().load::<Uuid>(conn)?;
    let open = round_status_text(RoundStatus::Open);
    diesel::delete(rounds::table.filter(rounds::client_id.eq(client).and(rounds::status.ne(open)))).execute(conn)?;
    diesel::delete(end_users::table.filter(end_users::client_id.eq(client))).execute(conn)?;
    end_running_rounds_of_client(conn, client, now)?;
    Ok(diesel::delete(clients::table.find(client)).execute(conn)? > 0)
}

fn taken(error: diesel::result::Error) -> Abort<AddClientError> {
    match violated_constraint(&error) {
        Some("clients_client_code_key") => Abort::Refused(AddClientError::CodeTaken),
        Some("accounts_email_key") => Abort::Refused(AddClientError::EmailTaken),
        _ => error.into(),
    }
}

/// The clients that match the filter and are not test data, in its order.
pub(crate) fn page_of_real_clients(conn: &mut PgConnection, filter: &ClientFilter) -> QueryResult<Page<Client>> {
    let Page { rows, total } = page_of_rows(conn, filter, || fitting(filter).filter(not(clients::is_test)))?;
    let rows: QueryResult<Vec<Client>> = rows.into_iter().map(Client::try_from).collect();
    Ok(Page { rows: rows?, total })
}

/// The clients that `selected` returns, in the order and on the page of the filter.
fn page_of_rows(
    conn: &mut PgConnection,
    filter: &ClientFilter,
    selected: impl Fn() -> clients::BoxedQuery<'static, Pg>,
) -> QueryResult<Page<ClientRow>> {
    let mut query = selected().select(ClientRow::as_select());
    query = match filter.sort {
        ClientSort::Newest => query.order((clients::created_at.desc(), clients::id.desc())),
        ClientSort::NameAscending => query.order((lower(clients::name).asc(), clients::id.asc())),
        ClientSort::NameDescending => query.order((lower(clients::name).desc(), clients::id.desc())),
    };
    if let Some(page) = filter.page {
        query = query.limit(i64::from(page.page_size)).offset(page.offset());
    }
    let rows: Vec<ClientRow> = query.load(conn)?;
    let total = match filter.page {
        Some(_) => count(selected().count().get_result(conn)?)?,
        None => rows.len() as u64,
    };
    Ok(Page { rows, total })
}

/// The clients that match the filter, in no order.
fn fitting(filter: &ClientFilter) -> clients::BoxedQuery<'static, Pg> {
    let mut query = clients::table.into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(clients::status.eq(client_status_text(status)));
    }
    if let Some(search) = &filter.search {
        let pattern = search.as_like_pattern();
        query = query.filter(
            clients::name
                .ilike(pattern.clone())
                .or(clients::client_code.ilike(pattern.clone()))
                .or(clients::contact_email.ilike(pattern)),
        );
    }
    query
}

/// Adds administrators and counts, by one statement each for all clients.
fn overviews(conn: &mut PgConnection, rows: Vec<ClientRow>) -> QueryResult<Vec<ClientOverview>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut admins: HashMap<Uuid, Vec<ContactAdmin>> = HashMap::new();
    let admin_rows: Vec<AdminRow> = accounts::table
        .filter(accounts::client_id.eq_any(&ids))
        .order((accounts::created_at, accounts::id))
        .select(AdminRow::as_select())
        .load(conn)?;
    for row in admin_rows {
        if let Some(client) = row.client_id {
            admins.entry(client).or_default().push(row.into());
        }
    }
    let end_users = end_user_stats(conn, &ids)?;
    let mut meetings: HashMap<Uuid, u64> = HashMap::new();
    for (client, _, number) in kept_by_status(conn, &ids)? {
        *meetings.entry(client).or_default() += number;
    }
    rows.into_iter()
        .map(|row| {
            let id = row.id;
            Ok(ClientOverview {
                client: row.try_into()?,
                admins: admins.remove(&id).unwrap_or_default(),
                end_user_count: end_users.get(&id).copied().unwrap_or_default().total,
                meeting_count: meetings.get(&id).copied().unwrap_or_default(),
            })
        })
        .collect()
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = clients, check_for_backend(Pg))]
struct ClientRow {
    id: Uuid,
    name: String,
    client_code: String,
    contact_email: String,
    status: String,
    subscription_plan: String,
    created_at: DateTime<Utc>,
}

impl From<&Client> for ClientRow {
    fn from(client: &Client) -> Self {
        Self {
            id: client.id.as_uuid(),
            name: client.name.as_str().to_owned(),
            client_code: client.code.as_str().to_owned(),
            contact_email: client.contact_email.as_str().to_owned(),
            status: client_status_text(client.status).to_owned(),
            subscription_plan: plan_text(client.plan).to_owned(),
            created_at: client.created_at,
        }
    }
}

impl TryFrom<ClientRow> for Client {
    type Error = diesel::result::Error;

    fn try_from(row: ClientRow) -> Result<Self, Self::Error> {
        Ok(Self {
            id: ClientId::from_uuid(row.id),
            name: ClientName::from_stored(row.name),
            code: ClientCode::from_stored(row.client_code),
            contact_email: EmailAddress::from_stored(row.contact_email),
            status: client_status(&row.status)?,
            plan: plan(&row.subscription_plan)?,
            created_at: row.created_at,
        })
    }
}

fn plan_text(plan: SubscriptionPlan) -> &'static str {
    match plan {
        SubscriptionPlan::Basic => "BASIC",
        SubscriptionPlan::Pro => "PRO",
        SubscriptionPlan::Enterprise => "ENTERPRISE",
    }
}

fn plan(text: &str) -> QueryResult<SubscriptionPlan> {
    match text {
        "BASIC" => Ok(SubscriptionPlan::Basic),
        "PRO" => Ok(SubscriptionPlan::Pro),
        "ENTERPRISE" => Ok(SubscriptionPlan::Enterprise),
        other => Err(damaged(format!("clients.subscription_plan is {other}"))),
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = accounts, check_for_backend(Pg))]
struct AccountRow {
    id: Uuid,
    email: String,
    password_hash: String,
    first_name: String,
    last_name: String,
    created_at: DateTime<Utc>,
}

impl AccountRow {
    /// The row as an administrator of this client.
    fn into_account(self, client: ClientId) -> Account {
        Account {
            id: AccountId::from_uuid(self.id),
            role: AccountRole::ClientAdmin(client),
            email: EmailAddress::from_stored(self.email),
            password_hash: PasswordHash::new(self.password_hash),
            first_name: PersonName::from_stored(self.first_name),
            last_name: PersonName::from_stored(self.last_name),
            created_at: self.created_at,
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = accounts, check_for_backend(Pg))]
struct AdminRow {
    id: Uuid,
    client_id: Option<Uuid>,
    email: String,
    first_name: String,
    last_name: String,
}

impl From<AdminRow> for ContactAdmin {
    fn from(row: AdminRow) -> Self {
        Self {
            id: AccountId::from_uuid(row.id),
            email: EmailAddress::from_stored(row.email),
            first_name: PersonName::from_stored(row.first_name),
            last_name: PersonName::from_stored(row.last_name),
        }
    }
}
