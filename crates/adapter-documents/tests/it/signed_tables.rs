//! Signed tables: `plenum verify` detects every changed cell.

use std::io::Cursor;

use calamine::{Reader as _, Xlsx, open_workbook_from_rs};
use csv::{ReaderBuilder, WriterBuilder};
use plenum_adapter_documents::Documents;
use plenum_clients::{
    ReadSheet, ReadSheetError, Sheet, SheetCell, SheetFormat, SheetSeal, SheetWriter as _, TableChoice,
};
use plenum_result_format::{DocumentSeal, ResultDocuments as _, TableCell, TableFile, TableReader as _, TableSeal};
use plenum_verify::{Exported, KnownAuthorities, KnownKeys, Tables, Unreadable, Verdict, examine, read_exported};
use proptest::prelude::*;
use rust_xlsxwriter::{Formula, Workbook};

use crate::meeting::results;
use crate::support::{read_at, seal, table};

fn verdict_by(content: &[u8], known: &KnownKeys) -> Result<Verdict, Unreadable> {
    let tables = Tables { reader: &Documents::new(), most: 1 << 30 };
    let exported = read_exported(content, tables)?;
    Ok(examine(content, &exported, known, &KnownAuthorities::None).verdict())
}

fn own(seal: &DocumentSeal) -> KnownKeys {
    KnownKeys::Own(vec![seal.unsigned.key.clone()])
}

#[tokio::test]
async fn tables_of_results_are_signed_with_their_records() {
    let seal = seal();
    let signed = Verdict::Signed(seal.unsigned.key.clone());
    let csv = Documents::new().csv(results(), seal.clone()).await.unwrap();
    let xlsx = Documents::new().xlsx(results(), seal.clone()).await.unwrap();
    for content in [csv, xlsx] {
        assert_eq!(verdict_by(&content, &own(&seal)).unwrap(), signed);
        let unknown = Verdict::OriginUnknown(Some(seal.unsigned.key.clone()));
        assert_eq!(verdict_by(&content, &KnownKeys::None).unwrap(), unknown);
        let pinned = KnownKeys::Pinned(vec!["0".repeat(64)]);
        assert_eq!(verdict_by(&content, &pinned).unwrap(), Verdict::NotConsistent);
        let tables = Tables { reader: &Documents::new(), most: 1 << 30 };
        let Ok(Exported::Table(table)) = read_exported(&content, tables) else { panic!("it is a table") };
        let says = table.seal().unwrap();
        assert_eq!(says.title, "Annual meeting 2026");
        assert!(!says.records.is_empty() && says.verify_at == "https://vote.example.org/verify");
    }
}

#[tokio::test]
async fn an_audit_table_is_signed_with_the_end_of_its_log() {
    let seal = seal();
    let lines = vec![("Format", "plenum-table/1".to_owned())];
    let sheet = Sheet {
        title: "Audit log",
        columns: ["Time", "Number", "What", "By", "Changes", "Hash"].map(Into::into).to_vec(),
        rows: vec![vec![SheetCell::Text("=1+1".to_owned()); 6]],
    };
    for format in [SheetFormat::Csv, SheetFormat::Xlsx] {
        // Incomplete lines are not a signature.
        let keys = seal.keys.clone();
        let unfit = SheetSeal { lines: lines.clone(), keys };
        let written = Documents::new().write_signed(sheet.clone(), format, unfit).await.unwrap();
        assert_eq!(verdict_by(&written, &own(&seal)).unwrap(), Verdict::NotConsistent);
    }
}

/// A signed table of two people, one of whom is called as the lines of the signature.
async fn signed_people(format: SheetFormat) -> Vec<u8> {
    let seal = seal();
    let says = TableSeal {
        content: TableSeal::PROXIES.to_owned(),
        title: "Annual meeting".to_owned(),
        organization: "Rowing Club".to_owned(),
        exported_at: "2026-11-21 20:30:00".to_owned(),
        records: vec!["0".repeat(64); 3],
        audit_head: None,
        verify_at: seal.verify_at.clone(),
        signature: seal.unsigned.clone(),
    };
    let row = |cells: [&str; 6]| cells.map(|cell| SheetCell::Text(cell.to_owned())).to_vec();
    let sheet = Sheet {
        title: "Proxies",
        columns: ["Name", "Username", "Email", "Address", "Groups", "Status"].map(Into::into).to_vec(),
        rows: vec![row(["Ada", "ada", "", "", "", "Active"]), row(["Signature", "signature", "", "", "", "Active"])],
    };
    let signer = SheetSeal { lines: says.lines(), keys: seal.keys.clone() };
    let written = Documents::new().write_signed(sheet, format, signer).await.unwrap();
    assert_eq!(verdict_by(&written, &own(&seal)).ok(), signed(&seal));
    written
}

