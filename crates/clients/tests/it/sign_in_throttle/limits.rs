//! The limits of a name and of an address.

use super::*;

#[tokio::test]
async fn ten_wrong_passwords_delay_the_right_one() {
    let world = World::new().await;
    let service = world.service();
    for _ in 0..10 {
        assert_eq!(account(&service, world.admin(WRONG)).await, Wrong);
    }
    assert_eq!(account(&service, world.admin(WRONG)).await, Wait(10));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(10));
    world.clock.advance(TimeDelta::seconds(9));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(1));
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, In);
    // The sign-in took the failures back.
    for _ in 0..10 {
        assert_eq!(account(&service, world.admin(WRONG)).await, Wrong);
    }
}

#[tokio::test]
async fn an_unknown_name_has_the_same_limit() {
    let world = World::new().await;
    let service = world.service();
    for (code, username) in [("club", "nobody"), ("no-such-club", "anna")] {
        for _ in 0..10 {
            assert_eq!(voter(&service, world.voter(code, username, WRONG)).await, Wrong);
        }
        assert_eq!(voter(&service, world.voter(code, username, WRONG)).await, Wait(10), "{code} {username}");
    }
    for _ in 0..10 {
        assert_eq!(account(&service, world.account("nobody@example.org", WRONG)).await, Wrong);
    }
    assert_eq!(account(&service, world.account("nobody@example.org", WRONG)).await, Wait(10));
}

#[tokio::test]
async fn an_inactive_person_with_the_right_password_has_the_same_limit() {
    let world = World::new().await;
    let service = world.service();
    world.store.set_client_status(world.club.id, ClientStatus::Suspended);
    for _ in 0..10 {
        assert_eq!(voter(&service, world.voter("club", "anna", Samples::PASSWORD)).await, Wrong);
        assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wrong);
    }
    assert_eq!(voter(&service, world.voter("club", "anna", Samples::PASSWORD)).await, Wait(10));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(10));
}

/// Otherwise each spelling would have a limit of its own, or the limit would reveal which names exist.
#[tokio::test]
async fn all_spellings_of_a_known_or_unknown_name_share_a_limit() {
    for name in ["anna", "nobody"] {
        let world = World::new().await;
        let service = world.service();
        let spellings = [
            (code_of("club"), name.to_owned()),
            (code_of("CLUB"), name.to_uppercase()),
            (ClientKey::Id(world.club.id), format!(" {name} ")),
        ];
        let typed = |number: usize| {
            let (client, username) = spellings[number % spellings.len()].clone();
            EndUserSignIn { client: Some(client), ..world.voter("club", &username, WRONG) }
        };
        for number in 0..10 {
            assert_eq!(voter(&service, typed(number)).await, Wrong, "{name} {number}");
        }
        for number in 0..spellings.len() {
            assert_eq!(voter(&service, typed(number)).await, Wait(10), "{name} {number}");
        }
    }
}

#[tokio::test]
async fn other_names_are_not_limited() {
    let world = World::new().await;
    let service = world.service();
    let from = world.elsewhere();
    for _ in 0..10 {
        let typed = EndUserSignIn { from, ..world.voter("club", "anna", WRONG) };
        assert_eq!(voter(&service, typed).await, Wrong);
    }
    for (code, username) in [("club", "ben"), ("team", "anna")] {
        let typed = EndUserSignIn { from, ..world.voter(code, username, Samples::PASSWORD) };
        assert_eq!(voter(&service, typed).await, In, "{code} {username}");
    }
    let typed = AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, typed).await, In);
    let right = || world.voter("club", "anna", Samples::PASSWORD);
    assert_eq!(voter(&service, EndUserSignIn { from, ..right() }).await, Wait(10));
    assert_eq!(voter(&service, right()).await, In, "one address does not limit others");
}

#[tokio::test]
async fn an_address_with_many_names_is_limited() {
    let world = World::new().await;
    let service = world.service();
    let from = world.elsewhere();
    for number in 0..60 {
        // Also text that cannot be a name.
        let email = if number % 2 == 0 { format!("nobody-{number}@example.org") } else { "no address".to_owned() };
        let typed = AccountSignIn { from, ..world.account(&email, WRONG) };
        assert_eq!(account(&service, typed).await, Wrong, "{number}");
    }
    let right = || AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, right()).await, Wait(0), "half a second");
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, In, "from another address");
    world.clock.advance(TimeDelta::milliseconds(500));
    assert_eq!(account(&service, right()).await, In);
}

#[tokio::test]
async fn two_thousand_right_sign_ins_of_one_account_from_one_address_pass() {
    let world = World::new().await;
    let service = world.service();
    let from = world.elsewhere();
    for _ in 0..2_000 {
        let typed = EndUserSignIn { from, ..world.voter("club", "anna", Samples::PASSWORD) };
        assert_eq!(voter(&service, typed).await, In);
    }
}

#[tokio::test]
async fn the_wrong_portal_is_not_a_failure_and_does_not_bypass_the_limit() {
    let world = World::new().await;
    let service = world.service();
    let at_the_other_portal =
        |password: &str| AccountSignIn { portal: Some(Portal::SuperAdmin), ..world.admin(password) };
    for _ in 0..20 {
        assert_eq!(account(&service, at_the_other_portal(Samples::PASSWORD)).await, WrongPortal);
    }
    for _ in 0..10 {
        assert_eq!(account(&service, at_the_other_portal(WRONG)).await, Wrong);
    }
    assert_eq!(account(&service, at_the_other_portal(Samples::PASSWORD)).await, Wait(10));
    assert_eq!(account(&service, world.admin(Samples::PASSWORD)).await, Wait(10));
}

#[tokio::test]
async fn a_refused_attempt_costs_no_hash() {
    let world = World::new().await;
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_verify().times(10).returning(|_, _, _| Ok(false));
    let service = world.service_with(Arc::new(hasher));
    for number in 0..30 {
        let outcome = account(&service, world.admin(WRONG)).await;
        assert_eq!(outcome == Wrong, number < 10, "{number}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_failure_of_the_hasher_does_not_count() {
    let world = World::new().await;
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_verify().returning(|_, _, _| Err(PortFailure::busy("hashing")));
    let service = world.service_with(Arc::new(hasher));
    for _ in 0..30 {
        let outcome = service.sign_in_account(world.admin(Samples::PASSWORD)).await;
        assert!(matches!(outcome, Err(SignInError::Port(_))));
    }
}
