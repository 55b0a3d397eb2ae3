use std::io::{Cursor, Read as _};

use plenum_clients::ReadSheetError;
use zip::ZipArchive;

use crate::support::{archive, read, table, workbook};

#[track_caller]
fn is_refused<T: std::fmt::Debug>(outcome: &Result<T, ReadSheetError>, reason: &ReadSheetError, what: &str) {
    let refused = outcome.as_ref().err().map(ToString::to_string);
    assert_eq!(refused, Some(reason.to_string()), "{what}: {outcome:?}");
}

/// A workbook of another library with some of its parts replaced.
fn with_parts(exchanged: &[(&str, &[u8])]) -> Vec<u8> {
    let plain = workbook(|sheet| {
        sheet.write_row(0, 0, ["Name", "Weight"]).unwrap();
        sheet.write_row(1, 0, ["Anna", "1"]).unwrap();
    });
    let mut plain = ZipArchive::new(Cursor::new(plain)).unwrap();
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for place in 0..plain.len() {
        let mut part = plain.by_index(place).unwrap();
        let mut content = Vec::new();
        part.read_to_end(&mut content).unwrap();
        let name = part.name().unwrap().into_owned();
        let other = exchanged.iter().find(|(exchanged, _)| *exchanged == name);
        parts.push((name, other.map_or(content, |(_, other)| other.to_vec())));
    }
    archive(&parts.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect::<Vec<_>>())
}

const SHEET: &str = "xl/worksheets/sheet1.xml";
const TEXTS: &str = "xl/sharedStrings.xml";

fn sheet_of(rows: &str) -> Vec<u8> {
    let space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    format!("<?xml version=\"1.0\"?><worksheet xmlns=\"{space}\"><sheetData>{rows}</sheetData></worksheet>")
        .into_bytes()
}

