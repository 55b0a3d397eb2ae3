//! The contract of rounds that count by a kind of weight.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{
    Attendance, ClientId, Clock, DecisionRule, EndUserId, LogEntryId, Majority, Measure, Minimum, MinimumAmount, OnTie,
    QuestionType, Quorum, RoundId, Threshold, Unit, Units, WeightDecimals, WeightKind, WeightKindId,
};
use plenum_kernel::{Base, Condition};
use rust_decimal::Decimal;

use super::groups::group;
use super::presence::counted;
use super::scene::wording;
use super::{Scene, SeedKinds, SeedTerms, VotingFixture};
use crate::{
    Count, Decision, ForecastScope, OpenRoundError, OpeningRule, Reason, RegisterChange, RoundOpening, RoundPapers,
    SecrecyRisk,
};

fn decimal(text: &str) -> Decimal {
    text.parse().expect("a number")
}

/// A kind of the scene's client. The first people of the scene have these values of it.
async fn kind(fixture: &dyn VotingFixture, scene: &Scene, name: &str, values: &[&str]) -> WeightKind {
    let id = WeightKindId::new(&scene.ids);
    let decimals = WeightDecimals::new(6).expect("a number of decimals");
    let kind = WeightKind { id, name: name.to_owned(), unit: Some("m²".to_owned()), decimals };
    let values: Vec<(EndUserId, Decimal)> =
        scene.voters.iter().zip(values).map(|(voter, value)| (*voter, decimal(value))).collect();
    fixture.set_weight_kind(scene.client, &kind, &values).await;
    kind
}

async fn set_kinds(fixture: &dyn VotingFixture, scene: &Scene, kinds: SeedKinds) {
    fixture.set_kinds(scene.meeting, scene.question, kinds).await;
}

async fn open_with(fixture: &dyn VotingFixture, scene: &Scene, connected: &[EndUserId]) -> RoundId {
    let opening = RoundOpening { connected: connected.to_vec(), ..scene.opening(scene.question) };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    round
}

