use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{
    ClientService, EndUserService, ImportError, ImportField, ImportPlan, ImportRow, ImportStep, MAX_IMPORTED_ROWS,
    PlannedRow, RowFault, SessionRevocation,
};
use plenum_kernel::{ClientId, MAX_WEIGHT_KINDS};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::end_users::credentials::{CredentialsView, PortalAddress, example_credentials};
use crate::end_users::password_reason::read_setter;
use crate::end_users::weights::{WANTED_KIND, WeightView};
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::live::Revocations;

/// The largest body, in bytes: 20,000 rows. Each has up to 800 bytes of names, addresses and groups, and values of 20 kinds
/// of weight with 80 bytes each. The limits of the lists bound the memory that reading takes.
const MAX_BODY: usize = 48 * 1024 * 1024;

/// The rows of a file to import.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "rows": [example_row()], "dryRun": true }))]
pub(crate) struct ImportBody {
    /// 1 to 20,000 rows.
    #[schema(min_items = 1, max_items = 20000)]
    rows: Vec<ImportRowBody>,
    /// Whether to return a preview without storing anything.
    dry_run: bool,
    /// Whether to leave out rows with errors and import all others together; false if missing.
    #[serde(default)]
    skip_errors: bool,
    /// The reason for the new passwords, shown in the log of each open vote that one of their owners may vote in. Needed
    /// only for such people. At most 200 characters after trimming.
    #[schema(max_length = 200)]
    password_reason: Option<String>,
}

/// One row, as texts. A missing, null or blank field sets the default for a new voter, and changes nothing for an
/// existing one.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_row)]
pub(crate) struct ImportRowBody {
    /// The line in the file. The response repeats it.
    #[schema(format = Int64, maximum = 4_294_967_295_u64)]
    line: u32,
    /// Whether the texts come from the cells of a workbook (`format` is `xlsx`), so that the dot of a number such as 125.375 stands
    /// before its decimals. Otherwise it may separate thousands. False if missing.
    #[serde(default)]
    is_from_workbook: bool,
    /// The full name. It has priority over `firstName` and `lastName`.
    name: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    /// The username of the voter, in any case. Without it the name and the email address identify the voter. For a new
    /// voter it is derived from the name.
    username: Option<String>,
    email: Option<String>,
    address: Option<String>,
    /// A number with a comma or a point before the decimals.
    weight: Option<String>,
    /// The values of kinds of weight, at most 20. A kind that is not listed, and one with a blank value, changes nothing.
    #[schema(max_items = 20)]
    weights: Option<Vec<ImportWeightBody>>,
    /// Names of groups, separated by semicolons. They replace the voter's groups. Groups that are not there are created.
    groups: Option<String>,
    /// yes or no, ja or nein, active or inactive, aktiv or inaktiv, true or false, 1 or 0.
    is_active: Option<String>,
    /// At most 500 rows may contain a password.
    password: Option<String>,
}

/// The value of a kind of weight, as in the file.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "kindId": "019a9d5e-0000-7000-8000-000000000030", "value": "250,5" }))]
pub(crate) struct ImportWeightBody {
    /// The id of one of the organization's kinds of weight.
    #[schema(value_type = Uuid)]
    kind_id: String,
    /// A number with a comma or a point before the decimals.
    value: Option<String>,
}

fn example_row() -> Value {
    json!({
        "line": 2, "name": "Ben Otto", "username": "ben", "email": "ben@example.org", "weight": "1,5",
        "isActive": "ja",
    })
}

impl ImportRowBody {
    /// # Errors
    /// The requirement of a field.
    fn read(self) -> Result<ImportRow, (String, String)> {
        let ImportRowBody {
            line,
            is_from_workbook,
            name,
            first_name,
            last_name,
            username,
            email,
            address,
            weight,
            weights,
            groups,
            is_active,
            password,
        } = self;
        let weights = weights.unwrap_or_default();
        if weights.len() > MAX_WEIGHT_KINDS {
            return Err(("weights".to_owned(), format!("Must be at most {MAX_WEIGHT_KINDS} kinds.")));
        }
        let mut read = Vec::with_capacity(weights.len());
        for (place, ImportWeightBody { kind_id, value }) in weights.into_iter().enumerate() {
            let kind = kind_id.parse().map_err(|_| (format!("weights.{place}.kindId"), WANTED_KIND.to_owned()))?;
            read.push((kind, value.unwrap_or_default()));
        }
        let weights = read;
        Ok(ImportRow {
            line,
            is_from_workbook,
            name,
            first_name,
            last_name,
            username,
            email,
            address,
            weight,
            weights,
            groups,
            is_active,
            password,
        })
    }
}