#[tokio::test]
async fn a_signed_table_is_imported_without_its_signature() {
    let csv = signed_people(SheetFormat::Csv).await;
    let xlsx = signed_people(SheetFormat::Xlsx).await;
    let people = [["Ada", "ada"], ["Signature", "signature"]];
    let names = |sheet: &ReadSheet| -> Vec<_> {
        sheet.rows.iter().map(|row| [row.cells[0].clone(), row.cells[1].clone()]).collect()
    };
    assert_eq!(names(&table("people.csv", csv.clone()).await), people);
    let workbook = table("people.xlsx", xlsx.clone()).await;
    assert_eq!(
        (names(&workbook), workbook.sheets),
        (people.map(|cells| cells.map(str::to_owned)).to_vec(), vec!["Proxies".to_owned()])
    );
    let chosen = |name: &str| TableChoice { sheet: Some(name.to_owned()), header_row: None };
    let workbook = read_at("people.xlsx", xlsx.clone(), chosen("Proxies")).await.unwrap();
    assert_eq!(workbook.sheets, ["Proxies"]);
    let refused = read_at("people.xlsx", xlsx, chosen("Signature")).await;
    assert!(matches!(refused, Err(ReadSheetError::NoSuchSheet)), "{refused:?}");
    // Rows that somebody added below are of the table.
    let longer = [csv, b"Ben,ben,,,,Active\r\n".to_vec()].concat();
    let longer = table("people.csv", longer).await;
    assert_eq!(names(&longer)[2], ["Ben", "ben"]);
    assert_eq!(longer.rows.len(), 3);
}

#[tokio::test]
async fn a_workbook_with_a_shortened_text_is_signed_as_it_is() {
    let seal = seal();
    let mut file = results();
    file.remarks[0].text = "ü".repeat(40_000);
    let xlsx = Documents::new().xlsx(file, seal.clone()).await.unwrap();
    assert_eq!(verdict_by(&xlsx, &own(&seal)).ok(), signed(&seal));
}

/// The content as a workbook without formats, with some cell replaced by another program.
fn rewritten(table: &TableFile, change: impl Fn(usize, u32, u16) -> Option<Formula>) -> Vec<u8> {
    let mut workbook = Workbook::new();
    for (index, sheet) in table.sheets.iter().enumerate() {
        let worksheet = workbook.add_worksheet();
        worksheet.set_name(&sheet.name).unwrap();
        for row in &sheet.rows {
            for (column, cell) in (0..).zip(&row.cells) {
                let place = row.number - 1;
                if let Some(formula) = change(index, place, column) {
                    worksheet.write_formula(place, column, formula).unwrap();
                    continue;
                }
                match cell {
                    TableCell::Text(text) => worksheet.write_string(place, column, text).unwrap(),
                    TableCell::Number(number) => worksheet.write_number(place, column, *number).unwrap(),
                    TableCell::Empty | TableCell::Other(_) => continue,
                };
            }
        }
    }
    workbook.save_to_buffer().unwrap()
}

#[tokio::test]
async fn a_workbook_that_was_saved_again_is_signed_unless_a_formula_replaces_a_cell() {
    let seal = seal();
    let xlsx = Documents::new().xlsx(results(), seal.clone()).await.unwrap();
    let table = Documents::new().read_table(&xlsx, 1 << 30).unwrap();
    let saved = rewritten(&table, |_, _, _| None);
    assert_eq!(verdict_by(&saved, &own(&seal)).unwrap(), Verdict::Signed(seal.unsigned.key.clone()));
    let TableCell::Number(number) = table.sheets[0].rows.last().unwrap().cells[0] else { panic!("an agenda item") };
    let last = table.sheets[0].rows.last().unwrap().number - 1;
    let formula = |sheet: usize, row: u32, column: u16| {
        ((sheet, row, column) == (0, last, 0)).then(|| Formula::new("=7").set_result(number.to_string()))
    };
    assert_eq!(verdict_by(&rewritten(&table, formula), &own(&seal)).unwrap(), Verdict::NotConsistent);
}

