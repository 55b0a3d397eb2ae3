use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{
    ImportField, ReadSheet, SheetFormat, SheetReader, SheetRow, WeightKindService, suggest_columns_of,
};
use plenum_kernel::WeightKind;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::{MAX_SHEET_BODY, SheetFileBody};

/// A suggestion of the column for each field, counted from 0. Fields without a column are missing.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": 0, "weight": 1 }))]
pub(crate) struct ColumnMapping {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_name: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_name: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<usize>,
    /// The columns of kinds of weight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    weights: Vec<WeightColumn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_active: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<usize>,
}

/// The column of a kind of weight.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "kindId": "019a9d5e-0000-7000-8000-000000000030", "column": 2 }))]
pub(crate) struct WeightColumn {
    kind_id: Uuid,
    column: usize,
}

impl ColumnMapping {
    fn of(columns: &[String], kinds: &[WeightKind]) -> Self {
        let mut mapping = Self::default();
        for (field, column) in suggest_columns_of(columns, kinds) {
            let place = match field {
                ImportField::Name => &mut mapping.name,
                ImportField::FirstName => &mut mapping.first_name,
                ImportField::LastName => &mut mapping.last_name,
                ImportField::Username => &mut mapping.username,
                ImportField::Email => &mut mapping.email,
                ImportField::Address => &mut mapping.address,
                ImportField::Weight => &mut mapping.weight,
                ImportField::Weights(kind) => {
                    mapping.weights.push(WeightColumn { kind_id: kind.as_uuid(), column });
                    continue;
                }
                ImportField::Groups => &mut mapping.groups,
                ImportField::IsActive => &mut mapping.is_active,
                ImportField::Password => &mut mapping.password,
            };
            *place = Some(column);
        }
        mapping
    }
}

/// A table of texts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_table)]
pub(crate) struct ReadTableView {
    /// The sheet that was read. Null for a CSV file.
    #[schema(required)]
    sheet: Option<String>,
    /// The sheets of the workbook.
    sheets: Vec<String>,
    /// The number of the header row.
    header_row: u32,
    /// The first rows that are not blank. Each of them can be chosen as the header row.
    header_rows: Vec<HeaderRowView>,
    /// The column headings.
    columns: Vec<String>,
    /// The rows below the headings, each with one cell for each column. Blank rows are left out.
    rows: Vec<Vec<String>>,
    /// The number of each row, as spreadsheets show it. Titles and blank rows count, and a row with line breaks in a
    /// cell counts once.
    lines: Vec<u32>,
    /// The number of rows.
    row_count: usize,
    /// `csv` or `xlsx`.
    #[schema(example = "csv")]
    format: &'static str,
    /// The separator of a CSV file. Null for a workbook.
    #[schema(required)]
    separator: Option<char>,
    /// The encoding of a CSV file, for example `UTF-8` or `windows-1252`; null for a workbook.
    #[schema(required)]
    encoding: Option<&'static str>,
    mapping: ColumnMapping,
}

/// A possible header row.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "row": 1, "cells": ["Name", "Gewicht"] }))]
pub(crate) struct HeaderRowView {
    /// The number of the row.
    row: u32,
    cells: Vec<String>,
}

impl From<SheetRow> for HeaderRowView {
    fn from(row: SheetRow) -> Self {
        Self { row: row.line, cells: row.cells }
    }
}

fn example_table() -> Value {
    json!({
        "sheet": null, "sheets": [], "headerRow": 1, "headerRows": [{ "row": 1, "cells": ["Name", "Gewicht"] }],
        "columns": ["Name", "Gewicht"], "rows": [["Ben Otto", "1,5"], ["Ada Berg", "2"]], "lines": [2, 3],
        "rowCount": 2, "format": "csv", "separator": ";", "encoding": "UTF-8", "mapping": { "name": 0, "weight": 1 },
    })
}

impl ReadTableView {
    fn new(sheet: ReadSheet, kinds: &[WeightKind]) -> Self {
        let ReadSheet { sheet, sheets, header_row, top, columns, rows, format, separator, encoding } = sheet;
        let header_rows = top.into_iter().map(HeaderRowView::from).collect();
        let (lines, rows): (Vec<u32>, Vec<Vec<String>>) = rows.into_iter().map(|row| (row.line, row.cells)).unzip();
        let mapping = ColumnMapping::of(&columns, kinds);
        let format = match format {
            SheetFormat::Csv => "csv",
            SheetFormat::Xlsx => "xlsx",
        };
        Self {
            sheet,
            sheets,
            header_row,
            header_rows,
            columns,
            row_count: rows.len(),
            rows,
            lines,
            format,
            separator,
            encoding,
            mapping,
        }
    }
}

/// A table in the envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_table() }))]
pub(crate) struct ReadTableAnswer {
    success: bool,
    data: ReadTableView,
}

/// Reads a CSV file or an Excel workbook and stores nothing. The response suggests a column for each field.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    request_body = SheetFileBody,
    responses(
        (status = 200, description = "The table in the file", body = ReadTableAnswer),
        (status = 413, description = "The body is larger than 8 MB", body = ApiErrorBody,
         example = json!({ "code": "body_too_large", "error": "The body is larger than 8192 KiB." })),
        (status = 422, description = "The file cannot be used; `fields` contains the requirements", body = ApiErrorBody,
         example = json!({
             "code": "invalid_input", "error": "content must have at most 20000 rows.",
             "fields": { "content": ["Must have at most 20000 rows."] },
         })),
    ),
)]
#[post("/client/end-users/import/read")]
pub(crate) async fn read_import(
    admin: ClientAdmin,
    Body(body): Body<SheetFileBody, MAX_SHEET_BODY>,
    sheets: Data<dyn SheetReader>,
    kinds: Data<WeightKindService>,
) -> Result<Json<ReadTableAnswer>, ApiError> {
    let known = kinds.kinds(admin.client_id).await?;
    let sheet = body.read(&**sheets).await?;
    Ok(Json(ReadTableAnswer { success: true, data: ReadTableView::new(sheet, &known) }))
}
