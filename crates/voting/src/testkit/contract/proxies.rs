//! The contract of proxies: grants, revocations, and the votes that holders cast.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use futures_util::future::join_all;
use plenum_kernel::{
    AtOpening, Attendance, Clock as _, DecisionRule, EndUserId, LogEntryId, Majority, MeetingQuorum, Minimum,
    PageRequest, PresenceRule, ProxyId, QuestionId, QuestionType, Quorum, RoundId, Threshold, Unit, Units,
};
use rust_decimal::Decimal;

use super::groups::group;
use super::presence::counted;
use super::scene::wording;
use super::{Scene, SeedTerms, VotingFixture};
use crate::{
    Answer, Ballot, CastOutcome, ChangeProxySettingsError, Count, CountTaking, GrantError, Granting, GroupTally,
    HeldState, LogKind, NewProxy, OpenRoundError, OpeningRule, Proxy, ProxyAuthor, ProxyFilter, ProxyNote,
    ProxyReference, ProxyRule, ProxyScope, ProxySettings, Reason, RegisterChange, RegisterFilter, Revocation,
    RevokeError, RoundOpening, VoterAgenda,
};

fn on() -> ProxySettings {
    ProxySettings { is_on: true, principals_may_grant: true, ..ProxySettings::default() }
}

async fn set(fixture: &dyn VotingFixture, scene: &Scene, settings: ProxySettings) {
    let changed = fixture.proxies().change_settings(scene.client, scene.meeting, settings).await;
    changed.expect("the meeting and its questions are known");
}

fn new_proxy(scene: &Scene, principal: EndUserId, holder: EndUserId, scope: ProxyScope) -> NewProxy {
    NewProxy {
        id: ProxyId::new(&scene.ids),
        principal,
        holder,
        scope,
        note: Some(ProxyNote::parse("Yes, please").expect("a note")),
        reference: Some(ProxyReference::parse("Folder 3").expect("a reference")),
    }
}

fn granting(scene: &Scene, proxies: Vec<NewProxy>) -> Granting {
    let by = ProxyAuthor::Organizer(scene.organizer);
    Granting { proxies, by, at: scene.clock.now(), is_check: false }
}

async fn grant(fixture: &dyn VotingFixture, scene: &Scene, proxy: NewProxy) -> Result<ProxyId, ProxyRule> {
    let id = proxy.id;
    let granted = fixture.proxies().grant(scene.client, scene.meeting, granting(scene, vec![proxy])).await;
    match granted.expect("the store answers").pop().flatten() {
        Some(rule) => Err(rule),
        None => Ok(id),
    }
}

/// Grants a proxy for the whole meeting.
async fn give(fixture: &dyn VotingFixture, scene: &Scene, principal: usize, holder: usize) -> ProxyId {
    let proxy = new_proxy(scene, scene.voters[principal], scene.voters[holder], ProxyScope::Meeting);
    grant(fixture, scene, proxy).await.expect("the proxy is granted")
}

fn by_holder(scene: &Scene, round: RoundId, voters: (usize, usize), answer: Answer) -> Ballot {
    let (principal, holder) = voters;
    Ballot { cast_by: Some(scene.voters[holder]), ..scene.ballot(round, scene.voters[principal], answer) }
}

async fn cast(fixture: &dyn VotingFixture, ballot: Ballot) -> CastOutcome {
    fixture.ballot_box().cast(ballot).await.expect("the box answers")
}

async fn revoke(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    proxy: ProxyId,
    by: ProxyAuthor,
) -> Result<(), RevokeError> {
    let revocation = Revocation { proxy, by, at: scene.clock.now() };
    fixture.proxies().revoke(scene.client, scene.meeting, revocation).await
}

async fn states(fixture: &dyn VotingFixture, scene: &Scene, holder: usize) -> Vec<HeldState> {
    let held = fixture.proxies().held(scene.client, scene.meeting, scene.question, scene.voters[holder]).await;
    held.expect("the store answers").votes.into_iter().map(|vote| vote.state).collect()
}