async fn papers(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> RoundPapers {
    let found = scene.find(fixture, round).await;
    let taking = crate::CountTaking { round, ended_at: found.round.ended_at.expect("the round has ended") };
    let taken = fixture.results().take_papers(scene.client, scene.meeting, taking).await.expect("the store answers");
    RoundPapers::count(found, taken.expect("the round has ended"))
}

/// More than half of the register by the second weight, and more than half of yes and no by weight.
fn by_both() -> DecisionRule {
    let simple = Majority::simple(Units::Weight).conditions()[0];
    let second = Condition { units: Units::SecondWeight, base: Base::WholeRegister, ..simple };
    DecisionRule::Majority(Majority::new(vec![simple, second], OnTie::Rejected).expect("two conditions"))
}

pub async fn a_round_counts_by_the_kind_of_its_question_or_else_of_its_meeting(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let shares = kind(fixture, &scene, "Shares", &["1250.5", "0.000001"]).await;
    let area = kind(fixture, &scene, "Area", &["10", "20", "30"]).await;
    let weights = async |kinds: SeedKinds| {
        set_kinds(fixture, &scene, kinds).await;
        let round = scene.open(fixture).await;
        scene.end(fixture).await;
        let found = scene.find(fixture, round).await.round;
        (found.register.weight.normalize().to_string(), found.weight_kind.map(|kind| kind.name))
    };
    let (of_meeting, own) = (Some(shares.id), Some(area.id));
    let none = SeedKinds::default();
    assert_eq!(weights(none).await, ("1.5002".to_owned(), None));
    // Whoever has no value counts nothing.
    let meeting = SeedKinds { meeting: of_meeting, ..none };
    assert_eq!(weights(meeting).await, ("1250.500001".to_owned(), Some("Shares".to_owned())));
    let question = SeedKinds { question: own, ..meeting };
    assert_eq!(weights(question).await, ("60".to_owned(), Some("Area".to_owned())));
    assert_eq!(weights(SeedKinds { meeting: None, ..question }).await.0, "60");
}

pub async fn a_round_keeps_its_kinds_and_the_values_of_its_opening(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let shares = kind(fixture, &scene, "Shares", &["3", "4"]).await;
    let second = kind(fixture, &scene, "Units", &["1", "1"]).await;
    set_kinds(fixture, &scene, SeedKinds { meeting: Some(shares.id), question: None, second: Some(second.id) }).await;
    let round = scene.open(fixture).await;
    let renamed = WeightKind { name: "Thousandths".to_owned(), ..shares.clone() };
    fixture.set_weight_kind(scene.client, &renamed, &[(scene.voters[0], decimal("900"))]).await;
    fixture.set_weight_kind(scene.client, &second, &[(scene.voters[0], decimal("700"))]).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let result = counted(fixture, &scene, round).await;
    assert_eq!((result.round.weight_kind, result.round.second_weight_kind), (Some(shares), Some(second)));
    assert_eq!((result.tally.votes_cast.weight, result.round.register.weight), (decimal("3"), decimal("7")));
    let second = result.second.expect("the round has a second weight");
    assert_eq!((second.votes_cast.weight, second.register.weight), (decimal("1"), decimal("2")));
}

pub async fn two_weights_are_counted_and_decide_together(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let shares = kind(fixture, &scene, "Shares", &["1", "1", "1", "1"]).await;
    let capital = kind(fixture, &scene, "Capital", &["100.25", "50", "300.000001", "0"]).await;
    fixture.set_terms(scene.question, SeedTerms { rule: Some(by_both()), ..SeedTerms::default() }).await;
    set_kinds(fixture, &scene, SeedKinds { meeting: None, question: Some(shares.id), second: Some(capital.id) }).await;
    let round = open_with(fixture, &scene, &scene.voters[2..3]).await;
    for (voter, answer) in [(0, scene.yes()), (1, scene.yes()), (3, scene.no())] {
        scene.cast(fixture, round, scene.voters[voter], answer).await;
    }
    let result = counted(fixture, &scene, round).await;
    let second = result.second.as_ref().expect("the round has a second weight");
    let of = |count: Count| (count.heads, count.weight.normalize().to_string());
    assert_eq!(of(second.register), (4, "450.250001".to_owned()));
    assert_eq!(of(second.present), (4, "450.250001".to_owned()));
    assert_eq!(of(second.votes_cast), (3, "150.25".to_owned()));
    assert_eq!(
        second.options.iter().map(|option| of(option.count)).collect::<Vec<_>>(),
        [(2, "150.25".to_owned()), (1, "0".to_owned()),]
    );
    assert_eq!(result.decision, Decision::Rejected, "two of three shares, and a third of the capital");
    let checks: Vec<(Measure, bool)> =
        result.arithmetic.checks.iter().map(|check| (check.unit, check.is_met)).collect();
    assert_eq!(checks, [(Measure::Weight, true), (Measure::SecondWeight, false)]);
    assert!(result.arithmetic.sentence.contains("in the whole register by Capital"), "{}", result.arithmetic.sentence);
    assert!(result.arithmetic.sentence.contains("votes by Shares"), "{}", result.arithmetic.sentence);
    // The register says each person's weights.
    let register = papers(fixture, &scene, round).await.register;
    let weights: Vec<(Decimal, Option<Decimal>)> = register
        .iter()
        .map(|paper| (paper.weight.normalize(), paper.second_weight.map(|second| second.normalize())))
        .collect();
    assert_eq!(weights[2], (decimal("1"), Some(decimal("300.000001"))));
    assert_eq!(weights[3], (decimal("1"), Some(decimal("0"))));
}

pub async fn a_second_weight_is_counted_in_each_group(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let v = &scene.voters;
    let capital = kind(fixture, &scene, "Capital", &["10", "20", "30", "40"]).await;
    let common = group(fixture, &scene, "Common", &v[..2]).await;
    let preferred = group(fixture, &scene, "Preferred", &v[1..]).await;
    let DecisionRule::Majority(both) = by_both() else { unreachable!("it is a majority") };
    let rule = both.in_each_of(vec![common, preferred]).map(DecisionRule::Majority).ok();
    fixture.set_terms(scene.question, SeedTerms { rule, ..SeedTerms::default() }).await;
    set_kinds(fixture, &scene, SeedKinds { second: Some(capital.id), ..SeedKinds::default() }).await;
    let round = open_with(fixture, &scene, &v[3..]).await;
    for voter in &v[..3] {
        scene.cast(fixture, round, *voter, scene.yes()).await;
    }
    let result = counted(fixture, &scene, round).await;
    let second = result.second.expect("the round has a second weight");
    let groups: Vec<(&str, Decimal, Decimal, Decimal)> = second
        .groups
        .iter()
        .map(|group| (group.name.as_str(), group.register.weight, group.present.weight, group.votes_cast.weight))
        .collect();
    let (d30, d90, d50) = (decimal("30"), decimal("90"), decimal("50"));
    assert_eq!(groups, [("Common", d30, d30, d30), ("Preferred", d90, d90, d50)]);
    assert_eq!(result.decision, Decision::Accepted);
}

pub async fn with_check_in_the_absent_count_by_the_second_weight_as_well(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let capital = kind(fixture, &scene, "Capital", &["10", "20", "30.5"]).await;
    fixture.set_terms(scene.question, SeedTerms { rule: Some(by_both()), ..SeedTerms::default() }).await;
    set_kinds(fixture, &scene, SeedKinds { second: Some(capital.id), ..SeedKinds::default() }).await;
    fixture.set_check_in(scene.meeting, Some(scene.voters[..2].to_vec())).await;
    let round = scene.open(fixture).await;
    for voter in &scene.voters[..2] {
        scene.cast(fixture, round, *voter, scene.yes()).await;
    }
    let result = counted(fixture, &scene, round).await;
    let second = result.second.expect("the round has a second weight");
    assert_eq!((second.register.weight, second.absent.weight), (decimal("30"), decimal("30.5")));
    assert_eq!(result.decision, Decision::Rejected, "30 of 60.5");
}

pub async fn latecomers_and_those_who_join_have_the_weights_of_the_round(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 1).await;
    let shares = kind(fixture, &scene, "Shares", &["5"]).await;
    let units = kind(fixture, &scene, "Units", &["1"]).await;
    set_kinds(fixture, &scene, SeedKinds { meeting: Some(shares.id), question: None, second: Some(units.id) }).await;
    let round = scene.open(fixture).await;
    let late = scene.add_voter(fixture).await;
    fixture.set_weight_kind(scene.client, &shares, &[(late, decimal("7"))]).await;
    fixture.set_weight_kind(scene.client, &units, &[(late, decimal("2"))]).await;
    scene.clock.advance(TimeDelta::seconds(1));
    let reason = Reason::parse("Came late").expect("a reason");
    let (at, log_entry) = (scene.clock.now(), LogEntryId::new(&scene.ids));
    let change = RegisterChange { end_user: late, reason, by: scene.organizer, at, log_entry };
    let admitted = fixture.register_changes().admit(scene.client, scene.meeting, round, change).await;
    assert_eq!(admitted.expect("admitted").person.map(|person| person.weight.normalize()), Some(decimal("7")));
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    let joining = scene.add_voter(fixture).await;
    fixture.set_weight_kind(scene.client, &shares, &[(joining, decimal("11"))]).await;
    // The meeting counts otherwise by now; the round does not.
    set_kinds(fixture, &scene, SeedKinds::default()).await;
    assert_eq!(scene.open(fixture).await, round);
    scene.end(fixture).await;
    let register = papers(fixture, &scene, round).await.register;
    let weights: Vec<(Decimal, Option<Decimal>)> =
        register.iter().map(|paper| (paper.weight, paper.second_weight)).collect();
    let row = |weight: &str, second: &str| (decimal(weight), Some(decimal(second)));
    assert_eq!(weights, [row("5", "1"), row("7", "2"), row("11", "0")]);
}

