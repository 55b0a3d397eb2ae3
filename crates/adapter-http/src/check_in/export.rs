use std::collections::{HashMap, HashSet};

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use chrono::{DateTime, SecondsFormat, Utc};
use plenum_clients::{AuditLog, NotedAct, Sheet, SheetCell};
use plenum_kernel::{EndUserId, MeetingId};
use plenum_meetings::{AttendanceRecord, Attendee, CheckInService, PresenceEntry, PresenceKind};
use plenum_result_format::TableSeal;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::views::{MeetingTableQuery, MeetingTables, content_type, download};

/// The columns of the file.
const COLUMNS: [&str; 9] =
    ["Name", "Username", "Weight", "Present", "Came", "Went", "Checked in by", "Checked out by", "Received later"];

/// Downloads the attendance of a meeting as a signed file: a row for each stay, by name, and one for each person who was never
/// there. Times are in UTC.
#[utoipa::path(
    tag = "check-in",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), MeetingTableQuery),
    responses(
        (status = 200, description = "The file",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content(
             (String = "text/csv", example = json!(
                 "\u{feff}Name,Username,Weight,Present,Came,Went,Checked in by,Checked out by,Received later\r\n\
                  Ben Otto,ben,1.5,yes,2026-11-21T18:04:05Z,,Desk 1,,\r\n"
             )),
             (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", example = json!("PK…")),
         )),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/attendance/export")]
pub(crate) async fn export_attendance(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<MeetingTableQuery>,
    check_ins: Data<CheckInService>,
    tables: Data<MeetingTables>,
    audit: Data<AuditLog>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let wanted = tables.read(&request, &query)?;
    let format = wanted.format;
    let record = check_ins.record(admin.client_id, meeting).await?.ok_or_else(MeetingId::missing)?;
    audit.note(NotedAct::EndUsersExported(admin.client_id)).await?;
    let sheet = Sheet { title: "Attendance", columns: COLUMNS.map(Into::into).to_vec(), rows: rows_of(&record) };
    let content = tables.write((admin.client_id, meeting), TableSeal::ATTENDANCE, sheet, wanted).await?;
    Ok(download(content_type(format), &format!("attendance-{meeting}.{}", format.extension())).body(content))
}

/// A stay of a person: the entry of coming, and that of going if there is one.
struct Stay<'a> {
    came: &'a PresenceEntry,
    went: Option<&'a PresenceEntry>,
}

/// The stays in a log, by the name at that time and then in order.
fn stays_of(log: &[PresenceEntry]) -> Vec<Stay<'_>> {
    let mut in_order: Vec<&PresenceEntry> = log.iter().collect();
    in_order.sort_by_key(|entry| (entry.end_user, entry.at, entry.number));
    let mut stays: Vec<Stay<'_>> = Vec::new();
    for entry in in_order {
        match (entry.kind, stays.last_mut()) {
            (PresenceKind::In, _) => stays.push(Stay { came: entry, went: None }),
            (PresenceKind::Out, Some(stay)) if stay.came.end_user == entry.end_user => stay.went = Some(entry),
            // The log has no such entry.
            (PresenceKind::Out, _) => {}
        }
    }
    stays.sort_by_key(|stay| (stay.came.name.to_lowercase(), stay.came.end_user, stay.came.number));
    stays
}

fn rows_of(record: &AttendanceRecord) -> Vec<Vec<SheetCell>> {
    let stays = stays_of(&record.log);
    let came: HashSet<_> = stays.iter().map(|stay| stay.came.end_user).collect();
    let people: HashMap<_, _> = record.people.iter().map(|person| (person.id, person)).collect();
    let text = |text: &str| SheetCell::Text(text.to_owned());
    let weight_of = |person: &Attendee| if person.may_vote { SheetCell::Number(person.weight) } else { text("") };
    let weight = |id: EndUserId| people.get(&id).map_or_else(|| text(""), |person| weight_of(person));
    let of_stay = |stay: &Stay<'_>| {
        let went = |show: &dyn Fn(&PresenceEntry) -> String| SheetCell::Text(stay.went.map(show).unwrap_or_default());
        let received = [Some(stay.came), stay.went].into_iter().flatten();
        let later = received.filter(|entry| entry.noted_at > entry.at).map(|entry| time(entry.noted_at)).next_back();
        vec![
            text(&stay.came.name),
            text(&stay.came.username),
            weight(stay.came.end_user),
            text(if stay.went.is_none() { "yes" } else { "no" }),
            SheetCell::Text(time(stay.came.at)),
            went(&|entry| time(entry.at)),
            text(&stay.came.by),
            went(&|entry| entry.by.clone()),
            SheetCell::Text(later.unwrap_or_default()),
        ]
    };
    let absent = record.people.iter().filter(|person| !came.contains(&person.id)).map(|person| {
        let mut row = vec![text(&person.name), text(&person.username), weight_of(person), text("no")];
        row.resize(COLUMNS.len(), text(""));
        row
    });
    stays.iter().map(of_stay).chain(absent).collect()
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
