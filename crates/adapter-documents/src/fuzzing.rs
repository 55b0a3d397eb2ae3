//! Properties of tables and ballots in files that must hold for any input. The tests below call them with generated
//! files, and so do the targets `sheets` and `ballot_files` of `fuzz/`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use csv::ReaderBuilder;
use plenum_clients::{MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, ReadSheet, Sheet, SheetCell, TableChoice};

use crate::documents::{Kind, read};
use crate::workbook_check::ZIP;
use crate::{BltFile, csv_writing, read_blt, xlsx_writing};

/// Reads `data` as a file of each kind, and writes each of its lines as a cell of a table.
pub fn sheets(data: &[u8]) {
    file(data);
    let text = String::from_utf8_lossy(data);
    let cells: Vec<String> = text.split('\u{1}').take(40).map(str::to_owned).collect();
    table(&cells);
}

/// Checks that a file is refused, or becomes a table within all limits.
pub fn file(content: &[u8]) {
    for kind in [Kind::Text, Kind::Workbook] {
        // The workbook library may panic; `Documents` runs it on a separate thread for that reason.
        let outcome = if content.starts_with(ZIP) {
            catch_unwind(AssertUnwindSafe(|| read(kind, content, &TableChoice::default()))).ok()
        } else {
            Some(read(kind, content, &TableChoice::default()))
        };
        if let Some(Ok(sheet)) = outcome {
            is_within_limits(&sheet);
        }
    }
}

/// Checks that a ballot file is refused with a line that it has, or read as it is: written out, it reads back
/// unchanged.
pub fn ballot_file(content: &[u8]) {
    match read_blt(content) {
        Ok(file) => {
            assert!((1..=1_000).contains(&file.candidates) && (1..=10_000).contains(&file.seats));
            assert!(file.names.is_empty() || file.names.len() == file.candidates as usize, "{:?}", file.names);
            let mut numbers =
                file.ballots.iter().flat_map(|ballots| ballots.ranks.iter().flatten()).chain(&file.withdrawn);
            assert!(numbers.all(|number| (1..=file.candidates).contains(number)));
            assert_eq!(read_blt(blt(&file).as_bytes()), Ok(file));
        }
        Err(error) => {
            let lines = 1 + content.iter().filter(|byte| **byte == b'\n').count();
            assert!((1..=lines).contains(&error.line), "line {} of {lines}", error.line);
        }
    }
}

/// The text of a ballot file.
fn blt(file: &BltFile) -> String {
    let mut text = format!("{} {}\n", file.candidates, file.seats);
    for withdrawn in &file.withdrawn {
        text += &format!("-{withdrawn}\n");
    }
    for ballots in &file.ballots {
        let rank = |rank: &Vec<u32>| match rank[..] {
            [] => "-".to_owned(),
            _ => rank.iter().map(u32::to_string).collect::<Vec<_>>().join("="),
        };
        let ranks: Vec<String> = ballots.ranks.iter().map(rank).collect();
        text += &format!("{} {} 0\n", ballots.voters, ranks.join(" "));
    }
    text += "0\n";
    for name in file.names.iter().chain(&file.titles) {
        text += &format!("\"{}\"\n", name.replace('"', "\"\""));
    }
    text
}

fn is_within_limits(sheet: &ReadSheet) {
    assert!((1..=MAX_SHEET_COLUMNS).contains(&sheet.columns.len()), "{} columns", sheet.columns.len());
    assert!((1..=MAX_SHEET_ROWS).contains(&sheet.rows.len()), "{} rows", sheet.rows.len());
    let mut line = sheet.header_row;
    for row in &sheet.rows {
        assert_eq!(row.cells.len(), sheet.columns.len(), "{row:?}");
        assert!(row.line > line, "row {} stands below row {line}", row.line);
        line = row.line;
    }
    for cell in sheet.rows.iter().flat_map(|row| &row.cells).chain(&sheet.columns) {
        assert_eq!(cell.trim(), cell, "there are spaces around it");
    }
}

