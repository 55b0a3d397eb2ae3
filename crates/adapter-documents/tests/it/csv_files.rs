use encoding_rs::WINDOWS_1252;
use plenum_clients::{ReadSheetError, SheetFormat, TableChoice};

use crate::support::{cells, lines, read, read_at, table};

#[tokio::test]
async fn the_separator_is_detected() {
    for (separator, other) in [(',', ';'), (';', ','), ('\t', ';'), ('|', ',')] {
        let text = format!("Name{separator}Weight\nAnna{other} Berg{separator}1\nBert{separator}2{other}5\n");
        let sheet = table("list.csv", text).await;
        assert_eq!(sheet.separator, Some(separator));
        assert_eq!(sheet.columns, ["Name", "Weight"]);
        let (anna, weight) = (format!("Anna{other} Berg"), format!("2{other}5"));
        assert_eq!(cells(&sheet), [[anna.as_str(), "1"], ["Bert", weight.as_str()]]);
        assert_eq!(sheet.format, SheetFormat::Csv);
    }
}

#[tokio::test]
async fn a_stated_separator_takes_precedence() {
    let sheet = table("list.csv", "sep=|\r\na;b|c\r\n1;2|3\r\n").await;
    assert_eq!((sheet.separator, &sheet.columns), (Some('|'), &vec!["a;b".to_owned(), "c".to_owned()]));
    assert_eq!((sheet.header_row, lines(&sheet)), (1, vec![2]), "Excel takes the statement away");
}

#[tokio::test]
async fn one_column_is_a_table_too() {
    let sheet = table("list.txt", "Name\nAnna Berg\nBert\n").await;
    assert_eq!((sheet.columns.len(), cells(&sheet)), (1, vec![vec!["Anna Berg"], vec!["Bert"]]));
}

#[tokio::test]
async fn umlauts_are_read_in_every_usual_encoding() {
    let text = "Name;Straße\r\nJürgen Müller;Große Gasse 1\r\nZoë Łukasz;–\r\n";
    let western = "Name;Straße;Gewicht\r\nJürgen Müller;Hauptstraße 1;1,5\r\nBärbel Öztürk;Königsallee;2\r\n";
    let little: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for (content, text, encoding) in [
        (text.as_bytes().to_vec(), text, "UTF-8"),
        (format!("\u{feff}{text}").into_bytes(), text, "UTF-8"),
        (little, text, "UTF-16LE"),
        (big, text, "UTF-16BE"),
        (WINDOWS_1252.encode(western).0.into_owned(), western, "windows-1252"),
    ] {
        let sheet = table("list.csv", content).await;
        assert_eq!(sheet.encoding, Some(encoding));
        let expected = table("list.csv", text).await;
        assert_eq!((sheet.columns, sheet.rows), (expected.columns, expected.rows), "{encoding}");
        assert_eq!(expected.separator, Some(';'));
    }
}

#[tokio::test]
async fn quotes_hold_separators_line_breaks_and_quotes() {
    let text = "Name,Address\n\"Berg, Anna\",\"Main Street 1\n12345 Town\"\n\"Bert \"\"B\"\" Otto\",x\n";
    let sheet = table("list.csv", text).await;
    assert_eq!(cells(&sheet), [["Berg, Anna", "Main Street 1\n12345 Town"], ["Bert \"B\" Otto", "x"]]);
    assert_eq!(lines(&sheet), [2, 3]);
}

#[tokio::test]
async fn blank_lines_are_skipped_and_short_rows_are_filled() {
    let text = "\n\nName,Weight,Email\n\nAnna,1\n,,\nBert,2,b@example.org,extra\n  \n";
    for ending in ["\n", "\r\n", "\r"] {
        let sheet = table("list.csv", text.replace('\n', ending)).await;
        assert_eq!(sheet.columns, ["Name", "Weight", "Email", ""]);
        assert_eq!(cells(&sheet), [["Anna", "1", "", ""], ["Bert", "2", "b@example.org", "extra"]], "{ending:?}");
        assert_eq!(lines(&sheet), [5, 7], "{ending:?}");
    }
}

#[tokio::test]
async fn a_file_without_rows_is_empty() {
    for text in ["", "\n \n", "\u{feff}", "Name,Weight\n", "Name,Weight\n,\n"] {
        let refused = read("list.csv", text).await;
        assert!(matches!(refused, Err(ReadSheetError::Empty)), "{text:?}: {refused:?}");
    }
}

#[tokio::test]
async fn the_formula_guard_of_a_cell_is_removed() {
    let sheet = table("list.csv", "Name,Weight\n'\tAnna,1\n'=1+1,2\n'\t,3\n").await;
    assert_eq!(cells(&sheet), [["Anna", "1"], ["=1+1", "2"], ["'", "3"]]);
}

#[tokio::test]
async fn titles_above_the_headings_are_skipped_and_rows_keep_their_spreadsheet_numbers() {
    let text =
        "Rowing Club\nMembers as of 1 May\n\nName;Address;Weight\nAnna;\"Main Street 1\n12345 Town\";1\n\nBert;x;2,5\n";
    for ending in ["\n", "\r\n"] {
        let sheet = table("list.csv", text.replace('\n', ending)).await;
        assert_eq!((sheet.separator, sheet.header_row), (Some(';'), 4));
        assert_eq!(sheet.columns, ["Name", "Address", "Weight"]);
        assert_eq!(lines(&sheet), [5, 7], "{ending:?}");
        assert_eq!(sheet.top.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 2, 4, 5, 7]);
    }
    let padded = table("list.csv", "Members,,\nDate:,1 May,\nWho,Login,Email\nAnna,anna,a@example.org\n").await;
    assert_eq!(padded.header_row, 3);
}

#[tokio::test]
async fn a_row_of_people_is_never_read_as_headings() {
    for (text, header_row) in [
        ("Wer,Zugang,Zustand\nAnna,user,aktiv\nBert,Member,active\n", 1),
        ("Title\nWer,Zustand\nAnna,x\n", 2),
        ("Members\nName\nAnna\n", 2),
        ("Anna\nBert\n", 1),
        ("Name,Weight,\nAnna,1,status\n", 1),
    ] {
        assert_eq!(table("list.csv", text).await.header_row, header_row, "{text}");
    }
}

#[tokio::test]
async fn a_chosen_heading_row_is_used() {
    let text = "Name,Weight\nAnna,1\n\nBert,2\n";
    let choice = |header_row| TableChoice { header_row: Some(header_row), sheet: None };
    let sheet = read_at("list.csv", text, choice(2)).await.unwrap();
    assert_eq!((sheet.columns, sheet.rows[0].line), (vec!["Anna".to_owned(), "1".to_owned()], 4));
    for row in [0, 3, 4, 5] {
        let refused = read_at("list.csv", text, choice(row)).await;
        assert!(matches!(refused, Err(ReadSheetError::NoSuchHeaderRow)), "{row}: {refused:?}");
    }
}