async fn list(fixture: &dyn VotingFixture, scene: &Scene, with_revoked: bool) -> Vec<Proxy> {
    let page = PageRequest { page: 1, page_size: 50 };
    let filter = ProxyFilter { search: None, with_revoked, page };
    let listed = fixture.proxies().page(scene.client, scene.meeting, &filter).await;
    listed.expect("the store answers").expect("the meeting is known").rows
}

pub async fn a_holder_casts_the_vote_of_a_principal_once(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    set(fixture, &scene, on()).await;
    give(fixture, &scene, 0, 1).await;
    let round = scene.open(fixture).await;
    assert_eq!(states(fixture, &scene, 1).await, [HeldState::Open]);
    let filter = RegisterFilter { search: None, has_voted: Some(false), page: PageRequest { page: 1, page_size: 50 } };
    let missing = fixture.rounds().register(scene.client, scene.meeting, round, &filter).await;
    let missing = missing.expect("the store answers").expect("the round is there").rows;
    let holders: Vec<_> =
        missing.iter().filter(|entry| entry.holder.is_some()).map(|entry| entry.end_user_id).collect();
    assert_eq!(holders, [scene.voters[0]], "the register says who holds a proxy of somebody missing");
    let ballot = by_holder(&scene, round, (0, 1), scene.yes());
    assert_eq!(cast(fixture, ballot.clone()).await, CastOutcome::Counted);
    assert_eq!(
        cast(fixture, by_holder(&scene, round, (0, 1), scene.no())).await,
        CastOutcome::VotedBefore(ballot.clone().into_vote())
    );
    let by_principal = scene.cast(fixture, round, scene.voters[0], scene.no()).await;
    assert_eq!(by_principal, CastOutcome::VotedBefore(ballot.into_vote()), "the vote stands for the principal, too");
    assert_eq!(scene.cast(fixture, round, scene.voters[1], scene.no()).await, CastOutcome::Counted, "the own vote");
    assert_eq!(states(fixture, &scene, 1).await, [HeldState::CastByHolder]);
    assert_eq!(scene.votes_cast(fixture, round).await, 2);
    scene.end(fixture).await;
    let weights: Decimal = scene.votes_of(fixture, round).await.iter().map(|vote| vote.weight).sum();
    assert_eq!(weights, Decimal::new(15_001, 4), "each vote has the weight of its principal");
}

pub async fn nobody_votes_for_somebody_without_a_proxy(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    set(fixture, &scene, on()).await;
    give(fixture, &scene, 0, 1).await;
    let round = scene.open(fixture).await;
    for voters in [(0, 2), (2, 1), (1, 0), (3, 3)] {
        let outcome = cast(fixture, by_holder(&scene, round, voters, scene.yes())).await;
        assert_eq!(outcome, CastOutcome::NoProxy, "{voters:?}");
    }
    assert_eq!(scene.cast(fixture, round, scene.voters[2], scene.yes()).await, CastOutcome::Counted);
    let curious = cast(fixture, by_holder(&scene, round, (2, 1), scene.yes())).await;
    assert_eq!(curious, CastOutcome::NoProxy, "it says nothing about the vote");
    scene.end(fixture).await;
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 1), scene.yes())).await, CastOutcome::NotOpen);
}

pub async fn a_proxy_rests_once_the_principal_has_voted(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    set(fixture, &scene, on()).await;
    give(fixture, &scene, 0, 1).await;
    let round = scene.open(fixture).await;
    let own = scene.ballot(round, scene.voters[0], scene.no());
    assert_eq!(cast(fixture, own.clone()).await, CastOutcome::Counted);
    let late = cast(fixture, by_holder(&scene, round, (0, 1), scene.yes())).await;
    assert_eq!(late, CastOutcome::VotedBefore(own.into_vote()));
    assert_eq!(states(fixture, &scene, 1).await, [HeldState::VotedByPrincipal]);
    let uses = fixture.proxies().uses(scene.client, scene.meeting, scene.voters[0]).await.expect("the store answers");
    let used: Vec<_> = uses.iter().map(|used| (used.round, used.question, used.holder.as_str(), used.state)).collect();
    assert_eq!(used, [(round, scene.question, "Voter 2", HeldState::VotedByPrincipal)]);
}

