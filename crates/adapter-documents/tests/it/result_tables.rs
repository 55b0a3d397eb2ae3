//! The results as a table and as a workbook: every figure is in them, and no text is executed.

use std::collections::HashSet;
use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx, open_workbook_from_rs};
use csv::{ReaderBuilder, StringRecord};
use plenum_adapter_documents::Documents;
use plenum_result_format::{Count, ResultDocuments as _, ResultsFile, UnitName};
use serde_json::json;

use crate::meeting::{
    HOSTILE, SCRIPTS, TEXTS, attended, called_twice, invalid_ballots, moved_up, renamed, results, results_by_kinds,
    secret_results,
};
use crate::support::seal;

struct Table {
    columns: StringRecord,
    rows: Vec<StringRecord>,
}

impl Table {
    async fn of(results: ResultsFile) -> Self {
        let content = Documents::new().csv(results, seal()).await.unwrap();
        let text = content.strip_prefix(b"\xef\xbb\xbf").expect("by a mark Excel knows UTF-8");
        let mut reader = ReaderBuilder::new().from_reader(text);
        let columns = reader.headers().unwrap().clone();
        Self { columns, rows: reader.records().map(Result::unwrap).collect() }
    }

    fn cell<'a>(&self, row: &'a StringRecord, column: &str) -> &'a str {
        let index = self.columns.iter().position(|name| name == column);
        row.get(index.unwrap_or_else(|| panic!("there is no column {column}"))).unwrap()
    }

    /// The cells of the rows of a section of a round, in these columns.
    fn of_round<const N: usize>(&self, position: &str, section: &str, columns: [&str; N]) -> Vec<[&str; N]> {
        let rows = self
            .rows
            .iter()
            .filter(|row| self.cell(row, "Agenda item") == position && self.cell(row, "Section") == section);
        rows.map(|row| columns.map(|column| self.cell(row, column))).collect()
    }
}

#[tokio::test]
async fn a_table_has_a_row_for_every_count() {
    let table = Table::of(results()).await;
    let counts = table.of_round("1", "Count", ["What", "Heads", "Weight"]);
    assert_eq!(
        counts,
        [
            ["Register", "731", "812.0625"],
            ["Connected at opening", "655", "700.3"],
            ["Votes cast", "620", "650.1234"],
            ["Invalid", "0", "0"],
            ["Not voted", "111", "161.9391"],
            ["Present", "657", "702.375"],
        ]
    );
    let [by_heads, by_weight] = ["Percent of votes cast by heads", "Percent of votes cast by weight"];
    let options = table.of_round("1", "Option", ["What", "Text", "Heads", "Weight", by_heads, by_weight]);
    assert_eq!(options[0], ["Yes", "yes", "401", "412.5", "64.68", "63.45"]);
    assert_eq!(options[2], ["Abstain", "abstain", "32", "45.6234", "5.16", "7.02"]);
    let checks = table.of_round("1", "Check", ["What", "Part", "Whole", "Needed", "Percent", "Met"]);
    assert_eq!(checks, [["Yes", "412.5", "604.5", "more than 403", "68.24", "met"]]);
    let quorum = table.of_round("1", "Quorum", ["What", "Part", "Whole", "Needed", "Percent", "Met"]);
    let words = "At least 1/2 of the register must be present, by heads";
    assert_eq!(quorum, [[words, "657", "731", "at least 366", "89.88", "met"]]);
    let values = table.of_round("3", "Value", ["Value", "Heads", "Weight"]);
    assert_eq!(values[4], ["5", "23", "24.125"]);
    let numbers = table.of_round("3", "Number", ["What", "Value"]);
    assert_eq!(numbers[1], ["Mean by weight", "3.9951"]);
    assert_eq!(table.of_round("4", "Answer", ["Text"]).len(), TEXTS);
}

