use std::net::IpAddr;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::web::{self, BytesMut, Data, Json, Payload};
use actix_web::{HttpRequest, post};
use chrono::{DateTime, Utc};
use plenum_kernel::{EvidenceKeys, PortFailure};
use plenum_records::KnownRecords;
use plenum_result_format::TableReader;
use plenum_verify::{
    CheckedTimestamp, Difference, Examination, FileKind, KnownAuthorities, KnownKeys, Origin, Recounted, Refusal,
    RoundReport, Tables, Unreadable, Verdict, check_work, examine, read_exported,
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::connections::{ConnectionQuota, QuotaExceeded, QuotaPermit};
use crate::error::{ApiError, ApiErrorBody};
use crate::extract::{CallerAddress, network_of, read_file};
use crate::middleware::{LookupKind, LookupRateLimit};
use crate::public::records::RecordView;

/// The largest file, in bytes. Anybody may send one, and its JSON takes some 30 times as much memory while it is checked.
const MAX_FILE: usize = 8 * 1024 * 1024;
/// The largest workbook, unpacked.
const MAX_UNPACKED: u64 = 48 * 1024 * 1024;
/// The most steps of a recount, some 12 seconds. A check cannot be canceled, and all others wait for it.
const MAX_WORK: u64 = 40_000_000;

/// Limits the number of files that are received at the same time, and checks one at a time.
pub(crate) struct FileChecks {
    received: Arc<ConnectionQuota<IpAddr>>,
    turn: Semaphore,
}

impl FileChecks {
    /// The number of files in memory.
    const MOST: usize = 16;
    /// The number of files in memory from one network. A few slow uploads must not keep all others from a check.
    const MOST_OF_NETWORK: usize = 3;

    pub(crate) fn new() -> Self {
        Self { received: ConnectionQuota::new(Self::MOST, Self::MOST_OF_NETWORK), turn: Semaphore::new(1) }
    }

    /// Takes a place for a file, which is free again when dropped.
    ///
    /// # Errors
    /// All places are taken, or all of the caller's network.
    fn place(&self, from: IpAddr) -> Result<QuotaPermit<IpAddr>, ApiError> {
        self.received.take(Some(network_of(from))).map_err(|exceeded| {
            let text = match exceeded {
                QuotaExceeded::Total => "The server is checking other files. Please try again in 2 seconds.",
                QuotaExceeded::PerCaller => {
                    "Other files of your network are being checked. Please try again in 2 seconds."
                }
            };
            ApiError::too_many("too_many_tries", text, 2)
        })
    }
}

/// The outcome for a file.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FileVerdict {
    /// A key of this installation signed the file, and it is consistent.
    Signed,
    /// The file is consistent, and nothing proves that it is from this installation.
    OriginUnknown,
    /// Something in the file was changed, or does not fit.
    NotConsistent,
}

/// The kind of a file.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckedKind {
    /// Results as JSON, which were counted again.
    Results,
    /// An audit log as JSON, whose chain was checked.
    AuditLog,
    /// The archive of a meeting, whose results were counted again.
    Archive,
    /// Results as CSV or XLSX. Only the signature was checked.
    ResultsTable,
    /// Entries of an audit log as CSV or XLSX. Only the signature was checked.
    AuditTable,
    /// The people at a meeting as CSV or XLSX. Only the signature was checked.
    AttendanceTable,
    /// The proxies for a meeting as CSV or XLSX. Only the signature was checked.
    ProxiesTable,
}

/// A contradiction in the file.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "field": "result.options.0.heads", "file": "5", "expected": "4" }))]
pub(crate) struct DifferenceView {
    /// The field, by its path.
    field: String,
    /// The value in the file.
    file: String,
    /// The value of the recount, or the requirement.
    expected: String,
}

impl From<&Difference> for DifferenceView {
    fn from(difference: &Difference) -> Self {
        let Difference { field, file, recount } = difference;
        Self { field: field.clone(), file: file.clone(), expected: recount.clone() }
    }
}

/// A round that was counted again.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_round)]
pub(crate) struct RecountView {
    /// The item, the round and the question.
    name: String,
    /// The number of people in the register.
    register: usize,
    /// The number of counted ballots.
    ballots: u64,
    /// Whether all answers were counted again, or only sums were checked. A sentence without a full stop.
    method: &'static str,
    /// Whether all answers were counted again.
    is_recounted: bool,
    /// The contradictions. Empty without any.
    differences: Vec<DifferenceView>,
}