pub async fn the_votes_of_many_principals_and_their_holder_at_once_are_one_each(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 11).await;
    set(fixture, &scene, on()).await;
    for principal in 0..10 {
        give(fixture, &scene, principal, 10).await;
    }
    let round = scene.open(fixture).await;
    let ballot_box = fixture.ballot_box();
    let own = (0..10).map(|voter| scene.ballot(round, scene.voters[voter], scene.no()));
    let held = (0..10).map(|voter| by_holder(&scene, round, (voter, 10), scene.yes()));
    let all = join_all(own.chain(held).map(|ballot| ballot_box.cast(ballot))).await;
    let counted = all.iter().filter(|outcome| matches!(outcome, Ok(CastOutcome::Counted))).count();
    assert_eq!(counted, 10);
    assert_eq!(scene.votes_cast(fixture, round).await, 10);
}

pub async fn proxies_are_those_of_the_opening(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    set(fixture, &scene, on()).await;
    let round = scene.open(fixture).await;
    give(fixture, &scene, 0, 1).await;
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 1), scene.yes())).await, CastOutcome::NoProxy);
    assert_eq!(scene.cast(fixture, round, scene.voters[2], scene.yes()).await, CastOutcome::Counted);
    scene.end(fixture).await;
    assert_eq!(scene.open(fixture).await, round, "the round has a vote, so it reopens");
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 1), scene.yes())).await, CastOutcome::Counted);
    scene.end(fixture).await;
    set(fixture, &scene, ProxySettings::default()).await;
    scene.open(fixture).await;
    assert_eq!(states(fixture, &scene, 1).await, [HeldState::CastByHolder], "a vote keeps its proxy");
}

pub async fn a_revocation_counts_at_once_unless_the_vote_is_cast(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    set(fixture, &scene, on()).await;
    let (used, open) = (give(fixture, &scene, 0, 2).await, give(fixture, &scene, 1, 2).await);
    let round = scene.open(fixture).await;
    let ballot = by_holder(&scene, round, (0, 2), scene.yes());
    assert_eq!(cast(fixture, ballot.clone()).await, CastOutcome::Counted);
    let organizer = ProxyAuthor::Organizer(scene.organizer);
    for proxy in [used, open] {
        revoke(fixture, &scene, proxy, organizer).await.expect("the proxy is revoked");
        let again = revoke(fixture, &scene, proxy, organizer).await;
        assert!(matches!(again, Err(RevokeError::AlreadyRevoked)), "{again:?}");
    }
    assert_eq!(cast(fixture, by_holder(&scene, round, (1, 2), scene.yes())).await, CastOutcome::NoProxy);
    assert_eq!(cast(fixture, ballot.clone()).await, CastOutcome::VotedBefore(ballot.into_vote()));
    assert_eq!(states(fixture, &scene, 2).await, [HeldState::CastByHolder]);
    assert_eq!(list(fixture, &scene, false).await, []);
    let revoked: Vec<_> = list(fixture, &scene, true).await.into_iter().filter_map(|proxy| proxy.revoked).collect();
    assert_eq!(revoked.len(), 2);
    assert!(revoked.iter().all(|(_, by)| by == "Anna Berg"), "{revoked:?}");
    give(fixture, &scene, 1, 0).await;
}

pub async fn a_principal_revokes_only_what_they_granted(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    set(fixture, &scene, on()).await;
    let by_organizer = give(fixture, &scene, 0, 2).await;
    let own = new_proxy(&scene, scene.voters[1], scene.voters[2], ProxyScope::Meeting);
    let (id, principal) = (own.id, ProxyAuthor::Principal(scene.voters[1]));
    let request = Granting { by: principal, ..granting(&scene, vec![own]) };
    let granted = fixture.proxies().grant(scene.client, scene.meeting, request).await.expect("the store answers");
    assert_eq!(granted, [None]);
    let refused = revoke(fixture, &scene, by_organizer, ProxyAuthor::Principal(scene.voters[0])).await;
    assert!(matches!(refused, Err(RevokeError::ByOrganizer)), "{refused:?}");
    let strange = revoke(fixture, &scene, id, ProxyAuthor::Principal(scene.voters[0])).await;
    assert!(matches!(strange, Err(RevokeError::NotFound)), "{strange:?}");
    let holder = revoke(fixture, &scene, id, ProxyAuthor::Principal(scene.voters[2])).await;
    assert!(matches!(holder, Err(RevokeError::NotFound)), "{holder:?}");
    let listed = list(fixture, &scene, false).await;
    let made: Vec<_> = listed.iter().map(|proxy| (proxy.granted_by.as_str(), proxy.is_by_principal)).collect();
    assert_eq!(made, [("Anna Berg", false), ("Voter 2", true)]);
    revoke(fixture, &scene, id, principal).await.expect("it is their own");
}