#[tokio::test]
async fn a_table_has_the_kinds_of_weight_and_the_counts_by_the_second_one() {
    let table = Table::of(results_by_kinds()).await;
    let told = table.of_round("1", "Round", ["What", "Text"]);
    assert!(told.contains(&["Weight", "Units"]) && told.contains(&["Second weight", "Living area (m²)"]), "{told:?}");
    let second = table.of_round("1", "Second weight", ["What", "Heads", "Weight"]);
    assert_eq!(
        second,
        [
            ["Yes", "401", "51234.5"],
            ["No", "187", "30001.5"],
            ["Abstain", "32", "6765.25"],
            ["Votes cast", "620", "88001.25"],
            ["Register", "731", "999999999999999999.999999"],
            ["Present or represented", "657", "90210.75"],
            ["Not checked in", "7", "71.5"],
        ]
    );
    let group = table.of_round("1", "Group by second weight", ["What", "Text", "Weight"]);
    assert_eq!(group[3], ["Tenants", "Yes", "909.5"]);
    let checks = table.of_round("1", "Check", ["Text"]).concat();
    assert_eq!(checks, ["more than 2/3 of yes and no by Units", "more than 2/3 of yes and no by Living area"]);
    for section in ["Register", "Ballot"] {
        assert_eq!(table.of_round("1", section, ["Value"])[0], ["123456789012345678.25"], "{section}");
    }
}

#[tokio::test]
async fn a_workbook_has_the_kinds_of_weight_and_no_rounded_number() {
    let mut book = Book::of(results_by_kinds()).await;
    let sheet = "1.1 Do you approve the budget f";
    let texts = |row: &[Data]| -> Vec<String> { row.iter().map(ToString::to_string).collect() };
    assert!(texts(&book.row(sheet, "Second weight")).contains(&"Living area (m²)".to_owned()));
    let rows: Vec<Vec<String>> = book.rows(sheet).iter().map(|row| texts(row)).collect();
    let has = |beginning: &[&str]| {
        rows.iter().any(|row| row.starts_with(&beginning.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>()))
    };
    assert!(has(&["Count", "Role", "Heads", "Units"]), "{rows:?}");
    assert!(has(&["Second weight", "", "Heads", "Living area"]));
    assert!(has(&["Yes", "", "401", "51234.5"]) && has(&["Register", "", "731", "999999999999999999.999999"]));
    assert!(has(&["Tenants", "", "Heads", "Weight"]) && has(&["Register", "Username", "Place", "Units"]));
    assert!(has(&[SCRIPTS[1], "voter.1", "2", "123456789012345678.25"]));
}

#[tokio::test]
async fn a_table_has_rules_declarations_and_the_log() {
    let table = Table::of(results()).await;
    let round_rows = table.of_round("1", "Round", ["What", "Text"]);
    assert!(round_rows.contains(&["Decision rule", "More than 2/3 of yes and no by weight"]), "{round_rows:?}");
    let declared = table.of_round("1", "Declaration", ["What", "Time (UTC)", "By"]);
    assert_eq!(declared, [["Declared", "2026-11-21 18:10:02", "Maria Keller"]]);
    assert_eq!(table.of_round("2", "Declaration", ["What"]), [["Not declared"]]);
    let (hash, key) = ("5df6e0e2761359d3".repeat(4), "2c26b46b68ffc68f".repeat(4));
    let key = format!("Signed with the key {key}");
    assert_eq!(table.of_round("1", "Record", ["What", "Text"]), [[hash.as_str(), key.as_str()]]);
    let log = table.of_round("1", "Log", ["What", "Name", "Username", "Weight", "Text", "By"]);
    assert_eq!(log[1], ["Admitted", "Ada Young", "ada.young", "1.0375", "Came late", "Maria Keller"]);
    let ballots = table.of_round("1", "Ballot", ["Place in register", "Name", "Username", "Text", "Weight"]);
    assert_eq!(ballots[0], ["1", SCRIPTS[0], "voter.0", "Yes", "1.0375"]);
    assert_eq!(ballots.len(), SCRIPTS.len() - 1);
    let register = table.of_round("1", "Register", ["Name", "Weight", "What"]);
    assert_eq!(register[3], [SCRIPTS[3], "1.0375", "has not voted"]);
    let ballots = table.of_round("2", "Ballot", ["Heads", "Weight of each ballot", "Weight", "Name"]);
    assert_eq!(ballots[0], ["17", "1.25", "21.25", ""]);
    let attendance = table.of_round("", "Attendance", ["What", "Heads", "Weight", "Met"]);
    assert_eq!(attendance[0], ["Present", "512", "556.25", "not met"]);
    let remarks = table.of_round("", "Remark", ["What", "Text", "By"]);
    assert_eq!(remarks[0][1], "The treasurer left the room.\nShe came back at once.");
}

