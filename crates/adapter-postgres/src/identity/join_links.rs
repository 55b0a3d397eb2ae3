//! Personal links of end users.

use std::collections::HashSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use plenum_clients::{
    CODE_TRIES, ClientCode, FoundJoinLink, JoinAsk, JoinCodeHash, JoinLink, JoinLinkChoice, JoinLinkFilter,
    JoinLinkStore, JoinLinkUse, JoinPeople, JoinPerson, JoinTokenHash, MakeJoinLinksError, NewJoinCode, NewJoinLinks,
    NewRefreshToken, PasswordHash, PersonName, StoredCredentials, Username,
};
use plenum_kernel::{
    ClientId, EmailAddress, EndUserId, JoinLinkId, MeetingId, Page, PasswordReason, PasswordSetter, PortFailure,
    ReasonNeeded,
};
use plenum_meetings::MeetingStatus;
use uuid::Uuid;

use crate::Db;
use crate::clients::open_votes::{PasswordSetting, log_set_passwords};
use crate::identity::accounts::{client_may_act, end_user_person};
use crate::meetings::invited::invited;
use crate::meetings::rows::meeting_status_text;
use crate::pool::failure::{Abort, damaged};
use crate::rows::columns::count;
use crate::rows::end_user_owner::is_of;
use crate::schema::{end_users, meetings};

/// Whether a link works at `$1`. The row of its owner is `end_users`.
macro_rules! works {
    () => {
        "(join_links.revoked_at IS NULL AND (join_links.expires_at IS NULL OR join_links.expires_at > $1) \
          AND NOT (join_links.is_single_use AND join_links.last_used_at IS NOT NULL) \
          AND join_links.password_hash = end_users.password_hash \
          AND (join_links.meeting_id IS NULL OR EXISTS ( \
              SELECT FROM meetings AS joined WHERE joined.id = join_links.meeting_id \
                  AND joined.status NOT IN ('COMPLETED', 'CANCELLED'))))"
    };
}

const FIND: &str = concat!(
    "SELECT join_links.client_id, join_links.end_user_id, join_links.meeting_id, meetings.title AS meeting_title, \
            end_users.name, end_users.username, end_users.email, end_users.password_hash, end_users.is_active, \
            clients.client_code, clients.name AS client_name, clients.status AS client_status, \
            join_link_settings.asks \
     FROM join_links \
     JOIN end_users ON end_users.id = join_links.end_user_id AND end_users.client_id = join_links.client_id \
     JOIN clients ON clients.id = join_links.client_id \
     LEFT JOIN meetings ON meetings.id = join_links.meeting_id \
     LEFT JOIN join_link_settings ON join_link_settings.client_id = join_links.client_id \
     WHERE join_links.token_hash = $2 AND ",
    works!()
);

/// With the code `$4`, if there is one, for a session with the first refresh token `$5`.
const USE: &str = concat!(
    "UPDATE join_links SET last_used_at = $1 FROM end_users \
     WHERE join_links.token_hash = $2 AND join_links.end_user_id = $3 AND end_users.id = join_links.end_user_id \
         AND end_users.is_active \
         AND ($4 IS NULL OR EXISTS ( \
             SELECT FROM join_codes WHERE join_codes.join_link_id = join_links.id AND join_codes.code_hash = $4)) \
         AND NOT EXISTS (SELECT FROM refresh_tokens WHERE refresh_tokens.token_hash = $5) AND ",
    works!(),
    " RETURNING join_links.id"
);

const LIST: &str = concat!(
    "SELECT join_links.id, join_links.end_user_id, join_links.meeting_id, meetings.title AS meeting_title, \
            end_users.name, end_users.username, join_links.is_single_use, join_links.made_at, join_links.expires_at, \
            join_links.last_used_at, join_links.revoked_at, end_users.is_active AND ",
    works!(),
    " AS works \
     FROM (SELECT * FROM join_links \
           WHERE client_id = $2 AND ($3 IS NULL OR end_user_id = $3) AND ($4 IS NULL OR meeting_id = $4) \
           ORDER BY made_at DESC, id LIMIT $5 OFFSET $6) AS join_links \
     JOIN end_users ON end_users.id = join_links.end_user_id \
     LEFT JOIN meetings ON meetings.id = join_links.meeting_id \
     ORDER BY join_links.made_at DESC, join_links.id"
);