pub async fn one_of_several_grants_at_the_limit_wins(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 6).await;
    set(fixture, &scene, ProxySettings { max_principals: Some(1), ..on() }).await;
    let store = fixture.proxies();
    let one = |principal: usize| {
        let proxy = new_proxy(&scene, scene.voters[principal], scene.voters[5], ProxyScope::Meeting);
        store.grant(scene.client, scene.meeting, granting(&scene, vec![proxy]))
    };
    let outcomes = join_all((0..5).map(one)).await;
    let refused: Vec<ProxyRule> =
        outcomes.into_iter().flat_map(|outcome| outcome.expect("the store answers")).flatten().collect();
    assert_eq!(refused, vec![ProxyRule::TooMany { holder: "Voter 6".to_owned(), would: 2, limit: 1 }; 4]);
    assert_eq!(list(fixture, &scene, false).await.len(), 1);
}

pub async fn several_proxies_are_granted_together_or_not_at_all(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    set(fixture, &scene, on()).await;
    let proxy = |principal: usize, holder: usize| {
        new_proxy(&scene, scene.voters[principal], scene.voters[holder], ProxyScope::Meeting)
    };
    let store = fixture.proxies();
    let several = vec![proxy(0, 3), proxy(0, 2), proxy(1, 0), proxy(2, 3)];
    let refused = store.grant(scene.client, scene.meeting, granting(&scene, several)).await.expect("the store answers");
    let twice = ProxyRule::AlreadyGranted { principal: "Voter 1".to_owned(), holder: "Voter 4".to_owned() };
    assert_eq!(refused, [None, Some(twice), Some(ProxyRule::HolderGave("Voter 1".to_owned())), None]);
    assert_eq!(list(fixture, &scene, true).await, []);
    let checked = Granting { is_check: true, ..granting(&scene, vec![proxy(0, 3)]) };
    assert_eq!(store.grant(scene.client, scene.meeting, checked).await.expect("the store answers"), [None]);
    assert_eq!(list(fixture, &scene, true).await, []);
    let both = granting(&scene, vec![proxy(0, 3), proxy(2, 3)]);
    assert_eq!(store.grant(scene.client, scene.meeting, both).await.expect("the store answers"), [None, None]);
    let totals = store.totals(scene.client, scene.meeting).await.expect("the store answers").expect("it is known");
    let of_holders: Vec<_> =
        totals.holders.iter().map(|total| (total.holder.name.as_str(), total.principals, total.weight)).collect();
    assert_eq!(of_holders, [("Voter 4", 2, Decimal::new(15_001, 4))]);
    assert_eq!(totals.whole_weight, Decimal::new(15_003, 4));
    assert!(!totals.holders[0].is_beyond_limits && totals.holders[0].may_hold);
    set(fixture, &scene, ProxySettings { max_weight: Some(Decimal::ONE), ..on() }).await;
    let totals = store.totals(scene.client, scene.meeting).await.expect("the store answers").expect("it is known");
    assert!(totals.holders[0].is_beyond_limits, "a later limit is told");
}

pub async fn a_proxy_counts_on_its_questions(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::YesNo, &["Yes", "No"])).await;
    let third = scene.add_question(fixture, 3, wording(&scene.ids, QuestionType::YesNo, &["Yes", "No"])).await;
    set(fixture, &scene, ProxySettings { without_questions: vec![third], ..on() }).await;
    let named = |question: QuestionId| ProxyScope::of(Some([question]));
    let new = |holder: usize, scope| new_proxy(&scene, scene.voters[0], scene.voters[holder], scope);
    grant(fixture, &scene, new(1, named(scene.question))).await.expect("the proxy is granted");
    grant(fixture, &scene, new(2, named(other))).await.expect("another holder on another question");
    assert_eq!(grant(fixture, &scene, new(2, named(third))).await, Err(ProxyRule::QuestionWithoutProxies));
    let unknown = named(QuestionId::new(&scene.ids));
    assert_eq!(grant(fixture, &scene, new(2, unknown)).await, Err(ProxyRule::UnknownQuestion));
    let round = scene.open(fixture).await;
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 2), scene.yes())).await, CastOutcome::NoProxy);
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 1), scene.yes())).await, CastOutcome::Counted);
    give(fixture, &scene, 3, 2).await;
    let round = scene.open_question(fixture, third).await;
    assert_eq!(cast(fixture, by_holder(&scene, round, (3, 2), scene.yes())).await, CastOutcome::NoProxy);
}

