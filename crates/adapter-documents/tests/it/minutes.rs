//! The minutes, read from the written file.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use chrono_tz::Tz;
use lopdf::{Dictionary, Document, Object, ObjectId};
use plenum_adapter_documents::Documents;
use plenum_result_format::{
    Amendment, AttendanceName, Count, DocumentSeal, Letterhead, LetterheadLogo, ResultDocuments as _, ResultsFile,
};
use rust_decimal::Decimal;
use serde_json::json;

use crate::meeting::{
    HOSTILE, SCRIPTS, attended, called_twice, invalid_ballots, moved_up, renamed, results, results_by_kinds,
    secret_results,
};
use crate::result_tables::large;
use crate::support::seal;

/// A PDF file with the text of its pages.
struct Minutes {
    file: Document,
    pages: Vec<String>,
}

impl Minutes {
    async fn of(results: ResultsFile, zone: Tz) -> Self {
        Self::on(Letterhead::default(), results, zone).await
    }

    async fn on(letterhead: Letterhead, results: ResultsFile, zone: Tz) -> Self {
        Self::sealed(seal(), letterhead, results, zone).await
    }

    async fn sealed(seal: DocumentSeal, letterhead: Letterhead, results: ResultsFile, zone: Tz) -> Self {
        let content = Documents::new().minutes(results, seal, zone, letterhead).await.unwrap();
        // Keeps the file for a visual check.
        if let Some(folder) = std::env::var_os("PLENUM_KEEP_MINUTES") {
            std::fs::write(std::path::Path::new(&folder).join("minutes.pdf"), &content).unwrap();
        }
        let file = Document::load_mem(&content).unwrap();
        let numbers: Vec<u32> = file.get_pages().into_keys().collect();
        let pages = numbers.iter().map(|number| words(&file.extract_text(&[*number]).unwrap())).collect();
        Self { file, pages }
    }

    fn has(&self, text: &str) -> bool {
        let wanted = words(text);
        self.pages.iter().any(|page| page.contains(&wanted)) || self.pages.concat().contains(&wanted)
    }

    fn assert_has(&self, texts: &[&str]) {
        for text in texts {
            assert!(self.has(text), "{text:?} is not in {:#?}", self.pages);
        }
    }

    fn fonts(&self) -> Vec<&Dictionary> {
        let dictionaries = self.file.objects.values().filter_map(|object| object.as_dict().ok());
        dictionaries.filter(|dictionary| is_of(dictionary, b"FontDescriptor")).collect()
    }
}

fn is_of(dictionary: &Dictionary, kind: &[u8]) -> bool {
    dictionary.get(b"Type").and_then(Object::as_name).is_ok_and(|name| name == kind)
}