pub async fn a_quorum_by_weight_is_in_the_kind(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let shares = kind(fixture, &scene, "Shares", &["600", "400"]).await;
    let minimum = Minimum::Amount(MinimumAmount::new(decimal("600"), Unit::Weight).expect("an amount"));
    let quorum = Some(Quorum { minimum, unit: Unit::Weight, attendance: Attendance::Voted });
    fixture.set_terms(scene.question, SeedTerms { quorum, ..SeedTerms::default() }).await;
    set_kinds(fixture, &scene, SeedKinds { question: Some(shares.id), ..SeedKinds::default() }).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let result = counted(fixture, &scene, round).await;
    assert!(result.quorum.expect("a quorum").is_met);
    assert!(result.arithmetic.quorum.is_some_and(|words| words.contains("600 of 1000 in the register by Shares")));
}

pub async fn the_largest_weights_are_added_exactly(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let largest = "999999999999999999.999999";
    let shares = kind(fixture, &scene, "Shares", &[largest; 3]).await;
    let simple = Majority::simple(Units::Weight).conditions()[0];
    let two_thirds = Condition { base: Base::WholeRegister, threshold: Threshold::AT_LEAST_TWO_THIRDS, ..simple };
    let rule = Majority::new(vec![two_thirds], OnTie::Rejected).map(DecisionRule::Majority).ok();
    fixture.set_terms(scene.question, SeedTerms { rule, ..SeedTerms::default() }).await;
    set_kinds(fixture, &scene, SeedKinds { question: Some(shares.id), ..SeedKinds::default() }).await;
    let round = scene.open(fixture).await;
    for voter in &scene.voters[..2] {
        scene.cast(fixture, round, *voter, scene.yes()).await;
    }
    let result = counted(fixture, &scene, round).await;
    assert_eq!(result.round.register.weight.normalize(), decimal("2999999999999999999.999997"));
    assert_eq!(result.tally.votes_cast.weight.normalize(), decimal("1999999999999999999.999998"));
    assert_eq!(result.decision, Decision::Accepted, "two thirds to the last digit");
}