pub async fn with_check_in_the_represented_are_registered_and_a_proxy_rests_on_arrival(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 5).await;
    let [_, arriving, _, _, holder] = scene.voters[..] else { panic!("there are five") };
    set(fixture, &scene, on()).await;
    // Nobody is there yet: a proxy can be given all the same.
    fixture.set_check_in(scene.meeting, Some(Vec::new())).await;
    for (principal, holder) in [(0, 4), (1, 4), (2, 3)] {
        give(fixture, &scene, principal, holder).await;
    }
    fixture.set_check_in(scene.meeting, Some(vec![holder])).await;
    let opening = scene.opening(scene.question);
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    let away = scene.ballot(round, scene.voters[3], scene.yes());
    assert_eq!(cast(fixture, away).await, CastOutcome::NotInRegister, "who is away and holds a proxy");
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 4), scene.no())).await, CastOutcome::Counted);
    fixture.set_check_in(scene.meeting, Some(vec![holder, arriving])).await;
    let late = cast(fixture, by_holder(&scene, round, (1, 4), scene.no())).await;
    assert_eq!(late, CastOutcome::NoProxy, "the principal has arrived");
    assert_eq!(states(fixture, &scene, 4).await, [HeldState::CastByHolder, HeldState::Resting]);
    assert_eq!(scene.cast(fixture, round, arriving, scene.yes()).await, CastOutcome::Counted);
    let result = counted(fixture, &scene, round).await;
    let heads = [result.round.register, result.present, result.represented, result.absent].map(|count| count.heads);
    assert_eq!(heads, [3, 2, 1, 2]);
}

pub async fn an_admitted_holder_brings_the_principals_and_an_admitted_principal_the_proxy(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 6).await;
    let [first, second, there, _, holder, early] = scene.voters[..] else { panic!("there are six") };
    set(fixture, &scene, on()).await;
    for principal in [0, 1] {
        give(fixture, &scene, principal, 4).await;
    }
    give(fixture, &scene, 3, 2).await;
    fixture.set_check_in(scene.meeting, Some(vec![there, early])).await;
    let opening = scene.opening(scene.question);
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    let admit = async |person| {
        let reason = Reason::parse("came late").expect("it is not empty");
        let (at, log_entry) = (scene.clock.now(), LogEntryId::new(&scene.ids));
        let change = RegisterChange { end_user: person, reason, by: scene.organizer, at, log_entry };
        fixture.register_changes().admit(scene.client, scene.meeting, round, change).await.expect("they are admitted");
    };
    scene.clock.advance(TimeDelta::minutes(1));
    // The first principal comes in person, and the second one stays at home.
    fixture.set_check_in(scene.meeting, Some(vec![there, holder, first])).await;
    give(fixture, &scene, 5, 4).await;
    admit(holder).await;
    let given_late = cast(fixture, by_holder(&scene, round, (5, 4), scene.no())).await;
    assert_eq!(given_late, CastOutcome::NoProxy, "a proxy of somebody in the register counts from the next opening on");
    assert_eq!(cast(fixture, by_holder(&scene, round, (1, 4), scene.no())).await, CastOutcome::Counted);
    let away = scene.ballot(round, first, scene.yes());
    assert_eq!(cast(fixture, away).await, CastOutcome::NotInRegister, "who is there is admitted on their own");
    assert_eq!(scene.cast(fixture, round, holder, scene.no()).await, CastOutcome::Counted);
    assert_eq!(cast(fixture, by_holder(&scene, round, (3, 2), scene.yes())).await, CastOutcome::Counted);
    admit(first).await;
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 4), scene.no())).await, CastOutcome::NoProxy, "it rests");
    fixture.set_check_in(scene.meeting, Some(vec![there, holder])).await;
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 4), scene.no())).await, CastOutcome::Counted, "and goes on");
    let result = counted(fixture, &scene, round).await;
    let heads = [result.round.register, result.present, result.represented, result.absent].map(|count| count.heads);
    assert_eq!(heads, [6, 3, 3, 0]);
    let log = scene.find(fixture, round).await.log;
    let admitted = log.iter().filter(|entry| entry.kind == LogKind::Admitted);
    let admitted: Vec<_> = admitted.map(|entry| entry.person.as_ref().map(|person| person.end_user_id)).collect();
    assert_eq!(admitted, [Some(holder), Some(second), Some(first)]);
}

