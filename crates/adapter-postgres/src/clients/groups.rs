use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Uuid as SqlUuid};
use plenum_clients::{
    AddGroupError, ChangeMembersError, EndUser, Group, GroupName, GroupOverview, GroupStore, MAX_GROUPS,
    MAX_GROUPS_OF_PERSON, MemberChanges, MembersChanged, RemoveGroupError, RenameGroupError, sort_groups,
};
use plenum_kernel::{ClientId, EndUserId, GroupId, NamedGroup, PortFailure, folded_name};
use uuid::Uuid;

use crate::Db;
use crate::clients::addition_lock::lock_additions;
use crate::clients::places_of_use::{PlacesOfUse, References, places_of_use};
use crate::pool::failure::{Abort, violated_constraint};
use crate::pool::statistics::{Grown, refresh_for};
use crate::rows::columns::count;
use crate::schema::{group_members, groups};

/// The constraint on the names of groups.
const NAME_KEY: &str = "groups_client_id_name_key";

/// Groups of end users in PostgreSQL.
#[derive(Clone)]
pub struct PostgresGroups {
    db: Db,
}

impl PostgresGroups {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl GroupStore for PostgresGroups {
    async fn list(&self, owner: ClientId) -> Result<Vec<GroupOverview>, PortFailure> {
        self.db.of(owner).run(move |conn| overviews(conn, owner, None)).await
    }

    async fn find(&self, owner: ClientId, id: GroupId) -> Result<Option<GroupOverview>, PortFailure> {
        self.db.of(owner).run(move |conn| Ok(overviews(conn, owner, Some(id))?.pop())).await
    }

    async fn add(&self, group: Group) -> Result<(), AddGroupError> {
        self.db
            .of(group.client_id)
            .transaction(move |conn| {
                let new = [(group.id.as_uuid(), group.name.as_str())];
                match insert_groups(conn, group.client_id, &new)? {
                    Ok(()) => Ok(()),
                    Err(NotInserted::NameTaken) => Err(Abort::Refused(AddGroupError::NameTaken)),
                    Err(NotInserted::TooMany) => Err(Abort::Refused(AddGroupError::TooMany)),
                }
            })
            .await
    }

    async fn rename(&self, owner: ClientId, id: GroupId, name: GroupName) -> Result<GroupOverview, RenameGroupError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                diesel::update(groups::table.find(id.as_uuid()).filter(groups::client_id.eq(owner.as_uuid())))
                    .set(groups::name.eq(name.as_str()))
                    .execute(conn)
                    .map_err(|error| match violated_constraint(&error) {
                        Some(NAME_KEY) => Abort::Refused(RenameGroupError::NameTaken),
                        _ => error.into(),
                    })?;
                let renamed = overviews(conn, owner, Some(id))?.pop();
                let renamed = renamed.ok_or(Abort::Refused(RenameGroupError::NotFound))?;
                if has_another(&stored_names(conn, owner)?, id.as_uuid(), name.as_str()) {
                    return Err(Abort::Refused(RenameGroupError::NameTaken));
                }
                Ok(renamed)
            })
            .await
    }

    async fn remove(&self, owner: ClientId, id: GroupId) -> Result<(), RemoveGroupError> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                // Waits for meetings and questions that are being stored with the group: they lock it as well.
                let known: Option<Uuid> = groups::table
                    .find(id.as_uuid())
                    .filter(groups::client_id.eq(owner.as_uuid()))
                    .select(groups::id)
                    .for_update()
                    .first(conn)
                    .optional()?;
                known.ok_or(Abort::Refused(RemoveGroupError::NotFound))?;
                if let Some(PlacesOfUse { places, more }) = places_of_use(conn, owner, id.as_uuid(), &REFERENCES)? {
                    return Err(Abort::Refused(RemoveGroupError::InUse { places, more }));
                }
                diesel::delete(groups::table.find(id.as_uuid())).execute(conn)?;
                Ok(())
            })
            .await
    }

    async fn change_members(
        &self,
        owner: ClientId,
        id: GroupId,
        changes: MemberChanges,
    ) -> Result<MembersChanged, ChangeMembersError> {
        self.db.of(owner).transaction(move |conn| change_members(conn, owner, id, &changes)).await
    }
}

