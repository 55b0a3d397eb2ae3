//! The contract of [`crate::RegisterChanges`], and of [`crate::RoundStore`] on excluded people.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{
    AccountId, ClientId, Clock, EndUserId, LogEntryId, MeetingId, PageRequest, QuestionId, QuestionType, RoundId,
};
use rust_decimal::Decimal;

use super::scene::wording;
use super::{Scene, SeedMeeting, SeedTerms, SeedVoter, VotingFixture};
use crate::{
    AdmissionRule, AdmitError, CastOutcome, Count, ExcludeError, Exclusion, ExclusionRule, LiftExclusionError,
    LogEntry, LogKind, LoggedPerson, Reason, RegisterChange, RegisterFilter,
};

/// A scene with an account that changes its registers.
struct Hall {
    scene: Scene,
    maria: AccountId,
}

impl Hall {
    async fn with_voters(fixture: &dyn VotingFixture, number: usize) -> Self {
        let scene = Scene::with_voters(fixture, number).await;
        let maria = AccountId::new(&scene.ids);
        fixture.add_account(scene.client, maria, "Maria", "Keller").await;
        Self { scene, maria }
    }

    /// A change for this reason, a second after all earlier events.
    fn change(&self, end_user: EndUserId, reason: &str) -> RegisterChange {
        self.scene.clock.advance(TimeDelta::seconds(1));
        let reason = Reason::parse(reason).expect("a reason");
        let log_entry = LogEntryId::new(&self.scene.ids);
        RegisterChange { end_user, reason, by: self.maria, at: self.scene.clock.now(), log_entry }
    }

    async fn try_exclude(&self, fixture: &dyn VotingFixture, voter: EndUserId) -> Result<Exclusion, ExcludeError> {
        let change = self.change(voter, "Conflict of interest");
        let Scene { client, meeting, question, .. } = self.scene;
        fixture.register_changes().exclude(client, meeting, question, change).await
    }

    async fn exclude(&self, fixture: &dyn VotingFixture, voter: EndUserId) -> Exclusion {
        self.try_exclude(fixture, voter).await.expect("nothing forbids it")
    }

    async fn lift(&self, fixture: &dyn VotingFixture, voter: EndUserId) -> Result<(), LiftExclusionError> {
        let Scene { client, meeting, question, .. } = self.scene;
        fixture.register_changes().lift(client, meeting, question, voter).await
    }

    async fn admit(
        &self,
        fixture: &dyn VotingFixture,
        round: RoundId,
        voter: EndUserId,
    ) -> Result<LogEntry, AdmitError> {
        let change = self.change(voter, "Came late");
        fixture.register_changes().admit(self.scene.client, self.scene.meeting, round, change).await
    }

    async fn excluded(&self, fixture: &dyn VotingFixture) -> Vec<Exclusion> {
        let Scene { client, meeting, question, .. } = self.scene;
        let exclusions = fixture.register_changes().exclusions(client, meeting, question).await;
        exclusions.expect("the store answers").expect("the question is there")
    }

    /// The people in the register of a round, in the order of the scene. Checks that the round has the same count.
    async fn registered(&self, fixture: &dyn VotingFixture, round: RoundId) -> Vec<EndUserId> {
        let Scene { client, meeting, .. } = self.scene;
        let everybody = RegisterFilter { search: None, has_voted: None, page: PageRequest { page: 1, page_size: 200 } };
        let page = fixture.rounds().register(client, meeting, round, &everybody).await;
        let rows = page.expect("the store answers").expect("the round is there").rows;
        let mut counted = Count::default();
        for row in &rows {
            counted.add(row.weight);
        }
        let rounds = fixture.rounds().list(client, meeting).await.expect("the store answers");
        let mut rounds = rounds.expect("the meeting is there").into_iter();
        let known = rounds.find(|overview| overview.round.id == round).expect("the round is there");
        assert_eq!(known.round.register, counted);
        let mut ids: Vec<EndUserId> = rows.iter().map(|row| row.end_user_id).collect();
        ids.sort_unstable();
        ids
    }

