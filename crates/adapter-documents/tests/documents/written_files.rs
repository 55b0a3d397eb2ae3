use std::io::{Cursor, Read as _};

use plenum_adapter_documents::Documents;
use plenum_clients::{Sheet, SheetCell, SheetFormat, SheetWriter as _};
use zip::ZipArchive;

use crate::support::{cells, table, written};

/// Texts that a spreadsheet would carry out.
const FORMULAS: [&str; 6] = ["=1+1", "+41 79 000", "-1", "@SUM(A1)", "\tx", "\r=x"];

#[tokio::test]
async fn a_csv_file_is_as_the_standard_says() {
    let content = written("Jürgen \"J\" Müller, Dr.\nBonn", "1.5", SheetFormat::Csv).await;
    let expected = "\u{feff}Name,Weight\r\n\"Jürgen \"\"J\"\" Müller, Dr.\nBonn\",1.5\r\n";
    assert_eq!(String::from_utf8(content).unwrap(), expected);
}

#[tokio::test]
async fn a_text_is_no_formula_in_a_csv_file_and_a_number_stays_one() {
    for text in FORMULAS {
        let content = String::from_utf8(written(text, "-1.5", SheetFormat::Csv).await).unwrap();
        let row = content.split_once("\r\n").unwrap().1;
        assert!(row.starts_with(&format!("'{text},")) || row.starts_with(&format!("\"'{text}\",")), "{content:?}");
        assert!(row.ends_with(",-1.5\r\n"), "{content:?}");
    }
    let harmless = String::from_utf8(written("a=1", "1", SheetFormat::Csv).await).unwrap();
    assert!(harmless.ends_with("a=1,1\r\n"), "{harmless:?}");
}

#[tokio::test]
async fn a_text_is_no_formula_in_a_workbook_either() {
    for text in FORMULAS {
        let content = written(text, "2.5", SheetFormat::Xlsx).await;
        let sheet = part(&content, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<f>") && sheet.contains("<v>2.5</v>"), "{sheet}");
    }
}

#[tokio::test]
async fn what_was_written_is_read_again() {
    for format in [SheetFormat::Csv, SheetFormat::Xlsx] {
        for text in ["Jürgen Müller", "=1+1", "-x", "'quoted", "'=1+1", "''@x", "a\nb", "007"] {
            let sheet = table(&format!("list.{}", format.extension()), written(text, "0.3333", format).await).await;
            assert_eq!(sheet.columns, ["Name", "Weight"]);
            assert_eq!(cells(&sheet), [[text, "0.3333"]], "{format:?}");
        }
    }
}

#[tokio::test]
async fn the_headings_of_a_workbook_are_bold_and_stay_in_view() {
    let content = written("Anna", "1", SheetFormat::Xlsx).await;
    let sheet = part(&content, "xl/worksheets/sheet1.xml");
    assert!(sheet.contains(r#"ySplit="1""#) && sheet.contains(r#"state="frozen""#), "{sheet}");
    // The second format of the workbook; the first is that of everything else.
    assert!(sheet.contains(r#"<c r="A1" s="1""#) && sheet.contains(r#"<c r="A2" t="#), "{sheet}");
    assert!(part(&content, "xl/styles.xml").contains("<b/>"));
}

#[tokio::test]
async fn twenty_thousand_rows_come_back() {
    let row = |number: usize| vec![SheetCell::Text(format!("Voter {number}")), SheetCell::Number(1.into())];
    for format in [SheetFormat::Csv, SheetFormat::Xlsx] {
        let rows = (1..=20_000).map(row).collect();
        let sheet = Sheet { title: "End users", columns: vec!["Name", "Weight"], rows };
        let content = Documents::new().write(sheet, format).await.unwrap();
        let read = table(&format!("list.{}", format.extension()), content).await;
        assert_eq!((read.rows.len(), read.rows[19_999].cells[0].as_str()), (20_000, "Voter 20000"));
    }
}

fn part(workbook: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(workbook)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}
