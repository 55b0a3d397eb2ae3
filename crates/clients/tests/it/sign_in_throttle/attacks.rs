//! Attacks on a name, and the places from which its owner still signs in.

use super::simultaneous::use_up_the_address;
use super::*;

/// An attack of 20 wrong passwords a second from changing addresses, for almost a minute. Returns the number of checked
/// passwords.
async fn attack(world: &World, attempt: impl AsyncFn(IpAddr) -> Outcome) -> usize {
    let mut checked = 0;
    for _ in 0..20 * 59 {
        match attempt(world.elsewhere()).await {
            Wrong => checked += 1,
            Wait(_) => {}
            other => panic!("{other:?}"),
        }
        world.clock.advance(TimeDelta::milliseconds(50));
    }
    checked
}

#[tokio::test]
async fn an_attack_on_an_account_does_not_lock_out_its_owner_at_a_known_place() {
    let world = World::new().await;
    let service = world.service();
    let (home, hall) = (world.elsewhere(), world.elsewhere());
    let from = |from| AccountSignIn { from, ..world.admin(Samples::PASSWORD) };
    let device_token = service.sign_in_account(from(home)).await.ok().unwrap().device_token;
    let other = EndUserSignIn { from: hall, ..world.voter("club", "anna", Samples::PASSWORD) };
    assert_eq!(voter(&service, other).await, In);

    let wrong = async |from| account(&service, AccountSignIn { from, ..world.admin(WRONG) }).await;
    let checked = attack(&world, wrong).await;
    assert!((30..=36).contains(&checked), "an attack meets a limit in all: {checked}");
    assert_eq!(account(&service, from(world.elsewhere())).await, Wait(1), "an unknown place");
    assert_eq!(account(&service, from(home)).await, In);
    assert_eq!(account(&service, from(hall)).await, In);
    let known = AccountSignIn { device_tokens: vec!["x".to_owned(), device_token], ..from(world.elsewhere()) };
    assert_eq!(account(&service, known.clone()).await, In);
    // On a known device ten wrong passwords are allowed as well, and no more.
    let guess = AccountSignIn { password: WRONG.to_owned(), ..known };
    for _ in 0..10 {
        assert_eq!(account(&service, guess.clone()).await, Wrong);
    }
    assert_eq!(account(&service, guess).await, Wait(10));
}

#[tokio::test]
async fn an_attack_on_a_voter_does_not_lock_them_out_at_a_known_place() {
    let world = World::new().await;
    let service = world.service();
    let (home, hall) = (world.elsewhere(), world.elsewhere());
    let from = |from| EndUserSignIn { from, ..world.voter("club", "anna", Samples::PASSWORD) };
    let device_token = service.sign_in_end_user(from(home)).await.ok().unwrap().device_token;
    // Only the organizer has signed in at the hall.
    assert_eq!(account(&service, AccountSignIn { from: hall, ..world.admin(Samples::PASSWORD) }).await, In);

    let wrong = async |from| voter(&service, EndUserSignIn { from, ..world.voter("club", "anna", WRONG) }).await;
    let checked = attack(&world, wrong).await;
    assert!((30..=36).contains(&checked), "an attack meets a limit in all: {checked}");
    assert_eq!(voter(&service, from(world.elsewhere())).await, Wait(1), "an unknown place");
    assert_eq!(voter(&service, from(home)).await, In);
    assert_eq!(voter(&service, from(hall)).await, In);
    let known = EndUserSignIn { device_tokens: vec![device_token.clone()], ..from(world.elsewhere()) };
    assert_eq!(voter(&service, known).await, In);
    // A device is known only for the name that signed in there.
    let of_another = EndUserSignIn { device_tokens: vec![device_token], ..world.voter("club", "ben", WRONG) };
    let wrong = async |from| voter(&service, EndUserSignIn { from, ..of_another.clone() }).await;
    assert!(attack(&world, wrong).await <= 36);
}

#[tokio::test]
async fn a_known_device_signs_in_from_an_address_at_its_limit() {
    let world = World::new().await;
    let service = world.service();
    let first = service.sign_in_end_user(world.voter("club", "anna", Samples::PASSWORD)).await.ok().unwrap();
    let from = world.elsewhere();
    use_up_the_address(&world, &service, from).await;
    let right = EndUserSignIn { from, ..world.voter("club", "anna", Samples::PASSWORD) };
    assert_eq!(voter(&service, right.clone()).await, Wait(0), "half a second");
    let device_tokens = vec![first.device_token];
    assert_eq!(voter(&service, EndUserSignIn { device_tokens, ..right }).await, In);
}

#[tokio::test]
async fn the_owner_signs_in_during_an_attack_after_a_reset_by_mail() {
    let world = World::new().await;
    let service = world.service();
    let signed_in = service.sign_in_account(world.admin(Samples::PASSWORD)).await.ok().unwrap();
    let person = signed_in.profile.person;
    attack(&world, async |from| account(&service, AccountSignIn { from, ..world.admin(WRONG) }).await).await;
    let device_tokens = vec![service.device_token_of(person).await.unwrap().unwrap()];
    let typed = AccountSignIn { from: world.elsewhere(), device_tokens, ..world.admin(Samples::PASSWORD) };
    assert_eq!(account(&service, typed).await, In);
}