    /// The entries about people in the log of a round: kind, person and time.
    async fn people_in_log(&self, fixture: &dyn VotingFixture, round: RoundId) -> Vec<LogEntry> {
        let log = fixture.log_of(round).await;
        log.into_iter().filter(|entry| matches!(entry.kind, LogKind::Admitted | LogKind::Excluded)).collect()
    }
}

fn logged(exclusion: &Exclusion, weight: Decimal) -> LogEntry {
    LogEntry {
        at: exclusion.at,
        kind: LogKind::Excluded,
        by: Some(exclusion.by.clone()),
        person: Some(LoggedPerson {
            end_user_id: exclusion.end_user_id,
            username: exclusion.username.clone(),
            name: exclusion.name.clone(),
            weight,
        }),
        reason: Some(exclusion.reason.to_string()),
    }
}

pub async fn an_excluded_person_is_not_registered_when_the_question_opens(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 3).await;
    let (scene, excluded) = (&hall.scene, hall.scene.voters[0]);
    let exclusion = hall.exclude(fixture, excluded).await;
    assert_eq!((exclusion.by.as_str(), exclusion.reason.as_str()), ("Maria Keller", "Conflict of interest"));
    assert_eq!((exclusion.name.as_str(), exclusion.username.as_str()), ("Voter 1", "voter-1"));
    assert_eq!(exclusion.at, scene.clock.now());
    let round = scene.open(fixture).await;
    assert_eq!(hall.registered(fixture, round).await, scene.voters[1..]);
    assert_eq!(hall.people_in_log(fixture, round).await, [logged(&exclusion, Decimal::new(15, 1))]);
    assert_eq!(scene.cast(fixture, round, excluded, scene.yes()).await, CastOutcome::NotInRegister);
    assert_eq!(scene.cast(fixture, round, scene.voters[1], scene.yes()).await, CastOutcome::Counted);
}

pub async fn a_person_excluded_from_an_open_question_can_no_longer_vote(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 3).await;
    let (scene, excluded) = (&hall.scene, hall.scene.voters[0]);
    let round = scene.open(fixture).await;
    assert_eq!(hall.registered(fixture, round).await, scene.voters);
    let exclusion = hall.exclude(fixture, excluded).await;
    assert_eq!(hall.registered(fixture, round).await, scene.voters[1..]);
    assert_eq!(hall.people_in_log(fixture, round).await, [logged(&exclusion, Decimal::new(15, 1))]);
    assert_eq!(scene.cast(fixture, round, excluded, scene.yes()).await, CastOutcome::NotInRegister);
    assert_eq!(scene.cast(fixture, round, scene.voters[1], scene.no()).await, CastOutcome::Counted);
    scene.end(fixture).await;
    assert_eq!(scene.votes_of(fixture, round).await.len(), 1);
}

pub async fn a_person_who_has_voted_is_not_excluded(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 2).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, voter, scene.yes()).await;
    let refused = hall.try_exclude(fixture, voter).await;
    assert!(matches!(refused, Err(ExcludeError::Rule(ExclusionRule::AlreadyVoted))), "{refused:?}");
    assert_eq!(hall.registered(fixture, round).await, scene.voters);
    assert_eq!((hall.excluded(fixture).await, hall.people_in_log(fixture, round).await), (vec![], vec![]));
}

pub async fn a_person_is_excluded_once(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 2).await;
    let first = hall.exclude(fixture, hall.scene.voters[0]).await;
    let round = hall.scene.open(fixture).await;
    let refused = hall.try_exclude(fixture, hall.scene.voters[0]).await;
    assert!(matches!(refused, Err(ExcludeError::Rule(ExclusionRule::AlreadyExcluded))), "{refused:?}");
    assert_eq!(hall.excluded(fixture).await, [first]);
    assert_eq!(hall.people_in_log(fixture, round).await.len(), 1);
}

pub async fn an_exclusion_leaves_other_questions_and_past_rounds_alone(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 2).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    let other = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await;
    let past = scene.open(fixture).await;
    scene.cast(fixture, past, voter, scene.yes()).await;
    let elsewhere = scene.open_question(fixture, other).await;
    hall.exclude(fixture, voter).await;
    for round in [past, elsewhere] {
        assert_eq!(hall.registered(fixture, round).await, scene.voters);
        assert_eq!(hall.people_in_log(fixture, round).await, []);
    }
    scene.end(fixture).await;
    assert_eq!(scene.votes_of(fixture, past).await.len(), 1);
    let again = scene.open_question(fixture, other).await;
    assert_eq!(hall.registered(fixture, again).await, scene.voters);
}

