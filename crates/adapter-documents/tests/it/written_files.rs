use std::io::{Cursor, Read as _};

use calamine::{Reader as _, Xlsx, open_workbook_from_rs};
use plenum_adapter_documents::Documents;
use plenum_clients::{Sheet, SheetCell, SheetFormat, SheetWriter as _};
use zip::ZipArchive;

use crate::support::{cells, table, written};

/// Texts that a spreadsheet would execute, and their guarded forms. The last ones are formulas in a program with other
/// separators.
const FORMULAS: [(&str, &str); 18] = [
    ("=1+1", "'=1+1"),
    ("+41 79 000", "'+41 79 000"),
    ("-1", "'-1"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("\tx", "'\tx"),
    ("\rx", "'\rx"),
    ("\nx", "'\nx"),
    ("\r=x", "'\r'=x"),
    ("  =1+1", "'  =1+1"),
    ("\u{a0}\u{feff}@x", "'\u{a0}\u{feff}@x"),
    ("\u{0}-1", "'\u{0}-1"),
    ("＝1+1", "'＝1+1"),
    ("＋1", "'＋1"),
    ("－1", "'－1"),
    ("＠x", "'＠x"),
    ("Anna;=cmd|'/c calc'!A0;x", "Anna;'=cmd|'/c calc'!A0;x"),
    ("Anna\t -1\r\n+2", "Anna\t' -1\r\n'+2"),
    ("x;;\n=1", "x;;\n'=1"),
];

/// Texts with the same characters that no program executes.
const HARMLESS: [&str; 8] =
    ["a=1", "Müller-Lüdenscheid", "a, -1", "3; 4", "O'Hara; Anna", "a@example.org", "ends;", "a\nb; c"];

#[tokio::test]
async fn a_csv_file_is_as_the_standard_says() {
    let content = written("Jürgen \"J\" Müller, Dr.\nBonn", "1.5", SheetFormat::Csv).await;
    let expected = "\u{feff}Name,Weight\r\n\"Jürgen \"\"J\"\" Müller, Dr.\nBonn\",1.5\r\n";
    assert_eq!(String::from_utf8(content).unwrap(), expected);
}

#[tokio::test]
async fn a_text_is_no_formula_in_a_csv_file_and_a_number_stays_one() {
    let harmless = HARMLESS.map(|text| (text, text));
    for (text, expected) in FORMULAS.iter().chain(&harmless) {
        let content = written(text, "-1.5", SheetFormat::Csv).await;
        let row = content.strip_prefix(b"\xef\xbb\xbfName,Weight\r\n").unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row);
        let cells: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(cells, [vec![*expected, "-1.5"]], "{text:?}");
    }
}

#[tokio::test]
async fn a_text_is_no_formula_in_a_workbook_either() {
    for (text, _) in FORMULAS {
        let content = written(text, "2.5", SheetFormat::Xlsx).await;
        let sheet = part(&content, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<f") && sheet.contains("<v>2.5</v>"), "{sheet}");
    }
}

#[tokio::test]
async fn a_written_table_is_read_back() {
    for format in [SheetFormat::Csv, SheetFormat::Xlsx] {
        let texts = [
            "Jürgen Müller",
            "=1+1",
            "-x",
            "'quoted",
            "'=1+1",
            "''@x",
            "'\tx",
            "a\nb",
            "007",
            "Anna;=1",
            "Anna;'=1",
            "＝1;\n-2",
            "O'Hara; Anna",
        ];
        for text in texts {
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
    // The second format of the workbook; the first is that of all other cells.
    assert!(sheet.contains(r#"<c r="A1" s="1""#) && sheet.contains(r#"<c r="A2" t="#), "{sheet}");
    assert!(part(&content, "xl/styles.xml").contains("<b/>"));
}

#[tokio::test]
async fn twenty_thousand_rows_come_back() {
    let row = |number: usize| vec![SheetCell::Text(format!("Voter {number}")), SheetCell::Number(1.into())];
    for format in [SheetFormat::Csv, SheetFormat::Xlsx] {
        let rows = (1..=20_000).map(row).collect();
        let sheet = Sheet { title: "End users", columns: vec!["Name".into(), "Weight".into()], rows };
        let content = Documents::new().write(sheet, format).await.unwrap();
        let read = table(&format!("list.{}", format.extension()), content).await;
        assert_eq!((read.rows.len(), read.rows[19_999].cells[0].as_str()), (20_000, "Voter 20000"));
    }
}

#[tokio::test]
async fn a_text_that_is_too_long_for_a_cell_is_shortened_with_a_mark() {
    const MOST: usize = 32_767;
    const MARK: &str = "… [shortened: the CSV file has the whole text]";
    let units = |text: &str| text.encode_utf16().count();
    // One, one and two units of UTF-16 for each letter.
    for letter in ["a", "ü", "👍"] {
        let long = letter.repeat(40_000);
        let fitting = letter.repeat(MOST / units(letter));
        let rows = [long.clone(), fitting.clone()].map(|text| vec![SheetCell::Text(text)]).to_vec();
        let sheet = Sheet { title: "Audit log", columns: vec![long.clone().into()], rows };
        let workbook = Documents::new().write(sheet.clone(), SheetFormat::Xlsx).await.unwrap();
        let texts = first_column(&workbook);
        for shortened in &texts[..2] {
            let beginning = shortened.strip_suffix(MARK).unwrap();
            assert!(long.starts_with(beginning));
            assert!((MOST - 1..=MOST).contains(&units(shortened)), "{}", units(shortened));
        }
        assert_eq!(texts[2], fitting);
        let csv = Documents::new().write(sheet, SheetFormat::Csv).await.unwrap();
        assert!(String::from_utf8(csv).unwrap().contains(&long));
    }
}

/// The texts of the first column of a workbook's first sheet.
fn first_column(workbook: &[u8]) -> Vec<String> {
    let mut workbook: Xlsx<_> = open_workbook_from_rs(Cursor::new(workbook)).unwrap();
    let range = workbook.worksheet_range_at(0).unwrap().unwrap();
    range.rows().map(|row| row[0].to_string()).collect()
}

fn part(workbook: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(workbook)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}
