//! Compares the package of a workbook with the one that the writer makes: its parts, their content types, and the
//! relationships between them. Two programs read the same cells only if all of these are as expected. Excel follows
//! relationships where the reader of cells takes fixed paths, and skips elements of namespaces that it may ignore.
//!
//! Excel and LibreOffice write the same parts when they save a workbook again, with other ids and settings, which are free.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Cursor};

use plenum_result_format::SIGNATURE_SECTION;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};
use quick_xml::reader::NsReader;
use zip::ZipArchive;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

const CONTENT_TYPES: &str = "[Content_Types].xml";
const ROOT_RELATIONSHIPS: &str = "_rels/.rels";
const WORKBOOK_RELATIONSHIPS: &str = "xl/_rels/workbook.xml.rels";
const WORKBOOK: &str = "xl/workbook.xml";
const SHARED_STRINGS: &str = "xl/sharedStrings.xml";
const STYLES: &str = "xl/styles.xml";
const THEME: &str = "xl/theme/theme1.xml";
const CORE: &str = "docProps/core.xml";
const APP: &str = "docProps/app.xml";

const RELATIONSHIPS_TYPE: &str = "application/vnd.openxmlformats-package.relationships+xml";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CORE_RELATIONSHIP: &str = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties";
const CONTENT_TYPES_SPACE: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
const RELATIONSHIPS_SPACE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const SPREADSHEET_SPACE: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// The package of a workbook.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// What an exported workbook does not have, by part. Empty if it is as written.
    pub(crate) foreign: Vec<String>,
    /// Whether the reader of cells reads each sheet of the workbook once. Otherwise a part could be read any number of times.
    pub(crate) is_direct: bool,
    /// Whether it has a sheet for a signature.
    pub(crate) claims_signature: bool,
}

impl Package {
    /// Reads the package of a workbook whose unpacked size was checked. `None` if the archive or its XML cannot be read.
    pub(crate) fn read(content: &[u8]) -> Option<Self> {
        let mut archive = ZipArchive::new(Cursor::new(content)).ok()?;
        let mut package = Self::default();
        let is_whole = archive.offset() == 0 && archive.validate_header_consistency().is_ok();
        package.expect(is_whole, "the archive (entries that overlap, repeat or contradict the directory)");
        let names: BTreeSet<String> =
            archive.file_names().map(|name| Some(name.ok()?.into_owned())).collect::<Option<_>>()?;
        for name in names.iter().filter(|name| !is_known(name)) {
            package.expect(false, name);
        }
        package.check_content_types(&mut archive, &names)?;
        let sheets = package.check_relationships(&mut archive, &names)?;
        package.check_workbook(&mut archive, &sheets)?;
        for name in names.iter().filter(|name| is_sheet(name)) {
            package.expect(has_plain_cells(&mut archive, name)?, &format!("{name} (elements)"));
        }
        if names.contains(SHARED_STRINGS) {
            package.expect(has_plain_texts(&mut archive, SHARED_STRINGS)?, &format!("{SHARED_STRINGS} (elements)"));
        }
        Some(package)
    }

    fn expect(&mut self, is_as_written: bool, what: &str) {
        const MOST: usize = 10;
        if !is_as_written && self.foreign.len() < MOST {
            self.foreign.push(what.to_owned());
        }
    }

    fn check_content_types(&mut self, archive: &mut Archive<'_>, names: &BTreeSet<String>) -> Option<()> {
        let mut overrides: BTreeMap<String, String> = BTreeMap::new();
        let mut defaults: BTreeMap<String, String> = BTreeMap::new();
        let is_plain = each_child(archive, CONTENT_TYPES, (CONTENT_TYPES_SPACE, "Types"), |found| {
            let content_type = found.attribute("ContentType").unwrap_or_default();
            let (kept, key) = match found.name().as_str() {
                "Override" => (&mut overrides, found.attribute("PartName")),
                "Default" => (&mut defaults, found.attribute("Extension").map(|name| name.to_lowercase())),
                _ => return false,
            };
            key.is_some_and(|key| kept.insert(key, content_type).is_none())
        })?;
        let is_default = |extension: &str, wanted: &str| defaults.get(extension).is_none_or(|given| given == wanted);
        let has_defaults = is_default("rels", RELATIONSHIPS_TYPE) && is_default("xml", "application/xml");
        // Each part with a type has it, and no other part has one.
        let wanted = |name: &str| content_type(name).filter(|_| names.contains(name));
        let are_typed = names.iter().all(|name| {
            let given = overrides.get(&format!("/{name}")).map(String::as_str);
            given == content_type(name) || given.is_none() && name.ends_with(".rels")
        });
        let are_parts = overrides
            .iter()
            .all(|(part, given)| part.strip_prefix('/').and_then(wanted).is_some_and(|wanted| wanted == given));
        self.expect(is_plain && has_defaults && are_typed && are_parts, &format!("{CONTENT_TYPES} (content types)"));
        Some(())
    }