pub async fn exclusions_are_listed_by_name(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 0).await;
    let mut expected = Vec::new();
    for (number, name) in ["clara", "Ada", "Ben"].iter().enumerate() {
        let id = EndUserId::new(&hall.scene.ids);
        let username = format!("user-{number}");
        let voter = SeedVoter {
            client: hall.scene.client,
            id,
            username,
            name: (*name).to_owned(),
            weight: Decimal::ONE,
            is_active: number != 0,
        };
        fixture.add_voter(voter).await;
        expected.push(hall.exclude(fixture, id).await);
    }
    expected.rotate_left(1);
    assert_eq!(hall.excluded(fixture).await, expected);
}

pub async fn a_reopened_round_omits_people_excluded_meanwhile(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 4).await;
    let scene = &hall.scene;
    let [voted, before, meanwhile, other] = scene.voters[..] else { panic!("there are four") };
    let first = hall.exclude(fixture, before).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, voted, scene.yes()).await;
    scene.end(fixture).await;
    let second = hall.exclude(fixture, meanwhile).await;
    hall.exclude(fixture, voted).await;
    assert_eq!(hall.registered(fixture, round).await, [voted, meanwhile, other], "it has ended");
    for _ in 0..2 {
        assert_eq!(scene.open(fixture).await, round, "it has votes");
        assert_eq!(hall.registered(fixture, round).await, [voted, other], "a vote that was cast counts");
        let weight = Decimal::new(1, 4);
        let log = hall.people_in_log(fixture, round).await;
        assert_eq!(log, [logged(&first, weight), logged(&second, weight)], "each of them once");
        scene.end(fixture).await;
    }
    assert_eq!(scene.votes_of(fixture, round).await.len(), 1);
}

pub async fn an_exclusion_is_lifted_for_the_next_opening(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 3).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    let not_excluded = hall.lift(fixture, voter).await;
    assert!(matches!(not_excluded, Err(LiftExclusionError::NotExcluded)), "{not_excluded:?}");
    hall.exclude(fixture, voter).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[1], scene.yes()).await;
    scene.end(fixture).await;
    hall.lift(fixture, voter).await.expect("no round is open");
    assert_eq!(hall.excluded(fixture).await, []);
    assert_eq!(hall.registered(fixture, round).await, scene.voters[1..], "it has ended");
    assert_eq!(scene.open(fixture).await, round);
    assert_eq!(hall.registered(fixture, round).await, scene.voters);
    assert_eq!(scene.cast(fixture, round, voter, scene.yes()).await, CastOutcome::Counted);
    assert_eq!(hall.people_in_log(fixture, round).await.len(), 1, "what was done stays in the log");
}

pub async fn an_exclusion_from_an_open_question_is_not_lifted(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 2).await;
    let voter = hall.scene.voters[0];
    let exclusion = hall.exclude(fixture, voter).await;
    let round = hall.scene.open(fixture).await;
    let refused = hall.lift(fixture, voter).await;
    assert!(matches!(refused, Err(LiftExclusionError::RoundOpen)), "{refused:?}");
    assert_eq!(hall.excluded(fixture).await, [exclusion]);
    assert_eq!(hall.registered(fixture, round).await, hall.scene.voters[1..]);
    let other = wording(&hall.scene.ids, QuestionType::OpenText, &[]);
    let other = hall.scene.add_question(fixture, 2, other).await;
    hall.scene.open_question(fixture, other).await;
    hall.lift(fixture, voter).await.expect("another question is open");
}