/// The effect of an import on a row.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// Creates a voter.
    New,
    /// Changes a voter.
    Change,
    /// Changes nothing, because all values are equal.
    Unchanged,
    /// The row cannot be imported.
    Error,
}

/// A field of a row.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RowField {
    Name,
    FirstName,
    LastName,
    Username,
    Email,
    Address,
    Weight,
    Weights,
    Groups,
    IsActive,
    Password,
}

impl From<ImportField> for RowField {
    fn from(field: ImportField) -> Self {
        match field {
            ImportField::Name => Self::Name,
            ImportField::FirstName => Self::FirstName,
            ImportField::LastName => Self::LastName,
            ImportField::Username => Self::Username,
            ImportField::Email => Self::Email,
            ImportField::Address => Self::Address,
            ImportField::Weight => Self::Weight,
            ImportField::Weights(_) => Self::Weights,
            ImportField::Groups => Self::Groups,
            ImportField::IsActive => Self::IsActive,
            ImportField::Password => Self::Password,
        }
    }
}

/// An error in a row.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "field": "weight", "message": "Must be a number from 0 to 100." }))]
pub(crate) struct RowErrorView {
    field: RowField,
    /// The kind of weight, with the field `weights` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind_id: Option<Uuid>,
    /// The requirement that the field does not meet.
    message: String,
}

impl From<&RowFault> for RowErrorView {
    fn from(fault: &RowFault) -> Self {
        let kind_id = match fault.field {
            ImportField::Weights(kind) => Some(kind.as_uuid()),
            _ => None,
        };
        Self { field: fault.field.into(), kind_id, message: fault.wanted.clone() }
    }
}

/// The effect of an import on a row, with its errors.
#[derive(Serialize, ToSchema)]
#[schema(example = example_verdict)]
pub(crate) struct ImportRowView {
    /// The line in the file.
    line: u32,
    verdict: Verdict,
    /// The username of the voter, derived from the name if the row has none. Null if an error leaves it unknown.
    #[schema(required)]
    username: Option<String>,
    /// The name of the voter. Null if the row has none and no voter is found.
    #[schema(required)]
    name: Option<String>,
    errors: Vec<RowErrorView>,
    /// The changed fields of an existing voter.
    changes: Vec<RowField>,
    /// The values of kinds of weight that a new voter gets or that change, as the server has read them. Missing if there
    /// are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weights: Vec<WeightView>,
}

fn example_verdict() -> Value {
    json!({
        "line": 2, "verdict": "change", "username": "ben", "name": "Ben Otto", "errors": [],
        "changes": ["weight"],
    })
}

impl From<&PlannedRow> for ImportRowView {
    fn from(row: &PlannedRow) -> Self {
        let (mut errors, mut changes) = (Vec::new(), Vec::new());
        let verdict = match &row.step {
            ImportStep::Add(_) => Verdict::New,
            ImportStep::Change(person) => {
                changes.extend(person.fields.iter().copied().map(RowField::from));
                // Several kinds of weight are one field.
                changes.dedup();
                Verdict::Change
            }
            ImportStep::Keep => Verdict::Unchanged,
            ImportStep::Refuse(faults) => {
                errors.extend(faults.iter().map(RowErrorView::from));
                Verdict::Error
            }
        };
        let weights = WeightView::each(row.step.weights());
        let (username, name) = (row.username.clone(), row.name.clone());
        Self { line: row.line, verdict, username, name, errors, changes, weights }
    }
}

/// The number of rows with each verdict.
#[derive(Default, Serialize, ToSchema)]
#[schema(example = json!({ "new": 0, "change": 1, "unchanged": 0, "error": 0 }))]
pub(crate) struct ImportCounts {
    new: usize,
    change: usize,
    unchanged: usize,
    error: usize,
}

impl ImportCounts {
    fn of(rows: &[ImportRowView]) -> Self {
        let mut counts = Self::default();
        for row in rows {
            let count = match row.verdict {
                Verdict::New => &mut counts.new,
                Verdict::Change => &mut counts.change,
                Verdict::Unchanged => &mut counts.unchanged,
                Verdict::Error => &mut counts.error,
            };
            *count += 1;
        }
        counts
    }
}

