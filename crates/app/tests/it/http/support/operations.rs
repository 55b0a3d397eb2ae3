//! Every operation of the API with a call that succeeds, and its permitted callers. An operation of the OpenAPI
//! document that is missing here fails `access_matrix`.

use plenum_adapter_http::openapi_document;
use serde_json::{Value, json};

pub(crate) use crate::http::support::operation::{Access, Operation};
use crate::http::support::proxies;
use crate::http::support::spares::{NEW_LOGO, Spares, current_session};
use crate::http::support::{Answer, Caller, Organization, PASSWORD, ROOT_EMAIL, TestApp, TestMeeting, TestVoter};

use Access::{
    AnyAccount, AnyClient, AnyVoter, Desk, Owner, Public, SignedIn, SuperAdmin, TheirAccounts, TheirClient,
    TheirPeople, TheirVoter,
};

/// All operations.
pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::new("POST", "/auth/login", Public, 200)
        .with_body(|_| json!({ "email": ROOT_EMAIL, "password": PASSWORD, "portal": "SUPER_ADMIN" })),
    Operation::new("POST", "/auth/end-user/login", Public, 200)
        .with_body(|world| json!({ "clientCode": world.theirs.code, "username": "voter", "password": PASSWORD })),
    Operation::new("POST", "/auth/refresh", Public, 200)
        .with_body(|world| json!({ "refreshToken": world.voter.caller.refresh_token })),
    Operation::new("GET", "/auth/sign-in-queue", Public, 200),
    Operation::new("POST", "/auth/logout", SignedIn, 200),
    Operation::new("GET", "/auth/me", SignedIn, 200),
    Operation::new("GET", "/auth/sessions", SignedIn, 200),
    Operation::new("DELETE", "/auth/sessions/{sessionId}", Owner, 200).on_spares(),
    Operation::new("POST", "/auth/sessions/sign-out-everywhere", SignedIn, 200)
        .with_body(|_| json!({ "keepThis": true }))
        .on_spares(),
    Operation::new("PUT", "/auth/password", SignedIn, 200)
        .with_body(|_| json!({ "currentPassword": PASSWORD, "newPassword": PASSWORD }))
        .on_spares(),
    Operation::new("GET", "/auth/second-factor", AnyAccount, 200),
    // These need a code, see `second_factors`. Without a pending set-up there is nothing to confirm.
    Operation::new("POST", "/auth/second-factor/confirm", AnyAccount, 409)
        .with_body(|_| json!({ "code": "123456" }))
        .on_spares(),
    Operation::new("POST", "/auth/second-factor/recovery-codes", AnyAccount, 409)
        .with_body(|_| json!({ "currentPassword": PASSWORD, "code": "123456" }))
        .on_spares(),
    Operation::new("POST", "/auth/second-factor/remove", AnyAccount, 409)
        .with_body(|_| json!({ "currentPassword": PASSWORD, "code": "123456" }))
        .on_spares(),
    Operation::new("POST", "/auth/second-factor", AnyAccount, 200)
        .with_body(|_| json!({ "currentPassword": PASSWORD }))
        .on_spares(),
    Operation::new("DELETE", "/accounts/{accountId}/second-factor", SuperAdmin, 409),
    Operation::new("GET", "/auth/options", Public, 200),
    // These three need mail and a token from it, see `forgotten_passwords`.
    Operation::new("POST", "/auth/forgotten-password", Public, 409).with_body(|_| json!({ "email": ROOT_EMAIL })),
    Operation::new("POST", "/auth/reset-password", Public, 409)
        .with_body(|_| json!({ "token": "made up", "newPassword": PASSWORD })),
    // These two need the token of a link, see `join_links`.
    Operation::new("POST", "/auth/join/look-up", Public, 404).with_body(|_| json!({ "token": "made up" })),
    Operation::new("POST", "/auth/join/code", Public, 404).with_body(|_| json!({ "token": "made up" })),
    Operation::new("POST", "/auth/join", Public, 404).with_body(|_| json!({ "token": "made up" })),
    Operation::new("GET", "/clients", SuperAdmin, 200),
    Operation::new("POST", "/clients", SuperAdmin, 201).with_body(|_| {
        json!({
            "name": "Chess Club", "firstName": "Cy", "lastName": "Lee", "email": "cy@example.org",
            "password": PASSWORD, "subscriptionPlan": "PRO", "clientCode": "chess",
        })
    }),
    Operation::new("GET", "/clients/stats", SuperAdmin, 200),
    Operation::new("GET", "/clients/code-check", SuperAdmin, 200),
    Operation::new("GET", "/clients/{clientId}", SuperAdmin, 200),
    Operation::new("PUT", "/clients/{clientId}", SuperAdmin, 200)
        .with_body(|_| {
            json!({
                "name": "Go Club", "contactEmail": "go@example.org", "status": "ACTIVE", "subscriptionPlan": "PRO",
                "clientCode": "go-club", "firstName": "Cy", "lastName": "Lee", "password": PASSWORD,
            })
        })
        .on_spares(),
    Operation::new("DELETE", "/clients/{clientId}", SuperAdmin, 200).on_spares(),
    Operation::new("GET", "/clients/{clientId}/branding", SuperAdmin, 200),
    Operation::new("PUT", "/clients/{clientId}/branding/accent-color", SuperAdmin, 200)
        .with_body(|world| json!({ "accentColor": format!("#0000{:02x}", world.spares.number) })),
    Operation::new("PUT", "/clients/{clientId}/branding/logo", SuperAdmin, 200)
        .with_body(|_| json!({ "content": NEW_LOGO })),
    Operation::new("DELETE", "/clients/{clientId}/branding/logo", SuperAdmin, 200),
    Operation::new("GET", "/clients/{clientId}/archives", SuperAdmin, 200),
    Operation::new("GET", "/clients/{clientId}/archives/{meetingId}", SuperAdmin, 200).on_over(),
    Operation::new("GET", "/accounts", SuperAdmin, 200),
    Operation::new("GET", "/sessions/stats", SuperAdmin, 200),
    Operation::new("GET", "/activity", SuperAdmin, 200),
    Operation::new("GET", "/client/activity", AnyClient, 200),
    Operation::new("GET", "/reports/clients", SuperAdmin, 200),
    Operation::new("GET", "/reports/clients/export", SuperAdmin, 200),
    Operation::new("GET", "/client/groups", AnyClient, 200),
    Operation::new("POST", "/client/groups", AnyClient, 201)
        .with_body(|world| json!({ "name": format!("Group {}", world.spares.number) })),
    Operation::new("GET", "/client/groups/{groupId}", TheirClient, 200),
    Operation::new("PUT", "/client/groups/{groupId}", TheirClient, 200).with_body(|_| json!({ "name": "Renamed" })),
    Operation::new("DELETE", "/client/groups/{groupId}", TheirClient, 200).on_spares(),
    Operation::new("POST", "/client/groups/{groupId}/members", TheirClient, 200)
        .with_body(|world| json!({ "add": [world.latecomer], "remove": [] })),
    Operation::new("GET", "/client/end-users", AnyClient, 200),
    Operation::new("POST", "/client/end-users", AnyClient, 201).with_body(|_| {
        json!({
            "username": "new", "name": "New One", "email": "new@example.org", "address": "Main Street 1",
            "weight": 1.5, "password": PASSWORD,
        })
    }),
    Operation::new("GET", "/client/end-users/stats", AnyClient, 200),
    Operation::new("GET", "/client/end-users/export", AnyClient, 200),
    Operation::new("POST", "/client/end-users/import/read", AnyClient, 200)
        // "Name,Weight", "Ben,1"
        .with_body(|_| json!({ "fileName": "voters.csv", "content": "TmFtZSxXZWlnaHQKQmVuLDEK" })),
    Operation::new("POST", "/client/end-users/import", AnyClient, 200).with_body(|_| {
        json!({ "rows": [{ "line": 2, "name": "Imported One", "weight": "1,5", "isActive": "ja" }], "dryRun": false })
    }),
    Operation::new("GET", "/client/end-users/{endUserId}", TheirClient, 200),
    Operation::new("PUT", "/client/end-users/{endUserId}", TheirClient, 200)
        .with_body(|_| {
            json!({
                "username": "renamed", "name": "Renamed", "email": "renamed@example.org", "address": "Main Street 2",
                "weight": 2.5, "isActive": true, "password": PASSWORD, "passwordReason": "Lost the letter",
            })
        })
        .on_spares(),
    Operation::new("DELETE", "/client/end-users/{endUserId}", TheirClient, 200).on_spares(),
    Operation::new("POST", "/client/end-users/{endUserId}/export-credentials", TheirClient, 200)
        .with_body(|_| json!({ "passwordReason": "Lost the letter" }))
        .on_spares(),
    Operation::new("POST", "/client/end-users/{endUserId}/erase", TheirClient, 200)
        .with_body(|world| json!({ "username": format!("gone-{}", world.spares.number) }))
        .on_inactive(),
    Operation::new("GET", "/client/branding", AnyClient, 200),
    Operation::new("PUT", "/client/branding/accent-color", AnyClient, 200)
        .with_body(|world| json!({ "accentColor": format!("#0000{:02x}", world.spares.number) })),
    Operation::new("PUT", "/client/branding/logo", AnyClient, 200).with_body(|_| json!({ "content": NEW_LOGO })),
    Operation::new("DELETE", "/client/branding/logo", AnyClient, 200),
    Operation::new("GET", "/client/join-links", AnyClient, 200),
    Operation::new("POST", "/client/join-links", AnyClient, 200)
        .with_body(|world| {
            json!({ "people": "NAMED", "endUserIds": [world.latecomer], "passwordReason": "Lost the letter" })
        }),
    Operation::new("POST", "/client/join-links/revoke", AnyClient, 200).with_body(|_| json!({ "all": true })),
    Operation::new("GET", "/client/join-links/settings", AnyClient, 200),
    Operation::new("PUT", "/client/join-links/settings", AnyClient, 200).with_body(|_| json!({ "asks": "PASSWORD" })),
    Operation::new("GET", "/client/meetings", AnyClient, 200),
    Operation::new("POST", "/client/meetings", AnyClient, 201).with_body(|_| {
        json!({
            "title": "Next one", "description": "And another.", "scheduledStartTime": "2030-06-01T18:00:00Z",
            "scheduledEndTime": "2030-06-01T20:00:00Z", "status": "SCHEDULED", "maxParticipants": 10,
            "isRecurring": true, "recurringPattern": "Every year",
        })
    }),
    Operation::new("GET", "/client/meetings/stats", AnyClient, 200),
    Operation::new("GET", "/client/meetings/by-link/{link}", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}", TheirClient, 200),
    Operation::new("PUT", "/client/meetings/{meetingId}", TheirClient, 200)
        .with_body(|_| json!({ "title": "TEST_Renamed", "description": "Anew.", "recurringPattern": "Never" })),
    Operation::new("DELETE", "/client/meetings/{meetingId}", TheirClient, 200).on_spares(),
    Operation::new("POST", "/client/meetings/{meetingId}/copy", TheirClient, 201).with_body(|_| {
        json!({
            "title": "Next year's", "scheduledStartTime": "2031-06-01T18:00:00Z",
            "scheduledEndTime": "2031-06-01T20:00:00Z",
        })
    }),
    Operation::new("POST", "/client/meetings/{meetingId}/start", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/end", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/participants", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/participants", TheirClient, 200)
        .with_body(|world| json!({ "endUserIds": [world.voter.id] })),
    Operation::new("DELETE", "/client/meetings/{meetingId}/participants", TheirClient, 200)
        .with_body(|world| json!({ "endUserIds": [world.voter.id] })),
    Operation::new("GET", "/client/meetings/{meetingId}/current-question", TheirClient, 200),
    Operation::new("PUT", "/client/meetings/{meetingId}/current-question", TheirClient, 200)
        .with_body(|world| json!({ "questionId": world.open_question, "open": true })),
    Operation::new("GET", "/client/meetings/{meetingId}/current-question/stats", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/secrecy-forecast", TheirClient, 200),
    Operation::new("PUT", "/client/meetings/{meetingId}/countdown", TheirClient, 200)
        .with_body(|_| json!({ "seconds": 60 })),
    Operation::new("DELETE", "/client/meetings/{meetingId}/countdown", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/generate-link", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/invitations", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/invitations/send", TheirClient, 202).with_body(|world| {
        json!({
            "endUserIds": [world.voter.id], "again": true, "timeZone": "Europe/Berlin",
            "publicUrl": "https://vote.example.org",
        })
    }),
    Operation::new("DELETE", "/client/meetings/{meetingId}/invitations/pending", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds", TheirClient, 201)
        .with_body(|world| json!({ "questionId": world.ended_question, "reason": "Somebody was cut off." })),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/result", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/count", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/declare", TheirClient, 200),
    // The round is no election.
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/tie-decisions", TheirClient, 409)
        .with_body(|_| json!({ "stage": 1, "numbers": [1, 2], "by": "lot" })),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/casting-vote", TheirClient, 409)
        .with_body(|_| json!({ "castBy": "Ada Young", "inFavor": true })),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/seat-answers", TheirClient, 409)
        .with_body(|_| json!({ "candidate": 1, "answer": "accepted" })),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/next-ballot", TheirClient, 409),
    Operation::new("POST", "/client/questions/candidates/read", AnyClient, 200)
        .with_body(|_| json!({ "fileName": "candidates.csv", "content": "TmFtZTtMaW5lCk5hZGlhIEJyYW5kdDtGbGF0IDEyCg==" })),
    Operation::new("GET", "/client/meetings/{meetingId}/elections", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/answers", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/answer-curation", TheirClient, 200).on_answers(),
    Operation::new("PUT", "/client/meetings/{meetingId}/rounds/{roundId}/answer-curation", TheirClient, 200)
        .with_body(|_| shown_answers(1))
        .on_answers(),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/answer-curation/answers", TheirClient, 200)
        .on_answers(),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/receipts", TheirClient, 200).on_answers(),
    Operation::new("GET", "/client/meetings/{meetingId}/results", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/results/export", TheirClient, 200).with_query("?format=json"),
    Operation::new("GET", "/client/meetings/{meetingId}/archive", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/register", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/admissions", TheirClient, 201)
        .with_body(|world| json!({ "endUserId": world.latecomer, "reason": "Came late" }))
        .in_open_round(),
    Operation::new("GET", "/client/meetings/{meetingId}/questions/{questionId}/exclusions", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/questions/{questionId}/exclusions", TheirClient, 201)
        .with_body(|world| json!({ "endUserId": world.voter.id, "reason": "Conflict of interest" }))
        .on_spares(),
    Operation::new(
        "DELETE",
        "/client/meetings/{meetingId}/questions/{questionId}/exclusions/{endUserId}",
        TheirClient,
        204,
    )
    .on_spares(),
    Operation::new("GET", "/client/meetings/{meetingId}/attendance", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/attendance/export", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/attendance", TheirClient, 200)
        .with_body(|world| json!({ "endUserId": world.latecomer, "kind": "IN" }))
        .on_scheduled(),
    Operation::new("GET", "/client/meetings/{meetingId}/desks", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/desks", TheirClient, 201)
        .with_body(|_| json!({ "name": "Side entrance" })),
    Operation::new("DELETE", "/client/meetings/{meetingId}/desks/{deskId}", TheirClient, 200).on_scheduled(),
    Operation::new("GET", "/desk", Desk, 200),
    Operation::new("GET", "/desk/people", Desk, 200),
    Operation::new("GET", "/desk/entries", Desk, 200),
    Operation::new("POST", "/desk/entries", Desk, 200).with_body(|world| {
        let entry = json!({ "id": world.latecomer, "endUserId": world.latecomer, "kind": "IN", "at": null });
        json!({ "entries": [entry], "contactAt": null })
    }),
    Operation::new("GET", "/voting/meetings/{meetingId}/check-in", TheirVoter, 200),
    Operation::new("POST", "/voting/meetings/{meetingId}/check-in", TheirVoter, 200)
        .with_body(|world| json!({ "code": world.check_in_code }))
        .on_scheduled(),
    Operation::new("GET", "/public/meetings/{meetingId}/check-in-code", Public, 200).on_scheduled(),
    Operation::new("GET", "/client/meetings/{meetingId}/proxies", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/proxies", TheirClient, 201).with_body(|world| {
        let holder = format!("spare-{}", world.spares.number);
        json!({ "principal": "voter", "holder": holder, "questionIds": [world.open_question], "reference": "Folder 3" })
    }),
    Operation::new("DELETE", "/client/meetings/{meetingId}/proxies/{proxyId}", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/proxies/holders", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/proxies/export", TheirClient, 200),
    Operation::new("GET", "/client/meetings/{meetingId}/proxies/settings", TheirClient, 200),
    Operation::new("PUT", "/client/meetings/{meetingId}/proxies/settings", TheirClient, 200)
        .with_body(|_| proxies::settings(Some(3))),
    Operation::new("POST", "/client/meetings/{meetingId}/proxies/import", TheirClient, 200).with_body(|_| {
        let file = json!({ "fileName": "a.csv", "content": "UHJpbmNpcGFsLEhvbGRlcgphZGEsYmVuCg==" });
        json!({ "file": file, "dryRun": true })
    }),
    Operation::new("GET", "/voting/meetings/{meetingId}/proxies", TheirVoter, 200),
    Operation::new("POST", "/voting/meetings/{meetingId}/proxies", TheirVoter, 201).with_body(|world| {
        json!({ "holder": format!("spare-{}", world.spares.number), "questionIds": [world.open_question] })
    }),
    Operation::new("DELETE", "/voting/meetings/{meetingId}/proxies/{proxyId}", TheirVoter, 200),
    Operation::new("GET", "/voting/meetings/{meetingId}/questions/{questionId}/proxies", TheirVoter, 200),
    Operation::new("POST", "/voting/meetings/{meetingId}/questions/{questionId}/votes", TheirVoter, 200).with_body(
        |world| json!({ "roundId": world.open_round, "ballots": [{ "for": "self", "answers": ["Yes"] }] }),
    ),
    Operation::new("GET", "/client/meetings/{meetingId}/remarks", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/remarks", TheirClient, 201)
        .with_body(|_| json!({ "kind": "INCIDENT", "text": "The light went out." })),
    Operation::new("DELETE", "/client/meetings/{meetingId}/remarks/{remarkId}", TheirClient, 204).on_spares(),
    Operation::new("GET", "/client/meetings/{meetingId}/rehearsal", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/rehearsal", TheirClient, 201).on_scheduled(),
    Operation::new("POST", "/client/meetings/{meetingId}/rehearsal/end", TheirClient, 200).on_rehearsed(),
    Operation::new("DELETE", "/client/meetings/{meetingId}/rehearsal", TheirClient, 204).on_rehearsed(),
    Operation::new("POST", "/client/questions", TheirClient, 201).with_body(|world| {
        json!({
            "meetingId": world.meeting.id, "questionText": "Another one?", "questionType": "MULTIPLE_CHOICE",
            "options": ["A", "B"],
        })
    }),
    Operation::new("GET", "/client/questions/meeting/{meetingId}", TheirClient, 200),
    Operation::new("POST", "/client/questions/meeting/{meetingId}", TheirClient, 201).with_body(|_| {
        json!({ "questions": [{ "questionText": "Pasted?", "questionType": "YES_NO" }] })
    }),
    Operation::new("PUT", "/client/questions/meeting/{meetingId}/reorder", TheirClient, 200)
        .with_body(|world| json!({ "questionOrders": [{ "questionId": world.spares.question, "orderIndex": 1 }] }))
        .on_spares(),
    Operation::new("GET", "/client/questions/{questionId}", TheirClient, 200),
    Operation::new("PUT", "/client/questions/{questionId}", TheirClient, 200)
        .with_body(|_| {
            json!({
                "questionText": "Another one?", "questionType": "MULTIPLE_CHOICE", "isRequired": false,
                "options": ["A", "B"], "maxChoices": 1, "ratingMax": null,
            })
        })
        .on_spares(),
    Operation::new("DELETE", "/client/questions/{questionId}", TheirClient, 200).on_spares(),
    Operation::new("POST", "/client/questions/{questionId}/duplicate", TheirClient, 201).on_spares(),
    Operation::new("GET", "/sse/meetings/{meetingId}/stream", TheirPeople, 200),
    Operation::new("GET", "/sse/meetings/{meetingId}/state", TheirPeople, 200),
    Operation::new("GET", "/sse/meetings/{meetingId}/participants/count", TheirPeople, 200),
    Operation::new("GET", "/voting/meetings", AnyVoter, 200),
    Operation::new("GET", "/voting/meetings/{meetingId}", TheirVoter, 200),
    Operation::new("GET", "/voting/meetings/{meetingId}/results", TheirVoter, 200),
    Operation::new("GET", "/voting/meetings/{meetingId}/rounds/{roundId}/receipts", TheirVoter, 200).on_answers(),
    Operation::new("PUT", "/voting/meetings/{meetingId}/rehearsal", TheirVoter, 200)
        .with_body(|world| json!({ "rehearsalId": world.rehearsal, "step": "answered" }))
        .on_rehearsed(),
    Operation::new("POST", "/voting/meetings/{meetingId}/questions/{questionId}/vote", TheirVoter, 201)
        .with_body(|_| json!({ "answers": ["Yes"] })),
    Operation::new("DELETE", "/voting/meetings/{meetingId}/questions/{questionId}/vote", TheirVoter, 200),
    Operation::new("GET", "/public/client/{clientCode}", Public, 200),
    Operation::new("GET", "/public/client/{clientCode}/logo", Public, 200),
    Operation::new("GET", "/public/evidence-keys", Public, 200),
    Operation::new("GET", "/public/meetings/{meetingId}/presentation", Public, 200),
    Operation::new("POST", "/public/verify", Public, 200).with_body(|_| crate::http::voting::verify::empty_log()),
    Operation::new("POST", "/public/verify/records", Public, 200).with_body(|_| json!({ "hashes": ["0".repeat(64)] })),
    Operation::new("GET", "/public/meetings/{meetingId}/presentation/result", Public, 200).on_declared(),
    Operation::new("GET", "/public/meetings/{meetingId}/presentation/answers", Public, 200).on_answers(),
    Operation::new("GET", "/public/meetings/{meetingId}/presentation/stream", Public, 200),
    Operation::new("GET", "/meetings/by-link/{linkToken}", Public, 200),
    Operation::new("GET", "/health", Public, 200),
    Operation::new("GET", "/health/ready", Public, 200),
    Operation::new("GET", "/test/database", AnyAccount, 200),
    Operation::new("GET", "/test/schema", AnyAccount, 200),
    Operation::new("GET", "/test/migrations", AnyAccount, 200),
    Operation::new("GET", "/test/data-integrity", AnyAccount, 200),
    Operation::new("GET", "/test/auth", AnyAccount, 200),
    Operation::new("GET", "/test/memory", AnyAccount, 200),
    Operation::new("GET", "/test/cors", AnyAccount, 200),
    Operation::new("GET", "/test/expired-token", AnyAccount, 200),
    Operation::new("DELETE", "/votes/{voteId}", TheirAccounts, 200),
    Operation::new("GET", "/client/audit", AnyClient, 200),
    Operation::new("GET", "/client/audit/export", AnyClient, 200).with_query("?format=json"),
    Operation::new("GET", "/audit", SuperAdmin, 200),
    Operation::new("GET", "/audit/export", SuperAdmin, 200).with_query("?format=json"),
];

/// An organization with a running meeting in which a voter has voted, and another organization. The meeting counts as
/// test data.
pub(crate) struct World {
    pub(crate) theirs: Organization,
    pub(crate) others: Organization,
    pub(crate) voter: TestVoter,
    pub(crate) meeting: TestMeeting,
    pub(super) open_question: String,
    pub(super) ended_question: String,
    pub(super) open_round: String,
    pub(super) ended_round: String,
    /// A group of the organization with the running meeting.
    pub(super) group: String,
    /// A voter outside the register of the open round.
    pub(super) latecomer: String,
    pub(super) declared_meeting: String,
    /// A meeting with declared answers on its screen, and their round.
    pub(super) answered: (String, String),
    /// A completed meeting.
    pub(super) over_meeting: String,
    /// A meeting without a rehearsal, with check-in.
    pub(super) scheduled_meeting: String,
    /// A desk of that meeting, and its token.
    pub(super) desk: (String, String),
    /// The code with which voters check themselves in to that meeting.
    pub(super) check_in_code: String,
    /// A meeting with a running rehearsal.
    pub(super) rehearsed_meeting: String,
    pub(super) rehearsal: String,
    pub(super) link: String,
    pub(super) vote: String,
    /// A proxy of the voter for the ended question.
    pub(super) proxy: String,
    /// The session of the organizer.
    pub(super) account: String,
    pub(super) spares: Spares,
    /// Whether a call may have changed data since [`World::renew_meetings`].
    pub(super) was_changed: bool,
    pub(super) root: Caller,
}

pub(super) fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// The id of a meeting with a declared result on its screen.
async fn meeting_with_a_declared_result(theirs: &Organization) -> String {
    let meeting = theirs.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    meeting.show(&question).await;
    theirs.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
    meeting.id
}

/// A curation that shows all answers, based on this version.
fn shown_answers(version: u32) -> Value {
    json!({ "version": version, "isShown": true, "picked": [], "groups": [], "hidden": [] })
}

/// The ids of a meeting with a declared result of a text question on its screen, with its answers, and of their round.
async fn meeting_with_answers(theirs: &Organization, voter: &TestVoter) -> (String, String) {
    let meeting = theirs.meeting().await;
    let question = meeting.ask("OPEN_TEXT", json!({})).await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    voter.vote(&meeting, &question, &["Trees"]).await.gives(201);
    meeting.show(&question).await;
    theirs.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
    let curation = meeting.path(&format!("/rounds/{round}/answer-curation"));
    theirs.admin.put(&curation, shown_answers(0)).await.gives(200);
    (meeting.id, round)
}

impl World {
    pub(crate) async fn new(app: &TestApp) -> Self {
        let theirs = app.client("Rowing Club").await;
        let others = app.client("Sailing Club").await;
        let voter = theirs.voter("voter").await;
        others.voter("voter").await;
        let meeting = theirs.meeting().await;
        let declared_meeting = meeting_with_a_declared_result(&theirs).await;
        let answered = meeting_with_answers(&theirs, &voter).await;
        let over_meeting = theirs.meeting_with(json!({ "status": "COMPLETED" })).await.id;
        let account = id_of(&theirs.admin.get("/auth/me").await.gives(200)["user"]);
        let group = json!({ "name": "Everybody else" });
        let group = id_of(&theirs.admin.post("/client/groups", group).await.gives(201)["data"]);
        let mut world = Self {
            account,
            group,
            theirs,
            others,
            voter,
            meeting,
            open_question: String::new(),
            open_round: String::new(),
            ended_question: String::new(),
            ended_round: String::new(),
            declared_meeting,
            answered,
            over_meeting,
            scheduled_meeting: String::new(),
            desk: (String::new(), String::new()),
            check_in_code: String::new(),
            rehearsed_meeting: String::new(),
            rehearsal: String::new(),
            latecomer: String::new(),
            link: String::new(),
            vote: String::new(),
            proxy: String::new(),
            spares: Spares::default(),
            was_changed: false,
            root: app.super_admin().await,
        };
        world.renew_meetings().await;
        world
    }

    /// A meeting and spares that no earlier operation has changed. This operation may change them.
    pub(crate) async fn prepare_meetings(&mut self, operation: &Operation) {
        self.renew_if_changed().await;
        self.was_changed = operation.changes();
    }

    /// Notes the answer of a call. Every call may have changed something, unless its body was refused.
    pub(crate) fn note(&mut self, answer: &Answer) {
        self.was_changed |= ![400, 413, 415, 422].contains(&answer.status);
    }

    /// A meeting and spares that no earlier call has changed, by the noted answers.
    pub(crate) async fn renew_if_changed(&mut self) {
        if self.was_changed {
            self.renew_meetings().await;
        }
    }

    /// A meeting and spares that no earlier call has changed.
    pub(crate) async fn renew_meetings(&mut self) {
        self.was_changed = false;
        self.sign_in_again().await;
        // Not each time, because some calls fail with the voter's name on purpose.
        let sessions = self.voter.caller.get("/auth/sessions").await.gives(200)["data"].clone();
        if !sessions.as_array().unwrap().iter().any(|session| session["id"] == self.spares.session) {
            let again = self.root.sign_in_voter(&self.theirs.code, "voter").await;
            self.spares.session = current_session(&again).await;
        }
        self.meeting = self
            .theirs
            .meeting_with(json!({ "status": "ACTIVE", "title": "TEST_Assembly", "countsSurveysAtEnd": true }))
            .await;
        self.ended_question = self.meeting.ask_yes_no().await;
        self.ended_round = self.meeting.open(&self.ended_question).await["roundId"].as_str().unwrap().to_owned();
        self.voter.vote(&self.meeting, &self.ended_question, &["Yes"]).await.gives(201);
        self.open_question = self.meeting.ask_yes_no().await;
        self.open_round = self.meeting.open(&self.open_question).await["roundId"].as_str().unwrap().to_owned();
        // After the opening: a voter in the register of an open round cannot be deleted.
        self.spares.renew(&self.root, &self.theirs).await;
        let username = format!("late-{}", self.spares.number);
        let latecomer = json!({ "username": username, "name": username, "password": PASSWORD });
        self.latecomer = id_of(&self.theirs.admin.post("/client/end-users", latecomer).await.gives(201)["data"]);
        self.vote = id_of(&self.voter.vote(&self.meeting, &self.open_question, &["Yes"]).await.gives(201)["vote"]);
        let holder = format!("spare-{}", self.spares.number);
        self.proxy = proxies::grant(&self.meeting, &self.voter, &holder, &self.ended_question).await;
        let link = self.theirs.admin.post(&self.meeting.path("/generate-link"), Value::Null).await.gives(200);
        self.link = link["invitationLink"].as_str().unwrap().to_owned();
        let scheduled = json!({ "status": "SCHEDULED", "checkIn": "ON", "selfCheckIn": true });
        let scheduled = self.theirs.meeting_with(scheduled).await;
        let made = self.theirs.admin.post(&scheduled.path("/desks"), json!({ "name": "Desk 1" })).await.gives(201);
        self.desk = (id_of(&made["desk"]), made["token"].as_str().unwrap().to_owned());
        let code = self.root.get(&format!("/public/meetings/{}/check-in-code", scheduled.id)).await.gives(200);
        self.check_in_code = code["code"].as_str().unwrap().to_owned();
        self.scheduled_meeting = scheduled.id;
        let rehearsed = self.theirs.meeting_with(json!({ "status": "SCHEDULED" })).await;
        self.rehearsal = id_of(&self.theirs.admin.post(&rehearsed.path("/rehearsal"), Value::Null).await.gives(201));
        self.rehearsed_meeting = rehearsed.id;
    }

    /// Signs in callers again whose sessions an earlier call has ended.
    async fn sign_in_again(&mut self) {
        if self.root.get("/auth/me").await.status != 200 {
            self.root = self.root.sign_in(ROOT_EMAIL).await;
        }
        if self.theirs.admin.get("/auth/me").await.status != 200 {
            self.theirs.admin = self.root.sign_in("admin@rowing-club.example").await;
        }
        if self.voter.caller.get("/auth/me").await.status != 200 {
            self.voter.caller = self.root.sign_in_voter(&self.theirs.code, "voter").await;
        }
    }

    /// A signed-in caller that no other call needs.
    pub(crate) async fn spare_caller(&self) -> Caller {
        self.root.sign_in_voter(&self.theirs.code, &format!("spare-{}", self.spares.number)).await
    }

    /// The organizer of an organization that no other call needs.
    pub(crate) async fn spare_account(&self) -> Caller {
        self.root.sign_in(&format!("spare-{}@example.org", self.spares.number)).await
    }

    /// A permitted caller.
    pub(crate) async fn caller_of(&self, app: &TestApp, operation: &Operation) -> Caller {
        match operation.access {
            Public => app.anyone(),
            SignedIn if operation.is_on_spares => self.spare_caller().await,
            AnyAccount if operation.is_on_spares => self.spare_account().await,
            SuperAdmin | SignedIn | AnyAccount | TheirAccounts => app.super_admin().await,
            AnyClient | TheirClient | TheirPeople => self.theirs.admin.clone(),
            AnyVoter | TheirVoter | Owner => self.voter.caller.clone(),
            Desk => self.desk_caller(app),
        }
    }

    /// A helper with the link of the desk.
    pub(crate) fn desk_caller(&self, app: &TestApp) -> Caller {
        app.anyone().with_token(&self.desk.1)
    }

    pub(super) fn parameters(&self) -> [(&'static str, &str); 14] {
        [
            ("{accountId}", &self.account),
            ("{clientId}", &self.theirs.id),
            ("{clientCode}", &self.theirs.code),
            ("{endUserId}", &self.voter.id),
            ("{groupId}", &self.group),
            ("{meetingId}", &self.meeting.id),
            ("{questionId}", &self.open_question),
            ("{roundId}", &self.ended_round),
            ("{remarkId}", &self.spares.remark),
            ("{link}", &self.link),
            ("{linkToken}", &self.link),
            ("{voteId}", &self.vote),
            ("{deskId}", &self.desk.0),
            ("{proxyId}", &self.proxy),
        ]
    }
}

/// The OpenAPI document.
pub(crate) fn document() -> Value {
    serde_json::from_str(&openapi_document("").to_json().unwrap()).unwrap()
}

/// The statuses that the document lists for an operation.
pub(crate) fn documented(document: &Value, operation: &Operation) -> Vec<u16> {
    let listed = &document["paths"][operation.path][operation.method.to_lowercase()]["responses"];
    listed.as_object().unwrap().keys().map(|status| status.parse().unwrap()).collect()
}
