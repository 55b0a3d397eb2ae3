//! Personal links in invitations by mail.

use std::sync::Arc;

use diesel::prelude::*;
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

/// The seed of the personal link that invitation `i` contains. Null if it contains none, or if the link was replaced or
/// revoked, or end user `e` has a new password: then the mail goes without it.
pub(crate) const SEED: &str = "
    (SELECT link.mail_seed FROM join_links link
     WHERE i.has_personal_link AND link.client_id = i.client_id AND link.end_user_id = i.end_user_id
         AND link.meeting_id = i.meeting_id AND link.revoked_at IS NULL AND link.password_hash = e.password_hash)";

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