    /// Returns the id of the relationship to each sheet.
    fn check_relationships(&mut self, archive: &mut Archive<'_>, names: &BTreeSet<String>) -> Option<BTreeSet<String>> {
        let root = Relationships::read(archive, ROOT_RELATIONSHIPS, "")?;
        let of_workbook = Relationships::read(archive, WORKBOOK_RELATIONSHIPS, "xl/")?;
        self.is_direct = root.is_plain && root.are_unlike() && root.leads_to_workbook();
        self.is_direct &= of_workbook.is_plain && of_workbook.are_unlike();
        self.expect(root.are_as_written(names, &[WORKBOOK]), &format!("{ROOT_RELATIONSHIPS} (relationships)"));
        let of_sheets: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| is_sheet(name) || *name == SHARED_STRINGS).collect();
        let are_as_written = of_workbook.are_as_written(names, &of_sheets);
        self.expect(are_as_written, &format!("{WORKBOOK_RELATIONSHIPS} (relationships)"));
        let sheets = of_workbook.all.iter().filter(|one| is_sheet(&one.target));
        Some(sheets.map(|sheet| sheet.id.clone()).collect())
    }

    /// The workbook has one list of sheets, and each of them has its own relationship and name.
    fn check_workbook(&mut self, archive: &mut Archive<'_>, related: &BTreeSet<String>) -> Option<()> {
        let (mut ids, mut names, mut lists, mut sheets) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
        let is_plain = each_part_element(archive, WORKBOOK, |found| match found.name().as_str() {
            "workbook" => found.is_at(1),
            "sheets" => {
                lists += 1;
                found.is_at(2)
            }
            "sheet" => {
                sheets += 1;
                let name = found.attribute("name").unwrap_or_default();
                self.claims_signature |= name == SIGNATURE_SECTION;
                names.insert(name.to_lowercase());
                ids.extend(found.relationship());
                found.is_at(3) && found.within == "sheets"
            }
            _ => true,
        })?;
        let is_one_to_one = lists == 1 && ids.len() == sheets && names.len() == sheets && ids == *related;
        self.is_direct &= is_plain && is_one_to_one;
        self.expect(is_plain && is_one_to_one, &format!("{WORKBOOK} (sheets)"));
        Some(())
    }
}

/// Whether the writer makes a part with this name.
fn is_known(name: &str) -> bool {
    name == CONTENT_TYPES || content_type(name).is_some()
}

/// Whether this is the name of a sheet: "xl/worksheets/sheet1.xml".
fn is_sheet(name: &str) -> bool {
    let number = name.strip_prefix("xl/worksheets/sheet").and_then(|name| name.strip_suffix(".xml"));
    number.is_some_and(|number| number.parse::<u32>().is_ok_and(|value| value > 0 && value.to_string() == number))
}

/// The content type of a part that the writer makes.
fn content_type(name: &str) -> Option<&'static str> {
    Some(match name {
        ROOT_RELATIONSHIPS | WORKBOOK_RELATIONSHIPS => RELATIONSHIPS_TYPE,
        WORKBOOK => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
        SHARED_STRINGS => "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml",
        STYLES => "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml",
        THEME => "application/vnd.openxmlformats-officedocument.theme+xml",
        CORE => "application/vnd.openxmlformats-package.core-properties+xml",
        APP => "application/vnd.openxmlformats-officedocument.extended-properties+xml",
        name if is_sheet(name) => "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml",
        _ => return None,
    })
}

/// The type of the relationship to a part.
fn relationship_type(name: &str) -> Option<String> {
    let kind = match name {
        WORKBOOK => "officeDocument",
        SHARED_STRINGS => "sharedStrings",
        STYLES => "styles",
        THEME => "theme",
        APP => "extended-properties",
        CORE => return Some(CORE_RELATIONSHIP.to_owned()),
        name if is_sheet(name) => "worksheet",
        _ => return None,
    };
    Some(format!("{OFFICE}/{kind}"))
}

struct Relationship {
    id: String,
    kind: String,
    /// The name of the part.
    target: String,
}

/// The relationships of a part.
struct Relationships {
    all: Vec<Relationship>,
    /// Whether there is nothing else, and each leads to a part of the package.
    is_plain: bool,
}

impl Relationships {
    fn read(archive: &mut Archive<'_>, part: &str, folder: &str) -> Option<Self> {
        let mut all = Vec::new();
        let is_plain = each_child(archive, part, (RELATIONSHIPS_SPACE, "Relationships"), |found| {
            let value = |name: &str| found.attribute(name).unwrap_or_default();
            let target = value("Target");
            let target = target.strip_prefix('/').map_or_else(|| format!("{folder}{target}"), str::to_owned);
            all.push(Relationship { id: value("Id"), kind: value("Type"), target });
            found.name() == "Relationship" && found.attribute("TargetMode").is_none()
        })?;
        Some(Self { all, is_plain })
    }

    /// Whether no two have the same id or lead to the same part.
    fn are_unlike(&self) -> bool {
        let ids: BTreeSet<&str> = self.all.iter().map(|one| one.id.as_str()).collect();
        let targets: BTreeSet<&str> = self.all.iter().map(|one| one.target.as_str()).collect();
        ids.len() == self.all.len() && targets.len() == self.all.len()
    }

