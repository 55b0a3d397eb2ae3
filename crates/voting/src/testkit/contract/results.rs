//! The contract of [`crate::ResultStore`], and of the frozen terms of rounds.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{
    AtOpening, Attendance, ClientId, Clock, DecisionRule, EndUserId, Majority, MeetingId, MeetingQuorum, Minimum,
    QuestionId, QuestionType, Quorum, RoundId, Secrecy, Threshold, Unit, Units,
};
use rust_decimal::Decimal;

use super::scene::wording;
use super::{Scene, SeedTerms, VotingFixture};
use crate::{
    CastOutcome, Count, CountTaking, CountableRound, CountedVote, Declared, DeclaredOnScreen, LogKind, OpenRoundError,
    OpeningRule, ResultStep, ResultStepError, ResultStepRule, RoundOpening, RoundResult, RoundStatus, ScreenChange,
    Terms,
};

/// The count of a round as it is now.
pub(super) async fn taking(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> CountTaking {
    let ended_at = scene.find(fixture, round).await.round.ended_at.expect("the round has ended");
    CountTaking { round, ended_at }
}

async fn votes(fixture: &dyn VotingFixture, scene: &Scene, taking: CountTaking) -> Option<Vec<CountedVote>> {
    fixture.results().take_count(scene.client, scene.meeting, taking).await.expect("the store answers")
}

/// The result of a round that has ended.
async fn result(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> RoundResult {
    let taking = taking(fixture, scene, round).await;
    let votes = votes(fixture, scene, taking).await.expect("the round has ended");
    let CountableRound { round, terms, .. } = scene.find(fixture, round).await;
    RoundResult::of(round, terms, &votes, None)
}

async fn declare(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) {
    scene.clock.advance(TimeDelta::seconds(1));
    let declared = fixture.results().declare(scene.result_step(round)).await;
    declared.expect("the round has ended").expect("it was not declared before");
}

/// The actions on a round with their actors.
async fn log(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> Vec<(LogKind, Option<String>)> {
    scene.find(fixture, round).await.log.into_iter().map(|entry| (entry.kind, entry.by)).collect()
}

fn by_anna(kinds: &[LogKind]) -> Vec<(LogKind, Option<String>)> {
    kinds.iter().map(|kind| (*kind, Some("Anna Berg".to_owned()))).collect()
}

fn half(unit: Unit, attendance: Attendance) -> Quorum {
    Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit, attendance }
}

fn barring(quorum: Quorum) -> Option<MeetingQuorum> {
    Some(MeetingQuorum { planned: quorum.into(), at_opening: AtOpening::Bar })
}

fn is_missed(outcome: &Result<(), OpenRoundError>) -> bool {
    matches!(outcome, Err(OpenRoundError::Rule(OpeningRule::QuorumMissed(_))))
}

pub async fn terms_and_register_are_frozen_when_the_round_opens(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let rule = DecisionRule::Majority(Majority::two_thirds(Units::Weight));
    let terms = SeedTerms { rule: Some(rule.clone()), quorum: None, secrecy: Secrecy::Named, counts_heads: false };
    fixture.set_terms(scene.question, terms).await;
    let of_meeting = half(Unit::Weight, Attendance::Voted);
    let quorum = MeetingQuorum { planned: of_meeting.into(), at_opening: AtOpening::Warn };
    fixture.set_meeting_quorum(scene.meeting, Some(quorum)).await;
    let connected = vec![scene.voters[0], scene.voters[1]];
    let opening = RoundOpening { connected, ..scene.opening(scene.question) };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    for (voter, answer) in [(0, scene.yes()), (1, scene.no()), (2, scene.no())] {
        let stored = scene.cast(fixture, round, scene.voters[voter], answer).await;
        assert_eq!(stored, CastOutcome::Counted);
    }

    // All frozen data change while the round is open, and afterwards.
    let otherwise = Some(DecisionRule::Majority(Majority::simple(Units::Heads)));
    let own = Some(half(Unit::Heads, Attendance::Present));
    fixture
        .set_terms(
            scene.question,
            SeedTerms { rule: otherwise, quorum: own, secrecy: Secrecy::Unshown, counts_heads: false },
        )
        .await;
    fixture.set_meeting_quorum(scene.meeting, None).await;
    fixture.set_weight(scene.voters[0], Decimal::new(99, 0)).await;
    fixture.rename_option(scene.question, 1, "Aye").await;
    fixture.reword(scene.question, "Something else?").await;
    fixture.set_voter_active(scene.voters[3], false).await;
    scene.end(fixture).await;
    let before = result(fixture, &scene, round).await;
    fixture.set_weight(scene.voters[1], Decimal::new(98, 0)).await;
    fixture.remove_voter(scene.voters[2]).await;
    fixture.remove_voter(scene.voters[3]).await;

    let after = result(fixture, &scene, round).await;
    assert_eq!(after, before);
    assert_eq!(after.round.wording, scene.wording);
    assert_eq!(after.rule, Some(rule));
    assert_eq!(after.quorum.map(|measured| measured.quorum), Some(of_meeting));
    assert_eq!(after.round.secrecy, Secrecy::Named);
    assert_eq!(after.round.register, Count { heads: 4, weight: Decimal::new(15_003, 4) });
    assert_eq!(after.tally.votes_cast, Count { heads: 3, weight: Decimal::new(15_002, 4) });
    assert_eq!(after.tally.options[0].count, Count { heads: 1, weight: Decimal::new(15, 1) });
    assert_eq!(after.connected_at_opening, Count { heads: 2, weight: Decimal::new(15_001, 4) });
}

pub async fn connected_voters_are_those_of_the_first_opening(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let stranger = EndUserId::new(&scene.ids);
    let open = |connected: Vec<EndUserId>| RoundOpening { connected, ..scene.opening(scene.question) };
    let opening = open(vec![scene.voters[0], stranger]);
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    scene.cast(fixture, round, scene.voters[1], scene.yes()).await;
    scene.end(fixture).await;
    fixture.rounds().open(open(scene.voters.clone())).await.expect("it is opened again");
    scene.end(fixture).await;
    let found = scene.find(fixture, round).await;
    assert_eq!(found.terms.connected_at_opening, Count { heads: 1, weight: Decimal::new(15, 1) });
    let papers = fixture.results().take_papers(scene.client, scene.meeting, taking(fixture, &scene, round).await).await;
    let papers = papers.expect("the store answers").expect("the round has ended");
    let connected: Vec<_> = papers.iter().map(|paper| (paper.was_connected, paper.answer.is_some())).collect();
    assert_eq!(connected, [(true, false), (false, true), (false, false)]);
}

pub async fn a_question_without_terms_has_none_in_its_round(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let found = scene.find(fixture, round).await;
    assert_eq!((found.terms, found.position), (Terms::default(), 1));
}

pub async fn actions_on_a_round_are_logged_with_names(fixture: &dyn VotingFixture) {
    use LogKind::{Counted, Declared, Ended, Opened, Reopened};
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let of_other = scene.open_question(fixture, other).await;
    assert_eq!(log(fixture, &scene, round).await, by_anna(&[Opened, Ended]));
    assert_eq!(log(fixture, &scene, of_other).await, by_anna(&[Opened]));
    scene.open(fixture).await;
    scene.clock.advance(TimeDelta::seconds(1));
    let closes_at = Some(scene.clock.now());
    let rounds = fixture.rounds();
    rounds.set_closing(scene.client, scene.meeting, closes_at, None).await.expect("a round is open");
    assert!(rounds.end_due(scene.client, scene.meeting, scene.clock.now()).await.expect("the store answers"));
    scene.clock.advance(TimeDelta::seconds(1));
    scene.count(fixture, round).await;
    declare(fixture, &scene, round).await;
    let mut expected = by_anna(&[Opened, Ended, Reopened, Ended, Counted, Declared]);
    expected[3].1 = None;
    assert_eq!(log(fixture, &scene, round).await, expected);
}

/// An action reads the clock before it waits for earlier actions, and the clocks of two servers differ.
pub async fn later_actions_are_logged_later_on_any_clock(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let (rounds, results) = (fixture.rounds(), fixture.results());
    let early = |seconds| scene.clock.now() - TimeDelta::seconds(seconds);
    let end = async |now| {
        let ended = rounds.show(ScreenChange { now, ..scene.screen_change(None) }).await;
        ended.expect("showing nothing always works");
    };
    end(early(1)).await;
    let opening = RoundOpening { now: early(2), ..scene.opening(scene.question) };
    rounds.open(opening).await.expect("the question opens again");
    end(early(3)).await;
    results.mark_counted(ResultStep { now: early(4), ..scene.result_step(round) }).await.expect("the round has ended");
    let declared = results.declare(ResultStep { now: early(5), ..scene.result_step(round) }).await;
    declared.expect("the round has ended").expect("it was not declared before");

    let found = scene.find(fixture, round).await;
    let kinds: Vec<_> = found.log.iter().map(|entry| entry.kind).collect();
    let in_order = [LogKind::Opened, LogKind::Ended, LogKind::Reopened, LogKind::Ended];
    assert_eq!(kinds, [&in_order[..], &[LogKind::Counted, LogKind::Declared]].concat());
    assert!(found.log.is_sorted_by(|earlier, later| earlier.at < later.at), "{:?}", found.log);
    let times = [found.round.ended_at, found.round.counted_at, found.round.declared.map(|declared| declared.at)];
    assert_eq!(times, [3, 4, 5].map(|place| Some(found.log[place].at)));

    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let opening = RoundOpening { now: early(6), ..scene.opening(other) };
    let next = opening.new_round;
    rounds.open(opening).await.expect("the other question opens");
    assert!(scene.find(fixture, next).await.round.opened_at > found.log[5].at);
}

pub async fn an_open_round_gives_no_votes_and_its_count_is_taken_anew(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    let first = taking(fixture, &scene, round).await;
    assert_eq!(votes(fixture, &scene, first).await.map(|votes| votes.len()), Some(1));
    assert_eq!(scene.open(fixture).await, round);
    let results = fixture.results();
    assert_eq!(votes(fixture, &scene, first).await, None);
    let papers = results.take_papers(scene.client, scene.meeting, first).await.expect("the store answers");
    assert_eq!(papers, None);
    let ended = results.ended(scene.client, scene.meeting, Vec::new()).await.expect("the store answers");
    assert_eq!(ended, Some(Vec::new()));
    scene.cast(fixture, round, scene.voters[1], scene.no()).await;
    scene.end(fixture).await;
    // It has ended, but differs from its found state.
    assert_eq!(votes(fixture, &scene, first).await, None);
    let second = taking(fixture, &scene, round).await;
    assert_eq!(votes(fixture, &scene, second).await.map(|votes| votes.len()), Some(2));
}

pub async fn another_clients_result_looks_missing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.end(fixture).await;
    let (results, taking) = (fixture.results(), taking(fixture, &scene, round).await);
    let (stranger, elsewhere) = (ClientId::new(&scene.ids), MeetingId::new(&scene.ids));
    for (client, meeting) in [(stranger, scene.meeting), (scene.client, elsewhere)] {
        assert_eq!(results.find(client, meeting, round).await.expect("the store answers"), None);
        assert_eq!(results.ended(client, meeting, Vec::new()).await.expect("the store answers"), None);
        assert_eq!(results.take_count(client, meeting, taking).await.expect("the store answers"), None);
        assert_eq!(results.take_papers(client, meeting, taking).await.expect("the store answers"), None);
        let declaring = ResultStep { owner: client, meeting, ..scene.result_step(round) };
        let refused = results.declare(declaring).await;
        assert!(matches!(refused, Err(ResultStepError::MeetingNotFound)), "{refused:?}");
    }
    let refused = results.declare(scene.result_step(RoundId::new(&scene.ids))).await;
    assert!(matches!(refused, Err(ResultStepError::RoundNotFound)), "{refused:?}");
    let found = scene.find(fixture, round).await.round;
    assert_eq!((found.status, found.counted_at), (RoundStatus::Ended, None));
    declare(fixture, &scene, round).await;
    let seen = results.declared_to_voter(stranger, scene.meeting, scene.voters[0]).await.expect("the store answers");
    assert_eq!(seen, []);
}

pub async fn a_declared_result_stays_as_it_is(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let shown = Some(scene.question);
    let ended = fixture.rounds().show(scene.screen_change(shown)).await;
    ended.expect("the meeting is active");
    let before = scene.step(fixture).await;
    declare(fixture, &scene, round).await;
    let found = scene.find(fixture, round).await;
    let declared = Declared { at: scene.clock.now(), by: "Anna Berg".to_owned() };
    assert_eq!((found.round.status, &found.round.declared), (RoundStatus::Declared, &Some(declared)));
    let screen = fixture.rounds().screen(scene.client, scene.meeting).await.expect("the store answers");
    let screen = screen.expect("the meeting is known");
    assert_eq!((screen.step, screen.question.map(|question| question.question_id)), (before.next(), shown));

    scene.clock.advance(TimeDelta::seconds(1));
    let again = fixture.results().declare(ResultStep { seen: Some(before), ..scene.result_step(round) }).await;
    assert_eq!(again.expect("it is declared already"), None);
    let opened = fixture.rounds().open(scene.opening(scene.question)).await;
    assert!(matches!(opened, Err(OpenRoundError::Rule(OpeningRule::AlreadyDeclared))), "{opened:?}");
    assert_eq!(
        scene.cast(fixture, round, scene.voters[0], scene.no()).await,
        voted_before(fixture, &scene, round).await
    );
    let counted = taking(fixture, &scene, round).await;
    votes(fixture, &scene, counted).await.expect("the round has ended");
    assert_eq!(scene.find(fixture, round).await, found);
    assert_eq!(scene.step(fixture).await, before.next());
}

async fn voted_before(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> CastOutcome {
    let vote = fixture.rounds().vote_in(scene.voter_question(scene.voters[0]), round).await;
    CastOutcome::VotedBefore(vote.expect("the store answers").expect("the vote is there"))
}

pub async fn an_open_or_changed_round_is_not_declared(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let refused = fixture.results().declare(scene.result_step(round)).await;
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::StillOpen))), "{refused:?}");
    scene.end(fixture).await;
    let seen = Some(scene.step(fixture).await);
    // Opened and ended again: the organizer has not seen these votes.
    scene.open(fixture).await;
    scene.end(fixture).await;
    let refused = fixture.results().declare(ResultStep { seen, ..scene.result_step(round) }).await;
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::StaleStep))), "{refused:?}");
    assert_eq!(scene.find(fixture, round).await.round.status, RoundStatus::Ended);
    let seen = Some(scene.step(fixture).await);
    let declared = fixture.results().declare(ResultStep { seen, ..scene.result_step(round) }).await;
    assert_eq!(declared.expect("nobody went on meanwhile"), Some(scene.question));
}

