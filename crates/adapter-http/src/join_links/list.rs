use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_clients::{JoinLink, JoinLinkFilter, JoinLinkService};
use plenum_kernel::{EndUserId, MeetingId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::ClientAdmin;
use crate::extract::PageMeta;
use crate::extract::Query;
use crate::extract::meta_of;
use crate::extract::read_page;

/// The filter and the page of a list of links.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct JoinLinkQuery {
    /// Only links of this voter.
    end_user_id: Option<Uuid>,
    /// Only links for this meeting.
    meeting_id: Option<Uuid>,
    /// The page, from 1.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

/// A personal link, without its token.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000020", "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ben Otto",
    "username": "ben", "meetingId": null, "meetingTitle": null, "singleUse": false, "works": true,
    "madeAt": "2026-11-21T18:00:00Z", "expiresAt": "2027-02-19T18:00:00Z", "lastUsedAt": null, "revokedAt": null,
}))]
pub(crate) struct JoinLinkView {
    id: Uuid,
    end_user_id: Uuid,
    name: String,
    username: String,
    /// The meeting, if the link is for one.
    #[schema(required)]
    meeting_id: Option<Uuid>,
    #[schema(required)]
    meeting_title: Option<String>,
    single_use: bool,
    /// Whether it would sign in now.
    works: bool,
    made_at: DateTime<Utc>,
    /// Null for a link that ends with its meeting.
    #[schema(required)]
    expires_at: Option<DateTime<Utc>>,
    /// The last sign-in with it.
    #[schema(required)]
    last_used_at: Option<DateTime<Utc>>,
    #[schema(required)]
    revoked_at: Option<DateTime<Utc>>,
}

impl From<JoinLink> for JoinLinkView {
    fn from(link: JoinLink) -> Self {
        let (meeting_id, meeting_title) = link.meeting.map(|(id, title)| (id.as_uuid(), title)).unzip();
        Self {
            id: link.id.as_uuid(),
            end_user_id: link.end_user.as_uuid(),
            name: link.name.to_string(),
            username: link.username.to_string(),
            meeting_id,
            meeting_title,
            single_use: link.is_single_use,
            works: link.works,
            made_at: link.made_at,
            expires_at: link.expires_at,
            last_used_at: link.last_used_at,
            revoked_at: link.revoked_at,
        }
    }
}

/// A page of links.
#[derive(Serialize, ToSchema)]
pub(crate) struct JoinLinkListAnswer {
    success: bool,
    data: Vec<JoinLinkView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

/// Lists the personal links of the organization's voters, the newest first. Each voter has at most one for each meeting, and
/// one for the organization.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(JoinLinkQuery),
    responses(
        (status = 200, description = "The links", body = JoinLinkListAnswer),
    ),
)]
#[get("/client/join-links")]
pub(crate) async fn list_join_links(
    admin: ClientAdmin,
    query: Query<JoinLinkQuery>,
    links: Data<JoinLinkService>,
) -> Result<Json<JoinLinkListAnswer>, ApiError> {
    let mut check = FieldCheck::default();
    let page = read_page(&mut check, query.page.as_deref(), query.page_size.as_deref());
    let page = check.finish(page)?;
    let filter = JoinLinkFilter {
        end_user: query.end_user_id.map(EndUserId::from_uuid),
        meeting: query.meeting_id.map(MeetingId::from_uuid),
        page,
    };
    let found = links.list(admin.client_id, filter).await?;
    let meta = meta_of(Some(page), &found);
    Ok(Json(JoinLinkListAnswer { success: true, data: found.rows.into_iter().map(JoinLinkView::from).collect(), meta }))
}