const TOTAL: &str = "SELECT count(*) AS number FROM join_links \
    WHERE client_id = $1 AND ($2 IS NULL OR end_user_id = $2) AND ($3 IS NULL OR meeting_id = $3)";

/// The active people of a client, or the invited ones of a meeting.
macro_rules! people {
    ($source:expr) => {
        concat!(
            "SELECT people.id, people.name, people.username, people.email FROM ",
            $source,
            " AS people WHERE people.is_active AND ($4 IS NULL OR people.id = ANY ($4)) \
              AND NOT ($5 AND people.last_login_at IS NOT NULL) \
              ORDER BY lower(people.name), people.id LIMIT $6"
        )
    };
}

const PEOPLE: &str = people!("(SELECT * FROM end_users WHERE client_id = $1 AND ($2 IS NULL OR $3))");
const INVITED: &str = people!(invited!("name", "username", "email", "is_active", "last_login_at"));

/// Locks active people in a fixed order, and notes who can act for them, as a new password does.
const LOCK: &str = "
    SELECT found.id FROM (SELECT unnest($1) AS id ORDER BY 1) AS given
    CROSS JOIN LATERAL (SELECT end_users.id, end_users.client_id, end_users.is_active FROM end_users
                        WHERE end_users.id = given.id OFFSET 0 FOR NO KEY UPDATE) AS found
    WHERE found.client_id = $2 AND found.is_active";
const NOTE: &str = "UPDATE end_users SET password_set_at = $2, password_set_by = $3 WHERE id = ANY ($1)";
const REPLACE: &str =
    "DELETE FROM join_links WHERE client_id = $1 AND end_user_id = ANY ($2) AND meeting_id IS NOT DISTINCT FROM $3";
const ADD: &str = "
    INSERT INTO join_links (id, client_id, end_user_id, meeting_id, token_hash, password_hash, is_single_use, made_at,
                            expires_at, mail_seed)
    SELECT gen_random_uuid(), $1, given.id, $4, given.token_hash, person.password_hash, $5, $6, $7, $8
    FROM unnest($2, $3) AS given (id, token_hash)
    CROSS JOIN LATERAL (SELECT end_users.password_hash FROM end_users WHERE end_users.id = given.id OFFSET 0) AS person";

const REVOKE: &str = "
    UPDATE join_links SET revoked_at = $2
    WHERE client_id = $1 AND revoked_at IS NULL AND ($3 IS NULL OR id = $3) AND ($4 IS NULL OR meeting_id = $4)";

const PUT_CODE: &str = "
    INSERT INTO join_codes (join_link_id, client_id, code_hash, made_at, expires_at, tries)
    SELECT id, client_id, $3, $4, $5, 0 FROM join_links WHERE client_id = $1 AND token_hash = $2
    ON CONFLICT (join_link_id) DO UPDATE
        SET code_hash = excluded.code_hash, made_at = excluded.made_at, expires_at = excluded.expires_at, tries = 0";

/// Counts a wrong try. The lock on the row makes concurrent tries wait for one another.
const TRY_CODE: &str = "
    UPDATE join_codes SET tries = tries + CASE WHEN code_hash = $5 THEN 0 ELSE 1 END
    WHERE join_link_id = (SELECT id FROM join_links WHERE client_id = $1 AND token_hash = $2)
      AND expires_at > $3 AND tries < $4
    RETURNING code_hash = $5 AS is_right";

/// A code that was sent meanwhile stays.
const DROP_CODE: &str = "DELETE FROM join_codes WHERE join_link_id = $1 AND code_hash = $2";

const SET_ASKS: &str = "
    INSERT INTO join_link_settings (client_id, asks) VALUES ($1, $2)
    ON CONFLICT (client_id) DO UPDATE SET asks = excluded.asks";

