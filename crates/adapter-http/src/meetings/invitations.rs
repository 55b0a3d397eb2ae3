use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use chrono::{DateTime, Utc};
use plenum_kernel::{EndUserId, MeetingId, PageRequest};
use plenum_meetings::{
    InvitationRequest, InvitationService, InvitationState, Queued, Recipient, RecipientCounts, RecipientFilter,
    Recipients, TimeZone, link_of, write_invitation,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::config::HttpSettings;
use crate::end_users::read_setter;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::ListQuery;
use crate::extract::Listing;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::meta_of;
use crate::extract::read_site;
use crate::extract::status_parameter;

/// The status of an invitation.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InvitationStandingName)]
pub(crate) enum InvitationStateName {
    /// Not sent.
    None,
    /// Not sent, because the voter has no address.
    NoAddress,
    /// Not sent, because the voter is not active.
    Inactive,
    /// In the queue, or being sent.
    Pending,
    /// Accepted by the mail server.
    Sent,
    /// Sending failed.
    Failed,
    /// Possibly sent. The server never sends it again by itself.
    Unknown,
}

/// The values of the parameter `status`.
const STATES: [(&str, InvitationState); 7] = [
    ("none", InvitationState::NotSent),
    ("no_address", InvitationState::WithoutAddress),
    ("inactive", InvitationState::Inactive),
    ("pending", InvitationState::Pending),
    ("sent", InvitationState::Sent),
    ("failed", InvitationState::Failed),
    ("unknown", InvitationState::Unknown),
];

impl From<InvitationState> for InvitationStateName {
    fn from(state: InvitationState) -> Self {
        match state {
            InvitationState::NotSent => Self::None,
            InvitationState::WithoutAddress => Self::NoAddress,
            InvitationState::Inactive => Self::Inactive,
            InvitationState::Pending => Self::Pending,
            InvitationState::Sent => Self::Sent,
            InvitationState::Failed => Self::Failed,
            InvitationState::Unknown => Self::Unknown,
        }
    }
}

/// A participant and the status of the invitation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_recipient)]
pub(crate) struct RecipientView {
    end_user_id: Uuid,
    name: String,
    username: String,
    /// The current address.
    #[schema(required)]
    email: Option<String>,
    status: InvitationStateName,
    /// The address of the last invitation, sent or queued.
    #[schema(required)]
    sent_to: Option<String>,
    /// The reason why the invitation failed, is possibly sent, or still waits.
    #[schema(required)]
    error: Option<String>,
    /// The last time at which the mail server accepted one.
    #[schema(required)]
    sent_at: Option<DateTime<Utc>>,
}

/// An example for the OpenAPI document.
fn example_recipient() -> Value {
    json!({
        "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ada Brandt", "username": "ada",
        "email": "ada@example.org", "status": "sent", "sentTo": "ada@example.org", "error": null,
        "sentAt": "2026-11-14T09:30:00.250Z",
    })
}

impl From<Recipient> for RecipientView {
    fn from(recipient: Recipient) -> Self {
        Self {
            end_user_id: recipient.id.as_uuid(),
            name: recipient.name,
            username: recipient.username,
            email: recipient.email,
            status: recipient.state.into(),
            sent_to: recipient.sent_to,
            error: recipient.error,
            sent_at: recipient.sent_at,
        }
    }
}

/// The number of participants with each status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_counts)]
pub(crate) struct InvitationCountsView {
    /// All participants; the sum of the other numbers.
    invited: u64,
    without_address: u64,
    inactive: u64,
    not_sent: u64,
    pending: u64,
    sent: u64,
    failed: u64,
    unknown: u64,
}

/// An example for the OpenAPI document.
fn example_counts() -> Value {
    json!({
        "invited": 180, "withoutAddress": 4, "inactive": 0, "notSent": 0, "pending": 21, "sent": 152, "failed": 2,
        "unknown": 1,
    })
}

impl From<RecipientCounts> for InvitationCountsView {
    fn from(counts: RecipientCounts) -> Self {
        Self {
            invited: counts.invited(),
            without_address: counts.without_address,
            inactive: counts.inactive,
            not_sent: counts.not_sent,
            pending: counts.pending,
            sent: counts.sent,
            failed: counts.failed,
            unknown: counts.unknown,
        }
    }
}

/// The invitations of a meeting, and a text for organizers to send themselves.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "canSendEmail": true, "subject": "Invitation: General assembly (Rowing Club)",
    "text": "Hello,\n\nRowing Club invites you to vote in the meeting \"General assembly\".\n",
    "link": "https://vote.example.org/vote/q3Zr8vTn0cXwYk5uLd1Pb7", "counts": example_counts(),
    "data": [example_recipient()], "meta": { "page": 1, "pageSize": 50, "total": 180 },
}))]
pub(crate) struct InvitationsAnswer {
    /// Whether a mail server is configured.
    can_send_email: bool,
    subject: String,
    /// The text of an invitation; `null` while there is no link.
    #[schema(required)]
    text: Option<String>,
    /// `null` until `generate-link` or the first mail creates it, and after the meeting is over or cancelled.
    #[schema(required)]
    link: Option<String>,
    counts: InvitationCountsView,
    /// The participants that match the filter, by name.
    data: Vec<RecipientView>,
    /// With `page` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

/// The form of the text.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct InvitationTextQuery {
    /// The time zone of the planned start, for example `Europe/Berlin`; UTC if missing.
    #[param(max_length = 100)]
    time_zone: Option<String>,
    /// The origin of the page, for example `https://vote.example.org`. `PLENUM_PUBLIC_URL` has priority over it. If
    /// both are missing, the server uses the origin of the request.
    #[param(max_length = 300)]
    public_url: Option<String>,
}

