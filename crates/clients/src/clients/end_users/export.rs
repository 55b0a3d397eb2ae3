use std::borrow::Cow;

use plenum_kernel::{KindWeight, PortFailure, WeightKind};

use crate::clients::sheet::time_text;
use crate::{Client, EndUser, EndUserFilter, EndUserService, Sheet, SheetCell, SheetFile, SheetFormat};

/// The columns of the file before those of the kinds of weight. An import recognizes all of them.
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
        let kinds = self.ports.weight_kinds.kinds(client.id).await?;
        let rows = end_users.iter().map(|end_user| row_of(end_user, &kinds)).collect();
        let names = kinds.iter().map(|kind| Cow::Owned(kind.name.clone()));
        let columns = COLUMNS.map(Cow::Borrowed).into_iter().chain(names).collect();
        let sheet = Sheet { title: "End users", columns, rows };
        let content = self.ports.sheets.write(sheet, format).await?;
        let day = self.ports.clock.now().format("%Y-%m-%d");
        Ok(SheetFile { name: format!("{}-end-users-{day}.{}", client.code, format.extension()), content })
    }
}

fn row_of(end_user: &EndUser, kinds: &[WeightKind]) -> Vec<SheetCell> {
    let status = if end_user.is_active { "Active" } else { "Inactive" };
    let text = |text: &str| SheetCell::Text(text.to_owned());
    let mut cells = vec![
        text(end_user.name.as_str()),
        text(end_user.username.as_str()),
        text(end_user.email.as_ref().map_or("", |email| email.as_str())),
        text(end_user.address.as_ref().map_or("", |address| address.as_str())),
        SheetCell::Number(end_user.weight.as_decimal()),
        text(status),
        SheetCell::Text(end_user.last_login_at.map(time_text).unwrap_or_default()),
        SheetCell::Text(end_user.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join("; ")),
    ];
    cells.extend(kinds.iter().map(|kind| weight_cell(end_user.weights.of(kind.id))));
    cells
}

/// A number, unless a spreadsheet program would round it: it keeps 15 digits.
fn weight_cell(value: KindWeight) -> SheetCell {
    const KEPT: usize = 15;
    let text = value.to_string();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if digits <= KEPT { SheetCell::Number(value.as_decimal()) } else { SheetCell::Text(text) }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::WeightDecimals;

    use super::*;

    #[test]
    fn a_value_of_more_than_fifteen_digits_is_a_text() {
        let cell = |text| weight_cell(KindWeight::parse(text, WeightDecimals::new(6).unwrap()).unwrap());
        for number in ["0", "250.5", "999999999.999999", "123456789012345"] {
            assert!(matches!(cell(number), SheetCell::Number(value) if value.to_string() == number), "{number}");
        }
        for text in ["1234567890123456", "9999999999.999999", "999999999999999999.999999"] {
            assert!(matches!(cell(text), SheetCell::Text(value) if value == text), "{text}");
        }
    }
}