#[tokio::test]
async fn a_file_that_is_not_a_table_is_refused() {
    let garbage: Vec<u8> = (0..5_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for (name, content) in [
        ("list.csv", garbage.clone()),
        ("list.xlsx", garbage),
        ("list.csv", b"%PDF-1.7\n\0\0".to_vec()),
        ("list.csv", b"N\0a\0m\0e\0".to_vec()),
        ("list.xlsx", b"Name,Weight\nAnna,1\n".to_vec()),
        ("list.xlsx", b"PK\x03\x04 and nothing else".to_vec()),
        ("list.xlsx", archive(&[("readme.txt", b"no workbook")])),
        ("list.xlsx", with_parts(&[(SHEET, b"<worksheet><sheetData><row")])),
        ("list.xlsx", with_parts(&[("xl/workbook.xml", b"")])),
    ] {
        is_refused(&read(name, content).await, &ReadSheetError::NoTable, name);
    }
}

#[tokio::test]
async fn a_file_of_another_kind_is_named() {
    for (name, reason) in [
        ("list.pdf", ReadSheetError::UnknownKind),
        ("list", ReadSheetError::UnknownKind),
        ("", ReadSheetError::UnknownKind),
        ("list.xls", ReadSheetError::OtherWorkbook),
        ("list.ods", ReadSheetError::OtherWorkbook),
    ] {
        is_refused(&read(name, "Name,Weight\nAnna,1\n").await, &reason, name);
    }
    let container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on".to_vec();
    is_refused(&read("list.xlsx", container.clone()).await, &ReadSheetError::OtherWorkbook, "an old workbook");
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let encrypted = [container, name].concat();
    is_refused(&read("list.xlsx", encrypted).await, &ReadSheetError::Protected, "an encrypted workbook");
}

#[tokio::test]
async fn a_workbook_is_recognized_by_its_content() {
    let sheet = table("list.csv", with_parts(&[])).await;
    assert_eq!(sheet.columns, ["Name", "Weight"]);
}

#[tokio::test]
async fn the_limits_are_exact() {
    let rows = |number: usize| format!("Name,Weight\n{}", "Anna,1\n".repeat(number));
    assert_eq!(table("list.csv", rows(20_000)).await.rows.len(), 20_000);
    is_refused(&read("list.csv", rows(20_001)).await, &ReadSheetError::TooManyRows, "rows");
    let columns = |number: usize| format!("{0}\n{0}\n", vec!["x"; number].join(","));
    assert_eq!(table("list.csv", columns(50)).await.columns.len(), 50);
    is_refused(&read("list.csv", columns(51)).await, &ReadSheetError::TooManyColumns, "columns");
    let bytes = |number: usize| format!("Name\nAnna\n{}", "\n".repeat(number - 10));
    table("list.csv", bytes(5 * 1024 * 1024)).await;
    is_refused(&read("list.csv", bytes(5 * 1024 * 1024 + 1)).await, &ReadSheetError::TooLarge, "bytes");
}

#[tokio::test]
async fn a_workbook_with_too_much_of_something_is_refused() {
    let rows = workbook(|sheet| {
        for row in 0..20_002 {
            sheet.write_number(row, 0, 1).unwrap();
        }
    });
    is_refused(&read("list.xlsx", rows).await, &ReadSheetError::TooManyRows, "rows");
    let columns = workbook(|sheet| {
        sheet.write_row(0, 0, [1; 51]).unwrap();
    });
    is_refused(&read("list.xlsx", columns).await, &ReadSheetError::TooManyColumns, "columns");
}

/// Each has some kilobytes, but gigabytes if it is unpacked without a limit.
#[tokio::test]
async fn a_decompression_bomb_is_refused() {
    let blank = vec![b' '; 60 * 1024 * 1024];
    let packed = with_parts(&[(SHEET, &sheet_of(&String::from_utf8(blank).unwrap()))]);
    assert!(packed.len() < 200_000, "{}", packed.len());
    is_refused(&read("list.xlsx", packed).await, &ReadSheetError::TooLarge, "one large part");

    let part = vec![0; 16 * 1024 * 1024];
    let parts: Vec<String> = (0..4).map(|number| format!("xl/media/{number}.bin")).collect();
    let many = archive(&parts.iter().map(|name| (name.as_str(), part.as_slice())).collect::<Vec<_>>());
    is_refused(&read("list.xlsx", many).await, &ReadSheetError::TooLarge, "several parts");

    let names: Vec<String> = (0..2_001).map(|number| number.to_string()).collect();
    let many = archive(&names.iter().map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>());
    is_refused(&read("list.xlsx", many).await, &ReadSheetError::TooLarge, "very many parts");
}

/// A long text is stored once in a workbook, and may be used in every cell.
#[tokio::test]
async fn a_text_that_is_repeated_is_counted_each_time() {
    let text = "x".repeat(1024 * 1024);
    let texts = format!("<sst uniqueCount=\"1\"><si><t>{text}</t></si></sst>");
    let rows: String =
        (1..=100).map(|row| format!("<row r=\"{row}\"><c r=\"A{row}\" t=\"s\"><v>0</v></c></row>")).collect();
    let content = with_parts(&[(TEXTS, texts.as_bytes()), (SHEET, &sheet_of(&rows))]);
    is_refused(&read("list.xlsx", content).await, &ReadSheetError::TooLarge, "a text in every row");
}

#[tokio::test]
async fn two_cells_far_apart_are_two_cells() {
    let rows = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"B1048576\"><v>2</v></c></row>";
    let sheet = table("list.xlsx", with_parts(&[(SHEET, &sheet_of(rows))])).await;
    assert_eq!((sheet.rows.len(), sheet.rows[0].line), (1, 1_048_576));
    let far = "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"XFD1\"><v>2</v></c></row>";
    let refused = read("list.xlsx", with_parts(&[(SHEET, &sheet_of(far))])).await;
    is_refused(&refused, &ReadSheetError::TooManyColumns, "a cell far to the right");
}

/// The library reserves memory for the stated number of texts, and aborts the process if there is not enough.
#[tokio::test]
async fn memory_is_not_reserved_for_announced_sizes() {
    let announced = |count: &str| format!("<sst {count}><si><t>Name</t></si></sst>").into_bytes();
    for count in [
        "uniqueCount=\"99999999999999\"",
        "uniqueCount = '99999999999999'",
        "uniqueCount\n=\n\"99999999\"",
        "uniqueCount=\"1\" uniqueCount=\"99999999999999\"",
    ] {
        let content = with_parts(&[(TEXTS, &announced(count))]);
        is_refused(&read("list.xlsx", content).await, &ReadSheetError::NoTable, count);
    }
    let plain = String::from_utf8(announced("uniqueCount=\"99999999999999\"")).unwrap();
    let wide: Vec<u8> = [0xfeff].into_iter().chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let content = with_parts(&[(TEXTS, &wide)]);
    is_refused(&read("list.xlsx", content).await, &ReadSheetError::NoTable, "in UTF-16");
}
