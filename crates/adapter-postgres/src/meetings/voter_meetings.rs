use std::collections::HashSet;

use async_trait::async_trait;
use diesel::dsl::{case_when, exists};
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::Uuid as SqlUuid;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};
use plenum_meetings::{Invitation, MAX_VOTER_MEETINGS, MeetingStatus, VoterMeeting, VoterMeetings};
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::{MeetingRow, meeting_status_text};
use crate::schema::{clients, end_users, meetings, rehearsals};

/// Meetings as voters see them, in PostgreSQL.
#[derive(Clone)]
pub struct PostgresVoterMeetings {
    db: Db,
}

impl PostgresVoterMeetings {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

diesel::alias! {
    // The end users about whom a call asks.
    const ASKED: Alias<Asked> = end_users as asked;
}

/// The id of each of [`ASKED`], also within subqueries.
#[derive(Clone, Copy, Debug)]
struct AskedVoter;

impl Expression for AskedVoter {
    type SqlType = SqlUuid;
}

impl QueryId for AskedVoter {
    type QueryId = Self;
}

impl QueryFragment<Pg> for AskedVoter {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("asked.id");
        Ok(())
    }
}

impl<GB> ValidGrouping<GB> for AskedVoter {
    type IsAggregate = is_aggregate::Never;
}

impl<QS> AppearsOnTable<QS> for AskedVoter {}

impl<QS> SelectableExpression<QS> for AskedVoter {}

/// The rules of who is invited, for a `voter` of this type.
macro_rules! invitation_rules {
    ($voter:ty) => {
        use diesel::dsl::{exists, not};
        use diesel::prelude::*;

        use crate::rows::condition::Condition;
        use crate::rows::test_data::has_a_vote;
        use crate::schema::{end_users, group_members, meetings, participants, proxies, register, rounds};
        use crate::voting::rows::is_open;

        /// The rows with `voter` on the list of the outer query's meeting. With an offset they are found by key for each meeting,
        /// and never read for all meetings at once: the statistics may not know long lists yet.
        #[diesel::dsl::auto_type]
        fn listings(voter: $voter) -> _ {
            participants::table
                .filter(participants::meeting_id.eq(meetings::id))
                .filter(participants::end_user_id.eq(voter))
                .offset(0_i64)
        }

        /// The rows with `voter` in the register of the open round of the outer query's meeting.
        #[diesel::dsl::auto_type]
        fn open_registers(voter: $voter) -> _ {
            let is_open: Condition = is_open();
            // One value instead of a join, so that PostgreSQL does not read the open rounds of all clients.
            let open_round =
                rounds::table.filter(rounds::meeting_id.eq(meetings::id)).filter(is_open).select(rounds::id);
            register::table
                .filter(register::round_id.nullable().eq(open_round.single_value()))
                .filter(register::end_user_id.eq(voter))
                .offset(0_i64)
        }

        /// The proxies that `voter` holds in the outer query's meeting. A holder takes part for their principals, on the list or not.
        #[diesel::dsl::auto_type]
        fn held_proxies(voter: $voter) -> _ {
            proxies::table
                .filter(proxies::client_id.eq(meetings::client_id))
                .filter(proxies::holder_id.eq(voter))
                .filter(proxies::meeting_id.eq(meetings::id))
                .filter(proxies::revoked_at.is_null())
                .offset(0_i64)
        }

        /// The row of `voter`, if they are included when everyone is invited to the outer query's meeting.
        #[diesel::dsl::auto_type]
        fn among_everybody(voter: $voter) -> _ {
            let is_meant: Condition = Condition(has_a_vote!("end_users", "meetings.id"));
            end_users::table.find(voter).filter(is_meant)
        }

        /// The memberships of `voter` in the groups of the outer query's meeting.
        #[diesel::dsl::auto_type]
        fn memberships(voter: $voter) -> _ {
            let is_of_meeting: Condition = Condition("group_members.group_id = ANY (meetings.group_ids)");
            group_members::table.filter(is_of_meeting).filter(group_members::end_user_id.eq(voter)).offset(0_i64)
        }

        /// Whether `voter` is invited to the outer query's meeting.
        #[diesel::dsl::auto_type]
        pub(super) fn is_invited(voter: $voter) -> _ {
            let listings: listings = listings(voter);
            let registers: open_registers = open_registers(voter);
            let meant: among_everybody = among_everybody(voter);
            let members: memberships = memberships(voter);
            let is_for_all: Condition = Condition("meetings.group_ids = '{}'");
            let is_meant = not(meetings::has_participant_list).and(exists(meant)).or(exists(listings));
            let held: held_proxies = held_proxies(voter);
            is_meant.and(is_for_all.or(exists(members))).or(exists(registers)).or(exists(held))
        }
    };
}

