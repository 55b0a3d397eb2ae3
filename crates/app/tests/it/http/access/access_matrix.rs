//! Every operation, called by every kind of caller.

use std::collections::BTreeSet;

use crate::http::support::operations::{Access, OPERATIONS, World, document, documented};
use crate::http::support::{Caller, TestApp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    NoToken,
    GarbledToken,
    ForgedToken,
    UnsignedToken,
    ExpiredToken,
    Desk,
    SuperAdmin,
    Client,
    OtherClient,
    Voter,
    OtherVoter,
}

const KINDS: [Kind; 11] = [
    Kind::NoToken,
    Kind::GarbledToken,
    Kind::ForgedToken,
    Kind::UnsignedToken,
    Kind::ExpiredToken,
    // Before the organizer, who revokes it.
    Kind::Desk,
    Kind::SuperAdmin,
    Kind::Client,
    Kind::OtherClient,
    Kind::Voter,
    Kind::OtherVoter,
];

/// The expected status of this caller. `None` is success.
fn refusal(access: Access, kind: Kind) -> Option<u16> {
    use Access::{
        AnyAccount, AnyClient, AnyVoter, Desk, Owner, Public, SignedIn, SuperAdmin, TheirAccounts, TheirClient,
        TheirPeople, TheirVoter, VotingPlace,
    };
    match (access, kind) {
        (Public, _) => None,
        (_, Kind::NoToken | Kind::ExpiredToken) => Some(401),
        (_, Kind::GarbledToken | Kind::ForgedToken | Kind::UnsignedToken) => Some(403),
        (Desk | VotingPlace, Kind::Desk) => None,
        (Desk | VotingPlace, _) | (_, Kind::Desk) => Some(403),
        (SignedIn, _)
        | (SuperAdmin, Kind::SuperAdmin)
        | (AnyAccount, Kind::SuperAdmin | Kind::Client | Kind::OtherClient)
        | (TheirAccounts, Kind::SuperAdmin | Kind::Client)
        | (AnyClient, Kind::Client | Kind::OtherClient)
        | (TheirClient, Kind::Client)
        | (AnyVoter, Kind::Voter | Kind::OtherVoter)
        | (TheirVoter | Owner, Kind::Voter)
        | (TheirPeople, Kind::Client | Kind::Voter) => None,
        (TheirAccounts | TheirClient, Kind::OtherClient)
        | (TheirVoter, Kind::OtherVoter)
        | (TheirPeople, Kind::OtherClient | Kind::OtherVoter)
        | (Owner, _) => Some(404),
        (
            SuperAdmin | AnyAccount | TheirAccounts | AnyClient | TheirClient | AnyVoter | TheirVoter | TheirPeople,
            _,
        ) => Some(403),
    }
}

async fn caller(app: &TestApp, world: &World, kind: Kind) -> Caller {
    let anyone = app.anyone();
    let voter = &world.voter.caller;
    match kind {
        Kind::NoToken => anyone,
        Kind::GarbledToken => anyone.with_token("eyJhbGciOiJIUzI1NiJ9.garbled"),
        Kind::ForgedToken => anyone.with_token(voter.forged_token()),
        Kind::UnsignedToken => anyone.with_token(voter.unsigned_token()),
        Kind::ExpiredToken => anyone.with_token(voter.expired_token()),
        Kind::Desk => world.desk_caller(app),
        // Accounts sign in again, because one operation is the sign-out. The world does this for its voter.
        Kind::SuperAdmin => app.super_admin().await,
        Kind::Client => anyone.sign_in("admin@rowing-club.example").await,
        Kind::OtherClient => anyone.sign_in("admin@sailing-club.example").await,
        // The session that has voted: only this one may repeat the vote.
        Kind::Voter => voter.clone(),
        Kind::OtherVoter => anyone.sign_in_voter(&world.others.code, "voter").await,
    }
}

#[test]
fn every_operation_of_the_document_is_in_the_table_and_no_other() {
    let mut documented = BTreeSet::new();
    for (path, item) in document()["paths"].as_object().unwrap() {
        documented.extend(item.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
    }
    let in_table: BTreeSet<_> =
        OPERATIONS.iter().map(|operation| (operation.method.to_owned(), operation.path.to_owned())).collect();
    let missing: Vec<_> = documented.difference(&in_table).collect();
    assert!(missing.is_empty(), "add these to crates/app/tests/it/http/support/operations.rs: {missing:?}");
    let gone: Vec<_> = in_table.difference(&documented).collect();
    assert!(gone.is_empty(), "these are no longer operations: {gone:?}");
    assert_eq!(in_table.len(), OPERATIONS.len(), "an operation stands twice in the table");
}

#[tokio::test]
async fn every_operation_is_open_to_its_roles_and_to_no_other() {
    let app = TestApp::start_with_everything().await;
    let mut world = World::new(&app).await;
    let document = document();
    let mut wrong = Vec::new();
    for operation in OPERATIONS {
        let documented = documented(&document, operation);
        world.prepare_meetings(operation).await;
        for kind in KINDS {
            // Each caller who may delete a vote finds one.
            if operation.access == Access::TheirAccounts && operation.changes() {
                world.renew_meetings().await;
            }
            let caller = match (operation.access, kind) {
                (Access::VotingPlace, Kind::Desk) => world.voting_place_caller(&app),
                _ => caller(&app, &world, kind).await,
            };
            let mut request = caller.request(operation.method, &operation.address(&world));
            if let Some(body) = operation.body(&world) {
                request = request.json(&body);
            }
            // Not read to the end, because streams have none.
            let status = request.send().await.unwrap().status().as_u16();
            let expected_status = refusal(operation.access, kind).unwrap_or(operation.success);
            let call = format!("{} {} as {kind:?}", operation.method, operation.path);
            if status != expected_status {
                wrong.push(format!("{call}: {status} instead of {expected_status}"));
            }
            if !documented.contains(&status) {
                wrong.push(format!("{call}: {status} is not in the document"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_refused_caller_does_not_learn_whether_body_or_id_are_valid() {
    let app = TestApp::start().await;
    let world = World::new(&app).await;
    for operation in OPERATIONS.iter().filter(|operation| operation.access != Access::Public) {
        let address = operation.path.replace(['{', '}'], "");
        for (kind, status) in [(Kind::NoToken, 401), (Kind::ForgedToken, 403)] {
            let caller = caller(&app, &world, kind).await;
            let answer = caller.call_with_text(operation.method, &address, "{").await;
            assert_eq!(answer.status, status, "{} {address} as {kind:?}", operation.method);
        }
    }
}
