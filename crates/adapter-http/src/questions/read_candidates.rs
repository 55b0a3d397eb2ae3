use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{ImportField, ReadSheet, SheetReader, SheetRow, normalized_heading, suggest_columns};
use plenum_kernel::{Invalid, look};
use plenum_meetings::{MAX_OPTIONS, OptionText};
use plenum_result_format::CandidateNoteFormat;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::{MAX_SHEET_BODY, SheetFileBody};

/// The most errors of rows in one response.
const MAX_ERRORS: usize = 10;

/// The headings of a candidate's line and text, as [`normalized_heading`] returns them.
const LINE: [&str; 15] = [
    "line",
    "party",
    "flat",
    "apartment",
    "department",
    "unit",
    "branch",
    "section",
    "zeile",
    "partei",
    "wohnung",
    "abteilung",
    "bereich",
    "verband",
    "office",
];
const ABOUT: [&str; 12] = [
    "about",
    "text",
    "description",
    "statement",
    "bio",
    "biography",
    "introduction",
    "vorstellung",
    "beschreibung",
    "uber",
    "info",
    "profile",
];

/// A candidate of a file.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({ "name": "Nadia Brandt", "line": "Flat 12", "about": null }))]
pub(crate) struct ReadCandidateView {
    /// The name.
    name: String,
    /// The line under the name.
    #[schema(required)]
    line: Option<String>,
    /// The text about the person.
    #[schema(required)]
    about: Option<String>,
}

/// Reads candidates from a CSV file or an Excel workbook, and stores nothing. Columns are found by their headings: a name (or
/// first and last name), and optionally a line (also party, flat, department) and a text (about, description). The candidates
/// fit into `options` and `decisionRule.election.candidates` of an election.
#[utoipa::path(
    tag = "questions",
    security(("bearer" = [])),
    request_body = SheetFileBody,
    responses(
        (status = 200, description = "The candidates, in the order of the file", body = Vec<ReadCandidateView>),
        (status = 413, description = "The body is larger than 8 MB", body = ApiErrorBody,
         example = json!({ "code": "body_too_large", "error": "The body is larger than 8192 KiB." })),
        (status = 422, description = "The file cannot be used; `fields` contains the requirements", body = ApiErrorBody,
         example = json!({
             "code": "invalid_input", "error": "content must have a column with the heading Name.",
             "fields": { "content": ["Must have a column with the heading Name."] },
         })),
    ),
)]
#[post("/client/questions/candidates/read")]
pub(crate) async fn read_candidates(
    _: ClientAdmin,
    Body(body): Body<SheetFileBody, MAX_SHEET_BODY>,
    sheets: Data<dyn SheetReader>,
) -> Result<Json<Vec<ReadCandidateView>>, ApiError> {
    let sheet = body.read(&**sheets).await?;
    let refuse = |requirements: Vec<String>| ApiError::invalid_field("content", requirements.join(" "));
    candidates_of(&sheet).map(Json).map_err(refuse)
}

/// The columns of a file with candidates.
struct Columns {
    /// One column, or the first and the last name.
    name: Vec<usize>,
    line: Option<usize>,
    about: Option<usize>,
}

impl Columns {
    fn of(headings: &[String]) -> Option<Self> {
        let known = suggest_columns(headings);
        let of_field = |field| known.iter().find(|(known, _)| *known == field).map(|(_, column)| *column);
        let candidate = || place(headings, &["candidate", "kandidat", "kandidatin", "candidat", "candidato"]);
        let name = match (of_field(ImportField::Name).or_else(candidate), of_field(ImportField::LastName)) {
            (Some(name), _) => vec![name],
            (None, Some(last)) => of_field(ImportField::FirstName).into_iter().chain([last]).collect(),
            (None, None) => return None,
        };
        Some(Self { name, line: place(headings, &LINE), about: place(headings, &ABOUT) })
    }

    /// The candidate of a row, or the wrong column with its requirement.
    fn read(&self, row: &SheetRow) -> Result<ReadCandidateView, (&'static str, Invalid)> {
        let cell = |column: usize| row.cells.get(column).map(|cell| cell.trim()).unwrap_or_default();
        let name = self.name.iter().map(|column| cell(*column)).collect::<Vec<_>>().join(" ");
        let filled = |column: Option<usize>| column.map(|column| cell(column).to_owned());
        let name = OptionText::parse(&name).map_err(|requirement| ("name", requirement))?;
        let note = CandidateNoteFormat { line: filled(self.line), about: filled(self.about), is_withdrawn: false };
        let note = note.checked()?;
        Ok(ReadCandidateView { name: name.to_string(), line: note.line, about: note.about })
    }
}

fn place(headings: &[String], names: &[&str]) -> Option<usize> {
    headings.iter().position(|heading| names.contains(&normalized_heading(heading).as_str()))
}

/// The candidates of a table, or what is wrong with it.
fn candidates_of(sheet: &ReadSheet) -> Result<Vec<ReadCandidateView>, Vec<String>> {
    let columns =
        Columns::of(&sheet.columns).ok_or_else(|| vec!["Must have a column with the heading Name.".to_owned()])?;
    if sheet.rows.len() > MAX_OPTIONS {
        return Err(vec![format!("Must have at most {MAX_OPTIONS} candidates.")]);
    }
    let (mut candidates, mut errors): (Vec<ReadCandidateView>, Vec<String>) = (Vec::new(), Vec::new());
    for row in &sheet.rows {
        match columns.read(row) {
            Ok(candidate) if is_known(&candidates, &candidate.name) => {
                errors.push(format!("Row {}: \"{}\" is in the file twice.", row.line, candidate.name));
            }
            Ok(candidate) => candidates.push(candidate),
            Err((column, requirement)) => errors.push(format!("Row {}, {column}: {requirement}", row.line)),
        }
    }
    if errors.is_empty() {
        return Ok(candidates);
    }
    let others = errors.len().saturating_sub(MAX_ERRORS);
    errors.truncate(MAX_ERRORS);
    if others > 0 {
        errors.push(format!("There are errors in {others} more rows."));
    }
    Err(errors)
}

/// Names that look the same in any case are equal, as on a ballot.
fn is_known(candidates: &[ReadCandidateView], name: &str) -> bool {
    candidates.iter().any(|candidate| look(&candidate.name) == look(name))
}