#[tokio::test]
async fn no_changed_cell_of_a_signed_workbook_passes() {
    let seal = seal();
    let xlsx = Documents::new().xlsx(results(), seal.clone()).await.unwrap();
    let table = Documents::new().read_table(&xlsx, 1 << 30).unwrap();
    let mut workbook: Xlsx<_> = open_workbook_from_rs(Cursor::new(&xlsx)).unwrap();
    assert_eq!(workbook.sheet_names().last().unwrap(), "Signature");
    assert!(workbook.worksheet_range("Signature").is_ok());
    let mut changed = 0;
    for (sheet, row) in (0..table.sheets.len()).flat_map(|sheet| {
        let rows = table.sheets[sheet].rows.len();
        (0..rows).step_by(rows.div_ceil(4)).map(move |row| (sheet, row))
    }) {
        let mut other = table.clone();
        let cell = other.sheets[sheet].rows[row].cells.last_mut().unwrap();
        *cell = match cell {
            TableCell::Text(text) => TableCell::Text(format!("{text} ")),
            _ => TableCell::Number(12_345.),
        };
        assert_ne!(verdict_by(&rewritten(&other, |_, _, _| None), &own(&seal)).ok(), signed(&seal), "{sheet} {row}");
        changed += 1;
    }
    assert!(changed > 20, "{changed}");
}

fn signed(seal: &DocumentSeal) -> Option<Verdict> {
    Some(Verdict::Signed(seal.unsigned.key.clone()))
}

/// A signed CSV file and its cells.
fn signed_csv() -> (DocumentSeal, Vec<Vec<String>>) {
    let seal = seal();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let csv = runtime.block_on(Documents::new().csv(results(), seal.clone())).unwrap();
    let mut reader = ReaderBuilder::new();
    let reader = reader.has_headers(false).from_reader(csv.strip_prefix(b"\xef\xbb\xbf").unwrap());
    let rows = reader.into_records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    (seal, rows.collect())
}

/// Removing or adding a cell in the lines of the signature is also a change.
#[test]
fn no_changed_cell_in_the_last_lines_of_a_signed_csv_passes() {
    let (seal, rows) = signed_csv();
    for (row, column) in (rows.len() - 4..rows.len()).flat_map(|row| (0..rows[row].len()).map(move |cell| (row, cell)))
    {
        for text in ["", "x", "Signature"].into_iter().filter(|text| rows[row][column] != *text) {
            let mut rows = rows.clone();
            text.clone_into(&mut rows[row][column]);
            assert_ne!(verdict_by(&written(&rows), &own(&seal)).ok(), signed(&seal), "{row} {column} {text:?}");
        }
    }
    let last = |last: &[&str]| {
        let mut rows = rows.clone();
        *rows.last_mut().unwrap() = last.iter().map(|&text| text.to_owned()).collect();
        written(&rows)
    };
    let value = rows.last().unwrap().iter().rfind(|cell| !cell.is_empty()).unwrap();
    assert_ne!(verdict_by(&last(&["Signature", "Signature", value]), &own(&seal)).ok(), signed(&seal), "moved cells");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// A removed or added cell is also a change.
    #[test]
    fn no_changed_cell_of_a_signed_csv_passes(row in 0_usize..400, column in 0_usize..22, text in "[a-z0-9 =;]{0,4}") {
        thread_local! {
            static SIGNED: (DocumentSeal, Vec<Vec<String>>) = signed_csv();
        }
        SIGNED.with(|(seal, rows)| {
            let (row, mut rows) = (row % rows.len(), rows.clone());
            prop_assert_eq!(verdict_by(&written(&rows), &own(seal)).ok(), signed(seal));
            let is_changed = rows[row][column] != text;
            rows[row][column] = text;
            let verdict = verdict_by(&written(&rows), &own(seal)).ok();
            prop_assert_eq!(verdict == signed(seal), !is_changed);
            Ok(())
        })?;
    }
}

fn written(rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = WriterBuilder::new().has_headers(false).flexible(true).from_writer(Vec::new());
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    writer.into_inner().unwrap()
}