pub async fn one_of_many_racers_declares(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.end(fixture).await;
    let before = scene.step(fixture).await;
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let (results, declaring) = (fixture.results(), scene.result_step(round));
            tokio::spawn(async move { results.declare(declaring).await })
        })
        .collect();
    let mut winners = 0;
    for racer in racers {
        winners += usize::from(racer.await.expect("no panic").expect("everyone finds it declared").is_some());
    }
    assert_eq!((winners, scene.step(fixture).await), (1, before.next()));
    let entries = log(fixture, &scene, round).await;
    assert_eq!(entries.iter().filter(|(kind, _)| *kind == LogKind::Declared).count(), 1);
}

pub async fn a_re_vote_is_a_new_round_and_the_earlier_ones_stay(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let first = scene.open(fixture).await;
    scene.cast(fixture, first, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    declare(fixture, &scene, first).await;
    let of_first = result(fixture, &scene, first).await;
    fixture.reword(scene.question, "Approve the new budget?").await;
    fixture.set_weight(scene.voters[0], Decimal::new(3, 0)).await;

    let second = scene.revote(fixture, scene.question).await.expect("it was declared");
    let found = scene.find(fixture, second).await.round;
    assert_eq!((found.number, found.status), (2, RoundStatus::Open));
    assert_eq!(found.reason.as_deref(), Some("Somebody was cut off"));
    assert_eq!(found.wording.text, "Approve the new budget?");
    assert_eq!(found.register.weight, Decimal::new(30_001, 4));
    assert_eq!(scene.cast(fixture, second, scene.voters[0], scene.no()).await, CastOutcome::Counted);
    scene.end(fixture).await;
    // A re-vote that was not declared may itself be repeated or reopened.
    assert_eq!(scene.open(fixture).await, second);
    scene.end(fixture).await;
    let third = scene.revote(fixture, scene.question).await.expect("there are votes");
    scene.end(fixture).await;
    assert_eq!(scene.find(fixture, third).await.round.number, 3);
    assert_eq!(result(fixture, &scene, first).await, of_first);
    let ended = fixture.results().ended(scene.client, scene.meeting, Vec::new()).await.expect("the store answers");
    let ended: Vec<_> = ended.expect("the meeting is known").iter().map(|found| found.round.id).collect();
    assert_eq!(ended, [first, second, third]);
}

pub async fn a_re_vote_needs_a_round_with_votes_that_is_over(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let refused = scene.revote(fixture, scene.question).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::NoRoundYet))), "{refused:?}");
    let round = scene.open(fixture).await;
    let refused = scene.revote(fixture, scene.question).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::RoundOpen))), "{refused:?}");
    scene.end(fixture).await;
    let refused = scene.revote(fixture, scene.question).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::NoRoundYet))), "{refused:?}");
    declare(fixture, &scene, round).await;
    scene.revote(fixture, scene.question).await.expect("a declared one needs no votes");
    let unknown = scene.revote(fixture, QuestionId::new(&scene.ids)).await;
    assert!(matches!(unknown, Err(OpenRoundError::QuestionNotFound)), "{unknown:?}");
}