#[tokio::test]
async fn no_cell_of_a_table_is_a_formula() {
    let table = Table::of(results()).await;
    let mut seen = 0;
    for row in &table.rows {
        for cell in row {
            for part in cell.split([';', '\t', '\r', '\n']) {
                let beginning = part.trim_start();
                assert!(!beginning.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']), "{cell:?}");
            }
            seen += usize::from(cell.starts_with("'=") || cell.starts_with("'+"));
        }
    }
    assert!(seen >= 5, "{seen}");
    assert!(table.rows.iter().any(|row| row.iter().any(|cell| cell == HOSTILE)));
}

struct Book {
    book: Xlsx<Cursor<Vec<u8>>>,
}

impl Book {
    async fn of(results: ResultsFile) -> Self {
        let content = Documents::new().xlsx(results, seal()).await.unwrap();
        Self { book: open_workbook_from_rs(Cursor::new(content)).unwrap() }
    }

    fn rows(&mut self, sheet: &str) -> Vec<Vec<Data>> {
        let range = self.book.worksheet_range(sheet).unwrap();
        range.rows().map(<[Data]>::to_vec).collect()
    }

    /// The row that begins with this text.
    fn row(&mut self, sheet: &str, beginning: &str) -> Vec<Data> {
        let rows = self.rows(sheet);
        let found = rows.iter().find(|row| row[0] == Data::String(beginning.to_owned()));
        found.unwrap_or_else(|| panic!("{beginning:?} is not in {rows:?}")).clone()
    }
}

fn numbers(row: &[Data]) -> Vec<f64> {
    row.iter().filter_map(|cell| if let Data::Float(number) = cell { Some(*number) } else { None }).collect()
}

#[tokio::test]
async fn a_file_of_an_earlier_version_has_no_present_voters() {
    let mut file = results();
    file.rounds[0].result.present = None;
    let table = Table::of(file).await;
    let counts = table.of_round("1", "Count", ["What"]).concat();
    assert_eq!(counts, ["Register", "Connected at opening", "Votes cast", "Invalid", "Not voted"]);
}

/// An uncounted round, and a damaged record.
fn incomplete() -> ResultsFile {
    let id = "019a9d5e-0000-7000-8000-0000000000ff";
    let round = json!({ "roundId": id, "position": 6, "number": 2, "questionText": "Do you approve the fee?" });
    let record = json!({ "roundId": id, "position": 0, "number": 0, "damage": "its hash does not match" });
    ResultsFile {
        uncounted: vec![serde_json::from_value(round).unwrap()],
        damaged: vec![serde_json::from_value(record).unwrap()],
        ..results()
    }
}

#[tokio::test]
async fn rounds_without_a_result_are_named() {
    const UNCOUNTED: &str = "Agenda item 6, round 2: Do you approve the fee?";
    const DAMAGED: &str = "Round 019a9d5e-0000-7000-8000-0000000000ff: its hash does not match";
    let table = Table::of(incomplete()).await;
    let cells: Vec<_> = table.rows.iter().map(|row| (table.cell(row, "What"), table.cell(row, "Text"))).collect();
    assert!(cells.contains(&("Not counted", UNCOUNTED)), "{cells:?}");
    assert!(cells.contains(&("Record damaged", DAMAGED)), "{cells:?}");
    let mut book = Book::of(incomplete()).await;
    assert_eq!(book.row("Results", "Not counted")[1], Data::String(UNCOUNTED.to_owned()));
    assert_eq!(book.row("Results", "Record damaged")[1], Data::String(DAMAGED.to_owned()));
}

const RISK: &str = "The votes of 3 people could be inferred from the totals (weights 37.5; 50)";
const SECRET: &str = "secret vote: sealed ballots, opened once; only sums were kept, and the key was destroyed";

#[tokio::test]
async fn a_table_has_the_secrecy_the_urn_and_the_receipts_of_a_secret_vote() {
    let table = Table::of(secret_results()).await;
    let facts = table.of_round("5", "Round", ["What", "Text"]);
    assert!(facts.contains(&["Secrecy", SECRET]), "{facts:?}");
    assert!(facts.contains(&["Weights", "Counted by heads: each vote counts one, whatever the weight"]), "{facts:?}");
    assert!(table.of_round("5", "Count", ["What", "Heads"]).contains(&["Invalid", "3"]));
    assert_eq!(table.of_round("5", "Log", ["What", "Text"]), [["Risk to secrecy accepted", RISK]]);
    let urn = table.of_round("5", "Urn", ["What", "Text", "Heads", "Time (UTC)"]);
    assert_eq!(urn[0], ["Opened", "", "3", "2026-11-21 18:09:50"]);
    assert_eq!(urn[1][..2], ["Hash of the envelopes", &*"7b0e19c4".repeat(8)]);
    assert_eq!(urn[2][..2], ["Public key", &*format!("04{}", "a1".repeat(64))]);
    let receipts = table.of_round("5", "Receipt", ["Text"]).concat();
    assert_eq!(receipts, ["ABCD-EFGH-JKLM-NPQR", "ABCD-EFGH-JKLN-NPQR", "ABCD-EFGH-JKLP-NPQR"]);
    assert_eq!(table.of_round("5", "Ballot", ["Text", "Heads", "Name"])[0], ["Nadia Brandt", "121", ""]);
    let named = table.of_round("1", "Round", ["What", "Text"]);
    assert!(named.contains(&["Secrecy", "named vote: it is told how each person voted"]), "{named:?}");
    assert!(!named.concat().contains(&"Weights") && table.of_round("1", "Urn", ["What"]).is_empty());
    let void = table.of_round("", "Meeting", ["What", "Text"]);
    let place = "Agenda item 6, round 1: Who is to audit the accounts?";
    assert!(void.contains(&["Void, because the key of the secret vote is lost", place]), "{void:?}");
}

#[tokio::test]
async fn a_workbook_has_a_sheet_with_receipts_if_there_was_a_secret_vote() {
    assert!(!Book::of(results()).await.book.sheet_names().contains(&"Receipts".to_owned()));
    let mut book = Book::of(secret_results()).await;
    let sheet = "5.1 Who is to chair the club";
    assert_eq!(book.row(sheet, "Secrecy")[1], Data::String(SECRET.to_owned()));
    assert!(matches!(&book.row(sheet, "Weights")[1], Data::String(words) if words.starts_with("Counted by heads")));
    assert!(book.row(sheet, "Risk to secrecy accepted").contains(&Data::String(RISK.to_owned())));
    let receipts = book.rows("Receipts");
    assert_eq!(receipts.len(), 7, "{receipts:?}");
    assert_eq!(receipts[1][4], Data::Float(3.));
    assert_eq!(receipts[6][2], Data::String("ABCD-EFGH-JKLP-NPQR".to_owned()));
    let void = book.row("Results", "Void, because the key of the secret vote is lost");
    assert_eq!(void[1], Data::String("Agenda item 6, round 1: Who is to audit the accounts?".to_owned()));
}

#[tokio::test]
async fn a_workbook_has_a_sheet_for_each_round() {
    let mut book = Book::of(results()).await;
    let names = book.book.sheet_names();
    assert_eq!(names[0], "Results");
    assert_eq!(names[1], "1.1 Do you approve the budget f");
    assert_eq!(names[names.len() - 3..], ["Attendance", "Remarks", "Signature"]);
    assert_eq!(names.len(), 8);
    let overview = book.rows("Results");
    let motion = overview.iter().find(|row| row[2] == Data::String("Do you approve the budget for 2027?".to_owned()));
    let motion = motion.unwrap();
    assert_eq!(numbers(motion), [1., 1., 731., 812.0625, 620., 650.1234, 111., 161.9391, 0., 0.]);
    assert!(motion.contains(&Data::String("Accepted".to_owned())), "{motion:?}");
    assert!(motion.contains(&Data::String("2026-11-21 18:10:02".to_owned())), "{motion:?}");
    let sheet = "1.1 Do you approve the budget f";
    assert_eq!(numbers(&book.row(sheet, "Yes")), [401., 412.5, 64.68, 63.45]);
    assert_eq!(numbers(&book.row(sheet, "Not voted")), [111., 161.9391]);
    assert_eq!(numbers(&book.row(sheet, "Present (connected at opening, or voted)")), [657., 702.375]);
    assert_eq!(numbers(&book.row(sheet, "Admitted")), [1.0375]);
    let voter = book.row(sheet, SCRIPTS[1]);
    assert_eq!(voter.last(), Some(&Data::String("No".to_owned())));
    assert_eq!(numbers(&book.row("Attendance", "2026-11-21 18:00:00")), [512., 556.25, 0., 0., 731., 812.0625]);
    assert_eq!(book.rows("Remarks").len(), 3);
    let rating = "3.1 How did you like the venue";
    assert_eq!(numbers(&book.row(rating, "Mean")), [4.0106, 3.9951]);
}

#[tokio::test]
async fn no_cell_of_a_workbook_is_a_formula() {
    let content = Documents::new().xlsx(results(), seal()).await.unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(content)).unwrap();
    for index in 0..archive.len() {
        let part = std::io::read_to_string(archive.by_index(index).unwrap()).unwrap();
        assert!(!part.contains("<f>") && !part.contains("<hyperlink"), "part {index}");
    }
}