pub async fn a_represented_member_attends_in_each_group_of_a_rule(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 5).await;
    let v = &scene.voters;
    set(fixture, &scene, on()).await;
    let owners = group(fixture, &scene, "Owners", &v[..4]).await;
    let tenants = group(fixture, &scene, "Tenants", &v[2..5]).await;
    let rule = Majority::simple(Units::Heads).in_each_of(vec![owners, tenants]).map(DecisionRule::Majority).ok();
    fixture.set_terms(scene.question, SeedTerms { rule, ..SeedTerms::default() }).await;
    // The first two and the third, who is in both groups, gave their proxies to the fifth, who alone is connected.
    for principal in 0..3 {
        give(fixture, &scene, principal, 4).await;
    }
    let opening = RoundOpening { connected: vec![v[4]], ..scene.opening(scene.question) };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 4), scene.yes())).await, CastOutcome::Counted);
    assert_eq!(scene.cast(fixture, round, v[1], scene.yes()).await, CastOutcome::Counted);
    let result = counted(fixture, &scene, round).await;
    let attending = |group: &GroupTally| (group.register.heads, group.present.heads, group.votes_cast.heads);
    // Of the owners all but the fourth, who is away; of the tenants the holder and the third, for whom nobody has voted.
    assert_eq!(result.groups.iter().map(attending).collect::<Vec<_>>(), [(4, 3, 2), (3, 2, 0)]);
    assert_eq!((result.present.heads, result.represented.heads), (2, 2));
}

pub async fn represented_people_are_counted_beside_the_present(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 8).await;
    set(fixture, &scene, on()).await;
    // Voter 8 holds the proxies of the first five, voter 7 holds none, and voter 6 gave theirs to 7, who is away.
    for principal in 0..5 {
        give(fixture, &scene, principal, 7).await;
    }
    give(fixture, &scene, 5, 6).await;
    // Connected: the holder, and the fifth principal.
    let connected = vec![scene.voters[7], scene.voters[4]];
    let opening = RoundOpening { connected, ..scene.opening(scene.question) };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted, "in person");
    for principal in [1, 4] {
        assert_eq!(cast(fixture, by_holder(&scene, round, (principal, 7), scene.no())).await, CastOutcome::Counted);
    }
    assert_eq!(cast(fixture, by_holder(&scene, round, (5, 6), scene.no())).await, CastOutcome::Counted);
    let result = counted(fixture, &scene, round).await;
    let taking = CountTaking { round, ended_at: result.round.ended_at.expect("the round has ended") };
    assert_eq!(result.presence, PresenceRule::ConnectedOrVoted);
    // The holder, the fifth principal, and the first, who voted in person.
    assert_eq!(result.present, Count { heads: 3, weight: Decimal::new(15_002, 4) });
    // The second to the fourth, and the one whose holder was away and voted.
    assert_eq!(result.represented, Count { heads: 4, weight: Decimal::new(4, 4) });
    let papers = fixture.results().take_papers(scene.client, scene.meeting, taking).await.expect("the store answers");
    let papers = papers.expect("the round has ended");
    let marks: Vec<_> = papers
        .iter()
        .map(|paper| {
            paper.proxy.as_ref().map(|proxy| (proxy.holder_name.as_str(), proxy.was_represented, proxy.is_used))
        })
        .collect();
    let by_eight = |was_represented, is_used| Some(("Voter 8", was_represented, is_used));
    let away = Some(("Voter 7", false, true));
    assert_eq!(
        marks,
        [
            by_eight(true, false),
            by_eight(true, true),
            by_eight(true, false),
            by_eight(true, false),
            by_eight(false, true),
            away,
            None,
            None,
        ]
    );
}