/// Personal links in PostgreSQL.
#[derive(Clone)]
pub struct PostgresJoinLinks {
    db: Db,
}

impl PostgresJoinLinks {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl JoinLinkStore for PostgresJoinLinks {
    async fn people(
        &self,
        owner: ClientId,
        meeting: Option<MeetingId>,
        people: &JoinPeople,
        limit: u32,
    ) -> Result<Vec<JoinPerson>, MakeJoinLinksError> {
        let named: Option<Vec<Uuid>> = match people {
            JoinPeople::Named(ids) => Some(ids.iter().map(|id| id.as_uuid()).collect()),
            JoinPeople::All | JoinPeople::NeverSignedIn => None,
        };
        let never_signed_in = *people == JoinPeople::NeverSignedIn;
        self.db
            .of(owner)
            .transaction(move |conn| {
                let has_list = meeting.map(|meeting| has_list(conn, owner, meeting)).transpose()?.unwrap_or_default();
                if let Some(named) = &named {
                    refuse_unknown(conn, owner, named)?;
                }
                let rows: Vec<PersonRow> = diesel::sql_query(if meeting.is_some() { INVITED } else { PEOPLE })
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Nullable<SqlUuid>, _>(meeting.map(MeetingId::as_uuid))
                    .bind::<Bool, _>(has_list)
                    .bind::<Nullable<Array<SqlUuid>>, _>(named)
                    .bind::<Bool, _>(never_signed_in)
                    .bind::<BigInt, _>(i64::from(limit))
                    .load(conn)?;
                Ok(rows.into_iter().map(JoinPerson::from).collect())
            })
            .await
    }

    async fn make(&self, owner: ClientId, new: NewJoinLinks) -> Result<Vec<EndUserId>, MakeJoinLinksError> {
        self.db.of(owner).transaction(move |conn| make(conn, owner, &new)).await
    }

    async fn find(&self, token: &JoinTokenHash, now: DateTime<Utc>) -> Result<Option<FoundJoinLink>, PortFailure> {
        let token = token.clone();
        self.db
            .platform()
            .run(move |conn| {
                let found: Option<FoundRow> = diesel::sql_query(FIND)
                    .bind::<Timestamptz, _>(now)
                    .bind::<Binary, _>(token.0)
                    .get_result(conn)
                    .optional()?;
                found.map(FoundRow::read).transpose()
            })
            .await
    }