/// The groups of the client, or one of them, by name.
fn overviews(conn: &mut PgConnection, owner: ClientId, only: Option<GroupId>) -> QueryResult<Vec<GroupOverview>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
        #[diesel(sql_type = Text)]
        name: String,
        #[diesel(sql_type = BigInt)]
        members: i64,
    }
    let rows: Vec<Row> = diesel::sql_query(
        "SELECT groups.id, groups.name, \
                (SELECT count(*) FROM group_members WHERE group_members.group_id = groups.id) AS members \
         FROM groups WHERE groups.client_id = $1 AND ($2 IS NULL OR groups.id = $2) \
         ORDER BY lower(groups.name), groups.id",
    )
    .bind::<SqlUuid, _>(owner.as_uuid())
    .bind::<Nullable<SqlUuid>, _>(only.map(GroupId::as_uuid))
    .load(conn)?;
    rows.into_iter()
        .map(|row| {
            let name = GroupName::from_stored(row.name);
            let group = Group { id: GroupId::from_uuid(row.id), client_id: owner, name };
            Ok(GroupOverview { group, members: count(row.members)? })
        })
        .collect()
}

/// Why groups were not stored.
pub(super) enum NotInserted {
    NameTaken,
    TooMany,
}

/// Stores groups without members.
pub(super) fn insert_groups(
    conn: &mut PgConnection,
    owner: ClientId,
    new: &[(Uuid, &str)],
) -> QueryResult<Result<(), NotInserted>> {
    lock_additions(conn, owner, "groups")?;
    // After the lock, so that a concurrent call's groups are counted, and a repeat is told that the name is taken.
    let known = stored_names(conn, owner)?;
    if new.iter().any(|(id, name)| has_another(&known, *id, name)) {
        return Ok(Err(NotInserted::NameTaken));
    }
    let row = |(id, name): &(Uuid, &str)| {
        (groups::id.eq(*id), groups::client_id.eq(owner.as_uuid()), groups::name.eq((*name).to_owned()))
    };
    let inserted = diesel::insert_into(groups::table).values(new.iter().map(row).collect::<Vec<_>>()).execute(conn);
    Ok(match inserted {
        Err(error) if violated_constraint(&error) == Some(NAME_KEY) => Err(NotInserted::NameTaken),
        Err(error) => return Err(error),
        Ok(_) if known.len() + new.len() > MAX_GROUPS => Err(NotInserted::TooMany),
        Ok(_) => Ok(()),
    })
}

/// The names of the client's groups, to compare them.
fn stored_names(conn: &mut PgConnection, owner: ClientId) -> QueryResult<Vec<(Uuid, String)>> {
    let names = groups::table.filter(groups::client_id.eq(owner.as_uuid())).select((groups::id, groups::name));
    let names: Vec<(Uuid, String)> = names.load(conn)?;
    Ok(names.into_iter().map(|(id, name)| (id, folded_name(&name))).collect())
}

/// Whether another group than this one has the name. The index does not refuse a name that differs only in the number of
/// blanks from one that an earlier version stored.
fn has_another(known: &[(Uuid, String)], id: Uuid, name: &str) -> bool {
    let name = folded_name(name);
    known.iter().any(|(other, known)| *other != id && *known == name)
}

/// A meeting or a question is for the group, or a decision rule names it. A rule is searched as a text, so that every form of a rule
/// counts.
const REFERENCES: References = References {
    of_meetings: "$2 = ANY (meetings.group_ids)",
    of_questions: "$2 = ANY (questions.group_ids) OR strpos(questions.decision_rule::text, $2::text) > 0",
};

/// Locks a group of the client against deletion and concurrent changes of its members.
fn lock_group(conn: &mut PgConnection, owner: ClientId, id: GroupId) -> Result<(), Abort<ChangeMembersError>> {
    let known: Option<Uuid> = groups::table
        .find(id.as_uuid())
        .filter(groups::client_id.eq(owner.as_uuid()))
        .select(groups::id)
        .for_no_key_update()
        .first(conn)
        .optional()?;
    known.map(|_| ()).ok_or(Abort::Refused(ChangeMembersError::NotFound))
}

/// Finds each by key, and locks it against deletion and other changes of its groups. The ids are sorted, so that two changes
/// never deadlock.
const LOCK_PEOPLE: &str = "
    SELECT count(*) AS number FROM (
        SELECT found.id FROM unnest($1) AS given (id)
        CROSS JOIN LATERAL (
            SELECT end_users.id, end_users.client_id FROM end_users
            WHERE end_users.id = given.id AND end_users.erased_at IS NULL OFFSET 0 FOR NO KEY UPDATE) AS found
        WHERE found.client_id = $2 OFFSET 0) AS locked";