/// Ends the open round, and opens its question again.
async fn reopen(fixture: &dyn VotingFixture, scene: &Scene, connected: Vec<EndUserId>) -> Result<(), OpenRoundError> {
    scene.end(fixture).await;
    scene.clock.advance(TimeDelta::seconds(1));
    fixture.rounds().open(RoundOpening { connected, ..scene.opening(scene.question) }).await
}

pub async fn a_reopening_keeps_who_was_represented_at_the_opening(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 7).await;
    let v = scene.voters.clone();
    fixture.set_voter_active(v[6], false).await;
    set(fixture, &scene, on()).await;
    for principal in [0, 1] {
        give(fixture, &scene, principal, 5).await;
    }
    let opening = RoundOpening { connected: vec![v[4], v[5]], ..scene.opening(scene.question) };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    scene.cast(fixture, round, v[4], scene.yes()).await;
    // Then the third person gives a proxy, and the seventh, who joins the register. The first holder is away.
    fixture.set_voter_active(v[6], true).await;
    for principal in [2, 6] {
        give(fixture, &scene, principal, 4).await;
    }
    reopen(fixture, &scene, vec![v[2], v[4]]).await.expect("the question opens again");
    let result = counted(fixture, &scene, round).await;
    assert_eq!((result.present.heads, result.represented.heads), (2, 3), "two of the opening, and one who joined");
}

pub async fn a_reopening_needs_a_quorum_of_those_who_attend_then_each_once(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 6).await;
    let v = scene.voters.clone();
    set(fixture, &scene, on()).await;
    give(fixture, &scene, 0, 5).await;
    give(fixture, &scene, 1, 3).await;
    let minimum = Minimum::Share(Threshold::AT_LEAST_HALF);
    let half = Quorum { minimum, unit: Unit::Heads, attendance: Attendance::Present };
    let barring = MeetingQuorum { planned: half.into(), at_opening: AtOpening::Bar };
    fixture.set_meeting_quorum(scene.meeting, Some(barring)).await;
    let opening = RoundOpening { connected: vec![v[4], v[5]], ..scene.opening(scene.question) };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("two are connected, and one is represented");
    scene.cast(fixture, round, v[5], scene.yes()).await;
    // A principal who has come is not counted twice, and the principal of a holder who has left not at all.
    for connected in [vec![v[0], v[5]], vec![v[1], v[2]]] {
        let barred = reopen(fixture, &scene, connected).await;
        assert!(matches!(barred, Err(OpenRoundError::Rule(OpeningRule::QuorumMissed(_)))), "{barred:?}");
    }
    reopen(fixture, &scene, vec![v[3], v[5]]).await.expect("two are connected, and two are represented");
}

pub async fn the_proxies_of_a_person_are_those_given_and_held(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    set(fixture, &scene, on()).await;
    let given = give(fixture, &scene, 0, 1).await;
    let other = give(fixture, &scene, 2, 1).await;
    let store = fixture.proxies();
    let of = |voter: usize| {
        let (store, person) = (store.clone(), scene.voters[voter]);
        let (client, meeting) = (scene.client, scene.meeting);
        async move {
            let proxies = store.of_person(client, meeting, person).await.expect("the store answers");
            proxies.into_iter().map(|proxy| proxy.id).collect::<Vec<_>>()
        }
    };
    assert_eq!(of(0).await, [given]);
    assert_eq!(of(1).await, [given, other]);
    assert_eq!(of(3).await, []);
    let listed = list(fixture, &scene, false).await;
    assert_eq!(listed[0].note.as_deref(), Some("Yes, please"));
    assert_eq!(listed[0].reference.as_deref(), Some("Folder 3"));
    fixture.rename_voter(scene.voters[1], "\u{130}PEK").await;
    let names = ["voter-1", "ipek", "nobody"].map(str::to_owned).to_vec();
    let named = store.named(scene.client, names).await.expect("the store answers");
    assert_eq!(named, [("voter-1".to_owned(), scene.voters[0]), ("ipek".to_owned(), scene.voters[1])].into());
}