    async fn list(
        &self,
        owner: ClientId,
        filter: JoinLinkFilter,
        now: DateTime<Utc>,
    ) -> Result<Page<JoinLink>, PortFailure> {
        let JoinLinkFilter { end_user, meeting, page } = filter;
        let (end_user, meeting) = (end_user.map(EndUserId::as_uuid), meeting.map(MeetingId::as_uuid));
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let rows: Vec<LinkRow> = diesel::sql_query(LIST)
                    .bind::<Timestamptz, _>(now)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Nullable<SqlUuid>, _>(end_user)
                    .bind::<Nullable<SqlUuid>, _>(meeting)
                    .bind::<BigInt, _>(i64::from(page.page_size))
                    .bind::<BigInt, _>(page.offset())
                    .load(conn)?;
                let total: NumberRow = diesel::sql_query(TOTAL)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Nullable<SqlUuid>, _>(end_user)
                    .bind::<Nullable<SqlUuid>, _>(meeting)
                    .get_result(conn)?;
                Ok(Page { rows: rows.into_iter().map(JoinLink::from).collect(), total: count(total.number)? })
            })
            .await
    }

    async fn revoke(&self, owner: ClientId, choice: JoinLinkChoice, now: DateTime<Utc>) -> Result<u64, PortFailure> {
        let (id, meeting) = match choice {
            JoinLinkChoice::One(id) => (Some(id.as_uuid()), None),
            JoinLinkChoice::OfMeeting(meeting) => (None, Some(meeting.as_uuid())),
            JoinLinkChoice::All => (None, None),
        };
        self.db
            .of(owner)
            .transaction(move |conn| {
                let revoked = diesel::sql_query(REVOKE)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Timestamptz, _>(now)
                    .bind::<Nullable<SqlUuid>, _>(id)
                    .bind::<Nullable<SqlUuid>, _>(meeting)
                    .execute(conn)?;
                Ok(revoked as u64)
            })
            .await
    }

    async fn put_code(&self, owner: ClientId, token: &JoinTokenHash, new: NewJoinCode) -> Result<bool, PortFailure> {
        let token = token.clone();
        self.db
            .of(owner)
            .transaction(move |conn| {
                let stored = diesel::sql_query(PUT_CODE)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Binary, _>(token.0)
                    .bind::<Binary, _>(new.hash.0)
                    .bind::<Timestamptz, _>(new.made_at)
                    .bind::<Timestamptz, _>(new.expires_at)
                    .execute(conn)?;
                Ok(stored > 0)
            })
            .await
    }

    async fn try_code(
        &self,
        owner: ClientId,
        token: &JoinTokenHash,
        code: &JoinCodeHash,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure> {
        let (token, code) = (token.clone(), code.clone());
        self.db
            .of(owner)
            .transaction(move |conn| {
                let tried: Option<TriedRow> = diesel::sql_query(TRY_CODE)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Binary, _>(token.0)
                    .bind::<Timestamptz, _>(now)
                    .bind::<SmallInt, _>(CODE_TRIES)
                    .bind::<Binary, _>(code.0)
                    .get_result(conn)
                    .optional()?;
                Ok(tried.is_some_and(|tried| tried.is_right))
            })
            .await
    }

    async fn asks(&self, owner: ClientId) -> Result<JoinAsk, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let row: Option<AskRow> = diesel::sql_query("SELECT asks FROM join_link_settings WHERE client_id = $1")
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .get_result(conn)
                    .optional()?;
                ask(row.as_ref().map(|row| row.asks.as_str()))
            })
            .await
    }

    async fn set_asks(&self, owner: ClientId, asks: JoinAsk) -> Result<(), PortFailure> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                diesel::sql_query(SET_ASKS)
                    .bind::<SqlUuid, _>(owner.as_uuid())
                    .bind::<Text, _>(ask_text(asks))
                    .execute(conn)?;
                Ok(())
            })
            .await
    }
}

/// Notes the use of a link by its active owner for a session with this first refresh token, and uses its code up, if link and
/// code work and the token is new. MUST come before other changes, so that a void link leaves no trace.
///
/// Locks the owner before the link, as [`make`] does. Of several concurrent uses of a link or code that works once, or of
/// one first token, the first one locks the owner, and the others then see its use.
pub(crate) fn use_join_link(
    conn: &mut PgConnection,
    link: &JoinLinkUse,
    end_user: Uuid,
    first_token: &NewRefreshToken,
) -> QueryResult<bool> {
    let locked: Option<Uuid> =
        end_users::table.find(end_user).select(end_users::id).for_no_key_update().first(conn).optional()?;
    if locked.is_none() {
        return Ok(false);
    }
    let code = link.code.as_ref().map(|code| code.0.as_slice());
    let used: Option<IdRow> = diesel::sql_query(USE)
        .bind::<Timestamptz, _>(first_token.issued_at)
        .bind::<Binary, _>(&link.token.0)
        .bind::<SqlUuid, _>(end_user)
        .bind::<Nullable<Binary>, _>(code)
        .bind::<Binary, _>(&first_token.hash.0)
        .get_result(conn)
        .optional()?;
    let Some(IdRow { id }) = used else { return Ok(false) };
    if let Some(code) = code {
        diesel::sql_query(DROP_CODE).bind::<SqlUuid, _>(id).bind::<Binary, _>(code).execute(conn)?;
    }
    Ok(true)
}

fn make(
    conn: &mut PgConnection,
    owner: ClientId,
    new: &NewJoinLinks,
) -> Result<Vec<EndUserId>, Abort<MakeJoinLinksError>> {
    if let Some(meeting) = new.meeting {
        has_list(conn, owner, meeting)?;
    }
    store_links(conn, owner, new, None)
}

