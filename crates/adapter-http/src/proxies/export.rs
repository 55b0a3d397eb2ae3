use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use chrono::{DateTime, SecondsFormat, Utc};
use plenum_clients::{AuditLog, NotedAct, Sheet, SheetCell};
use plenum_kernel::{MeetingId, PageRequest};
use plenum_result_format::TableSeal;
use plenum_voting::{Proxy, ProxyFilter, ProxyScope, ProxyService};

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::views::{MeetingTableQuery, MeetingTables, content_type, download};

const COLUMNS: [&str; 12] = [
    "Principal",
    "Principal name",
    "Weight",
    "Holder",
    "Holder name",
    "Questions",
    "Reference",
    "Note",
    "Granted at",
    "Granted by",
    "Revoked at",
    "Revoked by",
];

/// Downloads all proxies of a meeting as a signed file, with the revoked ones. An import reads the columns Principal, Holder,
/// Reference and Note again.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), MeetingTableQuery),
    responses(
        (status = 200, description = "The file",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content(
             (String = "text/csv", example = json!("\u{feff}Principal,…\r\n")),
             (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", example = json!("PK…")),
         )),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/proxies/export")]
pub(super) async fn export_proxies(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<MeetingTableQuery>,
    proxies: Data<ProxyService>,
    tables: Data<MeetingTables>,
    audit: Data<AuditLog>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let wanted = tables.read(&request, &query)?;
    let format = wanted.format;
    let page = PageRequest { page: 1, page_size: u32::MAX };
    let filter = ProxyFilter { search: None, with_revoked: true, page };
    let found = proxies.page(admin.client_id, meeting, &filter).await?.ok_or_else(MeetingId::missing)?;
    audit.note(NotedAct::ProxiesExported(admin.client_id, meeting, format.extension())).await?;
    let rows = found.rows.into_iter().map(row_of).collect();
    let sheet = Sheet { title: "Proxies", columns: COLUMNS.map(Into::into).to_vec(), rows };
    let content = tables.write((admin.client_id, meeting), TableSeal::PROXIES, sheet, wanted).await?;
    Ok(download(content_type(format), &format!("proxies.{}", format.extension())).body(content))
}

fn row_of(proxy: Proxy) -> Vec<SheetCell> {
    let text = SheetCell::Text;
    let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
    let (revoked_at, revoked_by) = proxy.revoked.unzip();
    let questions = match proxy.scope {
        ProxyScope::Meeting => "All".to_owned(),
        ProxyScope::Questions(questions) => questions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    };
    vec![
        text(proxy.principal.username),
        text(proxy.principal.name),
        SheetCell::Number(proxy.weight),
        text(proxy.holder.username),
        text(proxy.holder.name),
        text(questions),
        text(proxy.reference.unwrap_or_default()),
        text(proxy.note.unwrap_or_default()),
        text(time(proxy.granted_at)),
        text(proxy.granted_by),
        text(revoked_at.map(time).unwrap_or_default()),
        text(revoked_by.unwrap_or_default()),
    ]
}