pub async fn a_voter_learns_whether_the_meeting_has_proxies(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let has_proxies = async || {
        let agenda = fixture.rounds().agenda_of_voter(scene.client, scene.meeting, scene.voters[0]).await;
        agenda.expect("the store answers").has_proxies
    };
    assert!(!has_proxies().await);
    for is_on in [true, false] {
        set(fixture, &scene, ProxySettings { is_on, ..on() }).await;
        assert_eq!(has_proxies().await, is_on);
    }
}

pub async fn only_questions_of_the_meeting_are_without_proxies(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let elsewhere = Scene::with_voters(fixture, 2).await;
    let store = fixture.proxies();
    let without = |questions: &[QuestionId]| ProxySettings { without_questions: questions.to_vec(), ..on() };
    set(fixture, &scene, without(&[scene.question])).await;
    for foreign in [elsewhere.question, QuestionId::new(&scene.ids)] {
        let settings = without(&[scene.question, foreign]);
        let refused = store.change_settings(scene.client, scene.meeting, settings).await;
        assert!(matches!(refused, Err(ChangeProxySettingsError::UnknownQuestion)), "{refused:?}");
    }
    let stored = store.settings(scene.client, scene.meeting).await.expect("the store answers");
    assert_eq!(stored, Some(without(&[scene.question])), "nothing was changed");
}

pub async fn another_clients_proxies_look_missing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let stranger = Scene::with_voters(fixture, 2).await;
    set(fixture, &scene, on()).await;
    let proxy = give(fixture, &scene, 0, 1).await;
    let store = fixture.proxies();
    assert_eq!(store.settings(stranger.client, scene.meeting).await.expect("the store answers"), None);
    let refused = store.change_settings(stranger.client, scene.meeting, ProxySettings::default()).await;
    assert!(matches!(refused, Err(ChangeProxySettingsError::MeetingNotFound)), "{refused:?}");
    let agenda = fixture.rounds().agenda_of_voter(stranger.client, scene.meeting, scene.voters[0]).await;
    assert_eq!(agenda.expect("the store answers"), VoterAgenda::default());
    let page = PageRequest { page: 1, page_size: 50 };
    let filter = ProxyFilter { search: None, with_revoked: true, page };
    assert_eq!(store.page(stranger.client, scene.meeting, &filter).await.expect("the store answers"), None);
    assert_eq!(store.totals(stranger.client, scene.meeting).await.expect("the store answers"), None);
    let of_person = store.of_person(stranger.client, scene.meeting, scene.voters[0]).await;
    assert_eq!(of_person.expect("the store answers"), []);
    let revocation = Revocation { proxy, by: ProxyAuthor::Organizer(stranger.organizer), at: stranger.clock.now() };
    let refused = store.revoke(stranger.client, scene.meeting, revocation).await;
    assert!(matches!(refused, Err(RevokeError::NotFound)), "{refused:?}");
    let refused = store.grant(stranger.client, scene.meeting, granting(&stranger, Vec::new())).await;
    assert!(matches!(refused, Err(GrantError::MeetingNotFound)), "{refused:?}");
    set(fixture, &stranger, on()).await;
    let mixed = new_proxy(&stranger, scene.voters[0], stranger.voters[0], ProxyScope::Meeting);
    assert_eq!(grant(fixture, &stranger, mixed).await, Err(ProxyRule::NoSuchPrincipal));
    let mixed = new_proxy(&stranger, stranger.voters[0], scene.voters[0], ProxyScope::Meeting);
    assert_eq!(grant(fixture, &stranger, mixed).await, Err(ProxyRule::NoSuchHolder));
    let round = scene.open(fixture).await;
    let held = store.held(stranger.client, scene.meeting, scene.question, scene.voters[1]).await;
    assert_eq!(held.expect("the store answers").round, None);
    let uses = store.uses(stranger.client, scene.meeting, scene.voters[0]).await;
    assert_eq!(uses.expect("the store answers"), []);
    assert_eq!(cast(fixture, by_holder(&scene, round, (0, 1), scene.yes())).await, CastOutcome::Counted);
}
