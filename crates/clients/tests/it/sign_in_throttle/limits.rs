//! The limits of a name and of an address.

use super::*;

#[tokio::test]
async fn after_ten_wrong_tries_the_right_password_waits_too() {
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
    // It took the failures back.
    for _ in 0..10 {
        assert_eq!(account(&service, world.admin(WRONG)).await, Wrong);
    }
}

#[tokio::test]
async fn a_name_that_nobody_has_runs_into_the_same_limit() {
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
async fn who_is_not_active_runs_into_the_same_limit_with_the_right_password() {
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

/// Else there would be a limit for each spelling, or how soon it comes would tell which names exist.
#[tokio::test]
async fn all_spellings_of_one_name_share_a_limit_whether_or_not_somebody_has_it() {
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
async fn nobody_else_is_held_up() {
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
    assert_eq!(voter(&service, right()).await, In, "one address alone keeps nobody out elsewhere");
}

#[tokio::test]
async fn an_address_that_tries_many_names_is_held_up() {
    let world = World::new().await;
    let service = world.service();
    let from = world.elsewhere();
    for number in 0..60 {
        // Also what can be no name at all.
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
async fn the_wrong_portal_is_no_failure_and_no_way_past_the_limit() {
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
async fn who_has_to_wait_costs_no_hash() {
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
async fn a_hasher_that_does_not_answer_is_no_failure() {
    let world = World::new().await;
    let mut hasher = MockPasswordHasher::new();
    hasher.expect_verify().returning(|_, _, _| Err(PortFailure::busy("hashing")));
    let service = world.service_with(Arc::new(hasher));
    for _ in 0..30 {
        let outcome = service.sign_in_account(world.admin(Samples::PASSWORD)).await;
        assert!(matches!(outcome, Err(SignInError::Port(_))));
    }
}
