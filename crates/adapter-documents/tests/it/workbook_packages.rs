//! Signed workbooks in which programs could read other cells than the verifier.

use std::io::{Cursor, Read as _};

use plenum_adapter_documents::Documents;
use plenum_clients::{Sheet, SheetCell, SheetFormat, SheetSeal, SheetWriter as _};
use plenum_result_format::{DocumentSeal, ResultDocuments as _, TableReader as _, TableSeal, UnreadableTable};
use plenum_verify::{Exported, KnownAuthorities, KnownKeys, SignedTable, Tables, Verdict, examine, read_exported};
use zip::ZipArchive;

use crate::meeting::results;
use crate::support::{archive, seal};

const ROOT: &str = "_rels/.rels";
const RELATIONSHIPS: &str = "xl/_rels/workbook.xml.rels";
const TYPES: &str = "[Content_Types].xml";
const TEXTS: &str = "xl/sharedStrings.xml";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The parts of a signed workbook.
#[derive(Clone)]
struct Parts {
    seal: DocumentSeal,
    all: Vec<(String, String)>,
}

impl Parts {
    fn of(seal: DocumentSeal, content: &[u8]) -> Self {
        let mut archive = ZipArchive::new(Cursor::new(content)).unwrap();
        let parts = archive.len();
        let read = |place| {
            let mut part = archive.by_index(place).unwrap();
            let (name, mut text) = (part.name().unwrap().into_owned(), String::new());
            part.read_to_string(&mut text).unwrap();
            (name, text)
        };
        Self { seal, all: (0..parts).map(read).collect() }
    }

    /// The workbook of an audit log, which has two sheets.
    async fn of_audit_log() -> Self {
        let seal = seal();
        let sheet = Sheet {
            title: "Audit log",
            columns: ["Time", "What"].map(Into::into).to_vec(),
            rows: vec![vec![SheetCell::Text("12:00".to_owned()), SheetCell::Text("5 votes".to_owned())]],
        };
        let unsigned = SheetSeal { lines: audit_lines(&seal), keys: seal.keys.clone() };
        let content = Documents::new().write_signed(sheet, SheetFormat::Xlsx, unsigned).await.unwrap();
        Self::of(seal, &content)
    }

    async fn of_results() -> Self {
        let seal = seal();
        let content = Documents::new().xlsx(results(), seal.clone()).await.unwrap();
        Self::of(seal, &content)
    }

    fn part(&mut self, name: &str) -> &mut String {
        &mut self.all.iter_mut().find(|(part, _)| part == name).unwrap().1
    }

    /// Replaces a text of a part, which has it.
    fn replace(mut self, name: &str, from: &str, to: &str) -> Self {
        let part = self.part(name);
        assert!(part.contains(from), "{from} is not in {part}");
        *part = part.replacen(from, to, 1);
        self
    }

    fn with(mut self, name: &str, content: &str) -> Self {
        self.all.push((name.to_owned(), content.to_owned()));
        self
    }

    fn packed(&self) -> Vec<u8> {
        let parts: Vec<(&str, &[u8])> =
            self.all.iter().map(|(name, content)| (name.as_str(), content.as_bytes())).collect();
        archive(&parts)
    }

    fn verdict(&self) -> Verdict {
        self.verdict_on(&self.packed())
    }

    fn verdict_on(&self, content: &[u8]) -> Verdict {
        let known = KnownKeys::Own(vec![self.seal.unsigned.key.clone()]);
        let tables = Tables { reader: &Documents::new(), most: 1 << 30 };
        let exported = read_exported(content, tables).unwrap();
        examine(content, &exported, &known, &KnownAuthorities::None).verdict()
    }

    fn signed(&self) -> Verdict {
        Verdict::Signed(self.seal.unsigned.key.clone())
    }
}

fn audit_lines(seal: &DocumentSeal) -> Vec<(&'static str, String)> {
    let says = TableSeal {
        content: TableSeal::AUDIT_LOG.to_owned(),
        title: String::new(),
        organization: String::new(),
        exported_at: "2026-11-22 11:00:00".to_owned(),
        records: Vec::new(),
        audit_head: None,
        verify_at: seal.verify_at.clone(),
        signature: seal.unsigned.clone(),
    };
    says.lines()
}

fn relationship(kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"rId99\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/></Relationships>")
}

#[tokio::test]
async fn every_workbook_that_plenum_writes_passes() {
    for parts in [Parts::of_audit_log().await, Parts::of_results().await] {
        assert_eq!(parts.verdict(), parts.signed());
    }
}

#[tokio::test]
async fn a_workbook_with_other_ids_and_full_targets_passes() {
    let mut parts = Parts::of_results().await;
    let relationships = parts.part(RELATIONSHIPS);
    *relationships = relationships.replace("rId", "relation").replace("Target=\"", "Target=\"/xl/");
    let workbook = parts.part("xl/workbook.xml");
    *workbook = workbook.replace("rId", "relation");
    assert_eq!(parts.verdict(), parts.signed());
}

#[tokio::test]
async fn other_texts_behind_the_relationship_are_a_change() {
    let mut parts = Parts::of_results().await;
    let forged = parts.part(TEXTS).clone();
    let forged = parts
        .clone()
        .with("xl/forged.xml", &forged)
        .replace(RELATIONSHIPS, "sharedStrings.xml", "forged.xml")
        .replace(TYPES, "/xl/sharedStrings.xml", "/xl/forged.xml");
    assert_eq!(forged.verdict(), Verdict::NotConsistent);
    let unlinked = Parts::of_results().await.replace(RELATIONSHIPS, "sharedStrings\"", "other\"");
    assert_eq!(unlinked.verdict(), Verdict::NotConsistent, "a program that follows relationships finds no texts");
}

