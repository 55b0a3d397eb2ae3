//! Personal links in invitations by mail.

use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use plenum_clients::{NewJoinLinks, RefreshTokens, join_token_hash};
use plenum_kernel::{EndUserId, PersonalLinkTokens};
use plenum_meetings::{InvitationOrder, QueueInvitationsError};
use uuid::Uuid;

use crate::identity::join_links::store_links;
use crate::meetings::invited::InvitedPeople;
use crate::pool::failure::Abort;

/// Derives and hashes the tokens of personal links.
#[derive(Clone)]
pub(crate) struct LinkTokens {
    pub(crate) derive: Arc<dyn PersonalLinkTokens>,
    pub(crate) hash: Arc<dyn RefreshTokens>,
}

/// Found by the key of its owner: thousands of links may be newer than the statistics.
const SEED: &str = "
    SELECT link.mail_seed AS seed
    FROM (SELECT * FROM join_links WHERE client_id = $1 AND end_user_id = $3 OFFSET 0) AS link
    CROSS JOIN LATERAL (SELECT password_hash FROM end_users WHERE end_users.id = link.end_user_id OFFSET 0) AS owner
    WHERE link.meeting_id = $2 AND link.revoked_at IS NULL AND link.password_hash = owner.password_hash";

/// The seed of the personal link in an invitation. `None` if the link was replaced or revoked, or its owner has a new
/// password: then the mail goes without it.
pub(crate) fn seed_of(
    conn: &mut PgConnection,
    client: Uuid,
    meeting: Uuid,
    end_user: Uuid,
) -> QueryResult<Option<String>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Nullable<Text>)]
        seed: Option<String>,
    }
    let row: Option<Row> = diesel::sql_query(SEED)
        .bind::<SqlUuid, _>(client)
        .bind::<SqlUuid, _>(meeting)
        .bind::<SqlUuid, _>(end_user)
        .get_result(conn)
        .optional()?;
    Ok(row.and_then(|row| row.seed))
}

impl LinkTokens {
    /// Makes a personal link for each of these people, if the invitations of this order contain one.
    pub(crate) fn make(
        &self,
        conn: &mut PgConnection,
        invited: &InvitedPeople,
        order: &InvitationOrder,
        people: &[(Uuid, String)],
    ) -> Result<(), Abort<QueueInvitationsError>> {
        let Some(links) = order.personal_links.as_ref().filter(|_| !people.is_empty()) else { return Ok(()) };
        let link_of = |id: &Uuid| {
            let owner = EndUserId::from_uuid(*id);
            (owner, join_token_hash(&*self.hash, &self.derive.token(&links.seed, owner)))
        };
        let new = NewJoinLinks {
            links: people.iter().map(|(id, _)| link_of(id)).collect(),
            meeting: Some(invited.meeting),
            is_single_use: false,
            setter: links.setter.clone(),
            made_at: order.now,
            expires_at: None,
        };
        store_links(conn, invited.owner, &new, Some(&links.seed))?;
        Ok(())
    }
}
