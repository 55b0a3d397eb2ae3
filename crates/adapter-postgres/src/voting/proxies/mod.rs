//! Proxies of meetings.

mod list;
mod votes;

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, QuestionId, RoundId};
use plenum_meetings::live::Weights;
use plenum_voting::{
    AllowedHolders, ChangeProxySettingsError, GrantContext, GrantError, Granting, HeldVotes, HolderTotal, NewProxy,
    Proxy, ProxyAuthor, ProxyCandidate, ProxyFilter, ProxyNote, ProxyPerson, ProxyReference, ProxyRule, ProxyScope,
    ProxySettings, ProxyStore, ProxyTotals, ProxyUse, Revocation, RevokeError, StandingProxy, decide_grant, load_of,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use self::list::{Listed, everything};
use self::votes::{held, uses};
use crate::Db;
use crate::meetings::rows::natural;
use crate::pool::failure::{Abort, damaged};
use crate::rows::columns::lower;
use crate::rows::end_user_owner::is_of;
use crate::rows::meeting_owner::is_meeting_of;
use crate::schema::{end_users, proxies, proxy_settings, questions, round_proxies, rounds};
use crate::voting::eligible::Eligibility;
use crate::voting::round_log::account_name;
use crate::voting::round_proxies::take_out;
use crate::voting::rows::{is_open, lock_ballots};
use crate::voting::steps::LockedMeeting;

/// The most rows of one insertion, below the number of parameters that PostgreSQL takes.
const AT_ONCE: usize = 2_000;

/// Proxies in PostgreSQL.
#[derive(Clone)]
pub struct PostgresProxies {
    db: Db,
    /// For calls that may read very many rows.
    general: Db,
}

impl PostgresProxies {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { general: db.clone(), db }
    }

    /// Lists and grants, which may read very many rows, use other connections than the rest.
    #[must_use]
    pub fn with_general(self, general: Db) -> Self {
        Self { general, ..self }
    }
}

#[async_trait]
impl ProxyStore for PostgresProxies {
    async fn settings(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxySettings>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                load_settings(conn, owner, meeting).map(Some)
            })
            .await
    }

    async fn change_settings(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        settings: ProxySettings,
    ) -> Result<(), ChangeProxySettingsError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                if LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?.is_none() {
                    return Err(Abort::Refused(ChangeProxySettingsError::MeetingNotFound));
                }
                let before = load_settings(conn, owner, meeting)?.without_questions;
                let known = questions_of(conn, meeting)?;
                let is_known = |named: &QuestionId| before.contains(named) || known.contains(&named.as_uuid());
                if !settings.without_questions.iter().all(is_known) {
                    return Err(Abort::Refused(ChangeProxySettingsError::UnknownQuestion));
                }
                let row = SettingsRow::of(owner, meeting, &settings);
                diesel::insert_into(proxy_settings::table)
                    .values(&row)
                    .on_conflict(proxy_settings::meeting_id)
                    .do_update()
                    .set(&row)
                    .execute(conn)?;
                Ok(())
            })
            .await
    }

    async fn named(&self, owner: ClientId, usernames: Vec<String>) -> Result<HashMap<String, EndUserId>, PortFailure> {
        self.general
            .of(owner)
            .run(move |conn| {
                let rows: Vec<(String, Uuid)> = end_users::table
                    .filter(is_of(owner))
                    .filter(lower(end_users::username).eq_any(usernames))
                    .select((lower(end_users::username), end_users::id))
                    .load(conn)?;
                Ok(rows.into_iter().map(|(username, id)| (username, EndUserId::from_uuid(id))).collect())
            })
            .await
    }

    async fn grant(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        granting: Granting,
    ) -> Result<Vec<Option<ProxyRule>>, GrantError> {
        self.general.of(owner).transaction(move |conn| grant(conn, owner, meeting, granting)).await
    }

    async fn revoke(&self, owner: ClientId, meeting: MeetingId, revocation: Revocation) -> Result<(), RevokeError> {
        self.db.of(owner).transaction(move |conn| revoke(conn, owner, meeting, &revocation)).await
    }

    async fn page(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ProxyFilter,
    ) -> Result<Option<Page<Proxy>>, PortFailure> {
        let filter = filter.clone();
        self.general
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                let list = Listed { owner, meeting, person: None, filter };
                Ok(Some(Page { rows: list.load(conn)?, total: list.count(conn)? }))
            })
            .await
    }

    async fn totals(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxyTotals>, PortFailure> {
        self.general
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                totals(conn, owner, meeting).map(Some)
            })
            .await
    }

    async fn of_person(
        &self,
        client: ClientId,
        meeting: MeetingId,
        person: EndUserId,
    ) -> Result<Vec<Proxy>, PortFailure> {
        let list = Listed { owner: client, meeting, person: Some(person), filter: everything() };
        self.db.of(client).run(move |conn| list.load(conn)).await
    }

    async fn uses(
        &self,
        client: ClientId,
        meeting: MeetingId,
        principal: EndUserId,
    ) -> Result<Vec<ProxyUse>, PortFailure> {
        self.db.of(client).run(move |conn| uses(conn, client, meeting, principal)).await
    }

    async fn held(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        holder: EndUserId,
    ) -> Result<HeldVotes, PortFailure> {
        self.db
            .of(client)
            .snapshot(move |conn| {
                let last: Option<Uuid> = rounds::table
                    .filter(rounds::client_id.eq(client.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()).and(rounds::question_id.eq(question.as_uuid())))
                    .order(rounds::number.desc())
                    .select(rounds::id)
                    .first(conn)
                    .optional()?;
                let Some(round) = last else { return Ok(HeldVotes { round: None, votes: Vec::new() }) };
                Ok(HeldVotes { round: Some(RoundId::from_uuid(round)), votes: held(conn, round, holder)? })
            })
            .await
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = proxy_settings, treat_none_as_null = true, check_for_backend(diesel::pg::Pg))]
struct SettingsRow {
    meeting_id: Uuid,
    client_id: Uuid,
    is_on: bool,
    principals_may_grant: bool,
    max_principals: Option<i32>,
    max_weight: Option<Decimal>,
    max_share: Option<Decimal>,
    holders: String,
    without_questions: Vec<Uuid>,
}