pub async fn a_re_vote_that_is_frozen_anew_keeps_its_reason(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let first = scene.open(fixture).await;
    scene.cast(fixture, first, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    let second = scene.revote(fixture, scene.question).await.expect("there are votes");
    scene.end(fixture).await;
    let anew = scene.open(fixture).await;
    assert_ne!(anew, second);
    let found = scene.find(fixture, anew).await.round;
    assert_eq!((found.number, found.reason.as_deref()), (2, Some("Somebody was cut off")));
}

pub async fn a_missing_quorum_prevents_an_opening_if_the_meeting_requires_it(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let running = scene.open_question(fixture, other).await;
    fixture.set_meeting_quorum(scene.meeting, barring(half(Unit::Heads, Attendance::Present))).await;
    let before = scene.step(fixture).await;
    let open = |connected: &[EndUserId]| {
        let (rounds, connected) = (fixture.rounds(), connected.to_vec());
        let opening = RoundOpening { connected, ..scene.opening(scene.question) };
        async move { rounds.open(opening).await }
    };
    // People outside the register do not count.
    let refused = open(&[scene.voters[0], EndUserId::new(&scene.ids)]).await;
    assert!(is_missed(&refused), "{refused:?}");
    assert_eq!(refused.map_err(|error| error.to_string()), Err("quorum not met: 1 present, 2 needed".to_owned()));
    assert_eq!(scene.step(fixture).await, before);
    assert_eq!(scene.find(fixture, running).await.round.status, RoundStatus::Open);
    let listed = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    assert_eq!(listed.map(|rounds| rounds.len()), Some(1));

    open(&scene.voters[..2]).await.expect("half of them are there");
    let round = last_round(fixture, &scene).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    let reopened = open(&scene.voters[..1]).await;
    assert!(is_missed(&reopened), "{reopened:?}");
    assert_eq!(scene.find(fixture, round).await.round.status, RoundStatus::Ended);
    let again = scene.revote(fixture, scene.question).await.map(|_| ());
    assert!(is_missed(&again), "{again:?}");
    open(&scene.voters[1..3]).await.expect("half of them are there again");
    assert_eq!(last_round(fixture, &scene).await, round);
}

async fn last_round(fixture: &dyn VotingFixture, scene: &Scene) -> RoundId {
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await;
    last.expect("the store answers").expect("it has a round").id
}

pub async fn the_quorum_of_question_or_meeting_prevents_an_opening(fixture: &dyn VotingFixture) {
    let present = |unit| half(unit, Attendance::Present);
    let voted = half(Unit::Heads, Attendance::Voted);
    let warning = Some(MeetingQuorum { planned: present(Unit::Heads).into(), at_opening: AtOpening::Warn });
    for (of_meeting, own, is_barred) in [
        (warning, None, false),
        // One of two is half of the heads, and 0.0001 of 1.5001 is not half of the weight.
        (barring(present(Unit::Heads)), None, false),
        (barring(present(Unit::Weight)), None, true),
        (barring(present(Unit::Weight)), Some(present(Unit::Heads)), false),
        (barring(present(Unit::Heads)), Some(present(Unit::Weight)), true),
        (barring(present(Unit::Weight)), Some(voted), false),
        (barring(voted), None, false),
        (None, Some(present(Unit::Weight)), false),
    ] {
        let scene = Scene::with_voters(fixture, 2).await;
        fixture.set_meeting_quorum(scene.meeting, of_meeting).await;
        fixture.set_terms(scene.question, SeedTerms { quorum: own, ..SeedTerms::default() }).await;
        let opening = RoundOpening { connected: vec![scene.voters[1]], ..scene.opening(scene.question) };
        let outcome = fixture.rounds().open(opening).await;
        assert_eq!(is_missed(&outcome), is_barred, "{of_meeting:?} {own:?} {outcome:?}");
    }
}

pub async fn ended_rounds_come_in_the_order_of_the_agenda(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let third = scene.add_question(fixture, 3, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let second = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::Rating, &[])).await;
    let of_third = scene.open_question(fixture, third).await;
    let of_first = scene.open(fixture).await;
    scene.open_question(fixture, second).await;
    let ended = fixture.results().ended(scene.client, scene.meeting, Vec::new()).await.expect("the store answers");
    let ended = ended.expect("the meeting is known");
    let places: Vec<_> = ended.iter().map(|found| (found.position, found.round.id, found.log.len())).collect();
    assert_eq!(places, [(1, of_first, 2), (3, of_third, 2)]);
    assert_eq!(ended[0].round.wording.options.len(), 2);
    let others = fixture.results().ended(scene.client, scene.meeting, vec![of_first]).await.expect("the store answers");
    let others: Vec<_> = others.expect("the meeting is known").iter().map(|found| found.round.id).collect();
    assert_eq!(others, [of_third]);
}

