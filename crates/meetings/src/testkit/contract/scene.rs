use chrono::TimeDelta;
use plenum_kernel::testkit::{CountingIds, StillClock, approval};
use plenum_kernel::{
    ClientId, Clock, DecisionRule, EndUserId, GroupId, KindWeights, MeetingId, NamedGroup, OptionId, QuestionId,
    QuestionType, Secrecy, Step, VotingWeight, WeightKindId,
};

use super::MeetingsFixture;
use crate::{
    CheckIn, Meeting, MeetingClient, MeetingOverview, MeetingStatus, MeetingTitle, OptionText, Participant, Question,
    QuestionOption, QuestionText, QuestionWeights, Schedule, option_roles,
};

/// A client without anything.
#[derive(Debug)]
pub struct Scene {
    /// The source of ids.
    pub ids: CountingIds,
    /// The clock.
    pub clock: StillClock,
    /// The client.
    pub client: MeetingClient,
}

impl Scene {
    /// Sets the scene.
    pub async fn set(fixture: &dyn MeetingsFixture) -> Self {
        Self::called(fixture, "Rowing club").await
    }

    /// Sets the scene with a client of this name.
    pub async fn called(fixture: &dyn MeetingsFixture, name: &str) -> Self {
        let ids = CountingIds::new();
        let id = ClientId::new(&ids);
        let digits = id.to_string().replace('-', "");
        // Unique, and short enough for a client code.
        let client = MeetingClient { id, name: name.to_owned(), code: format!("c{}", &digits[1..]) };
        fixture.add_client(client.clone()).await;
        Self { ids, clock: StillClock::new(), client }
    }

    /// A draft of the scene's client that is not stored yet, planned `days` from now.
    pub fn draft(&self, title: &str, days: i64) -> Meeting {
        let start = self.clock.now() + TimeDelta::days(days);
        Meeting {
            id: MeetingId::new(&self.ids),
            client_id: self.client.id,
            title: MeetingTitle::parse(title).expect("a title"),
            description: None,
            status: MeetingStatus::Draft,
            step: Step::default(),
            schedule: Schedule::new(start, start + TimeDelta::hours(2)).expect("a plan"),
            started_at: None,
            ended_at: None,
            max_participants: None,
            is_recurring: false,
            recurring_pattern: None,
            quorum: None,
            is_second_call: false,
            counts_surveys_at_end: true,
            check_in: CheckIn::Off,
            self_check_in: false,
            has_participant_list: false,
            groups: Vec::new(),
            weight_kind: None,
            invitation_link: None,
            closing_hash: None,
            created_at: self.clock.now(),
        }
    }

    /// Stores a meeting and returns its id.
    pub async fn add(&self, fixture: &dyn MeetingsFixture, meeting: Meeting) -> MeetingId {
        let id = meeting.id;
        fixture.meetings().add(meeting, Vec::new()).await.expect("the store answers");
        id
    }

    /// Stores a draft and returns its id.
    pub async fn add_draft(&self, fixture: &dyn MeetingsFixture) -> MeetingId {
        self.add(fixture, self.draft("General assembly", 1)).await
    }

    /// The scene's meeting with this id.
    pub async fn find(&self, fixture: &dyn MeetingsFixture, id: MeetingId) -> MeetingOverview {
        fixture.meetings().find(self.client.id, id).await.expect("the store answers").expect("the meeting is there")
    }

    /// An end user that is not stored yet.
    pub fn person(&self, name: &str, is_active: bool) -> Participant {
        let id = EndUserId::new(&self.ids);
        Participant {
            id,
            username: id.to_string(),
            name: name.to_owned(),
            email: None,
            address: None,
            weight: VotingWeight::ONE,
            weights: KindWeights::default(),
            groups: Vec::new(),
            is_active,
            last_login_at: None,
            created_at: self.clock.now(),
            is_erased: false,
        }
    }

    /// Adds an end user of the scene's client.
    pub async fn add_person(&self, fixture: &dyn MeetingsFixture, name: &str, is_active: bool) -> EndUserId {
        let person = self.person(name, is_active);
        let id = person.id;
        fixture.add_end_user(self.client.id, person).await;
        id
    }

    /// Adds a group of the scene's client with these members.
    pub async fn add_group(&self, fixture: &dyn MeetingsFixture, name: &str, members: &[EndUserId]) -> GroupId {
        let id = GroupId::new(&self.ids);
        fixture.add_group(self.client.id, NamedGroup { id, name: name.to_owned() }, members.to_vec()).await;
        id
    }

    /// Adds a kind of weight of the scene's client.
    pub async fn add_weight_kind(&self, fixture: &dyn MeetingsFixture, name: &str) -> WeightKindId {
        let id = WeightKindId::new(&self.ids);
        fixture.add_weight_kind(self.client.id, id, name).await;
        id
    }

    /// A question that is not stored yet.
    pub fn question(&self, meeting: MeetingId, question_type: QuestionType, options: &[&str]) -> Question {
        let texts: Vec<OptionText> =
            options.iter().map(|text| OptionText::parse(text).expect("an option's text")).collect();
        let roles = option_roles(question_type, &texts);
        let options = (1..)
            .zip(texts.into_iter().zip(roles))
            .map(|(position, (text, role))| QuestionOption { id: OptionId::new(&self.ids), text, position, role })
            .collect();
        Question {
            id: QuestionId::new(&self.ids),
            client_id: self.client.id,
            meeting_id: meeting,
            position: 1,
            text: QuestionText::parse("What shall we do?").expect("a question's text"),
            question_type,
            is_required: true,
            options,
            rating_max: (question_type == QuestionType::Rating).then_some(10),
            max_choices: (question_type == QuestionType::MultipleChoice).then_some(2),
            decision_rule: (question_type == QuestionType::Election)
                .then(|| DecisionRule::Election(Box::new(approval()))),
            quorum: None,
            secrecy: Secrecy::Unshown,
            counts_heads: false,
            groups: Vec::new(),
            weights: QuestionWeights::default(),
            created_at: self.clock.now(),
        }
    }
}