pub async fn a_latecomer_votes_with_the_weight_of_that_moment(fixture: &dyn VotingFixture) {
    let mut hall = Hall::with_voters(fixture, 2).await;
    let round = hall.scene.open(fixture).await;
    let late = hall.scene.add_voter(fixture).await;
    let scene = &hall.scene;
    assert_eq!(scene.cast(fixture, round, late, scene.yes()).await, CastOutcome::NotInRegister);
    fixture.set_weight(late, Decimal::new(25, 1)).await;
    let entry = hall.admit(fixture, round, late).await.expect("nothing forbids it");
    let person = LoggedPerson {
        end_user_id: late,
        username: "voter-3".to_owned(),
        name: "Voter 3".to_owned(),
        weight: Decimal::new(25, 1),
    };
    let expected = LogEntry {
        at: scene.clock.now(),
        kind: LogKind::Admitted,
        by: Some("Maria Keller".to_owned()),
        person: Some(person),
        reason: Some("Came late".to_owned()),
    };
    assert_eq!(entry, expected);
    assert_eq!(hall.people_in_log(fixture, round).await, [expected]);
    assert_eq!(hall.registered(fixture, round).await, scene.voters);
    fixture.set_weight(late, Decimal::ONE).await;
    assert_eq!(scene.cast(fixture, round, late, scene.yes()).await, CastOutcome::Counted);
    scene.end(fixture).await;
    let votes = scene.votes_of(fixture, round).await;
    assert_eq!(votes.iter().map(|vote| vote.weight).collect::<Vec<_>>(), [Decimal::new(25, 1)]);
}

pub async fn a_latecomer_comes_onto_the_participant_list(fixture: &dyn VotingFixture) {
    let mut hall = Hall::with_voters(fixture, 1).await;
    let everybody = hall.scene.open(fixture).await;
    let first = hall.scene.add_voter(fixture).await;
    hall.admit(fixture, everybody, first).await.expect("nothing forbids it");
    assert!(!fixture.is_listed(hall.scene.meeting, first).await, "the meeting has no list");
    hall.scene.end(fixture).await;

    let meeting = MeetingId::new(&hall.scene.ids);
    fixture.add_meeting(SeedMeeting { client: hall.scene.client, id: meeting, has_participant_list: true }).await;
    fixture.invite(meeting, first).await;
    hall.scene.meeting = meeting;
    let text = wording(&hall.scene.ids, QuestionType::OpenText, &[]);
    hall.scene.question = hall.scene.add_question(fixture, 1, text).await;
    let round = hall.scene.open(fixture).await;
    assert_eq!(hall.registered(fixture, round).await, [first]);
    let late = hall.scene.voters[0];
    hall.admit(fixture, round, late).await.expect("nothing forbids it");
    assert!(fixture.is_listed(meeting, late).await);
    assert_eq!(hall.registered(fixture, round).await, hall.scene.voters);
}

pub async fn an_excluded_person_is_admitted_to_the_running_round(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 2).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    hall.exclude(fixture, voter).await;
    let round = scene.open(fixture).await;
    hall.admit(fixture, round, voter).await.expect("nothing forbids it");
    assert_eq!(hall.excluded(fixture).await, []);
    assert_eq!(hall.registered(fixture, round).await, scene.voters);
    // Excluded again: two actions have two entries.
    hall.exclude(fixture, voter).await;
    assert_eq!(hall.registered(fixture, round).await, scene.voters[1..]);
    hall.admit(fixture, round, voter).await.expect("nothing forbids it");
    assert_eq!(scene.cast(fixture, round, voter, scene.yes()).await, CastOutcome::Counted);
    let kinds: Vec<_> = hall.people_in_log(fixture, round).await.into_iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [LogKind::Excluded, LogKind::Admitted, LogKind::Excluded, LogKind::Admitted]);
}

pub async fn a_registered_person_is_not_admitted_again(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 2).await;
    let round = hall.scene.open(fixture).await;
    let refused = hall.admit(fixture, round, hall.scene.voters[1]).await;
    assert!(matches!(refused, Err(AdmitError::Rule(AdmissionRule::AlreadyInRegister))), "{refused:?}");
    assert_eq!(hall.registered(fixture, round).await, hall.scene.voters);
    assert_eq!(hall.people_in_log(fixture, round).await, []);
}