/// Checks that a written table is equal when it is read, and has no cell that a spreadsheet would execute.
pub fn table(cells: &[String]) {
    let texts = cells.iter().filter_map(|cell| plenum_kernel::check_text(cell, 1_000).ok());
    let rows: Vec<Vec<String>> = texts.map(|text| vec![text.clone(), text, "1".to_owned()]).collect();
    if rows.is_empty() {
        return;
    }
    let cells = |row: &Vec<String>| row.iter().cloned().map(SheetCell::Text).collect();
    let columns = ["Name", "Address", "Weight"].map(Into::into).to_vec();
    let sheet = Sheet { title: "People", columns, rows: rows.iter().map(cells).collect() };

    let csv = csv_writing::write(&sheet).expect("it can be written");
    carries_nothing_out(&csv);
    let xlsx = xlsx_writing::write(&sheet).expect("it can be written");
    for (kind, written) in [(Kind::Text, csv), (Kind::Workbook, xlsx)] {
        let read = read(kind, &written, &TableChoice::default()).expect("it can be read");
        assert_eq!(read.columns, ["Name", "Address", "Weight"], "{kind:?} {rows:?}");
        let read: Vec<Vec<String>> = read.rows.into_iter().map(|row| row.cells).collect();
        assert_eq!(read, rows, "{kind:?}");
    }
}

fn carries_nothing_out(csv: &[u8]) {
    let reader = ReaderBuilder::new().has_headers(false).from_reader(csv);
    for cell in reader.into_byte_records().flat_map(|record| {
        let record = record.expect("it is CSV");
        record.iter().map(<[u8]>::to_vec).collect::<Vec<_>>()
    }) {
        assert!(!matches!(cell.first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r')), "{cell:?} is a formula");
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::fuzz_seeds;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::*;

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            select(vec![
                ";", ",", "\t", "|", "\"", "'", "=", "'=", "\r", "\n", "\r\n", "sep=", "sep=;\n", " ", "\u{feff}",
                "\0", "@", "_x0041_", "_x000D_", "_", "\u{a0}", "\u{85}",
            ])
            .prop_map(str::to_owned),
            "[a-z0-9]{1,6}",
            vec(any::<char>(), 0..6).prop_map(String::from_iter),
        ]
    }

    fn ballot_line() -> impl Strategy<Value = String> {
        prop_oneof![
            6 => "[0-9]{1,3}( ([0-9]{1,2}|[0-9]=[0-9]|-|=)){0,6} 0",
            2 => Just("0".to_owned()),
            1 => "-[0-9]( -[0-9])?",
            1 => "\"[a-z ]{0,5}\"( \"[a-z#]{0,3}\")?",
            1 => "[a-z\"#=-]{0,8}",
            1 => vec(any::<char>(), 0..8).prop_map(String::from_iter),
        ]
    }

    /// A real workbook.
    fn workbook() -> Vec<u8> {
        let cells = |texts: [&str; 2]| texts.map(|text| SheetCell::Text(text.to_owned())).to_vec();
        let rows = vec![cells(["Anna", "=1+1"]), cells(["Bo", "x y"])];
        xlsx_writing::write(&Sheet { title: "People", columns: vec!["Name".into(), "Address".into()], rows }).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_file_of_texts_becomes_a_table_within_limits(pieces in vec(piece(), 0..40), bytes in vec(any::<u8>(), 0..80)) {
            file(pieces.concat().as_bytes());
            file(&[pieces.concat().into_bytes(), bytes].concat());
        }

        #[test]
        fn a_ballot_file_is_refused_or_read_as_it_is(
            head in "[0-9]{1,2} [0-9]{1,2}", lines in vec(ballot_line(), 0..9), names in vec(ballot_line(), 0..5), bytes in vec(any::<u8>(), 0..40),
        ) {
            let text = [&[head][..], &lines, &["0".to_owned()], &names].concat().join("\n");
            ballot_file(text.as_bytes());
            ballot_file(&bytes);
            ballot_file(&[text.into_bytes(), bytes].concat());
        }

        #[test]
        fn a_written_file_is_read_back(cells in vec(vec(piece(), 1..6).prop_map(|pieces| pieces.concat()), 1..5)) {
            table(&cells);
        }

        #[test]
        fn a_damaged_workbook_becomes_a_table_within_limits(
            damages in vec((any::<Index>(), any::<u8>()), 1..8), cut in proptest::option::of(any::<Index>()),
        ) {
            let mut content = workbook();
            for (place, byte) in damages {
                let place = place.index(content.len());
                content[place] = byte;
            }
            content.truncate(cut.map_or(content.len(), |cut| cut.index(content.len())));
            file(&content);
        }
    }

    #[test]
    fn the_seeds_of_the_fuzzer_hold() {
        fuzz_seeds("sheets").iter().for_each(|seed| sheets(seed));
        fuzz_seeds("ballot_files").iter().for_each(|seed| ballot_file(seed));
    }
}