impl SettingsRow {
    fn of(owner: ClientId, meeting: MeetingId, settings: &ProxySettings) -> Self {
        Self {
            meeting_id: meeting.as_uuid(),
            client_id: owner.as_uuid(),
            is_on: settings.is_on,
            principals_may_grant: settings.principals_may_grant,
            max_principals: settings.max_principals.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX)),
            max_weight: settings.max_weight,
            max_share: settings.max_share,
            holders: match settings.holders {
                AllowedHolders::Participants => "PARTICIPANTS".to_owned(),
                AllowedHolders::Anybody => "ANYBODY".to_owned(),
            },
            without_questions: settings.without_questions.iter().map(|question| question.as_uuid()).collect(),
        }
    }
}

impl TryFrom<SettingsRow> for ProxySettings {
    type Error = diesel::result::Error;

    fn try_from(row: SettingsRow) -> QueryResult<Self> {
        Ok(Self {
            is_on: row.is_on,
            principals_may_grant: row.principals_may_grant,
            max_principals: row.max_principals.map(natural).transpose()?,
            max_weight: row.max_weight.map(|weight| weight.normalize()),
            max_share: row.max_share.map(|share| share.normalize()),
            holders: match row.holders.as_str() {
                "PARTICIPANTS" => AllowedHolders::Participants,
                "ANYBODY" => AllowedHolders::Anybody,
                other => return Err(damaged(format!("unknown holders {other}"))),
            },
            without_questions: row.without_questions.into_iter().map(QuestionId::from_uuid).collect(),
        })
    }
}

/// The settings of a meeting of the client. The default ones for any other.
pub(crate) fn load_settings(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
) -> QueryResult<ProxySettings> {
    let row: Option<SettingsRow> = proxy_settings::table
        .find(meeting.as_uuid())
        .filter(proxy_settings::client_id.eq(owner.as_uuid()))
        .select(SettingsRow::as_select())
        .first(conn)
        .optional()?;
    row.map_or(Ok(ProxySettings::default()), TryInto::try_into)
}

