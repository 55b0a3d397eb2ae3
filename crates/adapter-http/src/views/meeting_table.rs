use std::sync::Arc;

use actix_web::HttpRequest;
use plenum_clients::{Sheet, SheetCell, SheetFormat, SheetSeal, SheetWriter};
use plenum_kernel::{ClientId, Clock, EvidenceKeys, MeetingId};
use plenum_meetings::{MeetingOverview, MeetingService};
use plenum_records::{RecordedResults, unsigned};
use plenum_result_format::{TEST_DATA, TableSeal};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::config::HttpSettings;
use crate::error::{ApiError, FieldCheck};
use crate::extract::{ApiId as _, read_sheet_format, verify_address};

/// The format of an exported table, and the origin of the page.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct MeetingTableQuery {
    /// `csv` (the default) or `xlsx`.
    format: Option<String>,
    /// The origin of the page, for the address in the file that leads to its check. `PLENUM_PUBLIC_URL` has priority over it. If
    /// both are missing, the server uses the origin of the request.
    #[param(max_length = 300)]
    public_url: Option<String>,
}

/// The format of an exported table, and the address of the page that checks it.
pub(crate) struct MeetingTableFormat {
    pub(crate) format: SheetFormat,
    verify_at: String,
}

/// Writes signed tables about meetings.
pub(crate) struct MeetingTables {
    pub(crate) meetings: Arc<MeetingService>,
    pub(crate) results: Arc<RecordedResults>,
    pub(crate) sheets: Arc<dyn SheetWriter>,
    pub(crate) keys: Arc<dyn EvidenceKeys>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: HttpSettings,
}

impl MeetingTables {
    /// Reads the wanted format.
    ///
    /// # Errors
    /// Returns 422 for another format, or if the origin of the page is none.
    pub(crate) fn read(
        &self,
        request: &HttpRequest,
        query: &MeetingTableQuery,
    ) -> Result<MeetingTableFormat, ApiError> {
        let mut check = FieldCheck::default();
        let verify_at = verify_address(&mut check, request, &self.settings, query.public_url.as_deref());
        let format = read_sheet_format(check, query.format.as_deref())?;
        Ok(MeetingTableFormat { format, verify_at })
    }

    /// Writes a table about a meeting, such as [`TableSeal::ATTENDANCE`], with the hashes of its records and a signature.
    ///
    /// # Errors
    /// Returns 404 if the client has no such meeting, and 503 if a store or the writer does not respond.
    pub(crate) async fn write(
        &self,
        (client, meeting): (ClientId, MeetingId),
        content: &str,
        mut sheet: Sheet,
        wanted: MeetingTableFormat,
    ) -> Result<Vec<u8>, ApiError> {
        let about = self.meetings.find(client, meeting).await?.ok_or_else(MeetingId::missing)?;
        let says = TableSeal {
            content: content.to_owned(),
            title: about.meeting.title.to_string(),
            organization: about.client.name.clone(),
            exported_at: self.clock.now().format("%Y-%m-%d %H:%M:%S").to_string(),
            records: self.results.record_hashes(client, meeting).await?,
            audit_head: None,
            verify_at: wanted.verify_at,
            signature: unsigned(&*self.keys),
        };
        mark_test_data(&mut sheet, &about);
        let seal = SheetSeal { lines: says.lines(), keys: Arc::clone(&self.keys) };
        Ok(self.sheets.write_signed(sheet, wanted.format, seal).await?)
    }
}

/// Marks a table about a meeting that is test data by the heading of an empty last column. An import of the file ignores it, as
/// every column that it does not know.
fn mark_test_data(sheet: &mut Sheet, about: &MeetingOverview) {
    if !about.meeting.is_for_tests(&about.client) {
        return;
    }
    sheet.columns.push(TEST_DATA.into());
    for row in &mut sheet.rows {
        row.push(SheetCell::Text(String::new()));
    }
}