#[tokio::test]
async fn sheet_names_are_valid_in_excel() {
    let mut file = results();
    let mut round = file.rounds[0].clone();
    file.rounds.clear();
    let texts = [
        "a/b\\c?d*e[f]g:h'",
        "'",
        "",
        "HISTORY",
        "👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍",
        "same",
        "SAME",
        "\u{0}\n",
    ];
    for text in texts {
        round.result.question_text = text.to_owned();
        file.rounds.push(round.clone());
    }
    let book = Book::of(file).await;
    let names = book.book.sheet_names();
    let unlike: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(unlike.len(), texts.len() + 4, "{names:?}");
    for name in names {
        assert!(name.encode_utf16().count() <= 31, "{name}");
        assert!(!name.contains(['[', ']', ':', '*', '?', '/', '\\']) && !name.ends_with('\''), "{name}");
    }
}

#[tokio::test]
async fn a_text_that_is_too_long_for_a_cell_of_a_workbook_ends_with_a_mark() {
    let long = "👍".repeat(40_000);
    let mut file = results();
    file.meeting.title.clone_from(&long);
    file.remarks[0].text.clone_from(&long);
    let mut book = Book::of(file).await;
    let title = book.rows("Results")[0][0].to_string();
    let remark = book.row("Remarks", "2026-11-21 18:12:00")[3].to_string();
    for shortened in [title, remark] {
        assert!(shortened.ends_with("👍… [shortened: the CSV file has the whole text]"), "{}", shortened.len());
        assert!(shortened.encode_utf16().count() <= 32_767);
    }
}