/// Stores links in place of the earlier ones of the same people for the same meeting. Their tokens have this seed, if mails
/// will contain them. The caller MUST have checked the meeting, and not hold locks on running meetings without those of
/// [`lock_starts`](crate::meetings::starts::lock_starts).
pub(crate) fn store_links<E: From<ReasonNeeded> + From<PortFailure>>(
    conn: &mut PgConnection,
    owner: ClientId,
    new: &NewJoinLinks,
    mail_seed: Option<&str>,
) -> Result<Vec<EndUserId>, Abort<E>> {
    let people: Vec<Uuid> = new.links.iter().map(|(id, _)| id.as_uuid()).collect();
    // A link is as good as a password: it is logged like one, and a reopening finds it like one.
    let reason = new.setter.reason.as_ref();
    let reason = reason.map(|reason| PasswordReason::from_stored(format!("Personal link: {reason}")));
    let setter = PasswordSetter { by: new.setter.by, reason };
    let setting = PasswordSetting { people: &people, setter: &setter, now: new.made_at };
    let set = log_set_passwords(conn, owner, &setting)?;
    let locked: Vec<IdRow> =
        diesel::sql_query(LOCK).bind::<Array<SqlUuid>, _>(&people).bind::<SqlUuid, _>(owner.as_uuid()).load(conn)?;
    let locked: HashSet<Uuid> = locked.into_iter().map(|row| row.id).collect();
    let links = || new.links.iter().filter(|(id, _)| locked.contains(&id.as_uuid()));
    let ids: Vec<Uuid> = links().map(|(id, _)| id.as_uuid()).collect();
    diesel::sql_query(NOTE)
        .bind::<Array<SqlUuid>, _>(&ids)
        .bind::<Timestamptz, _>(set.at)
        .bind::<Text, _>(&set.by)
        .execute(conn)?;
    let meeting = new.meeting.map(MeetingId::as_uuid);
    diesel::sql_query(REPLACE)
        .bind::<SqlUuid, _>(owner.as_uuid())
        .bind::<Array<SqlUuid>, _>(&ids)
        .bind::<Nullable<SqlUuid>, _>(meeting)
        .execute(conn)?;
    diesel::sql_query(ADD)
        .bind::<SqlUuid, _>(owner.as_uuid())
        .bind::<Array<SqlUuid>, _>(&ids)
        .bind::<Array<Binary>, _>(links().map(|(_, token)| token.0.as_slice()).collect::<Vec<_>>())
        .bind::<Nullable<SqlUuid>, _>(meeting)
        .bind::<Bool, _>(new.is_single_use)
        .bind::<Timestamptz, _>(new.made_at)
        .bind::<Nullable<Timestamptz>, _>(new.expires_at)
        .bind::<Nullable<Text>, _>(mail_seed)
        .execute(conn)?;
    Ok(ids.into_iter().map(EndUserId::from_uuid).collect())
}

/// Refuses ids that are not those of end users of the client.
fn refuse_unknown(conn: &mut PgConnection, owner: ClientId, named: &[Uuid]) -> Result<(), Abort<MakeJoinLinksError>> {
    let known: Vec<Uuid> =
        end_users::table.filter(is_of(owner)).filter(end_users::id.eq_any(named)).select(end_users::id).load(conn)?;
    let known: HashSet<Uuid> = known.into_iter().collect();
    if named.iter().all(|id| known.contains(id)) {
        Ok(())
    } else {
        Err(Abort::Refused(MakeJoinLinksError::UnknownEndUsers))
    }
}