pub async fn a_round_that_has_ended_admits_no_one(fixture: &dyn VotingFixture) {
    let mut hall = Hall::with_voters(fixture, 1).await;
    let round = hall.scene.open(fixture).await;
    hall.scene.cast(fixture, round, hall.scene.voters[0], hall.scene.yes()).await;
    hall.scene.end(fixture).await;
    let late = hall.scene.add_voter(fixture).await;
    hall.exclude(fixture, late).await;
    let refused = hall.admit(fixture, round, late).await;
    assert!(matches!(refused, Err(AdmitError::Rule(AdmissionRule::RoundOver))), "{refused:?}");
    assert_eq!(hall.registered(fixture, round).await, hall.scene.voters[..1]);
    assert_eq!(hall.excluded(fixture).await.len(), 1);
    assert_eq!(hall.people_in_log(fixture, round).await, []);
}

pub async fn a_person_without_a_vote_cannot_be_admitted(fixture: &dyn VotingFixture) {
    let mut hall = Hall::with_voters(fixture, 1).await;
    let round = hall.scene.open(fixture).await;
    let late = hall.scene.add_voter(fixture).await;
    fixture.set_voter_active(late, false).await;
    let refused = hall.admit(fixture, round, late).await;
    assert!(matches!(refused, Err(AdmitError::Rule(AdmissionRule::EndUserInactive))), "{refused:?}");
    let unknown = hall.admit(fixture, round, EndUserId::new(&hall.scene.ids)).await;
    assert!(matches!(unknown, Err(AdmitError::EndUserNotFound)), "{unknown:?}");
    let nowhere = hall.admit(fixture, RoundId::new(&hall.scene.ids), late).await;
    assert!(matches!(nowhere, Err(AdmitError::RoundNotFound)), "{nowhere:?}");
    assert_eq!(hall.registered(fixture, round).await, hall.scene.voters[..1]);
}

pub async fn exclusions_go_with_their_end_user(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 2).await;
    let exclusion = hall.exclude(fixture, hall.scene.voters[0]).await;
    let round = hall.scene.open(fixture).await;
    fixture.remove_voter(hall.scene.voters[0]).await;
    assert_eq!(hall.excluded(fixture).await, []);
    let log = hall.people_in_log(fixture, round).await;
    assert_eq!(log, [logged(&exclusion, Decimal::new(15, 1))], "a log survives the people in it");
}

/// So the log of a file names one person by one name.
pub async fn an_excluded_person_is_logged_under_the_name_of_their_admission(fixture: &dyn VotingFixture) {
    let mut hall = Hall::with_voters(fixture, 1).await;
    let round = hall.scene.open(fixture).await;
    let late = hall.scene.add_voter(fixture).await;
    hall.admit(fixture, round, late).await.expect("nothing forbids it");
    fixture.rename_voter(late, "renamed").await;
    hall.exclude(fixture, late).await;
    let names: Vec<_> = hall.people_in_log(fixture, round).await.into_iter().filter_map(|entry| entry.person).collect();
    assert_eq!(names.iter().map(|person| person.username.as_str()).collect::<Vec<_>>(), ["voter-2", "voter-2"]);
}

pub async fn an_exclusion_is_logged_with_name_and_weight_of_the_register(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 3).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    let round = scene.open(fixture).await;
    fixture.set_weight(voter, Decimal::new(99, 0)).await;
    fixture.rename_voter(voter, "renamed").await;
    let exclusion = hall.exclude(fixture, voter).await;
    assert_eq!(exclusion.username, "renamed");
    let in_register = Exclusion { username: "voter-1".to_owned(), ..exclusion };
    assert_eq!(hall.people_in_log(fixture, round).await, [logged(&in_register, Decimal::new(15, 1))]);
    assert_eq!(hall.registered(fixture, round).await, scene.voters[1..]);
}

pub async fn an_exclusion_from_a_round_that_counts_heads_is_logged_as_one(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 3).await;
    let scene = &hall.scene;
    fixture.set_terms(scene.question, SeedTerms { counts_heads: true, ..SeedTerms::default() }).await;
    let before = hall.exclude(fixture, scene.voters[0]).await;
    let round = scene.open(fixture).await;
    let meanwhile = hall.exclude(fixture, scene.voters[1]).await;
    let expected = [logged(&before, Decimal::ONE), logged(&meanwhile, Decimal::ONE)];
    assert_eq!(hall.people_in_log(fixture, round).await, expected);
}