/// A round with this many voters, all of whom voted by name.
pub(crate) fn large(voters: u32) -> ResultsFile {
    let mut file = results();
    file.rounds.truncate(1);
    let round = &mut file.rounds[0];
    let (voter, ballot) = (round.register[0].clone(), round.ballots[0].clone());
    round.register = (1..=voters)
        .map(|place| {
            let mut voter = voter.clone();
            (voter.place, voter.name, voter.username) =
                (place, format!("Jürgen Müller {place}"), format!("juergen.mueller.{place}"));
            voter
        })
        .collect();
    round.ballots = (1..=voters)
        .map(|place| {
            let mut ballot = ballot.clone();
            ballot.voter = Some(place);
            ballot
        })
        .collect();
    file
}

#[tokio::test]
async fn a_large_register_fits_in_tables() {
    const VOTERS: u32 = 20_000;
    let table = Table::of(large(VOTERS)).await;
    assert_eq!(table.of_round("1", "Ballot", ["Place in register"]).len(), VOTERS as usize);
    let mut book = Book::of(large(VOTERS)).await;
    let last = format!("Jürgen Müller {VOTERS}");
    let row = book.row("1.1 Do you approve the budget f", &last);
    assert_eq!(numbers(&row), [f64::from(VOTERS), 1.0375]);
}

