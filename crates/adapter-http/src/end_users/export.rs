use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use plenum_clients::{AuditLog, ClientService, EndUserFilter, EndUserService, NotedAct, SheetFormat};
use plenum_kernel::ClientId;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::end_users::list::filter_of;
use crate::error::{ApiError, FieldCheck};
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::ListQuery;
use crate::extract::Query;
use crate::extract::read_sheet_format;
use crate::views::{content_type, download};

/// The filter and the format of an export.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    /// `csv` (the default) or `xlsx`.
    format: Option<String>,
    /// Plain text to find. `%` and `_` match themselves.
    search: Option<String>,
    /// Only voters with this status, `active` or `inactive`.
    status: Option<String>,
    /// Only members of this group.
    group_id: Option<String>,
}

impl ExportQuery {
    fn read(&self) -> Result<(EndUserFilter, SheetFormat), ApiError> {
        let format = read_sheet_format(FieldCheck::default(), self.format.as_deref())?;
        let (search, status) = (self.search.clone(), self.status.clone());
        let filter = filter_of(
            &ListQuery { search, status, sort: None, page: None, page_size: None },
            self.group_id.as_deref(),
        )?;
        Ok((filter, format))
    }
}

/// Downloads the organization's voters as a file, by name. The columns are Name, Username, Email, Address, Weight,
/// Status, Last Login and Groups, which are separated by semicolons, and one for each kind of weight, with its name. The file
/// contains no passwords.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    params(ExportQuery),
    responses(
        (status = 200, description = "The file",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content(
             (String = "text/csv", example = json!(
                 "\u{feff}Name,Username,Email,Address,Weight,Status,Last Login,Groups,Living area\r\n\
                  Ben Otto,ben,ben@example.org,,1.5,Active,2026-11-21T18:01:12Z,Delegates; Members,250.5\r\n"
             )),
             (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", example = json!("PK…")),
         )),
    ),
)]
#[get("/client/end-users/export")]
pub(crate) async fn export_end_users(
    admin: ClientAdmin,
    query: Query<ExportQuery>,
    end_users: Data<EndUserService>,
    clients: Data<ClientService>,
    audit: Data<AuditLog>,
) -> Result<HttpResponse, ApiError> {
    let (filter, format) = query.read()?;
    let client = clients.find(admin.client_id).await?.ok_or_else(ClientId::missing)?.client;
    audit.note(NotedAct::EndUsersExported(admin.client_id)).await?;
    let file = end_users.export(&client, &filter, format).await?;
    Ok(download(content_type(format), &file.name).body(file.content))
}
