//! Every operation of the API with a call that succeeds, and its permitted callers. An operation of the OpenAPI
//! document that is missing here fails `access_matrix`.

use plenum_adapter_http::openapi_document;
use serde_json::{Value, json};

pub(crate) use crate::http::support::operation::{Access, Operation};
use crate::http::support::proxies;
use crate::http::support::spares::NEW_LOGO;
pub(crate) use crate::http::support::world::World;
use crate::http::support::world::shown_answers;
use crate::http::support::{PASSWORD, ROOT_EMAIL};

use Access::{
    AnyAccount, AnyClient, AnyVoter, Desk, Owner, Public, SignedIn, SuperAdmin, TheirAccounts, TheirClient,
    TheirPeople, TheirVoter, VotingPlace,
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
    Operation::new("GET", "/client/weight-kinds", AnyClient, 200),
    Operation::new("POST", "/client/weight-kinds", AnyClient, 201)
        .with_body(|world| json!({ "name": format!("Kind {}", world.spares.number), "unit": "m²", "decimals": 2 })),
    Operation::new("GET", "/client/weight-kinds/{kindId}", TheirClient, 200),
    Operation::new("PUT", "/client/weight-kinds/{kindId}", TheirClient, 200)
        .with_body(|_| json!({ "name": "Renamed", "unit": null, "decimals": 3 })),
    Operation::new("DELETE", "/client/weight-kinds/{kindId}", TheirClient, 200).on_spares(),
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
    Operation::new("POST", "/client/join-links", TheirClient, 200).with_body(|world| {
        let (people, meeting) = ([&world.latecomer], &world.meeting.id);
        json!({ "people": "NAMED", "endUserIds": people, "meetingId": meeting, "passwordReason": "Lost the letter" })
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
    Operation::new("GET", "/client/meetings/{meetingId}/missing-weights", TheirClient, 200),
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
    Operation::new("GET", "/desk/question", VotingPlace, 200),
    Operation::new("POST", "/desk/ballots", VotingPlace, 201).with_body(
        |world| json!({ "id": world.latecomer, "endUserId": world.walk_ins[0], "roundId": world.open_round }),
    ),
    Operation::new("POST", "/desk/votes", VotingPlace, 201)
        .with_body(|world| json!({ "ballotId": world.open_round, "answers": ["Yes"] })),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/paper-batches", TheirClient, 200),
    Operation::new("POST", "/client/meetings/{meetingId}/rounds/{roundId}/paper-batches", TheirClient, 201)
        .with_body(|world| {
            let counts = json!([{ "answers": ["Yes"], "count": 1 }]);
            json!({ "id": world.latecomer, "people": [world.walk_ins[0]], "counts": counts })
        })
        .in_open_round(),
    Operation::new("GET", "/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}", TheirClient, 200)
        .in_open_round(),
    Operation::new(
        "POST",
        "/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}/confirm",
        TheirClient,
        200,
    )
    .in_open_round(),
    Operation::new(
        "POST",
        "/client/meetings/{meetingId}/rounds/{roundId}/paper-batches/{batchId}/discard",
        TheirClient,
        200,
    )
    .in_open_round(),
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
    Operation::new("GET", "/test/memory", SuperAdmin, 200),
    Operation::new("GET", "/test/cors", AnyAccount, 200),
    Operation::new("GET", "/test/expired-token", AnyAccount, 200),
    Operation::new("DELETE", "/votes/{voteId}", TheirAccounts, 200),
    Operation::new("GET", "/client/audit", AnyClient, 200),
    Operation::new("GET", "/client/audit/export", AnyClient, 200).with_query("?format=json"),
    Operation::new("GET", "/audit", SuperAdmin, 200),
    Operation::new("GET", "/audit/export", SuperAdmin, 200).with_query("?format=json"),
];

/// The OpenAPI document.
pub(crate) fn document() -> Value {
    serde_json::from_str(&openapi_document("").to_json().unwrap()).unwrap()
}

/// The statuses that the document lists for an operation.
pub(crate) fn documented(document: &Value, operation: &Operation) -> Vec<u16> {
    let listed = &document["paths"][operation.path][operation.method.to_lowercase()]["responses"];
    listed.as_object().unwrap().keys().map(|status| status.parse().unwrap()).collect()
}