#[tokio::test]
async fn a_second_workbook_in_the_package_is_a_change() {
    let mut parts = Parts::of_audit_log().await;
    let workbook = parts.part("xl/workbook.xml").clone();
    let relationships = parts.part(RELATIONSHIPS).clone();
    let second = parts
        .clone()
        .with("other/workbook.xml", &workbook)
        .with("other/_rels/workbook.xml.rels", &relationships)
        .replace(ROOT, "</Relationships>", &relationship("officeDocument", "other/workbook.xml"));
    assert_eq!(second.verdict(), Verdict::NotConsistent);
    let twice = parts.replace(ROOT, "</Relationships>", &relationship("officeDocument", "xl/workbook.xml"));
    assert_eq!(twice.verdict(), Verdict::NotConsistent);
}

#[tokio::test]
async fn an_entry_that_occurs_twice_is_a_change() {
    let mut parts = Parts::of_audit_log().await;
    let texts = parts.part(TEXTS).clone();
    for (name, twice) in [("xl/sharedStrings.xmX", TEXTS), ("xl/workbook.xmX", "xl/workbook.xml")] {
        let content = parts.clone().with(name, &texts).packed();
        let mut doubled = content.clone();
        for place in (0..content.len() - name.len()).filter(|place| content[*place..].starts_with(name.as_bytes())) {
            doubled[place..place + name.len()].copy_from_slice(twice.as_bytes());
        }
        assert_ne!(doubled, content);
        let known = KnownKeys::Own(vec![parts.seal.unsigned.key.clone()]);
        let verdict = read_exported(&doubled, Tables { reader: &Documents::new(), most: 1 << 30 })
            .map(|exported| examine(&doubled, &exported, &known, &KnownAuthorities::None).verdict());
        assert!(!matches!(verdict, Ok(Verdict::Signed(_))), "{twice}");
    }
}

#[tokio::test]
async fn parts_relationships_and_types_that_plenum_does_not_write_are_changes() {
    let parts = Parts::of_audit_log().await;
    let sheet = "xl/worksheets/sheet1.xml";
    for (change, changed) in [
        ("a name in other letters", parts.clone().with("xl/SharedStrings.xml", "<sst/>")),
        ("a part", parts.clone().with("xl/calcChain.xml", "<calcChain/>")),
        ("a sheet that is not listed", parts.clone().with("xl/worksheets/sheet3.xml", "<worksheet/>")),
        (
            "a relationship",
            parts.clone().replace(RELATIONSHIPS, "</Relationships>", &relationship("externalLink", "styles.xml")),
        ),
        (
            "an external target",
            parts.clone().replace(RELATIONSHIPS, "Target=\"theme", "TargetMode=\"External\" Target=\"theme"),
        ),
        ("another type", parts.clone().replace(TYPES, "sharedStrings+xml", "styles+xml")),
        ("another default", parts.clone().replace(TYPES, "application/xml", "text/plain")),
        (
            "a second list of cells",
            parts.clone().replace(sheet, "</sheetData>", "</sheetData><sheetData><row r=\"1\"/></sheetData>"),
        ),
        (
            "cells that a program may ignore",
            parts.clone().replace(sheet, "<sheetData>", "<sheetData xmlns=\"urn:other\">"),
        ),
        (
            "texts that a program may ignore",
            parts.clone().replace(TEXTS, "<si>", "<x:si xmlns:x=\"urn:other\"><t>12:00</t></x:si><si>"),
        ),
        ("a choice", parts.clone().replace(sheet, "<sheetData>", "<AlternateContent xmlns=\"urn:mc\"/><sheetData>")),
    ] {
        assert_eq!(changed.verdict(), Verdict::NotConsistent, "{change}");
    }
}

#[tokio::test]
async fn sheets_that_share_a_part_are_not_read() {
    let parts = Parts::of_audit_log().await;
    let shared =
        parts.replace("xl/workbook.xml", "</sheets>", "<sheet name=\"Again\" sheetId=\"9\" r:id=\"rId1\"/></sheets>");
    let table = Documents::new().read_table(&shared.packed(), 1 << 30).unwrap();
    assert!(table.sheets.iter().all(|sheet| sheet.rows.is_empty()), "{table:?}");
    assert_eq!(shared.verdict(), Verdict::NotConsistent);
}

#[tokio::test]
async fn each_empty_cell_counts_towards_the_limit() {
    let cells = "<row r=\"1\"><c r=\"A1\"/></row>".repeat(10_000);
    let parts = Parts::of_audit_log().await;
    let parts = parts.replace("xl/worksheets/sheet1.xml", "</sheetData>", &format!("{cells}</sheetData>"));
    let content = parts.packed();
    let read = |most| Documents::new().read_table(&content, most);
    assert!(read(1 << 20).is_ok());
    assert_eq!(read(310_000), Err(UnreadableTable::TooLarge));
}

/// A signed table says what it is.
#[tokio::test]
async fn a_changed_package_does_not_hide_that_it_is_a_signed_table() {
    let parts = Parts::of_audit_log().await.with("xl/calcChain.xml", "<calcChain/>");
    let content = parts.packed();
    let Ok(Exported::Table(table)) = read_exported(&content, Tables { reader: &Documents::new(), most: 1 << 30 })
    else {
        panic!("it is a table")
    };
    assert!(SignedTable::seal(&table).is_some());
}