fn change_members(
    conn: &mut PgConnection,
    owner: ClientId,
    id: GroupId,
    changes: &MemberChanges,
) -> Result<MembersChanged, Abort<ChangeMembersError>> {
    #[derive(QueryableByName)]
    struct Locked {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }
    lock_group(conn, owner, id)?;
    let (add, remove) = (sorted(&changes.add), sorted(&changes.remove));
    let locked: Locked = diesel::sql_query(LOCK_PEOPLE)
        .bind::<Array<SqlUuid>, _>(&add)
        .bind::<SqlUuid, _>(owner.as_uuid())
        .get_result(conn)?;
    if count(locked.number)? < add.len() as u64 {
        return Err(Abort::Refused(ChangeMembersError::UnknownEndUsers));
    }
    refuse_full(conn, owner, id, &add)?;
    refresh_for(conn, Grown::EndUsers, add.len())?;
    let added = add_members(conn, owner, &vec![id.as_uuid(); add.len()], &add)?;
    let members = group_members::table.filter(group_members::group_id.eq(id.as_uuid()));
    let removed = match remove.is_empty() {
        true => 0,
        false => diesel::delete(members.filter(group_members::end_user_id.eq_any(remove))).execute(conn)?,
    };
    let members = count(members.count().get_result(conn)?)?;
    Ok(MembersChanged { added: added as u64, removed: removed as u64, members })
}

/// The first of the people, by name, who are in the highest number of groups and not in this one, with the number of these
/// people.
const FULL: &str = "
    SELECT found.person, count(*) OVER () AS number
    FROM (SELECT group_members.end_user_id FROM group_members
          WHERE group_members.client_id = $1 AND group_members.end_user_id = ANY ($2)
          GROUP BY group_members.end_user_id
          HAVING count(*) >= $3 AND NOT bool_or(group_members.group_id = $4)) AS member
    CROSS JOIN LATERAL (
        SELECT end_users.name || ' (' || end_users.username || ')' AS person FROM end_users
        WHERE end_users.id = member.end_user_id OFFSET 0) AS found
    ORDER BY lower(found.person) LIMIT 1";

/// Refuses people for whom the group would be one too many. They MUST be locked.
fn refuse_full(
    conn: &mut PgConnection,
    owner: ClientId,
    id: GroupId,
    people: &[Uuid],
) -> Result<(), Abort<ChangeMembersError>> {
    #[derive(QueryableByName)]
    struct Full {
        #[diesel(sql_type = Text)]
        person: String,
        #[diesel(sql_type = BigInt)]
        number: i64,
    }
    if people.is_empty() {
        return Ok(());
    }
    let full: Option<Full> = diesel::sql_query(FULL)
        .bind::<SqlUuid, _>(owner.as_uuid())
        .bind::<Array<SqlUuid>, _>(people)
        .bind::<BigInt, _>(MAX_GROUPS_OF_PERSON as i64)
        .bind::<SqlUuid, _>(id.as_uuid())
        .get_result(conn)
        .optional()?;
    match full {
        Some(Full { person, number }) => {
            let more = count(number)?.saturating_sub(1);
            Err(Abort::Refused(ChangeMembersError::TooManyGroups { person, more }))
        }
        None => Ok(()),
    }
}

