use plenum_kernel::PortFailure;

use crate::clients::sheet::time_text;
use crate::{Client, EndUser, EndUserFilter, EndUserService, Sheet, SheetCell, SheetFile, SheetFormat};

/// The columns of the file. An import recognizes them.
const COLUMNS: [&str; 8] = ["Name", "Username", "Email", "Address", "Weight", "Status", "Last Login", "Groups"];

impl EndUserService {
    /// Exports the client's end users that match the filter to a file. The file is named after the client and the day.
    /// Test people are left out, unless the client is test data.
    ///
    /// # Errors
    /// Fails when the store or the writer does not answer.
    pub async fn export(
        &self,
        client: &Client,
        filter: &EndUserFilter,
        format: SheetFormat,
    ) -> Result<SheetFile, PortFailure> {
        let filter = EndUserFilter { counted_only: true, ..filter.clone() };
        let end_users = self.ports.end_users.list(client.id, &filter).await?.rows;
        let rows = end_users.iter().map(row_of).collect();
        let sheet = Sheet { title: "End users", columns: COLUMNS.to_vec(), rows };
        let content = self.ports.sheets.write(sheet, format).await?;
        let day = self.ports.clock.now().format("%Y-%m-%d");
        Ok(SheetFile { name: format!("{}-end-users-{day}.{}", client.code, format.extension()), content })
    }
}

fn row_of(end_user: &EndUser) -> Vec<SheetCell> {
    let status = if end_user.is_active { "Active" } else { "Inactive" };
    let text = |text: &str| SheetCell::Text(text.to_owned());
    vec![
        text(end_user.name.as_str()),
        text(end_user.username.as_str()),
        text(end_user.email.as_ref().map_or("", |email| email.as_str())),
        text(end_user.address.as_ref().map_or("", |address| address.as_str())),
        SheetCell::Number(end_user.weight.as_decimal()),
        text(status),
        SheetCell::Text(end_user.last_login_at.map(time_text).unwrap_or_default()),
        SheetCell::Text(end_user.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join("; ")),
    ]
}