#[tokio::test]
async fn tables_of_a_meeting_with_check_in_do_not_speak_of_connections() {
    let table = Table::of(attended()).await;
    let counts = table.of_round("1", "Count", ["What", "Text", "Heads"]);
    assert_eq!(counts[1], ["Checked in at opening", "", "655"]);
    assert!(counts.contains(&["Present", "checked in at opening, or voted", "645"]), "{counts:?}");
    let register = table.of_round("1", "Register", ["Text"]).concat();
    assert_eq!(register[..2], ["checked in at opening", "not checked in at opening"]);
    let mut book = Book::of(attended()).await;
    let sheet = "1.1 Do you approve the budget f";
    assert_eq!(numbers(&book.row(sheet, "Checked in at opening")), [655., 700.3]);
    let headings = book
        .rows(sheet)
        .into_iter()
        .find(|row| row[0] == Data::String("Register".to_owned()) && row[1] == Data::String("Username".to_owned()));
    assert_eq!(headings.unwrap()[5], Data::String("Checked in at opening".to_owned()));
    let said = |row: &Vec<Data>| row.iter().any(|cell| cell.to_string().to_lowercase().contains("connected"));
    assert!(!book.rows(sheet).iter().any(said));
}

#[tokio::test]
async fn attendance_has_represented_people_and_the_list_of_who_came_and_went() {
    let with_log = attended();
    let table = Table::of(with_log.clone()).await;
    let attendance = table.of_round("", "Attendance", ["What", "Heads", "Weight"]);
    assert_eq!(
        attendance[..3],
        [["Present", "512", "556.25"], ["Represented", "12", "13.5"], ["May vote", "731", "812.0625"]]
    );
    assert_eq!(attendance[3][0], "Present", "a note without represented people has no such row: {attendance:?}");
    assert!(!Book::of(results()).await.book.sheet_names().contains(&"Attendance list".to_owned()));
    let mut book = Book::of(with_log).await;
    assert_eq!(numbers(&book.rows("Attendance")[1])[..6], [512., 556.25, 12., 13.5, 731., 812.0625]);
    let texts = |row: &[Data]| row.iter().map(ToString::to_string).collect::<Vec<String>>();
    let rows: Vec<Vec<String>> = book.rows("Attendance list").iter().map(|row| texts(row)).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows[1].contains(&"Ada Young".to_owned()) && rows[1].contains(&"Desk 1".to_owned()), "{rows:?}");
    assert!(rows[1].contains(&"Desk 2".to_owned()), "checked out at another desk: {rows:?}");
    assert!(rows[2].contains(&"Ben Otto".to_owned()), "{rows:?}");
}

#[tokio::test]
async fn the_attendance_list_has_everybody_who_went_also_under_another_name() {
    let mut book = Book::of(renamed()).await;
    let texts = |row: &[Data]| row.iter().map(ToString::to_string).collect::<Vec<String>>();
    let rows: Vec<Vec<String>> = book.rows("Attendance list").iter().map(|row| texts(row)).collect();
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert_eq!(rows[1][..4], ["Ada Young", "ada young", "2026-11-21 18:02:00", "2026-11-21 18:40:00"]);
    assert_eq!(rows[2][..4], ["Ben Otto", "ben", "", "2026-11-21 18:31:00"]);
    assert_eq!(rows[3][..4], ["Ben Otto", "ben otto", "2026-11-21 18:01:00", ""]);
}

#[tokio::test]
async fn all_rounds_of_a_question_have_the_agenda_item_of_its_last_round() {
    let table = Table::of(moved_up()).await;
    let rounds = |position: &str| -> Vec<String> {
        let rows = table.of_round(position, "Round", ["What", "Round"]);
        rows.iter().filter(|[what, _]| *what == "Question").map(|[_, round]| (*round).to_owned()).collect()
    };
    assert_eq!((rounds("2"), rounds("3")), (vec!["1".to_owned(), "2".to_owned()], vec!["1".to_owned()]));
    let book = Book::of(moved_up()).await;
    let sheets = book.book.sheet_names();
    for beginning in ["2.1 ", "2.2 ", "3.1 How did you like"] {
        let found = sheets.iter().filter(|name| name.starts_with(beginning)).count();
        assert_eq!(found, 1, "{beginning}: {sheets:?}");
    }
}