impl From<&RoundReport> for RecountView {
    fn from(round: &RoundReport) -> Self {
        let differences = round.differences.iter().map(DifferenceView::from).collect();
        let RoundReport { name, register, ballots, recounted, .. } = round;
        Self {
            name: name.clone(),
            register: *register,
            ballots: *ballots,
            method: recounted.words(),
            is_recounted: *recounted == Recounted::Answers,
            differences,
        }
    }
}

fn example_round() -> Value {
    json!({
        "name": "Item 1, round 1: Do you approve the budget?", "register": 731, "ballots": 620,
        "method": "Counted again from all answers", "isRecounted": true, "differences": [],
    })
}

/// A valid timestamp of a record in the file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "hash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456", "authority": "Example Timestamps",
    "at": "2026-11-21T18:10:04Z", "isAuthorityKnown": true,
}))]
pub(crate) struct TimestampView {
    /// The hash of the record.
    hash: String,
    /// The name of the authority, by the certificate in the token.
    authority: String,
    /// The time at which the authority saw the hash.
    at: DateTime<Utc>,
    /// Whether this installation has a certificate that vouches for the authority. Null if it has no certificates of authorities.
    #[schema(required)]
    is_authority_known: Option<bool>,
}

impl From<&CheckedTimestamp> for TimestampView {
    fn from(timestamp: &CheckedTimestamp) -> Self {
        let CheckedTimestamp { hash, authority, at, is_authority_known } = timestamp.clone();
        Self { hash, authority, at, is_authority_known }
    }
}

/// The findings in a file. They contain nothing that the file does not, except whether the records are known here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_check)]
pub(crate) struct FileCheckView {
    verdict: FileVerdict,
    kind: CheckedKind,
    /// The title of the meeting, by the file. Null for an audit log.
    #[schema(required)]
    title: Option<String>,
    /// The name of the organization, by the file. Null for an audit log.
    #[schema(required)]
    organization: Option<String>,
    /// The fingerprint of the key that the file names. Null if it is not signed.
    #[schema(required)]
    key: Option<String>,
    /// The rounds of a results file.
    rounds: Vec<RecountView>,
    /// The number of entries of an audit log as JSON, or of the one in an archive. Null for other files.
    #[schema(required)]
    entries: Option<usize>,
    /// The number of the last entry of an audit log that was purged under a signed document in the file. Null without a purge.
    #[schema(required)]
    purged: Option<u64>,
    /// The contradictions outside the rounds, including those in the signature.
    differences: Vec<DifferenceView>,
    /// The errors in the chain of an audit log, as sentences without a full stop.
    faults: Vec<String>,
    /// The records of declared results that the file names, in its order.
    records: Vec<RecordView>,
    /// The valid timestamps of records in the file, in its order.
    timestamps: Vec<TimestampView>,
}

fn example_check() -> Value {
    json!({
        "verdict": "signed", "kind": "results", "title": "Annual meeting", "organization": "Rowing Club",
        "key": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", "rounds": [example_round()],
        "entries": null, "purged": null, "differences": [], "faults": [], "records": [RecordView::example()],
        "timestamps": [],
    })
}

/// A checked file in the envelope.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_check() }))]
pub(crate) struct FileCheckAnswer {
    success: bool,
    data: FileCheckView,
}

impl FileCheckView {
    fn new(found: &Examination, records: Vec<RecordView>) -> Self {
        let verdict = match found.verdict() {
            Verdict::Signed(_) => FileVerdict::Signed,
            Verdict::OriginUnknown(_) => FileVerdict::OriginUnknown,
            Verdict::NotConsistent => FileVerdict::NotConsistent,
        };
        let kind = match found.kind {
            FileKind::Results => CheckedKind::Results,
            FileKind::AuditLog => CheckedKind::AuditLog,
            FileKind::Archive => CheckedKind::Archive,
            FileKind::ResultsTable => CheckedKind::ResultsTable,
            FileKind::AuditTable => CheckedKind::AuditTable,
            FileKind::AttendanceTable => CheckedKind::AttendanceTable,
            FileKind::ProxiesTable => CheckedKind::ProxiesTable,
        };
        let mut differences: Vec<DifferenceView> = found.differences.iter().map(DifferenceView::from).collect();
        let key = match &found.origin {
            Ok(Origin::Signed(key)) => Some(key.clone()),
            Ok(Origin::Unknown(key)) => key.clone(),
            Err(Refusal(refused)) => {
                differences.extend(refused.iter().map(DifferenceView::from));
                None
            }
        };
        let named = |text: &String| (!text.is_empty()).then(|| text.clone());
        Self {
            verdict,
            kind,
            title: named(&found.title),
            organization: named(&found.organization),
            key,
            rounds: found.rounds.iter().map(RecountView::from).collect(),
            purged: found.purged.as_ref().map(|purged| purged.number),
            entries: found.audit.as_ref().map(|(entries, _)| *entries),
            differences,
            faults: found.faults.iter().map(ToString::to_string).collect(),
            records,
            timestamps: found.timestamps.iter().map(TimestampView::from).collect(),
        }
    }
}