/// The rules for one voter.
mod of_one {
    invitation_rules!(uuid::Uuid);
}

/// The rules for each of [`ASKED`].
mod of_each {
    invitation_rules!(super::AskedVoter);
}

/// The running rehearsal of the outer query's meeting.
#[diesel::dsl::auto_type]
fn running_rehearsals() -> _ {
    rehearsals::table.filter(rehearsals::meeting_id.eq(meetings::id)).filter(rehearsals::ended_at.is_null())
}

#[async_trait]
impl VoterMeetings for PostgresVoterMeetings {
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<VoterMeeting>, PortFailure> {
        self.db
            .of(client)
            .run(move |conn| {
                let is_running = meetings::status.eq(meeting_status_text(MeetingStatus::Active));
                let is_to_come = meetings::status.eq(meeting_status_text(MeetingStatus::Scheduled));
                // NULL sorts last, so each row takes part in one of the two orders.
                let coming = case_when(is_running.or(is_to_come), meetings::scheduled_start_time);
                let rows: Vec<(MeetingRow, bool)> = meetings::table
                    .filter(meetings::client_id.eq(client.as_uuid()))
                    .filter(meetings::status.ne(meeting_status_text(MeetingStatus::Draft)))
                    .filter(of_one::is_invited(voter.as_uuid()))
                    .order((
                        is_running.desc(),
                        is_to_come.desc(),
                        coming.asc(),
                        meetings::scheduled_start_time.desc(),
                        meetings::id,
                    ))
                    .limit(MAX_VOTER_MEETINGS as i64)
                    .select((MeetingRow::as_select(), exists(running_rehearsals())))
                    .load(conn)?;
                rows.into_iter()
                    .map(|(row, is_rehearsing)| Ok(VoterMeeting { meeting: row.try_into()?, is_rehearsing }))
                    .collect()
            })
            .await
    }

    async fn find(&self, client: ClientId, voter: EndUserId, id: MeetingId) -> Result<Option<Invitation>, PortFailure> {
        self.db
            .of(client)
            .run(move |conn| {
                let found: Option<(MeetingRow, String, bool)> = meetings::table
                    .inner_join(clients::table)
                    .filter(meetings::id.eq(id.as_uuid()))
                    .filter(meetings::client_id.eq(client.as_uuid()))
                    .select((MeetingRow::as_select(), clients::name, of_one::is_invited(voter.as_uuid())))
                    .first(conn)
                    .optional()?;
                found
                    .map(|(row, organization, is_invited)| {
                        Ok(Invitation { meeting: row.try_into()?, organization, is_invited })
                    })
                    .transpose()
            })
            .await
    }

    async fn invited_among(
        &self,
        client: ClientId,
        voters: Vec<EndUserId>,
        id: MeetingId,
    ) -> Result<HashSet<EndUserId>, PortFailure> {
        let voters: Vec<Uuid> = voters.into_iter().map(EndUserId::as_uuid).collect();
        self.db
            .of(client)
            .run(move |conn| {
                let asked = ASKED.field(end_users::id);
                let invited: Vec<Uuid> = ASKED
                    .inner_join(meetings::table.on(meetings::client_id.eq(ASKED.field(end_users::client_id))))
                    .filter(asked.eq_any(voters))
                    .filter(meetings::id.eq(id.as_uuid()))
                    .filter(meetings::client_id.eq(client.as_uuid()))
                    .filter(meetings::status.ne(meeting_status_text(MeetingStatus::Draft)))
                    .filter(of_each::is_invited(AskedVoter))
                    .select(asked)
                    .load(conn)?;
                Ok(invited.into_iter().map(EndUserId::from_uuid).collect())
            })
            .await
    }
}