/// Whether a meeting that is not over has a participant list.
fn has_list(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> Result<bool, Abort<MakeJoinLinksError>> {
    let found: Option<(bool, String)> = meetings::table
        .filter(meetings::id.eq(meeting.as_uuid()).and(meetings::client_id.eq(owner.as_uuid())))
        .select((meetings::has_participant_list, meetings::status))
        .first(conn)
        .optional()?;
    let (has_list, status) = found.ok_or(Abort::Refused(MakeJoinLinksError::MeetingNotFound))?;
    let over = [MeetingStatus::Completed, MeetingStatus::Cancelled];
    if over.into_iter().any(|over| meeting_status_text(over) == status) {
        return Err(Abort::Refused(MakeJoinLinksError::MeetingOver));
    }
    Ok(has_list)
}

fn ask(text: Option<&str>) -> QueryResult<JoinAsk> {
    match text {
        None | Some("NOTHING") => Ok(JoinAsk::Nothing),
        Some("PASSWORD") => Ok(JoinAsk::Password),
        Some("EMAIL_CODE") => Ok(JoinAsk::EmailCode),
        Some(other) => Err(damaged(format!("join_link_settings.asks is {other}"))),
    }
}

fn ask_text(asks: JoinAsk) -> &'static str {
    match asks {
        JoinAsk::Nothing => "NOTHING",
        JoinAsk::Password => "PASSWORD",
        JoinAsk::EmailCode => "EMAIL_CODE",
    }
}

#[derive(QueryableByName)]
struct TriedRow {
    #[diesel(sql_type = Bool)]
    is_right: bool,
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct AskRow {
    #[diesel(sql_type = Text)]
    asks: String,
}

#[derive(QueryableByName)]
struct PersonRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Nullable<Text>)]
    email: Option<String>,
}

impl From<PersonRow> for JoinPerson {
    fn from(row: PersonRow) -> Self {
        Self {
            id: EndUserId::from_uuid(row.id),
            name: PersonName::from_stored(row.name),
            username: Username::from_stored(row.username),
            email: row.email.map(EmailAddress::from_stored),
        }
    }
}

#[derive(QueryableByName)]
struct FoundRow {
    #[diesel(sql_type = SqlUuid)]
    client_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    end_user_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    meeting_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    meeting_title: Option<String>,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Nullable<Text>)]
    email: Option<String>,
    #[diesel(sql_type = Text)]
    password_hash: String,
    #[diesel(sql_type = Bool)]
    is_active: bool,
    #[diesel(sql_type = Text)]
    client_code: String,
    #[diesel(sql_type = Text)]
    client_name: String,
    #[diesel(sql_type = Text)]
    client_status: String,
    #[diesel(sql_type = Nullable<Text>)]
    asks: Option<String>,
}

impl FoundRow {
    fn read(self) -> QueryResult<FoundJoinLink> {
        Ok(FoundJoinLink {
            credentials: StoredCredentials {
                person: end_user_person(self.end_user_id, self.client_id),
                password_hash: PasswordHash::new(self.password_hash),
                may_sign_in: self.is_active && client_may_act(Some(self.client_id), Some(&self.client_status)),
            },
            name: PersonName::from_stored(self.name),
            username: Username::from_stored(self.username),
            client: ClientId::from_uuid(self.client_id),
            client_code: ClientCode::from_stored(self.client_code),
            client_name: self.client_name,
            email: self.email.map(EmailAddress::from_stored),
            meeting: self.meeting_id.map(MeetingId::from_uuid).zip(self.meeting_title),
            asks: ask(self.asks.as_deref())?,
        })
    }
}

#[derive(QueryableByName)]
struct LinkRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    end_user_id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    meeting_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    meeting_title: Option<String>,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Bool)]
    is_single_use: bool,
    #[diesel(sql_type = Timestamptz)]
    made_at: DateTime<Utc>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    expires_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_used_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    revoked_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Bool)]
    works: bool,
}

impl From<LinkRow> for JoinLink {
    fn from(row: LinkRow) -> Self {
        Self {
            id: JoinLinkId::from_uuid(row.id),
            end_user: EndUserId::from_uuid(row.end_user_id),
            name: PersonName::from_stored(row.name),
            username: Username::from_stored(row.username),
            meeting: row.meeting_id.map(MeetingId::from_uuid).zip(row.meeting_title),
            is_single_use: row.is_single_use,
            works: row.works,
            made_at: row.made_at,
            expires_at: row.expires_at,
            last_used_at: row.last_used_at,
            revoked_at: row.revoked_at,
        }
    }
}
