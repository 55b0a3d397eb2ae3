use plenum_clients::{Sheet, SheetCell};
use plenum_meetings::MeetingOverview;
use plenum_result_format::TEST_DATA;

/// Marks a table about a meeting that is test data by the heading of an empty last column. An import of the file ignores it, as
/// every column that it does not know.
pub(crate) fn mark_test_data(sheet: &mut Sheet, about: &MeetingOverview) {
    if !about.meeting.is_for_tests(&about.client) {
        return;
    }
    sheet.columns.push(TEST_DATA.into());
    for row in &mut sheet.rows {
        row.push(SheetCell::Text(String::new()));
    }
}
