use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::IntegrityCheck;
use crate::diagnostics::counted;
use crate::error::ApiError;
use crate::extract::AccountHolder;

/// The highest number of issues in a response.
const MAX_ISSUES: usize = 100;

/// A contradiction in stored data.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "check": "vote_count",
    "table": "rounds",
    "id": "019a9d5e-0000-7000-8000-000000000001",
    "message": "The counters say 12 votes, and 11 are stored.",
}))]
pub(crate) struct IssueView {
    /// The name of the check that found the issue.
    check: &'static str,
    /// The table of the row.
    table: String,
    /// The id of the row or, for rows without an id, of the row that they belong to.
    id: Uuid,
    /// The contradiction as a sentence.
    message: String,
}

/// The result of one check.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "name": "vote_count", "issuesFound": 1, "failure": null }))]
#[serde(rename_all = "camelCase")]
pub(crate) struct CheckView {
    /// A stable name for programs.
    name: &'static str,
    issues_found: u64,
    /// The database's message if the check failed to run. Null otherwise.
    #[schema(required)]
    failure: Option<String>,
}

/// The results of all checks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IntegrityDetails {
    /// The number of issues of all checks.
    #[schema(example = 1)]
    issues_found: u64,
    /// The first hundred issues.
    issues: Vec<IssueView>,
    /// All checks, also those without issues.
    checks: Vec<CheckView>,
}

/// Whether stored data is consistent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "success": true,
    "isValid": false,
    "message": "1 issue was found.",
    "details": {
        "issuesFound": 1,
        "issues": [{
            "check": "vote_count",
            "table": "rounds",
            "id": "019a9d5e-0000-7000-8000-000000000001",
            "message": "The counters say 12 votes, and 11 are stored.",
        }],
        "checks": [{ "name": "vote_count", "issuesFound": 1, "failure": null }],
    },
}))]
pub(crate) struct DataIntegrityView {
    /// True if the test ran. The other fields contain the findings.
    success: bool,
    is_valid: bool,
    message: String,
    details: IntegrityDetails,
}

impl From<Vec<IntegrityCheck>> for DataIntegrityView {
    fn from(checks: Vec<IntegrityCheck>) -> Self {
        let issues_found = checks.iter().map(|check| check.found).sum();
        let failures: Vec<String> = checks.iter().filter_map(sentence_of_failure).collect();
        let is_valid = issues_found == 0 && failures.is_empty();
        let found = match issues_found {
            0 if is_valid => Some("No issues were found.".to_owned()),
            0 => None,
            1 => Some("1 issue was found.".to_owned()),
            number => Some(format!("{} were found.", counted(number, "issue"))),
        };
        let message = found.into_iter().chain(failures).collect::<Vec<_>>().join(" ");
        let numbers = checks.iter().map(|check| CheckView {
            name: check.name,
            issues_found: check.found,
            failure: check.failure.clone(),
        });
        let numbers = numbers.collect();
        let issues = checks.into_iter().flat_map(|IntegrityCheck { name, issues, .. }| {
            issues.into_iter().map(move |issue| IssueView {
                check: name,
                table: issue.table,
                id: issue.id,
                message: issue.message,
            })
        });
        let details = IntegrityDetails { issues_found, issues: issues.take(MAX_ISSUES).collect(), checks: numbers };
        Self { success: true, is_valid, message, details }
    }
}

/// Describes why a check failed to run.
fn sentence_of_failure(check: &IntegrityCheck) -> Option<String> {
    let failure = check.failure.as_deref()?;
    Some(format!("The check {} could not be carried out: {}.", check.name, failure.trim_end_matches('.')))
}

/// Checks whether stored data is consistent. Super administrators check all clients, and administrators of a client
/// check their own. The duration grows with the number of votes and may reach minutes with millions of votes. The data
/// of other clients does not slow down the check of one client.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The findings", body = DataIntegrityView),
    ),
)]
#[get("/test/data-integrity")]
pub(crate) async fn test_data_integrity(
    holder: AccountHolder,
    diagnostics: Data<dyn Diagnostics>,
) -> Result<Json<DataIntegrityView>, ApiError> {
    Ok(Json(diagnostics.integrity(holder.client_id).await?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::IntegrityIssue;

    fn check(name: &'static str, found: u64) -> IntegrityCheck {
        let issue = IntegrityIssue { table: "votes".to_owned(), id: Uuid::nil(), message: "It is wrong.".to_owned() };
        IntegrityCheck { name, found, issues: vec![issue; found.min(100) as usize], failure: None }
    }

    #[test]
    fn a_response_lists_a_hundred_issues_and_counts_all() {
        let view = DataIntegrityView::from(vec![check("one", 60), check("two", 0), check("three", 5_000)]);
        assert_eq!((view.is_valid, view.message.as_str()), (false, "5060 issues were found."));
        assert_eq!((view.details.issues_found, view.details.issues.len()), (5_060, 100));
        let numbers: Vec<_> = view.details.checks.iter().map(|check| check.issues_found).collect();
        assert_eq!(numbers, [60, 0, 5_000]);
    }

    #[test]
    fn without_issues_the_test_succeeds() {
        let view = DataIntegrityView::from(vec![check("one", 0)]);
        assert_eq!((view.is_valid, view.message.as_str()), (true, "No issues were found."));
        assert_eq!(DataIntegrityView::from(vec![check("one", 1)]).message, "1 issue was found.");
    }

    #[test]
    fn a_check_that_failed_to_run_is_not_a_success() {
        let failed = IntegrityCheck { failure: Some("column \"a\" does not exist".to_owned()), ..check("one", 0) };
        let failure = "The check one could not be carried out: column \"a\" does not exist.";
        let view = DataIntegrityView::from(vec![failed.clone(), check("two", 0)]);
        assert_eq!((view.is_valid, view.message.as_str(), view.details.issues_found), (false, failure, 0));
        let view = DataIntegrityView::from(vec![failed, check("two", 1)]);
        assert_eq!(view.message, format!("1 issue was found. {failure}"));
    }
}
