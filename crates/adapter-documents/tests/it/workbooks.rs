use plenum_clients::{ReadSheetError, SheetFormat, TableChoice};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};

use crate::support::{cells, lines, read, read_at, table, workbook};

#[tokio::test]
async fn cells_are_read_as_they_were_typed() {
    let content = workbook(|sheet| {
        sheet.write_row(0, 0, ["Text", "Whole", "Decimal", "Comma", "Date", "Time", "Formula", "Yes", "Sum"]).unwrap();
        let day = Format::new().set_num_format("dd.mm.yyyy");
        let time = Format::new().set_num_format("dd.mm.yyyy hh:mm:ss");
        sheet.write_string(1, 0, " Jürgen =1 ").unwrap();
        sheet.write_number(1, 1, 42.0).unwrap();
        sheet.write_number(1, 2, 1.5).unwrap();
        sheet.write_string(1, 3, "1,5").unwrap();
        let moment = ExcelDateTime::from_ymd(2026, 11, 21).unwrap();
        sheet.write_datetime_with_format(1, 4, &moment, &day).unwrap();
        sheet.write_datetime_with_format(1, 5, moment.and_hms(18, 4, 5).unwrap(), &time).unwrap();
        sheet.write_formula(1, 6, Formula::new("=1+1").set_result("2")).unwrap();
        sheet.write_boolean(1, 7, true).unwrap();
        sheet.write_number(1, 8, 0.1 + 0.2).unwrap();
    });
    let sheet = table("list.xlsx", content).await;
    let row = ["Jürgen =1", "42", "1.5", "1,5", "2026-11-21", "2026-11-21T18:04:05", "2", "true", "0.3"];
    assert_eq!(cells(&sheet), [row]);
    assert_eq!((sheet.format, sheet.separator, sheet.encoding), (SheetFormat::Xlsx, None, None));
}

/// A number may be a name: the apartment 1.101 is not 1.1010.
#[tokio::test]
async fn a_number_has_no_more_digits_than_its_cell() {
    let content = workbook(|sheet| {
        sheet.write_row(0, 0, ["Name", "Username"]).unwrap();
        sheet.write_string(1, 0, "Anna").unwrap();
        sheet.write_number(1, 1, 1.101).unwrap();
    });
    assert_eq!(cells(&table("list.xlsx", content).await), [["Anna", "1.101"]]);
}

#[tokio::test]
async fn the_first_sheet_that_has_rows_is_read() {
    let mut workbook = Workbook::new();
    workbook.add_worksheet();
    workbook.add_worksheet().write_string(3, 1, " ").unwrap();
    let third = workbook.add_worksheet();
    third.write_row(4, 1, ["Name", "Weight"]).unwrap();
    third.write_row(7, 1, ["Anna", "1"]).unwrap();
    third.write_string(9, 2, "2").unwrap();
    workbook.add_worksheet().write_string(0, 0, "another").unwrap();
    let sheet = table("list.XLSX", workbook.save_to_buffer().unwrap()).await;
    assert_eq!(sheet.columns, ["", "Name", "Weight"]);
    assert_eq!(cells(&sheet), [["", "Anna", "1"], ["", "", "2"]]);
    assert_eq!(lines(&sheet), [8, 10]);
}

#[tokio::test]
async fn a_workbook_without_rows_is_empty() {
    let headings = workbook(|sheet| {
        sheet.write_string(0, 0, "Name").unwrap();
    });
    for content in [workbook(|_| {}), headings] {
        let refused = read("list.xlsx", content).await;
        assert!(matches!(refused, Err(ReadSheetError::Empty)), "{refused:?}");
    }
}

#[tokio::test]
async fn a_cover_sheet_is_skipped_and_any_sheet_can_be_chosen() {
    let mut workbook = Workbook::new();
    let cover = workbook.add_worksheet().set_name("Cover").unwrap();
    cover.write_string(0, 0, "Rowing Club").unwrap();
    cover.write_row(2, 0, ["Printed", "1 May"]).unwrap();
    cover.write_row(3, 0, ["By", "Anna Berg"]).unwrap();
    let members = workbook.add_worksheet().set_name("Members").unwrap();
    members.write_string(0, 0, "Members as of 1 May").unwrap();
    members.write_row(2, 0, ["Member no.", "Name", "Home address"]).unwrap();
    members.write_row(4, 0, ["17", "Anna Berg", "Main Street 1"]).unwrap();
    let content = workbook.save_to_buffer().unwrap();
    let sheet = table("list.xlsx", content.clone()).await;
    assert_eq!((sheet.sheet.as_deref(), sheet.header_row), (Some("Members"), 3));
    assert_eq!(sheet.sheets, ["Cover", "Members"]);
    assert_eq!(lines(&sheet), [5]);
    let choice = |sheet: &str| TableChoice { sheet: Some(sheet.to_owned()), header_row: None };
    let cover = read_at("list.xlsx", content.clone(), choice("Cover")).await.unwrap();
    assert_eq!(
        (cover.sheet.as_deref(), cover.columns),
        (Some("Cover"), vec!["Printed".to_owned(), "1 May".to_owned()])
    );
    let refused = read_at("list.xlsx", content, choice("Nothing")).await;
    assert!(matches!(refused, Err(ReadSheetError::NoSuchSheet)), "{refused:?}");
}