/// The `status` parameter in the OpenAPI document.
struct StatusQuery;

impl IntoParams for StatusQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![status_parameter(&STATES)]
    }
}

/// The recipients of invitations, and the form of the text.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "timeZone": "Europe/Berlin", "publicUrl": "https://vote.example.org" }))]
pub(crate) struct SendInvitationsBody {
    /// Ids of participants of the meeting; all participants if missing.
    #[schema(value_type = Option<Vec<Uuid>>)]
    end_user_ids: Option<Vec<String>>,
    /// Only participants who have never signed in. Not together with `endUserIds`.
    never_signed_in: Option<bool>,
    /// Whether to send another invitation to those whose status is sent or unknown. Only with `endUserIds` or
    /// `neverSignedIn`.
    again: Option<bool>,
    /// Whether each message contains a personal link, which signs its recipient in and works until the meeting is over. It
    /// replaces the person's earlier personal link for the meeting. False if missing.
    personal_links: Option<bool>,
    /// The reason for the personal links, shown in the log of each open vote that one of the recipients may vote in. Needed
    /// only then. At most 200 characters after trimming.
    #[schema(max_length = 200)]
    password_reason: Option<String>,
    /// The time zone of the planned start, for example `Europe/Berlin`; UTC if missing.
    #[schema(max_length = 100)]
    time_zone: Option<String>,
    /// The origin of the page, for example `https://vote.example.org`. `PLENUM_PUBLIC_URL` has priority over it. If
    /// both are missing, the server uses the origin of the request.
    #[schema(max_length = 300)]
    public_url: Option<String>,
}

impl SendInvitationsBody {
    fn recipients(&self, check: &mut FieldCheck) -> Option<Recipients> {
        let again = self.again.unwrap_or(false);
        let never_signed_in = self.never_signed_in.unwrap_or(false);
        let Some(ids) = &self.end_user_ids else {
            if never_signed_in {
                return Some(Recipients::NeverSignedIn { again });
            }
            if again {
                check.note("endUserIds", "Is required to send another invitation. List the recipients.".to_owned());
            }
            return (!again).then_some(Recipients::Everyone);
        };
        if never_signed_in {
            check.note("neverSignedIn", "Must be missing with endUserIds.".to_owned());
        }
        let ids: Result<Vec<EndUserId>, _> = ids.iter().map(|id| id.parse()).collect();
        if ids.is_err() {
            check.note("endUserIds", WANTED_IDS.to_owned());
        }
        ids.ok().map(|end_users| Recipients::These { end_users, again })
    }
}

/// The requirement of `endUserIds`.
pub(super) const WANTED_IDS: &str = "Must be ids of people who are invited to the meeting.";

/// The number of queued invitations, and the reasons for the others.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "queued": 21, "skipped": { "alreadySent": 153, "withoutAddress": 4, "inactive": 0, "pending": 2 },
    "counts": example_counts(),
}))]
pub(crate) struct InvitationsQueuedView {
    queued: u64,
    skipped: SkippedView,
    /// The counts of all invitations a moment later.
    counts: InvitationCountsView,
}

/// The participants without a new invitation in the queue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "alreadySent": 153, "withoutAddress": 4, "inactive": 0, "pending": 2 }))]
pub(crate) struct SkippedView {
    /// Sent, or possibly sent.
    already_sent: u64,
    without_address: u64,
    inactive: u64,
    /// Already in the queue.
    pending: u64,
}

impl From<Queued> for SkippedView {
    fn from(queued: Queued) -> Self {
        Self {
            already_sent: queued.already_sent,
            without_address: queued.without_address,
            inactive: queued.inactive,
            pending: queued.pending,
        }
    }
}

/// The number of invitations removed from the queue.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "stopped": 21 }))]
pub(crate) struct InvitationsStoppedView {
    stopped: u64,
}