/// The effect of an import.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_import)]
pub(crate) struct ImportView {
    /// The rows in the order of the request.
    rows: Vec<ImportRowView>,
    counts: ImportCounts,
    /// The names of the groups that the import creates, in the order of the rows.
    new_groups: Vec<String>,
    /// Whether the changes are stored; false for a dry run.
    applied: bool,
    /// The credentials of voters with a new password, in the order of the rows. They cannot be read again later.
    credentials: Vec<CredentialsView>,
}

fn example_import() -> Value {
    json!({
        "rows": [example_verdict()], "counts": { "new": 0, "change": 1, "unchanged": 0, "error": 0 }, "newGroups": [], "applied": true,
        "credentials": [example_credentials()],
    })
}

impl ImportView {
    fn new(plan: &ImportPlan, applied: bool, credentials: Vec<CredentialsView>) -> Self {
        let rows: Vec<ImportRowView> = plan.rows.iter().map(ImportRowView::from).collect();
        let new_groups = plan.new_groups.iter().map(ToString::to_string).collect();
        Self { counts: ImportCounts::of(&rows), rows, new_groups, applied, credentials }
    }
}

/// The effect of an import, in the envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_import() }))]
pub(crate) struct ImportAnswer {
    success: bool,
    data: ImportView,
}

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::HasErrors => {
                Self::conflict("import_has_errors", "Some rows have errors. Nothing was imported.")
            }
            ImportError::Outdated => Self::conflict(
                "import_outdated",
                "Somebody else has changed the end users meanwhile. Nothing was imported.",
            ),
            ImportError::ReasonNeeded(needed) => needed.into(),
            ImportError::Port(failure) => failure.into(),
        }
    }
}

/// Imports voters from the rows of a file: all rows, or none. With `skipErrors` it imports all rows without errors, or
/// none. With `dryRun` it returns a preview and stores nothing.
///
/// A new voter gets the password of the row, or a random one. A voter who becomes inactive or gets a new password loses
/// all sessions. If a row sets the password of a person in the register of an open question, the import needs
/// `passwordReason`.
#[utoipa::path(
    tag = "end users",
    security(("bearer" = [])),
    request_body = ImportBody,
    responses(
        (status = 200, description = "The effect of the import", body = ImportAnswer),
        (status = 409, description = "Some rows have errors, the voters have changed since, or a row sets the password of a person who may vote in an open question, without a reason; nothing was imported",
         body = ApiErrorBody, example = json!({
             "code": "import_has_errors", "error": "Some rows have errors. Nothing was imported.",
         })),
        (status = 413, description = "The body is larger than 48 MB", body = ApiErrorBody,
         example = json!({ "code": "body_too_large", "error": "The body is larger than 49152 KiB." })),
    ),
)]
#[post("/client/end-users/import")]
pub(crate) async fn import_end_users(
    admin: ClientAdmin,
    Body(body): Body<ImportBody, MAX_BODY>,
    end_users: Data<EndUserService>,
    clients: Data<ClientService>,
    revocations: Data<Revocations>,
    portal: PortalAddress,
) -> Result<Json<ImportAnswer>, ApiError> {
    let mut check = FieldCheck::default();
    let setter = read_setter(&mut check, &admin, body.password_reason.as_deref());
    let setter = check.finish(Some(setter))?;
    if body.rows.is_empty() {
        return Err(ApiError::invalid_field("rows", "Must not be empty."));
    }
    if body.rows.len() > MAX_IMPORTED_ROWS {
        return Err(ApiError::invalid_field("rows", "Must have at most 20,000 rows."));
    }
    let rows = body.rows.into_iter().enumerate().map(|(place, row)| {
        row.read().map_err(|(field, wanted)| ApiError::invalid_field(&format!("rows.{place}.{field}"), wanted))
    });
    let rows: Vec<ImportRow> = rows.collect::<Result<_, ApiError>>()?;
    if body.dry_run {
        let plan = end_users.check_import(admin.client_id, &rows).await?;
        return Ok(Json(ImportAnswer { success: true, data: ImportView::new(&plan, false, Vec::new()) }));
    }
    let client = clients.find(admin.client_id).await?.ok_or_else(ClientId::missing)?.client;
    let outcome = end_users.import(admin.client_id, &rows, body.skip_errors, setter).await?;
    revocations.announce_removed_participants(admin.client_id, &outcome.regrouped());
    for id in outcome.signed_out {
        revocations.announce(SessionRevocation::EndUser(id));
    }
    let credentials = outcome.credentials.iter().map(|made| CredentialsView::new(&client, made, &portal)).collect();
    Ok(Json(ImportAnswer { success: true, data: ImportView::new(&outcome.plan, true, credentials) }))
}