/// The weights of everybody who may vote in a meeting, present or not, exclusions from single questions aside.
fn weights_of(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<Weights> {
    Eligibility { meeting: meeting.as_uuid(), question: None, open_round: None }.weights_anywhere(conn)
}

fn scope_of(questions: Option<Vec<Uuid>>) -> ProxyScope {
    ProxyScope::of(questions.map(|ids| ids.into_iter().map(QuestionId::from_uuid)))
}

/// The proxies of a meeting that are not revoked.
fn load_standing(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    weights: &Weights,
) -> QueryResult<Vec<StandingProxy>> {
    let list = Listed { owner, meeting, person: None, filter: everything() };
    let standing = |proxy: Proxy| StandingProxy {
        principal: proxy.principal.id,
        weight: weights.get(&proxy.principal.id).copied().unwrap_or(proxy.weight),
        holder: proxy.holder.id,
        holder_name: proxy.holder.name,
        scope: proxy.scope,
    };
    Ok(list.load(conn)?.into_iter().map(standing).collect())
}

/// The people of new proxies. Locked against deletion.
fn candidates(
    conn: &mut PgConnection,
    owner: ClientId,
    new: &[NewProxy],
    weights: &Weights,
) -> QueryResult<HashMap<EndUserId, ProxyCandidate>> {
    let ids: BTreeSet<Uuid> =
        new.iter().flat_map(|proxy| [proxy.principal.as_uuid(), proxy.holder.as_uuid()]).collect();
    let rows: Vec<(Uuid, String, String, bool)> = end_users::table
        .filter(is_of(owner))
        .filter(end_users::id.eq_any(ids.into_iter().collect::<Vec<_>>()))
        .order(end_users::id)
        .select((end_users::id, end_users::name, end_users::username, end_users::is_active))
        .for_key_share()
        .load(conn)?;
    let candidate = |(id, name, username, is_active): (Uuid, String, String, bool)| {
        let id = EndUserId::from_uuid(id);
        (id, ProxyCandidate { id, name, username, is_active, votes_with: weights.get(&id).copied() })
    };
    Ok(rows.into_iter().map(candidate).collect())
}

fn grant(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    granting: Granting,
) -> Result<Vec<Option<ProxyRule>>, Abort<GrantError>> {
    let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?;
    locked.ok_or(Abort::Refused(GrantError::MeetingNotFound))?;
    let settings = load_settings(conn, owner, meeting)?;
    let weights = weights_of(conn, meeting)?;
    let whole_weight: Decimal = weights.values().copied().sum();
    let mut standing = load_standing(conn, owner, meeting, &weights)?;
    let people = candidates(conn, owner, &granting.proxies, &weights)?;
    let known = questions_of(conn, meeting)?;
    let is_by_principal = matches!(granting.by, ProxyAuthor::Principal(_));
    let mut refused = Vec::with_capacity(granting.proxies.len());
    for new in &granting.proxies {
        let (principal, holder) = match (people.get(&new.principal), people.get(&new.holder)) {
            (Some(principal), Some(holder)) => (principal, holder),
            (None, _) => {
                refused.push(Some(ProxyRule::NoSuchPrincipal));
                continue;
            }
            (_, None) => {
                refused.push(Some(ProxyRule::NoSuchHolder));
                continue;
            }
        };
        let context = GrantContext {
            settings: &settings,
            is_by_principal,
            principal,
            holder,
            scope: &new.scope,
            standing: &standing,
            whole_weight,
        };
        let decided = check_questions(&new.scope, &known).and_then(|()| decide_grant(&context));
        if decided.is_ok() {
            standing.push(StandingProxy {
                principal: principal.id,
                weight: principal.votes_with.unwrap_or_default(),
                holder: holder.id,
                holder_name: holder.name.clone(),
                scope: new.scope.clone(),
            });
        }
        refused.push(decided.err());
    }
    if !granting.is_check && refused.iter().all(Option::is_none) {
        insert(conn, owner, meeting, granting)?;
    }
    Ok(refused)
}

fn questions_of(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<Vec<Uuid>> {
    questions::table.filter(questions::meeting_id.eq(meeting.as_uuid())).select(questions::id).load(conn)
}

fn check_questions(scope: &ProxyScope, known: &[Uuid]) -> Result<(), ProxyRule> {
    match scope {
        ProxyScope::Meeting => Ok(()),
        ProxyScope::Questions(named) => {
            let is_known = named.iter().all(|question| known.contains(&question.as_uuid()));
            if named.is_empty() || !is_known { Err(ProxyRule::UnknownQuestion) } else { Ok(()) }
        }
    }
}

#[derive(Insertable)]
#[diesel(table_name = proxies)]
struct NewRow {
    id: Uuid,
    client_id: Uuid,
    meeting_id: Uuid,
    principal_id: Uuid,
    holder_id: Uuid,
    question_ids: Option<Vec<Uuid>>,
    note: Option<String>,
    reference: Option<String>,
    granted_at: DateTime<Utc>,
    granted_by: String,
    is_by_principal: bool,
}

fn insert(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId, granting: Granting) -> QueryResult<()> {
    let (by, at) = (author_name(conn, granting.by)?, granting.at);
    let is_by_principal = matches!(granting.by, ProxyAuthor::Principal(_));
    let row = |new: NewProxy| NewRow {
        id: new.id.as_uuid(),
        client_id: owner.as_uuid(),
        meeting_id: meeting.as_uuid(),
        principal_id: new.principal.as_uuid(),
        holder_id: new.holder.as_uuid(),
        question_ids: match new.scope {
            ProxyScope::Meeting => None,
            ProxyScope::Questions(questions) => Some(questions.into_iter().map(QuestionId::as_uuid).collect()),
        },
        note: new.note.as_ref().map(ProxyNote::to_string),
        reference: new.reference.as_ref().map(ProxyReference::to_string),
        granted_at: at,
        granted_by: by.clone(),
        is_by_principal,
    };
    let rows: Vec<NewRow> = granting.proxies.into_iter().map(row).collect();
    for rows in rows.chunks(AT_ONCE) {
        diesel::insert_into(proxies::table).values(rows).execute(conn)?;
    }
    Ok(())
}

fn author_name(conn: &mut PgConnection, by: ProxyAuthor) -> QueryResult<String> {
    match by {
        ProxyAuthor::Organizer(account) => account_name(conn, account.as_uuid()),
        ProxyAuthor::Principal(person) => end_users::table.find(person.as_uuid()).select(end_users::name).first(conn),
    }
}

fn revoke(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    revocation: &Revocation,
) -> Result<(), Abort<RevokeError>> {
    let missing = || Abort::Refused(RevokeError::NotFound);
    let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?.ok_or_else(missing)?;
    let proxy = revocation.proxy.as_uuid();
    let (principal, is_by_principal, revoked_at): (Uuid, bool, Option<DateTime<Utc>>) = proxies::table
        .find(proxy)
        .filter(proxies::client_id.eq(owner.as_uuid()).and(proxies::meeting_id.eq(locked.id)))
        .select((proxies::principal_id, proxies::is_by_principal, proxies::revoked_at))
        .first(conn)
        .optional()?
        .ok_or_else(missing)?;
    if let ProxyAuthor::Principal(person) = revocation.by {
        if person.as_uuid() != principal {
            return Err(missing());
        }
        if !is_by_principal {
            return Err(Abort::Refused(RevokeError::ByOrganizer));
        }
    }
    if revoked_at.is_some() {
        return Err(Abort::Refused(RevokeError::AlreadyRevoked));
    }
    let open: Option<Uuid> = rounds::table
        .filter(rounds::meeting_id.eq(locked.id).and(is_open()))
        .select(rounds::id)
        .first(conn)
        .optional()?;
    if let Some(round) = open {
        let kept = round_proxies::table.find((round, principal)).filter(round_proxies::proxy_id.eq(proxy));
        if diesel::select(exists(kept)).get_result(conn)? {
            lock_ballots(conn, round)?;
            take_out(conn, round, proxy)?;
        }
    }
    let by = author_name(conn, revocation.by)?;
    diesel::update(proxies::table.find(proxy))
        .set((proxies::revoked_at.eq(revocation.at), proxies::revoked_by.eq(by)))
        .execute(conn)?;
    Ok(())
}

fn totals(conn: &mut PgConnection, owner: ClientId, meeting: MeetingId) -> QueryResult<ProxyTotals> {
    let settings = load_settings(conn, owner, meeting)?;
    let weights = weights_of(conn, meeting)?;
    let whole_weight: Decimal = weights.values().copied().sum();
    let standing = load_standing(conn, owner, meeting, &weights)?;
    let ids: BTreeSet<Uuid> = standing.iter().map(|proxy| proxy.holder.as_uuid()).collect();
    let people: Vec<(Uuid, String, String, bool)> = end_users::table
        .filter(is_of(owner))
        .filter(end_users::id.eq_any(ids.into_iter().collect::<Vec<_>>()))
        .order((lower(end_users::name), end_users::id))
        .select((end_users::id, end_users::name, end_users::username, end_users::is_active))
        .load(conn)?;
    let mut of_holder: HashMap<EndUserId, Vec<StandingProxy>> = HashMap::new();
    for proxy in standing {
        of_holder.entry(proxy.holder).or_default().push(proxy);
    }
    let total = |(id, name, username, is_active): (Uuid, String, String, bool)| {
        let id = EndUserId::from_uuid(id);
        let held: Vec<&StandingProxy> = of_holder.get(&id).into_iter().flatten().collect();
        let load = load_of(&held, &ProxyScope::Meeting);
        let may_vote = settings.holders == AllowedHolders::Anybody || weights.contains_key(&id);
        HolderTotal {
            is_beyond_limits: settings.check_load(&name, load, whole_weight).is_err(),
            holder: ProxyPerson { id, name, username },
            principals: load.0,
            weight: load.1.normalize(),
            may_hold: is_active && may_vote,
        }
    };
    Ok(ProxyTotals { holders: people.into_iter().map(total).collect(), whole_weight: whole_weight.normalize() })
}