/// The code of a file that cannot be verified.
const UNVERIFIABLE: &str = "unverifiable_file";

fn unverifiable(reason: &Unreadable) -> ApiError {
    let code = match reason {
        Unreadable::UnsignedTable => "unsigned_table",
        _ => UNVERIFIABLE,
    };
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, format!("{reason}."))
}

/// A file as it is.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary, example = "{\"format\":\"plenum-audit/1\",…}")]
struct FileBody(#[expect(dead_code, reason = "only the document needs it: the handler reads the body itself")] Vec<u8>);

/// Checks an exported file as `plenum verify` does, with the keys of this installation, and stores nothing. The file is the
/// body: results or an audit log, as JSON, CSV or XLSX, attendance or proxies, as CSV or XLSX, or an archive. No login.
#[utoipa::path(
    tag = "public",
    request_body(
        content = FileBody, content_type = "application/octet-stream", description = "The file, of at most 8 MB",
        example = json!(
            r#"{"format":"plenum-audit/1","chain":"00000000-0000-0000-0000-000000000000","exportedAt":"2026-11-22T11:00:00Z","waiting":0,"head":null,"entries":[]}"#
        ),
    ),
    responses(
        (status = 200, description = "What was found", body = FileCheckAnswer),
        (status = 413, description = "The file is larger than 8 MB", body = ApiErrorBody,
         example = json!({ "code": "body_too_large", "error": "The body is larger than 8192 KiB." })),
        (status = 422, description = "The file cannot be verified; the text says why", body = ApiErrorBody,
         example = json!({
             "code": "unverifiable_file",
             "error": "This is a file of another kind: verify results or an audit log, as JSON, CSV or XLSX, attendance or proxies, as CSV or XLSX, or an archive.",
         })),
        (status = 429, description = "Too many files were checked; try again after `Retry-After` seconds",
         body = ApiErrorBody,
         example = json!({
             "code": "too_many_tries",
             "error": "Too many files were checked in your network. Please try again in 3 seconds.",
         })),
    ),
)]
#[post("/public/verify")]
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn verify_file(
    from: CallerAddress,
    request: HttpRequest,
    payload: Payload,
    limit: Data<LookupRateLimit>,
    checks: Data<FileChecks>,
    tables: Data<dyn TableReader>,
    records: Data<KnownRecords>,
    keys: Data<dyn EvidenceKeys>,
    authorities: Data<KnownAuthorities>,
) -> Result<Json<FileCheckAnswer>, ApiError> {
    limit.count(LookupKind::File, from.0)?;
    let _place = checks.place(from.0)?;
    let content = read_file(&request, payload.into_inner(), MAX_FILE).await?;
    let own = KnownKeys::Own(keys.published().iter().map(|key| key.fingerprint.clone()).collect());
    let found = {
        let _turn = checks.turn.acquire().await;
        web::block(move || check(&content, &**tables, &own, &authorities)).await.map_err(failure)??
    };
    let records = RecordView::all(&records, found.records.clone()).await?;
    Ok(Json(FileCheckAnswer { success: true, data: FileCheckView::new(&found, records) }))
}

fn check(
    content: &BytesMut,
    reader: &dyn TableReader,
    own: &KnownKeys,
    authorities: &KnownAuthorities,
) -> Result<Examination, ApiError> {
    let exported =
        read_exported(content, Tables { reader, most: MAX_UNPACKED }).map_err(|reason| unverifiable(&reason))?;
    check_work(&exported, MAX_WORK).map_err(|reason| unverifiable(&reason))?;
    Ok(examine(content, &exported, own, authorities))
}

fn failure(cause: impl std::error::Error + Send + Sync + 'static) -> ApiError {
    ApiError::unavailable(&PortFailure::new("the check of files", cause))
}