fn read_time_zone(check: &mut FieldCheck, name: Option<&str>) -> Option<TimeZone> {
    let name = name.filter(|name| !name.is_empty());
    name.map_or(Some(TimeZone::UTC), |name| check.keep("timeZone", TimeZone::parse(name)))
}

fn filter_of(query: &ListQuery) -> Result<RecipientFilter, ApiError> {
    let Listing { search, status, sort, page } = query.read(&STATES, &[("name", false), ("-name", true)])?;
    Ok(RecipientFilter { search, state: status, is_descending: sort.unwrap_or(false), page })
}

/// Returns the text of the invitation and the status of each participant's invitation, by name. It creates no link:
/// call `generate-link` first.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ListQuery, StatusQuery, InvitationTextQuery),
    responses(
        (status = 200, description = "The text and the participants", body = InvitationsAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/invitations")]
pub(crate) async fn list_invitations(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    query: Query<ListQuery>,
    text: Query<InvitationTextQuery>,
    request: HttpRequest,
    settings: Data<HttpSettings>,
    mailing: Data<InvitationService>,
) -> Result<Json<InvitationsAnswer>, ApiError> {
    let filter = filter_of(&query)?;
    let mut check = FieldCheck::default();
    let site = read_site(&mut check, &request, &settings, text.public_url.as_deref());
    let time_zone = read_time_zone(&mut check, text.time_zone.as_deref());
    let (site, time_zone) = check.finish(site.zip(time_zone))?;
    let overview = mailing.overview(admin.client_id, id, &filter).await?.ok_or_else(MeetingId::missing)?;
    let link = link_of(&overview.facts, &site);
    let written = write_invitation(&overview.facts, link.as_deref().unwrap_or_default(), time_zone, None);
    Ok(Json(InvitationsAnswer {
        can_send_email: mailing.can_send(),
        subject: written.subject,
        text: link.is_some().then_some(written.text),
        link,
        counts: overview.counts.into(),
        meta: meta_of(filter.page, &overview.page),
        data: overview.page.rows.into_iter().map(RecipientView::from).collect(),
    }))
}

/// Queues invitations by mail, which are sent at once. Every active participant with an address gets one invitation,
/// even if several organizers send at the same time. The link is created if there is none.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = SendInvitationsBody,
    responses(
        (status = 202, description = "Queued", body = InvitationsQueuedView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "No mail server is configured, the meeting is over or cancelled, or a recipient of a personal link may vote in an open question and there is no reason (`password_reason_needed`)", body = ApiErrorBody,
         example = json!({
             "code": "mail_not_configured",
             "error": "No mail server is configured; copy the text and pass it on yourself",
         })),
    ),
)]
#[post("/client/meetings/{meetingId}/invitations/send")]
pub(crate) async fn send_invitations(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    Body(body): Body<SendInvitationsBody>,
    request: HttpRequest,
    settings: Data<HttpSettings>,
    mailing: Data<InvitationService>,
) -> Result<HttpResponse, ApiError> {
    let mut check = FieldCheck::default();
    let recipients = body.recipients(&mut check);
    let site = read_site(&mut check, &request, &settings, body.public_url.as_deref());
    let time_zone = read_time_zone(&mut check, body.time_zone.as_deref());
    let setter = read_setter(&mut check, &admin, body.password_reason.as_deref());
    let personal_links_by = body.personal_links.unwrap_or(false).then_some(setter);
    let ((recipients, site), time_zone) = check.finish(recipients.zip(site).zip(time_zone))?;
    let request = InvitationRequest { recipients, site, time_zone, personal_links_by };
    let queued = mailing.queue(admin.client_id, id, request).await?;
    let nobody = RecipientFilter { page: Some(PageRequest { page: 1, page_size: 1 }), ..RecipientFilter::default() };
    let overview = mailing.overview(admin.client_id, id, &nobody).await?.ok_or_else(MeetingId::missing)?;
    Ok(HttpResponse::Accepted().json(InvitationsQueuedView {
        queued: queued.queued,
        skipped: queued.into(),
        counts: overview.counts.into(),
    }))
}

/// Removes the waiting invitations of the meeting from the queue. Invitations that are being sent are still sent.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    responses(
        (status = 200, description = "Removed from the queue", body = InvitationsStoppedView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[delete("/client/meetings/{meetingId}/invitations/pending")]
pub(crate) async fn stop_invitations(
    admin: ClientAdmin,
    PathId(id): PathId<MeetingId>,
    mailing: Data<InvitationService>,
) -> Result<Json<InvitationsStoppedView>, ApiError> {
    let stopped = mailing.stop(admin.client_id, id).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(InvitationsStoppedView { stopped }))
}