#[tokio::test]
async fn tables_of_an_election_have_one_number_of_invalid_ballots_and_no_votes_of_theirs() {
    let table = Table::of(invalid_ballots()).await;
    let counts = table.of_round("1", "Count", ["What", "Heads", "Weight"]);
    assert!(counts.contains(&["Votes cast", "2", ""]) && counts.contains(&["Invalid", "4", ""]), "{counts:?}");
    assert!(table.of_round("1", "Option", ["What"]).is_empty());
    let ballots = table.of_round("1", "Election", ["What", "Text"]);
    assert_eq!(ballots[0], ["Ballots", "6 ballots: 2 valid, 0 abstentions, 4 invalid"]);
    let rules = table.of_round("1", "Round", ["What", "Text"]);
    let rule = rules.iter().find(|[what, _]| *what == "Decision rule").unwrap()[1];
    assert!(rule.contains("A candidate needs more than 1/2 of the votes cast. "), "{rule}");
    let mut book = Book::of(invalid_ballots()).await;
    let sheet = "1.1 Who is to chair the club";
    assert_eq!(numbers(&book.row(sheet, "Votes cast")), [2.]);
    assert_eq!(numbers(&book.row(sheet, "Invalid")), [4.]);
    assert!(!book.rows(sheet).iter().any(|row| row[0] == Data::String("Ada Arden".to_owned())));
}

/// The name in a table for the votes that elect, or for the half that does not.
async fn name_of_quota(is_quota_enough: bool) -> String {
    let mut file = invalid_ballots();
    let stage = &mut file.rounds[0].result.election.as_mut().unwrap().stages[0];
    (stage.quota, stage.is_quota_enough) = (Some("21".to_owned()), is_quota_enough);
    let table = Table::of(file).await;
    let stages = table.of_round("1", "Stage", ["What", "Part"]);
    let found = stages.iter().find(|[_, part]| *part == "21").unwrap();
    found[0].to_owned()
}

#[tokio::test]
async fn a_table_calls_what_elects_a_quota_and_says_of_a_half_that_more_is_needed() {
    assert_eq!(name_of_quota(true).await, "Quota");
    assert_eq!(name_of_quota(false).await, "Needed: more than");
}

#[tokio::test]
async fn the_weight_of_invalid_ballots_of_an_election_is_told_if_it_is_counted() {
    let mut file = invalid_ballots();
    let result = &mut file.rounds[0].result;
    (result.invalid, result.votes_cast.weight) = (Count::default(), "6.5".parse().unwrap());
    let election = result.election.as_mut().unwrap();
    election.unit = UnitName::Weight;
    election.ballots.invalid.votes = "3.7500".to_owned();
    let table = Table::of(file).await;
    let counts = table.of_round("1", "Count", ["What", "Heads", "Weight"]);
    assert!(counts.contains(&["Votes cast", "2", "2.75"]) && counts.contains(&["Invalid", "3", "3.75"]), "{counts:?}");
}

#[tokio::test]
async fn tables_tell_of_a_second_call() {
    let words = "At least 1/4 of the register must be present, by heads";
    let table = Table::of(called_twice()).await;
    assert!(table.of_round("", "Meeting", ["What", "Text"]).contains(&["Quorum on a second call", words]));
    let notes = table.of_round("", "Attendance", ["What", "Text"]);
    let called = notes.iter().filter(|note| **note == ["Present", "Second call"]).count();
    assert_eq!(called, 4, "{notes:?}");
    let mut book = Book::of(called_twice()).await;
    assert_eq!(book.row("Results", "Quorum on a second call")[1], Data::String(words.to_owned()));
    let last = book.row("Attendance", "2026-11-21 18:08:00");
    assert_eq!(last.last(), Some(&Data::String("met (second call)".to_owned())));
}