/// The text without spaces, because line breaks and gaps depend on the layout.
fn words(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[tokio::test]
async fn the_minutes_have_every_figure_of_a_question() {
    let minutes = Minutes::of(results(), Tz::UTC).await;
    minutes.assert_has(&[
        "Rowing Club Łódź",
        "Annual meeting 2026",
        "Do you approve the budget for 2027?",
        "More than 2/3 of yes and no by weight",
        "At least 1/2 of the register must be present, by heads",
        "Yes 401 412.5 68.20 % 68.24 %",
        "No 187 192 31.80 % 31.76 %",
        "Abstain 32 45.6234",
        "Percentages are of the yes and no votes. Abstentions do not count.",
        "Votes cast 620 650.1234",
        "Invalid 0 0",
        "Not voted 111 161.9391",
        "Register 731 812.0625",
        "Connected at opening 655 700.3",
        "Present (connected at opening, or voted) 657 702.375",
        "By weight, 412.5 of 604.5 were yes; more than two thirds were needed. Accepted.",
        "Quorum met: 657 present, 366 needed.",
        "Declared on 21 November 2026, 18:10:02 by Maria Keller.",
        "Record 5df6 e0e2 7613 59d3 5df6",
        "Signed with the key 2c26 b46b 68ff c68f 2c26",
        "Admitted Ada Young (ada.young) 1.0375 Came late Maria Keller",
        "Excluded Ben Frost (ben.frost) 2.5 Conflict of interest Omar Haddad",
        "Changes during the vote",
        "Passwords that were set during the vote",
        "Ada Young (ada.young) Omar Haddad Lost the letter",
        "voter.1 1.0375 No",
        "voter.3 1.0375 Not voted",
    ]);
}

#[tokio::test]
async fn the_minutes_name_the_kinds_of_weight() {
    let minutes = Minutes::of(results_by_kinds(), Tz::UTC).await;
    minutes.assert_has(&[
        "Weight Units",
        "Second weight Living area (m²)",
        "Votes Heads Units",
        "Second weight Heads Living area",
        "Yes 401 51,234.5",
        "Register 731 999,999,999,999,999,999.999999",
        "Units: 412.5 of 604.5 were yes; more than two thirds were needed.",
        "Living area: 412.5 of 604.5 m² were yes; more than two thirds were needed. Accepted.",
        "voter.1 1.0375; 123,456,789,012,345,678.25 No",
    ]);
}

#[tokio::test]
async fn the_minutes_tell_how_secret_each_vote_was() {
    let minutes = Minutes::of(secret_results(), Tz::UTC).await;
    minutes.assert_has(&[
        "Secrecy Named vote: it is told how each person voted",
        "Secrecy Votes not shown: nobody is shown how a person voted; the operator's database contains it",
        "Secrecy Secret vote: sealed ballots, opened once; only sums were kept, and the key was destroyed",
        "Weights Counted by heads: each vote counts one, whatever the weight",
        "Urn 3 sealed ballots; receipts are in the export",
        "Invalid 3 3",
        "Risk to secrecy accepted The votes of 3 people could be inferred from the totals (weights 37.5; 50)",
        "Void, because the key of the secret vote is lost",
    ]);
    assert!(!minutes.has("ABCD-EFGH"), "receipts are only in the exports");
}

#[tokio::test]
async fn the_minutes_have_all_questions_attendance_and_remarks() {
    let minutes = Minutes::of(results(), Tz::UTC).await;
    minutes.assert_has(&[
        "Item 2, round 2 (re-vote)",
        "=The first round had a tie",
        "Each option needs more than 1/2 of the votes cast by heads",
        "58 of 97 by heads 59.79 % at least 49 met",
        "21 of 97 by heads 21.65 % at least 49 not met",
        "Not declared The count: Elected: the first with 58 of 97 votes by heads, 59.79 %.",
        "Mean 4.0106 3.9951",
        "Median 4 4.5",
        "5 23 24.125",
        "Wish number 199",
        "… and 23 more",
        "Incident, 21 November 2026, 18:13:30, =1+1",
        "She came back at once.",
        "+The microphone failed",
        "At least 3/4 of the register must be present, by heads; if it is not met, a question is opened only after a warning",
        "18:00:00 512 556.25 731 812.0625 not met",
        "18:08:00 688 732.25 731 812.0625 met",
        "Chair",
        "Place",
    ]);
    assert!(!minutes.has("Wish number 200"), "at most 200 answers are printed");
}

#[tokio::test]
async fn the_minutes_of_an_election_have_one_number_of_invalid_ballots_and_no_votes_of_theirs() {
    let minutes = Minutes::of(invalid_ballots(), Tz::UTC).await;
    minutes.assert_has(&[
        "An election of 1 person by the most votes, counted by heads. A candidate needs more than 1/2 of the votes cast.",
        "Votes cast 2 –",
        "Invalid 4 –",
        "6 ballots: 2 valid, 0 abstentions, 4 invalid.",
        "Candidate Stage 1",
    ]);
    assert!(!minutes.has("Ada Arden 3") && !minutes.has("60.00 %"), "marks on invalid ballots are no votes");
}

#[tokio::test]
async fn a_declared_survey_is_called_a_survey() {
    let mut results = results();
    let declared = results.rounds[0].result.declared.clone();
    results.rounds[2].result.declared = declared;
    let minutes = Minutes::of(results, Tz::UTC).await;
    minutes.assert_has(&["How did you like the venue? Survey 21 Nov 2026", "Survey. The answers are counted."]);
    assert!(!minutes.has("Not decided"));
}

#[tokio::test]
async fn a_share_that_was_not_enough_is_not_rounded_to_the_needed_one() {
    let mut results = results();
    let check = &mut results.rounds[1].result.arithmetic.checks[0];
    (check.part, check.whole) = (Decimal::new(999_999, 4), Decimal::new(1_999_999, 4));
    Minutes::of(results, Tz::UTC).await.assert_has(&["49.99997 %"]);
}

#[tokio::test]
async fn the_minutes_tell_of_a_second_call() {
    Minutes::of(called_twice(), Tz::UTC).await.assert_has(&[
        "Second call At least 1/4 of the register must be present, by heads",
        "On a second call: At least 1/4 of the register must be present, by heads.",
        "Second call of the meeting: noted 21 Nov 2026, 18:05:00 to 18:08:00.",
    ]);
    assert!(!Minutes::of(results(), Tz::UTC).await.has("Second call"));
}

#[tokio::test]
async fn notes_with_almost_the_same_attendance_are_one_row() {
    let mut results = results();
    let mut notes = vec![results.attendance[0].clone(); 5];
    for (minute, (note, heads)) in (0..).zip(notes.iter_mut().zip([600, 602, 599, 607, 607])) {
        note.at += TimeDelta::minutes(minute);
        note.present.heads = heads;
    }
    notes[4].is_quorate = Some(true);
    results.attendance = notes;
    let minutes = Minutes::of(results, Tz::UTC).await;
    minutes.assert_has(&[
        "18:00:00 to 18:02:00 599 to 602 556.25 731 812.0625 not met",
        "18:03:00 607 556.25 731 812.0625 not met",
        "18:04:00 607 556.25 731 812.0625 met",
        "A row with two times sums up notes",
    ]);
}

#[tokio::test]
async fn thousands_are_grouped() {
    let mut results = results();
    results.attendance[0].present = Count { heads: 1_512, weight: Decimal::new(15_562_500, 4) };
    let result = &mut results.rounds[0].result;
    result.register = Count { heads: 12_731, weight: Decimal::new(128_120_625, 4) };
    (result.options[0].heads, result.options[0].weight) = (10_401, Decimal::new(104_125, 1));
    let check = &mut result.arithmetic.checks[0];
    (check.part, check.whole) = (Decimal::new(104_125, 1), Decimal::from(1_204_000));
    let quorum = result.arithmetic.quorum.as_mut().unwrap();
    quorum.attending = Decimal::from(10_657);
    Minutes::of(results, Tz::UTC).await.assert_has(&[
        "18:00:00 1,512 1,556.25 731 812.0625",
        "Register 12,731 12,812.0625",
        "Yes 10,401 10,412.5",
        "By weight, 10,412.5 of 1,204,000 were yes; more than two thirds were needed. Accepted.",
        "Quorum met: 10,657 present, 366 needed.",
    ]);
}

#[tokio::test]
async fn the_minutes_print_closing_records_amendments_and_struck_remarks() {
    let mut results = results();
    let meeting = serde_json::to_value(&results.meeting).unwrap();
    let closing = json!({
        "record": {
            "format": "plenum-closing/1", "organizationId": results.meeting.id, "meeting": meeting, "startedAt": null,
            "endedAt": "2026-11-21T20:00:00Z", "number": 1, "previousHash": null, "lastRecordHash": null,
            "auditHead": null, "recordedAt": "2026-11-21T20:00:00Z", "isRecordedLater": true, "agenda": [],
            "attendance": [serde_json::to_value(&results.attendance[0]).unwrap()], "remarks": [], "records": [],
        },
        "hash": "ab".repeat(32), "key": "cd".repeat(32), "signature": "ef".repeat(64),
        "timestamp": { "authority": "Closing Timestamps", "at": "2026-11-21T20:00:03Z" }, "timestampToken": "AAAA",
    });
    let mark = json!({
        "hash": "12".repeat(32), "key": "cd".repeat(32), "recordedAt": "2026-11-21T18:10:02Z", "isRecordedLater": false,
        "timestamp": { "authority": "Example Timestamps", "at": "2026-11-21T18:10:04Z" },
    });
    results.rounds[0].result.record = Some(serde_json::from_value(mark).unwrap());
    let amendment = json!({
        "number": 1, "closing": 1, "at": "2026-11-22T09:00:00Z", "by": "Maria Keller", "subject": "MEETING",
        "subjectId": results.meeting.id, "field": "title", "was": "Assembly", "became": "Annual meeting",
    });
    results.closings = Some(vec![serde_json::from_value(closing).unwrap()]);
    results.amendments = vec![serde_json::from_value(amendment).unwrap()];
    results.remarks[0].struck =
        Some(serde_json::from_value(json!({ "at": "2026-11-21T18:40:00Z", "by": "Otto Other" })).unwrap());
    let minutes = Minutes::of(results, Tz::UTC).await;
    minutes.assert_has(&[
        "Struck through, 21 November 2026, 18:40:00, Otto Other",
        "The meeting ended on 21 November 2026, 20:00:00. It was recorded later.",
        "Record abab abab",
        "Timestamped by Closing Timestamps on 21 November 2026, 20:00:03.",
        "Timestamped by Example Timestamps on 21 November 2026, 18:10:04.",
        "Signed with the key cdcd cdcd",
        "with 0 results, 0 remarks and 1 attendance note.",
        "Title of the meeting, 22 November 2026, 09:00:00, Maria Keller",
        "Before: Assembly",
        "Now: Annual meeting",
    ]);
}

#[tokio::test]
async fn amended_times_are_in_the_zone_of_the_minutes_and_quorums_in_words() {
    let mut results = results();
    let amendment = |number: u32, field: &str, was: Option<&str>, became: Option<&str>| -> Amendment {
        let amendment = json!({
            "number": number, "closing": 1, "at": "2026-11-22T09:00:00Z", "by": "Maria Keller", "subject": "MEETING",
            "subjectId": "019a9d5e-0000-7000-8000-000000000004", "field": field, "was": was, "became": became,
        });
        serde_json::from_value(amendment).unwrap()
    };
    let quorum = r#"{"unit": "heads", "minimum": 40, "attendance": "present"} BAR"#;
    results.closing_damage = vec!["Closing record 1 is not shown.".to_owned()];
    results.amendments = vec![
        amendment(1, "scheduledEnd", Some("2026-11-21T20:00:00.000000Z"), Some("2026-11-21T21:00:00.000000Z")),
        amendment(2, "quorum", None, Some(quorum)),
    ];
    let minutes = Minutes::of(results, Tz::Europe__Vienna).await;
    minutes.assert_has(&[
        "Before: 21 November 2026, 21:00:00 Now: 21 November 2026, 22:00:00",
        "New: At least 40 must be present, by heads; if it is not met, no question is opened",
    ]);
    assert!(!minutes.has("T20:00:00") && !minutes.has("\"unit\""));
}

#[tokio::test]
async fn a_quorum_of_votes_warns_nobody_at_opening() {
    let mut results = results();
    results.meeting.quorum.as_mut().unwrap().attendance = AttendanceName::Voted;
    let minutes = Minutes::of(results, Tz::UTC).await;
    minutes.assert_has(&["Quorum of the meeting: At least 3/4 of the register must have voted, by heads."]);
    assert!(!minutes.has("only after a warning"));
}

#[tokio::test]
async fn a_long_check_address_is_printed_in_full() {
    let address = "https://abstimmungen.verwaltungsgemeinschaft-oberes-moosalbtal.example.org/plenum/verify";
    let seal = DocumentSeal { verify_at: address.to_owned(), ..seal() };
    Minutes::sealed(seal, Letterhead::default(), results(), Tz::UTC)
        .await
        .assert_has(&[&format!("declared and signed these results, or open {address} and choose the exported")]);
}

#[tokio::test]
async fn times_are_in_the_requested_zone() {
    let minutes = Minutes::of(results(), Tz::Asia__Kolkata).await;
    minutes.assert_has(&["Asia/Kolkata", "Declared on 21 November 2026, 23:40:02", "22 November 2026, 01:31:02"]);
    assert!(!minutes.has("18:10:02"));
}

#[tokio::test]
async fn every_page_is_a4_and_has_its_number() {
    let minutes = Minutes::of(results(), Tz::UTC).await;
    let count = minutes.pages.len();
    assert!(count > 5);
    for (index, page) in minutes.pages.iter().enumerate() {
        assert!(page.contains(&words(&format!("Page {} of {count}", index + 1))), "{page}");
    }
    for id in minutes.file.get_pages().values() {
        let size = size_of(&minutes.file, *id);
        assert!((size.0 - 595.28).abs() < 0.1 && (size.1 - 841.89).abs() < 0.1, "{size:?}");
    }
}

fn size_of(file: &Document, page: ObjectId) -> (f32, f32) {
    let bounds = file.get_dictionary(page).unwrap().get(b"MediaBox").and_then(Object::as_array).unwrap();
    (bounds[2].as_float().unwrap(), bounds[3].as_float().unwrap())
}

#[tokio::test]
async fn each_script_is_printed_in_its_own_embedded_font() {
    let minutes = Minutes::of(results(), Tz::UTC).await;
    let fonts = minutes.fonts();
    let mut names = BTreeSet::new();
    for font in &fonts {
        assert!(font.has(b"FontFile2") || font.has(b"FontFile3"), "{font:?} is not embedded");
        let name = font.get(b"FontName").and_then(Object::as_name).unwrap();
        names.insert(String::from_utf8_lossy(name).split_once('+').unwrap().1.to_owned());
    }
    let wanted = ["NotoSans-Regular", "NotoSansHebrew", "NotoSansArabic", "NotoSansThai", "NotoSansSC", "NotoSansKR"];
    for name in wanted.iter().chain(&["NotoSans-Bold", "NotoSansArmenian", "NotoSansGeorgian", "NotoEmoji"]) {
        assert!(names.iter().any(|found| found.starts_with(name)), "{name} is not among {names:?}");
    }
    // Left-to-right letters without ligatures are found as typed.
    for index in [0, 1, 2, 7, 8, 9] {
        assert!(minutes.has(SCRIPTS[index]), "{}", SCRIPTS[index]);
    }
}

#[tokio::test]
async fn text_in_minutes_is_never_interpreted() {
    let mut results = results();
    results.meeting.title = format!("{HOSTILE} \u{202e}turned\u{2066} \u{0}\u{7} {}", "long ".repeat(300));
    results.meeting.organization = "\u{200f}\u{feff}".to_owned();
    results.remarks[0].text = "\n\n\u{2028}#include \"file\"\n#read(\"/etc/passwd\")".to_owned();
    let minutes = Minutes::of(results, Tz::UTC).await;
    minutes.assert_has(&[HOSTILE, "#read(\"/etc/passwd\")"]);
    assert!(!minutes.has("root:"));
}

#[tokio::test]
async fn an_empty_meeting_has_minutes() {
    let mut results = results();
    (results.rounds, results.attendance, results.remarks) = (Vec::new(), Vec::new(), Vec::new());
    (results.meeting.quorum, results.meeting.scheduled_start) = (None, None);
    results.meeting.title = String::new();
    let minutes = Minutes::of(results, Tz::UTC).await;
    minutes.assert_has(&["No question was put to the vote.", "No attendance was recorded.", "Page 1 of 1"]);
}

#[tokio::test]
async fn the_minutes_list_the_named_votes_of_a_large_register() {
    const VOTERS: u32 = 2_000;
    let minutes = Minutes::of(large(VOTERS), Tz::UTC).await;
    minutes.assert_has(&[&format!("Jürgen Müller {VOTERS} juergen.mueller.{VOTERS} 1.0375 Yes")]);
    let count = minutes.pages.len();
    assert!(minutes.pages[count - 2].contains("NameUsernameWeightVote"), "headings stand on every page");
}

/// A violet square of one pixel.
const LOGO: [u8; 69] = *include_bytes!("logo.png");

fn pictures(minutes: &Minutes) -> usize {
    let streams = minutes.file.objects.values().filter_map(|object| object.as_stream().ok());
    streams
        .filter(|stream| stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Image"))
        .count()
}

#[tokio::test]
async fn the_letterhead_has_the_logo_and_a_line_in_the_accent_color() {
    let logo = LetterheadLogo { media_type: "image/png", content: LOGO.to_vec() };
    let letterhead = Letterhead { accent: Some([0x7a, 0x1f, 0x5c]), logo: Some(logo) };
    let branded = Minutes::on(letterhead, results(), Tz::UTC).await;
    let plain = Minutes::of(results(), Tz::UTC).await;
    assert_eq!((pictures(&branded), pictures(&plain)), (1, 0));
    let first = |minutes: &Minutes| {
        let page = minutes.file.page_iter().next().unwrap();
        String::from_utf8_lossy(&minutes.file.get_page_content(page)).into_owned()
    };
    // 0x7a, 0x1f and 0x5c as shares of 255.
    let color = "0.47843137 0.12156863 0.36078432";
    assert!(first(&branded).contains(color));
    assert!(!first(&plain).contains(color));
    branded.assert_has(&["Rowing Club", "Signatures"]);
}

#[tokio::test]
async fn minutes_are_written_without_a_logo_that_cannot_be_read() {
    for media_type in ["image/png", "image/jpeg", "image/webp"] {
        for content in [b"\x89PNG\r\n\x1a\n".to_vec(), LOGO[..53].to_vec(), vec![0xff, 0xd8, 0xff], Vec::new()] {
            let logo = Some(LetterheadLogo { media_type, content });
            let minutes = Minutes::on(Letterhead { accent: None, logo }, results(), Tz::UTC).await;
            assert_eq!(pictures(&minutes), 0, "{media_type}");
            minutes.assert_has(&["Signatures"]);
        }
    }
}

#[tokio::test]
async fn represented_people_are_in_the_attendance_over_time() {
    let minutes = Minutes::of(attended(), Tz::UTC).await;
    minutes
        .assert_has(&["18:00:00 512 556.25 12 13.5 731 812.0625 not met", "18:08:00 688 732.25 0 0 731 812.0625 met"]);
    assert!(!Minutes::of(results(), Tz::UTC).await.has("Represented, heads"));
}

#[tokio::test]
async fn minutes_call_half_of_the_votes_no_quota() {
    let mut file = invalid_ballots();
    let stage = &mut file.rounds[0].result.election.as_mut().unwrap().stages[0];
    (stage.quota, stage.is_quota_enough) = (Some("21".to_owned()), false);
    let minutes = Minutes::of(file, Tz::UTC).await;
    minutes.assert_has(&["More than 21 needed."]);
    assert!(!minutes.has("The quota is 21."));
}

#[tokio::test]
async fn minutes_of_a_meeting_with_check_in_say_so_and_name_proxies() {
    let minutes = Minutes::of(attended(), Tz::UTC).await;
    minutes.assert_has(&[
        "Checked in at opening 655 700.3",
        "Present (checked in at opening, or voted) 645 688.875",
        "Represented (not present",
        "Quorum met: 657 present or represented, 366 needed.",
    ]);
}

#[tokio::test]
async fn the_attendance_list_has_everybody_who_went_also_under_another_name() {
    Minutes::of(renamed(), Tz::UTC).await.assert_has(&["18:40:00", "18:31:00"]);
}

#[tokio::test]
async fn all_rounds_of_a_question_have_the_agenda_item_of_its_last_round() {
    let minutes = Minutes::of(moved_up(), Tz::UTC).await;
    let text = minutes.pages.concat();
    let headings = |item: &str| text.matches(&words(item)).count();
    assert_eq!((headings("Item 2"), headings("Item 3")), (2, 1), "{text}");
    minutes.assert_has(&["Item 2, round 2 (re-vote)"]);
}