pub async fn papers_contain_the_whole_register_with_the_votes(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let round = scene.open(fixture).await;
    let opened_at = scene.clock.now();
    scene.cast(fixture, round, scene.voters[0], scene.no()).await;
    scene.cast(fixture, round, scene.voters[2], scene.yes()).await;
    scene.end(fixture).await;
    fixture.remove_voter(scene.voters[2]).await;
    let taking = taking(fixture, &scene, round).await;
    let papers = fixture.results().take_papers(scene.client, scene.meeting, taking).await;
    let register = papers.expect("the store answers").expect("the round has ended");
    let names: Vec<_> = register.iter().map(|paper| (paper.name.as_str(), paper.username.as_str())).collect();
    assert_eq!(names, [("Voter 1", "voter-1"), ("Voter 2", "voter-2"), ("Voter 3", "voter-3")]);
    let answers: Vec<_> = register.iter().map(|paper| paper.answer.clone()).collect();
    assert_eq!(answers, [Some(scene.no()), None, Some(scene.yes())]);
    assert_eq!((register[0].weight, register[0].added_at), (Decimal::new(15, 1), opened_at));
}

pub async fn a_voter_sees_declared_rounds_only_with_the_own_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let seen = |voter: EndUserId| {
        let (results, client, meeting) = (fixture.results(), scene.client, scene.meeting);
        async move {
            let seen = results.declared_to_voter(client, meeting, voter).await.expect("the store answers");
            let own = |vote: crate::StoredVote| vote.answer;
            seen.into_iter().map(|seen| (seen.position, seen.round, seen.vote.map(own))).collect::<Vec<_>>()
        }
    };
    let first = scene.open(fixture).await;
    scene.cast(fixture, first, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    assert_eq!(seen(scene.voters[0]).await, []);
    declare(fixture, &scene, first).await;
    let second = scene.revote(fixture, scene.question).await.expect("it was declared");
    scene.cast(fixture, second, scene.voters[0], scene.no()).await;
    assert_eq!(seen(scene.voters[0]).await, [(1, first, Some(scene.yes()))]);
    scene.end(fixture).await;
    declare(fixture, &scene, second).await;
    assert_eq!(seen(scene.voters[0]).await, [(1, first, Some(scene.yes())), (1, second, Some(scene.no()))]);
    assert_eq!(seen(scene.voters[1]).await, [(1, first, None), (1, second, None)]);
}

pub async fn the_big_screen_has_the_declared_result_of_the_question_on_it(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let on_screen = || async { fixture.results().declared_on_screen(scene.meeting).await.expect("the store answers") };
    let show = |question| {
        let (rounds, change) = (fixture.rounds(), scene.screen_change(question));
        async move {
            let shown = rounds.show(change).await;
            shown.expect("the meeting is active");
        }
    };
    let round = scene.open(fixture).await;
    show(Some(scene.question)).await;
    assert_eq!(on_screen().await, None);
    declare(fixture, &scene, round).await;
    let expected = DeclaredOnScreen { client: scene.client, round, position: 1 };
    assert_eq!(on_screen().await, Some(expected));
    show(None).await;
    assert_eq!(on_screen().await, None);
    show(Some(scene.question)).await;
    assert_eq!(on_screen().await, Some(expected));
    scene.revote(fixture, scene.question).await.expect("it was declared");
    assert_eq!(on_screen().await, None);
    let unknown = fixture.results().declared_on_screen(MeetingId::new(&scene.ids)).await;
    assert_eq!(unknown.expect("the store answers"), None);
}
