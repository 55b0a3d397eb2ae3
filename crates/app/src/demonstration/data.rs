use chrono::{DurationRound as _, TimeDelta};
use plenum_adapter_postgres::DemonstrationNames;
use plenum_clients::{
    AddClientError, AddEndUserError, ClientCode, ClientName, NewClient, NewEndUser, Password, PersonName,
    SubscriptionPlan, Username,
};
use plenum_kernel::{
    AtOpening, Attendance, ClientId, Comparison, DecisionRule, EmailAddress, Fraction, Invalid, KindWeights, Majority,
    MeetingId, MeetingQuorum, Minimum, PortFailure, QuestionType, Quorum, RuleError, SearchText, Seats, Secrecy,
    Threshold, Unit, Units, VotingWeight,
};
use plenum_meetings::{
    AddQuestionError, CheckIn, Description, FormError, MeetingChanges, MeetingFilter, MeetingStatus, MeetingTitle,
    MeetingUpdate, NewMeeting, NewQuestion, QuestionForm, QuestionText, Schedule, UpdateMeetingError,
};
use rust_decimal::Decimal;

use crate::wiring::Product;

/// The code of the demonstration's organization.
pub const DEMO_CLIENT_CODE: &str = "demo";
/// The password of everyone in the demonstration.
pub const DEMO_PASSWORD: &str = "plenum-demo";
/// The address of the demonstration's organizer.
pub(crate) const DEMO_ADMIN: &str = "admin@demo.example";
/// The address of the demonstration's super administrator, if none is configured.
pub(crate) const DEMO_SUPER_ADMIN: &str = "super@demo.example";

/// The domain of the addresses of all its people.
const MAIL_DOMAIN: &str = "demo.example";
const CLIENT_NAME: &str = "Lakeside Housing Cooperative";
const MEETING_TITLE: &str = "Annual general meeting";
const MEETING_DESCRIPTION: &str = "Budget, board election and the new courtyard.";

/// A voter of the demonstration.
struct DemonstrationVoter {
    username: &'static str,
    name: &'static str,
    /// The weight in ten-thousandths.
    weight: i64,
}

const VOTERS: [DemonstrationVoter; 12] = [
    DemonstrationVoter { username: "ada", name: "Ada Brandt", weight: 10_000 },
    DemonstrationVoter { username: "ben", name: "Ben Osei", weight: 10_000 },
    DemonstrationVoter { username: "clara", name: "Clara Lindqvist", weight: 15_000 },
    DemonstrationVoter { username: "david", name: "David Rossi", weight: 20_000 },
    DemonstrationVoter { username: "elif", name: "Elif Kaya", weight: 10_000 },
    DemonstrationVoter { username: "farid", name: "Farid Haddad", weight: 12_500 },
    DemonstrationVoter { username: "greta", name: "Greta Nowak", weight: 10_000 },
    DemonstrationVoter { username: "hugo", name: "Hugo Martin", weight: 25_000 },
    DemonstrationVoter { username: "ines", name: "Inês Ferreira", weight: 10_000 },
    DemonstrationVoter { username: "jonas", name: "Jonas Weber", weight: 7_500 },
    DemonstrationVoter { username: "kim", name: "Kim Nguyen", weight: 30_000 },
    DemonstrationVoter { username: "lena", name: "Lena Ivanova", weight: 10_000 },
];

/// The names by which the database recognizes its people.
pub(crate) fn demonstration_names() -> DemonstrationNames {
    DemonstrationNames {
        client_code: DEMO_CLIENT_CODE.to_owned(),
        super_admin: DEMO_SUPER_ADMIN.to_owned(),
        organizer: DEMO_ADMIN.to_owned(),
        voters: VOTERS.iter().map(|voter| voter.username.to_owned()).collect(),
        mail_domain: MAIL_DOMAIN.to_owned(),
    }
}