pub async fn a_register_that_cannot_be_counted_exactly_does_not_open(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 101).await;
    let earlier = scene.open(fixture).await;
    let shares = kind(fixture, &scene, "Shares", &["999999999999999999.999999"; 101]).await;
    let other = wording(&scene.ids, QuestionType::YesNo, &["Yes", "No"]);
    let question = scene.add_question(fixture, 2, other).await;
    let refusal = async |kinds: SeedKinds| {
        fixture.set_kinds(scene.meeting, question, kinds).await;
        fixture.rounds().open(scene.opening(question)).await
    };
    let none = SeedKinds::default();
    for kinds in [SeedKinds { question: Some(shares.id), ..none }, SeedKinds { second: Some(shares.id), ..none }] {
        let refused = refusal(kinds).await;
        assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::WeightsTooLarge))), "{kinds:?}: {refused:?}");
    }
    // Whoever is absent counts as well.
    fixture.set_check_in(scene.meeting, Some(scene.voters[..2].to_vec())).await;
    let refused = refusal(SeedKinds { question: Some(shares.id), ..none }).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::WeightsTooLarge))), "{refused:?}");
    let current = scene.screen(fixture).await.question.expect("a question is on the screen");
    assert_eq!(current.open_round().map(|open| open.round.id), Some(earlier), "nothing has changed");
    // A hundred of them are below the limit.
    fixture.set_check_in(scene.meeting, None).await;
    fixture.set_weight_kind(scene.client, &shares, &[(scene.voters[0], decimal("0"))]).await;
    refusal(SeedKinds { question: Some(shares.id), second: Some(shares.id), ..none }).await.expect("it opens");
}

pub async fn a_vote_that_counts_heads_has_no_kind(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let shares = kind(fixture, &scene, "Shares", &["600", "400"]).await;
    fixture.set_terms(scene.question, SeedTerms { counts_heads: true, ..SeedTerms::default() }).await;
    set_kinds(fixture, &scene, SeedKinds { meeting: Some(shares.id), ..SeedKinds::default() }).await;
    let round = scene.open(fixture).await;
    let found = scene.find(fixture, round).await.round;
    assert_eq!((found.register.weight.normalize(), found.weight_kind), (decimal("2"), None));
}

pub async fn a_forecast_knows_the_weights_of_the_kind(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 6).await;
    let shares = kind(fixture, &scene, "Shares", &["600", "400", "7", "7", "7", "7"]).await;
    set_kinds(fixture, &scene, SeedKinds { meeting: Some(shares.id), ..SeedKinds::default() }).await;
    let weights = async |scope: ForecastScope| {
        let found = fixture.rounds().eligible_weights(scene.client, scene.meeting, &scope).await;
        let found = found.expect("the store answers").expect("the meeting is known");
        (found.iter().map(|(weight, _)| weight).sum::<Decimal>().normalize(), SecrecyRisk::among(found).is_some())
    };
    assert_eq!(weights(ForecastScope::default()).await, (decimal("1028"), true));
    let area = kind(fixture, &scene, "Area", &["2"; 6]).await;
    let own = ForecastScope { weight_kind: Some(area.id), ..ForecastScope::default() };
    assert_eq!(weights(own).await, (decimal("12"), false));
    let unknown = ForecastScope { weight_kind: Some(WeightKindId::new(&scene.ids)), ..ForecastScope::default() };
    assert_eq!(weights(unknown).await.0, decimal("0"));
}

pub async fn people_without_a_value_of_the_kind_are_named(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let weightless = async |weight_kind: Option<WeightKindId>| {
        let scope = ForecastScope { weight_kind, ..ForecastScope::default() };
        let found = fixture.rounds().weightless(scene.client, scene.meeting, &scope).await;
        let found = found.expect("the store answers").expect("the meeting is known");
        let first: Vec<EndUserId> = found.first.into_iter().map(|voter| voter.id).collect();
        (found.people, first)
    };
    assert_eq!(weightless(None).await, (0, vec![]), "everybody has an ordinary weight");
    let shares = kind(fixture, &scene, "Shares", &["600", "0"]).await;
    set_kinds(fixture, &scene, SeedKinds { meeting: Some(shares.id), ..SeedKinds::default() }).await;
    let (people, first) = weightless(None).await;
    assert_eq!((people, first.len()), (3, 3), "zero is no value");
    assert!(scene.voters[1..4].iter().all(|voter| first.contains(voter)), "{first:?}");
    let area = kind(fixture, &scene, "Area", &["1", "1", "1"]).await;
    assert_eq!(weightless(Some(area.id)).await, (1, vec![scene.voters[3]]));
    let other = ClientId::new(&scene.ids);
    let found = fixture.rounds().weightless(other, scene.meeting, &ForecastScope::default()).await;
    assert_eq!(found.expect("the store answers"), None);
}