pub async fn one_of_many_concurrent_exclusions_and_admissions_succeeds(fixture: &dyn VotingFixture) {
    let hall = Hall::with_voters(fixture, 3).await;
    let voter = hall.scene.voters[0];
    let round = hall.scene.open(fixture).await;
    let Scene { client, meeting, question, .. } = hall.scene;
    let change = hall.change(voter, "Conflict of interest");
    let racers: Vec<_> = (0..6)
        .map(|_| {
            let (changes, change) = (fixture.register_changes(), change.clone());
            tokio::spawn(async move { changes.exclude(client, meeting, question, change).await.is_ok() })
        })
        .collect();
    let mut excluded = 0;
    for racer in racers {
        excluded += u32::from(racer.await.expect("no panic"));
    }
    assert_eq!((excluded, hall.registered(fixture, round).await), (1, hall.scene.voters[1..].to_vec()));
    let change = hall.change(voter, "Came late");
    let racers: Vec<_> = (0..6)
        .map(|_| {
            let (changes, change) = (fixture.register_changes(), change.clone());
            tokio::spawn(async move { changes.admit(client, meeting, round, change).await.is_ok() })
        })
        .collect();
    let mut admitted = 0;
    for racer in racers {
        admitted += u32::from(racer.await.expect("no panic"));
    }
    assert_eq!((admitted, hall.registered(fixture, round).await), (1, hall.scene.voters.clone()));
    assert_eq!(hall.people_in_log(fixture, round).await.len(), 2);
}

pub async fn another_clients_register_is_not_changed(fixture: &dyn VotingFixture) {
    let (hall, stranger) = (Hall::with_voters(fixture, 2).await, Hall::with_voters(fixture, 1).await);
    let (scene, theirs) = (&hall.scene, &stranger.scene);
    let before = hall.exclude(fixture, scene.voters[0]).await;
    let round = scene.open(fixture).await;
    let changes = fixture.register_changes();
    let (late, unknown) = (theirs.voters[0], QuestionId::new(&scene.ids));
    let outsider = ClientId::new(&scene.ids);
    for (client, meeting, question) in [
        (theirs.client, scene.meeting, scene.question),
        (outsider, scene.meeting, scene.question),
        (theirs.client, theirs.meeting, scene.question),
        (scene.client, scene.meeting, theirs.question),
        (scene.client, scene.meeting, unknown),
    ] {
        let listed = changes.exclusions(client, meeting, question).await.expect("the store answers");
        assert_eq!(listed, None);
        let lifted = changes.lift(client, meeting, question, scene.voters[0]).await;
        let is_missing =
            matches!(lifted, Err(LiftExclusionError::MeetingNotFound | LiftExclusionError::QuestionNotFound));
        assert!(is_missing, "{lifted:?}");
        let change = stranger.change(late, "Mine");
        let refused = changes.exclude(client, meeting, question, change).await;
        let is_missing = matches!(refused, Err(ExcludeError::MeetingNotFound | ExcludeError::QuestionNotFound));
        assert!(is_missing, "{refused:?}");
    }
    for (client, meeting) in
        [(theirs.client, scene.meeting), (theirs.client, theirs.meeting), (scene.client, theirs.meeting)]
    {
        let refused = changes.admit(client, meeting, round, stranger.change(late, "Mine")).await;
        assert!(matches!(refused, Err(AdmitError::RoundNotFound)), "{refused:?}");
    }
    let refused = changes.exclude(scene.client, scene.meeting, scene.question, hall.change(late, "Theirs")).await;
    assert!(matches!(refused, Err(ExcludeError::EndUserNotFound)), "{refused:?}");
    let refused = hall.admit(fixture, round, late).await;
    assert!(matches!(refused, Err(AdmitError::EndUserNotFound)), "{refused:?}");
    assert_eq!(hall.excluded(fixture).await, [before]);
    assert_eq!(hall.registered(fixture, round).await, scene.voters[1..]);
}