/// A failed set-up of the demonstration.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error(transparent)]
    Value(#[from] Invalid),
    #[error("a question of the demonstration is invalid: {} {}", .0.0, .0.1)]
    Question(FormError),
    #[error("the terms of the demonstration are invalid: {} {}", .0.0, .0.1)]
    Terms(RuleError),
    #[error(transparent)]
    Client(#[from] AddClientError),
    #[error(transparent)]
    EndUser(#[from] AddEndUserError),
    #[error(transparent)]
    Meeting(#[from] UpdateMeetingError),
    #[error(transparent)]
    Agenda(#[from] AddQuestionError),
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Creates an organization with twelve voters of different weights and a scheduled meeting with a question of each type.
///
/// Keeps existing data, so that every start can call it, and completes an interrupted set-up.
///
/// # Errors
/// Fails when a store does not respond.
pub async fn set_up_demo(product: &Product) -> Result<(), DemoError> {
    // The organization was renamed. The demonstration stays as it is.
    let Some(client) = client(product).await? else { return Ok(()) };
    let stats = product.services.end_users.stats(client).await?;
    if stats.total < VOTERS.len() as u64 {
        for voter in &VOTERS {
            add_voter(product, client, voter).await?;
        }
    }
    // The meeting is a draft until its agenda is complete. So an interrupted set-up can be recognized.
    let drafts = MeetingFilter {
        search: SearchText::parse(MEETING_TITLE),
        statuses: vec![MeetingStatus::Draft],
        ..MeetingFilter::default()
    };
    let begun = product.services.meetings.list(client, &drafts).await?.rows.pop();
    let meeting = match begun {
        Some(begun) => begun.meeting.id,
        None if product.services.meetings.stats(client).await?.total == 0 => add_meeting(product, client).await?,
        None => return Ok(()),
    };
    complete_agenda(product, client, meeting).await
}

async fn client(product: &Product) -> Result<Option<ClientId>, DemoError> {
    let code = ClientCode::parse(DEMO_CLIENT_CODE)?;
    if let Some(client) = product.services.clients.find_by_code(&code).await? {
        return Ok(Some(client.id));
    }
    let new = NewClient {
        name: ClientName::parse(CLIENT_NAME)?,
        code: Some(code),
        plan: SubscriptionPlan::Pro,
        email: EmailAddress::parse(DEMO_ADMIN)?,
        first_name: PersonName::parse("Robin")?,
        last_name: PersonName::parse("Demo")?,
        password: Password::parse(DEMO_PASSWORD)?,
    };
    match product.services.clients.add(new).await {
        Ok(client) => Ok(Some(client.id)),
        Err(AddClientError::EmailTaken) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn add_voter(product: &Product, client: ClientId, voter: &DemonstrationVoter) -> Result<(), DemoError> {
    let DemonstrationVoter { username, name, weight } = *voter;
    let new = NewEndUser {
        username: Username::parse(username)?,
        name: PersonName::parse(name)?,
        email: Some(EmailAddress::parse(&format!("{username}@{MAIL_DOMAIN}"))?),
        address: None,
        weight: VotingWeight::new(Decimal::new(weight, 4))?,
        weights: KindWeights::default(),
        groups: Vec::new(),
        is_active: true,
        password: Password::parse(DEMO_PASSWORD)?,
    };
    match product.services.end_users.add(client, new).await {
        Ok(_) | Err(AddEndUserError::UsernameTaken) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

async fn add_meeting(product: &Product, client: ClientId) -> Result<MeetingId, DemoError> {
    let now = product.clock.now();
    let start = now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now) + TimeDelta::hours(1);
    let new = NewMeeting {
        title: MeetingTitle::parse(MEETING_TITLE)?,
        description: Some(Description::parse(MEETING_DESCRIPTION)?),
        schedule: Schedule::new(start, start + TimeDelta::hours(2))?,
        status: MeetingStatus::Draft,
        max_participants: None,
        is_recurring: false,
        recurring_pattern: None,
        quorum: Some(quorum().map_err(DemoError::Terms)?),
        counts_surveys_at_end: true,
        groups: Vec::new(),
        check_in: CheckIn::Off,
        self_check_in: false,
        agenda: Vec::new(),
    };
    Ok(product.services.meetings.add(client, new).await?.meeting.id)
}

/// At least a third of the heads. Otherwise the organizer gets a warning.
fn quorum() -> Result<MeetingQuorum, RuleError> {
    let threshold = Threshold::new(Comparison::AtLeast, Fraction::new(1, 3)?)?;
    MeetingQuorum::new(
        Quorum { minimum: Minimum::Share(threshold), unit: Unit::Heads, attendance: Attendance::Present }.into(),
        AtOpening::Warn,
    )
}

/// Adds the missing questions, and schedules the meeting.
async fn complete_agenda(product: &Product, client: ClientId, meeting_id: MeetingId) -> Result<(), DemoError> {
    let agenda = product.services.agenda.list(client, meeting_id).await?.unwrap_or_default();
    for (text, form) in questions().into_iter().skip(agenda.len()) {
        let decision_rule = usual_rule(&form).map_err(DemoError::Terms)?;
        let form = form.check().map_err(DemoError::Question)?;
        let new = NewQuestion {
            text: QuestionText::parse(text)?,
            form,
            is_required: true,
            decision_rule,
            quorum: None,
            secrecy: Secrecy::Unshown,
            counts_heads: false,
            groups: Vec::new(),
        };
        product.services.agenda.add(client, meeting_id, new).await?;
    }
    let announced = MeetingChanges { status: Some(MeetingStatus::Scheduled), ..MeetingChanges::default() };
    let update = MeetingUpdate { changes: announced, ..MeetingUpdate::default() };
    product.services.meetings.change(client, meeting_id, update).await?;
    Ok(())
}

/// A simple majority for yes/no, a plurality with one seat for each choice for multiple choice, no rule for other types.
fn usual_rule(form: &QuestionForm) -> Result<Option<DecisionRule>, RuleError> {
    Ok(match form.question_type {
        QuestionType::YesNo => Some(DecisionRule::Majority(Majority::simple(Units::Heads))),
        QuestionType::MultipleChoice => {
            Some(DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::new(form.max_choices.unwrap_or(1))? })
        }
        QuestionType::Rating | QuestionType::Percentage | QuestionType::OpenText | QuestionType::Election => None,
    })
}

/// A question of each type.
fn questions() -> [(&'static str, QuestionForm); 5] {
    let options = |texts: &[&str]| Some(texts.iter().map(|text| (*text).to_owned()).collect());
    let form = |question_type, options| QuestionForm {
        question_type,
        options,
        option_roles: None,
        rating_max: None,
        max_choices: None,
    };
    [
        (
            "Do you approve the budget for 2027 as presented by the board?",
            form(QuestionType::YesNo, options(&["Yes", "No", "Abstain"])),
        ),
        (
            "Who should join the board? You may choose up to two.",
            QuestionForm {
                max_choices: Some(2),
                ..form(
                    QuestionType::MultipleChoice,
                    options(&["Clara Lindqvist", "Hugo Martin", "Kim Nguyen", "Jonas Weber"]),
                )
            },
        ),
        ("How satisfied are you with the care of the house?", form(QuestionType::Rating, None)),
        ("What share of the surplus should go into the reserve?", form(QuestionType::Percentage, None)),
        ("What should the new courtyard have above all?", form(QuestionType::OpenText, None)),
    ]
}