fn sorted(people: &[EndUserId]) -> Vec<Uuid> {
    let mut ids: Vec<Uuid> = people.iter().map(|person| person.as_uuid()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Adds each of these people to the group in the same place. Returns the number of new memberships.
fn add_members(conn: &mut PgConnection, owner: ClientId, groups: &[Uuid], people: &[Uuid]) -> QueryResult<usize> {
    if people.is_empty() {
        return Ok(0);
    }
    diesel::sql_query(
        "INSERT INTO group_members (client_id, group_id, end_user_id) \
         SELECT $1, given.group_id, given.end_user_id FROM unnest($2, $3) AS given (group_id, end_user_id) \
         ORDER BY given.group_id, given.end_user_id \
         ON CONFLICT ON CONSTRAINT group_members_pkey DO NOTHING",
    )
    .bind::<SqlUuid, _>(owner.as_uuid())
    .bind::<Array<SqlUuid>, _>(groups)
    .bind::<Array<SqlUuid>, _>(people)
    .execute(conn)
}

/// Makes these people members of exactly these groups. The people MUST be locked, or new.
pub(super) fn set_groups(
    conn: &mut PgConnection,
    owner: ClientId,
    people: &[(Uuid, &[NamedGroup])],
) -> QueryResult<()> {
    if people.is_empty() {
        return Ok(());
    }
    let everyone: Vec<Uuid> = people.iter().map(|(person, _)| *person).collect();
    let pairs = people.iter().flat_map(|(person, groups)| groups.iter().map(|group| (group.id.as_uuid(), *person)));
    let wanted: HashSet<(Uuid, Uuid)> = pairs.collect();
    // Compared here: for more pairs than fit its memory, the database would compare each membership with all of them.
    let present: HashSet<(Uuid, Uuid)> = memberships(conn, owner, &everyone)?.into_iter().collect();
    let mut ended: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
    for (group, person) in present.difference(&wanted) {
        ended.entry(*group).or_default().push(*person);
    }
    // One statement for each group finds its members by key, and is one entry in the audit log.
    for (group, people) in ended {
        let members = group_members::table.filter(group_members::group_id.eq(group));
        diesel::delete(members.filter(group_members::end_user_id.eq_any(people))).execute(conn)?;
    }
    let (groups, members): (Vec<Uuid>, Vec<Uuid>) = wanted.difference(&present).copied().unzip();
    add_members(conn, owner, &groups, &members)?;
    Ok(())
}

/// The groups of these people: pairs of the group and the person.
fn memberships(conn: &mut PgConnection, owner: ClientId, people: &[Uuid]) -> QueryResult<Vec<(Uuid, Uuid)>> {
    group_members::table
        .filter(group_members::client_id.eq(owner.as_uuid()))
        .filter(group_members::end_user_id.eq_any(people))
        .select((group_members::group_id, group_members::end_user_id))
        .load(conn)
}

/// The groups of these people, by name. People in no group have no entry.
pub(crate) fn groups_of(
    conn: &mut PgConnection,
    owner: ClientId,
    people: &[Uuid],
) -> QueryResult<HashMap<Uuid, Vec<NamedGroup>>> {
    if people.is_empty() {
        return Ok(HashMap::new());
    }
    let known: Vec<(Uuid, String)> =
        groups::table.filter(groups::client_id.eq(owner.as_uuid())).select((groups::id, groups::name)).load(conn)?;
    if known.is_empty() {
        return Ok(HashMap::new());
    }
    let known: HashMap<Uuid, String> = known.into_iter().collect();
    let mut groups: HashMap<Uuid, Vec<NamedGroup>> = HashMap::new();
    for (group, person) in memberships(conn, owner, people)? {
        if let Some(name) = known.get(&group) {
            let named = NamedGroup { id: GroupId::from_uuid(group), name: name.clone() };
            groups.entry(person).or_default().push(named);
        }
    }
    groups.values_mut().for_each(|groups| sort_groups(groups));
    Ok(groups)
}

/// Adds the groups to end users of one client.
pub(super) fn with_groups(
    conn: &mut PgConnection,
    owner: ClientId,
    mut people: Vec<EndUser>,
) -> QueryResult<Vec<EndUser>> {
    let ids: Vec<Uuid> = people.iter().map(|person| person.id.as_uuid()).collect();
    let mut groups = groups_of(conn, owner, &ids)?;
    for person in &mut people {
        person.groups = groups.remove(&person.id.as_uuid()).unwrap_or_default();
    }
    Ok(people)
}

/// Whether all of these are groups of the client, however often each is named. Locks them against deletion, until what
/// refers to them is stored.
pub(crate) fn lock_audience(
    conn: &mut PgConnection,
    owner: ClientId,
    ids: impl IntoIterator<Item = GroupId>,
) -> QueryResult<bool> {
    let ids: BTreeSet<Uuid> = ids.into_iter().map(GroupId::as_uuid).collect();
    if ids.is_empty() {
        return Ok(true);
    }
    let locked: Vec<Uuid> = groups::table
        .filter(groups::client_id.eq(owner.as_uuid()).and(groups::id.eq_any(ids.iter().copied())))
        .order(groups::id)
        .select(groups::id)
        .for_key_share()
        .load(conn)?;
    Ok(locked.len() == ids.len())
}