    /// Whether the only workbook is the expected one. The reader of cells goes by the end of the type.
    fn leads_to_workbook(&self) -> bool {
        let mut workbooks = self.all.iter().filter(|one| one.kind.ends_with("/officeDocument"));
        workbooks.next().is_some_and(|one| one.target == WORKBOOK) && workbooks.next().is_none()
    }

    /// Whether each leads to a part of this package by the type of that part, and these parts are among them.
    fn are_as_written(&self, names: &BTreeSet<String>, needed: &[&str]) -> bool {
        let is_known = |one: &Relationship| {
            names.contains(&one.target) && relationship_type(&one.target).is_some_and(|kind| kind == one.kind)
        };
        let is_related = |part: &&str| self.all.iter().any(|one| one.target == *part);
        self.is_plain && self.are_unlike() && self.all.iter().all(is_known) && needed.iter().all(is_related)
    }
}

/// An element of a part.
struct Found<'a> {
    /// Its namespace. Empty without one.
    space: &'a str,
    /// The number of the elements around it, and itself.
    depth: usize,
    /// The name of the child of the root that it is in. Empty for the root, and for its children.
    within: &'a str,
    element: &'a BytesStart<'a>,
}

impl Found<'_> {
    fn name(&self) -> String {
        self.element.local_name().as_ref().to_owned()
    }

    /// Whether it is an element of workbooks at this depth.
    fn is_at(&self, depth: usize) -> bool {
        self.space == SPREADSHEET_SPACE && self.depth == depth
    }

    /// The value of an attribute without a prefix.
    fn attribute(&self, name: &str) -> Option<String> {
        let found = self.element.attributes().flatten().find(|attribute| attribute.key.as_ref() == name)?;
        Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
    }

    /// The id of a relationship: the only attribute that is named so, with any prefix.
    fn relationship(&self) -> Option<String> {
        let attributes = self.element.attributes().flatten();
        let mut ids = attributes.filter(|attribute| attribute.key.local_name().as_ref() == "id");
        let id = ids.next().filter(|_| ids.next().is_none())?;
        Some(id.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned())
    }
}

/// Reads the elements of a part that has only a root and children. Returns whether all are of this namespace, and accepted.
fn each_child(
    archive: &mut Archive<'_>,
    part: &str,
    (space, root): (&str, &str),
    mut accept: impl FnMut(&Found<'_>) -> bool,
) -> Option<bool> {
    each_part_element(archive, part, |found| {
        let is_accepted = match found.depth {
            1 => found.name() == root,
            2 => accept(found),
            _ => false,
        };
        is_accepted && found.space == space
    })
}

/// Reads all elements of a part. Returns whether all are accepted, and nothing defines entities. `None` for damaged XML.
fn each_part_element(
    archive: &mut Archive<'_>,
    part: &str,
    mut accept: impl FnMut(&Found<'_>) -> bool,
) -> Option<bool> {
    let mut reader = NsReader::from_reader(BufReader::new(archive.by_name(part).ok()?));
    let (mut buffer, mut is_accepted, mut depth, mut within) = (Vec::new(), true, 0, String::new());
    loop {
        buffer.clear();
        let (space, event) = reader.read_resolved_event_into(&mut buffer).ok()?;
        let space = match space {
            ResolveResult::Bound(Namespace(space)) => space,
            ResolveResult::Unbound | ResolveResult::Unknown(_) => "",
        };
        match &event {
            Event::Start(element) | Event::Empty(element) => {
                let found = Found { space, depth: depth + 1, within: &within, element };
                is_accepted &= accept(&found);
                if depth == 1 {
                    within = found.name();
                }
                depth += usize::from(matches!(event, Event::Start(_)));
            }
            Event::End(_) => depth -= 1,
            Event::DocType(_) => is_accepted = false,
            Event::Eof => return Some(is_accepted),
            _ => {}
        }
        if depth < 2 {
            within.clear();
        }
    }
}

/// Whether the cells of a sheet are in one list, with nothing that some program skips.
fn has_plain_cells(archive: &mut Archive<'_>, part: &str) -> Option<bool> {
    let mut lists = 0;
    let is_plain = each_part_element(archive, part, |found| match found.name().as_str() {
        "worksheet" => found.is_at(1),
        "sheetData" => {
            lists += 1;
            found.is_at(2)
        }
        // A choice between contents, of which programs take different ones.
        "AlternateContent" => false,
        name if found.within == "sheetData" => {
            found.space == SPREADSHEET_SPACE && matches!(name, "row" | "c" | "v" | "f" | "is" | "t")
        }
        _ => true,
    })?;
    Some(is_plain && lists == 1)
}

/// Whether the texts have nothing that some program skips: an additional text would move all others.
fn has_plain_texts(archive: &mut Archive<'_>, part: &str) -> Option<bool> {
    each_part_element(archive, part, |found| {
        let is_listed = found.name() != "si" || found.depth == 2;
        found.space == SPREADSHEET_SPACE && is_listed && !matches!(found.name().as_str(), "extLst" | "rPh")
    })
}
