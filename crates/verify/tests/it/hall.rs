//! Rounds that the engine has counted, as files.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{
    ClientId, DecisionRule, MeetingId, OptionId, OptionRole, PresenceRule, QuestionId, QuestionType, Quorum, RoundId,
    Secrecy, WeightDecimals, WeightKind, WeightKindId,
};
use plenum_result_format::{
    ArithmeticFormat, AttendanceEntry, BallotAnswer, BlockingFormat, CastingVoteFormat, CheckFormat, Count,
    CountedBallot, DecisionFormat, Declaration, ExactNumber, FORMAT, GroupOption, GroupResult, LogEntry, LogKind,
    LoggedPerson, MeetingHead, NeededFormat, NumberResult, OpenedUrnFormat, OptionResult, Outcome, QuorumResult,
    RegisteredVoter, ResultStatus, ResultsFile, RoundFile, RoundResult, SecondWeightResult, TextAnswer, TieFormat,
    ValueResult,
};
use plenum_voting::{
    Answer, CastingVote, Check, CountedVote, Decision, Envelope, GroupTally, MIN_ANONYMITY_SET, MeasuredQuorum, Needed,
    OpenedBallot, RegisteredGroup, Round, RoundOption, RoundStatus, SeatTie, SecondTally, SecondTerms, Terms, UrnTally,
    Wording, envelopes_hash,
};
use rust_decimal::{Decimal, RoundingStrategy};

/// A person in the register.
#[derive(Clone, Debug)]
pub(crate) struct Voter {
    pub(crate) weight: Decimal,
    /// The second weight, in a hall that counts by kinds.
    pub(crate) second: Option<Decimal>,
    pub(crate) is_connected: bool,
    pub(crate) answer: Option<Answered>,
    /// The groups of the rule to which the person belongs, as places in its list.
    pub(crate) groups: Vec<u16>,
}

/// The answer.
#[derive(Clone, Debug)]
pub(crate) enum Answered {
    /// The positions of the options.
    Options(Vec<usize>),
    Number(Decimal),
    Text(String),
    /// An envelope that does not open. Only a secret round has such a ballot.
    Unreadable,
}

/// A round with the inputs of its count.
#[derive(Clone, Debug)]
pub(crate) struct Hall {
    pub(crate) question_type: QuestionType,
    pub(crate) roles: Vec<OptionRole>,
    pub(crate) rule: Option<DecisionRule>,
    pub(crate) quorum: Option<Quorum>,
    pub(crate) presence: PresenceRule,
    pub(crate) secrecy: Secrecy,
    pub(crate) counts_heads: bool,
    /// Whether it counts by a kind of weight and by a second one.
    pub(crate) by_kinds: bool,
    /// The casting vote, if the rule has one.
    pub(crate) casting_vote: Option<bool>,
    pub(crate) voters: Vec<Voter>,
}

/// The top of the scale of ratings.
pub(crate) const RATING_MAX: u32 = 5;

impl Hall {
    fn wording(&self, ids: &CountingIds) -> Wording {
        let option = |(position, role): (u32, &OptionRole)| RoundOption {
            id: OptionId::new(ids),
            // Texts that look like numbers.
            text: format!("{position} of 2"),
            position,
            role: *role,
        };
        Wording {
            text: "What do you say?".to_owned(),
            question_type: self.question_type,
            options: (1..).zip(&self.roles).map(option).collect(),
            rating_max: (self.question_type == QuestionType::Rating).then_some(RATING_MAX),
            max_choices: None,
            election: None,
        }
    }

    /// The voters with the weights that count.
    fn counted_voters(&self) -> Vec<Voter> {
        let weight = |voter: &Voter| if self.counts_heads { Decimal::ONE } else { voter.weight };
        self.voters.iter().map(|voter| Voter { weight: weight(voter), ..voter.clone() }).collect()
    }

    /// The file of the round, as the server would write it.
    pub(crate) fn file(&self) -> RoundFile {
        let (ids, voters, is_secret) = (CountingIds::new(), self.counted_voters(), self.secrecy.is_secret());
        let wording = self.wording(&ids);
        let mut terms =
            Terms { rule: self.rule.clone(), quorum: self.quorum, presence: self.presence, ..Terms::default() };
        terms.groups = self.registered_groups(&voters);
        terms.second = self.by_kinds.then(|| self.second_terms(&voters));
        terms.casting_vote = self.casting_vote.map(casting_vote);
        let (mut register, mut votes) = (plenum_voting::Count::default(), Vec::new());
        for voter in &voters {
            register.add(voter.weight);
            if voter.is_connected {
                terms.connected_at_opening.add(voter.weight);
            }
            votes.extend(voter.answer.iter().map(|given| CountedVote {
                answer: if is_secret { Answer::Sealed(None) } else { answer(given, &wording) },
                weight: voter.weight,
                second_weight: voter.second,
                was_connected: voter.is_connected,
                groups: voter.groups.clone(),
                cast_on: None,
            }));
        }
        let round = Round {
            id: RoundId::new(&ids),
            client_id: ClientId::new(&ids),
            meeting_id: MeetingId::new(&ids),
            question_id: QuestionId::new(&ids),
            number: 1,
            status: RoundStatus::Declared,
            wording,
            opened_at: at(0),
            ended_at: Some(at(60)),
            closes_at: None,
            register,
            reason: None,
            secrecy: self.secrecy,
            counts_heads: self.counts_heads,
            groups: Vec::new(),
            weight_kind: (self.by_kinds && !self.counts_heads).then(|| kind(&ids, "Shares")),
            second_weight_kind: self.by_kinds.then(|| kind(&ids, "Capital")),
            urn: None,
            counted_at: None,
            declared: None,
        };
        let urn = is_secret.then(|| open_urn(&voters, &round.wording));
        let tally = urn.as_ref().map(|(tally, _)| tally);
        let ballots = match tally {
            Some(tally) => urn_ballots(tally),
            None => self.ballots(&votes, &voters),
        };
        let counted = plenum_voting::RoundResult::of(round, terms, &votes, tally);
        let texts = counted.tally.texts.iter().flatten();
        RoundFile {
            texts: texts
                .map(|text| TextAnswer { text: text.text.clone(), heads: text.count.heads, weight: text.count.weight })
                .collect(),
            result: result(&counted),
            register: (1..).zip(&voters).map(|(place, voter)| registered(place, voter)).collect(),
            ballots,
            urn: urn.map(|(_, urn)| urn),
            seal: None,
        }
    }

    /// The register by the second weight.
    fn second_terms(&self, voters: &[Voter]) -> SecondTerms {
        let second = |voter: &Voter| Voter { weight: voter.second.unwrap_or_default(), ..voter.clone() };
        let voters: Vec<Voter> = voters.iter().map(second).collect();
        let mut terms = SecondTerms { groups: self.registered_groups(&voters), ..SecondTerms::default() };
        for voter in &voters {
            terms.register.add(voter.weight);
            if voter.is_connected {
                terms.connected_at_opening.add(voter.weight);
            }
        }
        terms
    }

    fn registered_groups(&self, voters: &[Voter]) -> Vec<RegisteredGroup> {
        let Some(DecisionRule::Majority(majority)) = &self.rule else { return Vec::new() };
        let group = |place: u16| {
            let (mut register, mut connected) = (plenum_voting::Count::default(), plenum_voting::Count::default());
            for voter in voters.iter().filter(|voter| voter.groups.contains(&place)) {
                register.add(voter.weight);
                if voter.is_connected {
                    connected.add(voter.weight);
                }
            }
            RegisteredGroup {
                name: group_name(place),
                register,
                connected,
                represented: plenum_voting::Count::default(),
            }
        };
        (0..majority.in_each().len() as u16).map(group).collect()
    }

    /// The ballots of a round that is not secret.
    fn ballots(&self, votes: &[CountedVote], voters: &[Voter]) -> Vec<CountedBallot> {
        let is_named = self.secrecy.is_named();
        let places = (1..).zip(voters).filter(|(_, voter)| voter.answer.is_some()).map(|(place, _)| place);
        let ballots = votes.iter().zip(places).map(|(vote, place)| CountedBallot {
            voter: is_named.then_some(place),
            answer: ballot_answer(&vote.answer),
            weight: vote.weight,
            second_weight: vote.second_weight,
            count: 1,
            groups: if is_named { Vec::new() } else { group_names(&vote.groups) },
            cast_by: None,
        });
        if is_named { ballots.collect() } else { grouped(ballots.collect()) }
    }
}

fn answer(answered: &Answered, wording: &Wording) -> Answer {
    match answered {
        Answered::Options(places) => Answer::Options(places.iter().map(|place| wording.options[*place].id).collect()),
        Answered::Number(number) => Answer::Number(*number),
        Answered::Text(text) => Answer::Text(text.clone()),
        Answered::Unreadable => unreachable!("only a secret round has ballots that do not open"),
    }
}

/// The counts and receipts of an urn with the ballots of these voters.
fn open_urn(voters: &[Voter], wording: &Wording) -> (UrnTally, OpenedUrnFormat) {
    let opened = |answered: &Answered| match answered {
        Answered::Options(places) => {
            Some(OpenedBallot::Options(places.iter().map(|place| wording.options[*place].position).collect()))
        }
        Answered::Number(number) => Some(OpenedBallot::Number(number.normalize().to_string())),
        Answered::Text(text) => Some(OpenedBallot::Text(text.clone())),
        Answered::Unreadable => None,
    };
    let cast = voters.iter().filter_map(|voter| Some((opened(voter.answer.as_ref()?), voter.weight)));
    let ballots: Vec<_> = cast.collect();
    let envelopes: Vec<Envelope> = (0..ballots.len()).map(|place| Envelope(vec![place as u8; 338])).collect();
    let mut receipts: Vec<String> = envelopes.iter().map(Envelope::receipt).collect();
    receipts.sort_unstable();
    let urn = OpenedUrnFormat {
        opened_at: at(75),
        receipts,
        envelopes_hash: envelopes_hash(envelopes.iter()),
        public_key: format!("04{}", "a1".repeat(64)),
    };
    (UrnTally::count(wording, &ballots), urn)
}

/// Each distinct answer with its number, or nothing if weights differ.
fn urn_ballots(tally: &UrnTally) -> Vec<CountedBallot> {
    let weight = tally.weight_of_one();
    let ballot = |(answer, count): &(Answer, u64)| CountedBallot {
        voter: None,
        answer: ballot_answer(answer),
        weight,
        second_weight: None,
        count: *count,
        groups: Vec::new(),
        cast_by: None,
    };
    tally.answers.iter().flatten().map(ballot).collect()
}

/// The file as the server writes it now: without ballots that would show the votes of people with rare weights. Servers of
/// earlier versions listed these.
pub(crate) fn without_rare_weights(mut file: RoundFile) -> RoundFile {
    let mut weights: BTreeMap<(Decimal, Option<Decimal>, &[String]), u64> = BTreeMap::new();
    for voter in file.register.iter().filter(|voter| voter.has_voted) {
        *weights.entry((voter.weight, voter.second_weight, voter.groups.as_slice())).or_default() += 1;
    }
    let is_rare = weights.len() > 1 && weights.values().any(|voters| *voters < MIN_ANONYMITY_SET);
    if is_rare && !file.result.is_named {
        file.ballots.clear();
    }
    file
}

/// The file of a meeting with these rounds.
pub(crate) fn meeting(rounds: Vec<RoundFile>) -> ResultsFile {
    let quorum = r#"{ "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads",
                      "attendance": "present", "atOpening": "warn" }"#;
    let attendance = |heads: u64| AttendanceEntry {
        at: at(0),
        present: Count { heads, weight: heads.into() },
        represented: None,
        eligible: Count { heads: 10, weight: Decimal::TEN },
        is_quorate: Some(heads >= 5),
        quorum: None,
        has_no_quorum: false,
        is_second_call: false,
    };
    ResultsFile {
        elections: Vec::new(),
        format: FORMAT.to_owned(),
        exported_at: at(900),
        meeting: MeetingHead {
            id: MeetingId::new(&CountingIds::new()).as_uuid(),
            title: "Annual meeting".to_owned(),
            organization: "Rowing Club".to_owned(),
            status: "COMPLETED".to_owned(),
            scheduled_start: None,
            scheduled_end: None,
            quorum: Some(serde_json::from_str(quorum).unwrap()),
        },
        rounds,
        damaged: Vec::new(),
        uncounted: Vec::new(),
        closings: None,
        amendments: Vec::new(),
        closing_damage: Vec::new(),
        signature: None,
        attendance: vec![attendance(4), attendance(5)],
        check_ins: Vec::new(),
        remarks: Vec::new(),
    }
}

pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

fn registered(place: u32, voter: &Voter) -> RegisteredVoter {
    RegisteredVoter {
        place,
        name: format!("Voter {place}"),
        username: format!("voter{place}"),
        weight: voter.weight,
        second_weight: voter.second,
        added_at: at(0),
        was_connected: voter.is_connected,
        has_voted: voter.answer.is_some(),
        groups: group_names(&voter.groups),
        represented_by: None,
        was_represented: false,
        voted_by_proxy: false,
        cast_on: None,
    }
}

fn group_names(places: &[u16]) -> Vec<String> {
    places.iter().map(|place| group_name(*place)).collect()
}

fn group_name(place: u16) -> String {
    format!("Group {place}")
}

fn ballot_answer(answer: &Answer) -> BallotAnswer {
    match answer {
        Answer::Options(ids) => BallotAnswer::Options(ids.iter().map(|id| id.as_uuid()).collect()),
        Answer::Number(number) => BallotAnswer::Number(ExactNumber(*number)),
        Answer::Text(text) => BallotAnswer::Text(text.clone()),
        Answer::Sealed(_) => unreachable!("no vote of a hall is sealed"),
    }
}

/// Groups equal ballots of equal weight.
fn grouped(mut ballots: Vec<CountedBallot>) -> Vec<CountedBallot> {
    let key =
        |ballot: &CountedBallot| (ballot.answer.clone(), ballot.weight, ballot.second_weight, ballot.groups.clone());
    ballots.sort_by_key(key);
    let alike = |left: &CountedBallot, right: &CountedBallot| key(left) == key(right);
    ballots.chunk_by(alike).map(|group| CountedBallot { count: group.len() as u64, ..group[0].clone() }).collect()
}

fn count(count: plenum_voting::Count) -> Count {
    Count { heads: count.heads, weight: count.weight }
}

fn percent(part: Decimal, whole: Decimal) -> Option<Decimal> {
    let share = (part * Decimal::ONE_HUNDRED).checked_div(whole)?;
    Some(share.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero))
}

fn needed(needed: Needed) -> NeededFormat {
    let Needed { amount, is_enough, is_rounded_up } = needed;
    NeededFormat { amount, is_enough, is_rounded_up }
}

fn check(check: &Check) -> CheckFormat {
    let fraction = check.threshold.fraction();
    CheckFormat {
        option: check.option.map(|id| id.as_uuid()),
        unit: check.unit.into(),
        base: check.base.into(),
        comparison: check.threshold.comparison().into(),
        numerator: fraction.numerator(),
        denominator: fraction.denominator(),
        part: check.part,
        whole: check.whole,
        percent: check.percent,
        needed: check.needed.map(needed),
        group: check.group.map(|place| group_name(place as u16)),
        alternative: check.alternative as u32,
        blocking: check
            .blocking
            .map(|blocking| BlockingFormat { minority: blocking.minority.get(), against: blocking.against }),
        is_tie: check.is_tie,
        is_met: check.is_met,
    }
}

fn quorum(measured: MeasuredQuorum, sentence: &Option<String>) -> QuorumResult {
    QuorumResult {
        quorum: measured.quorum.into(),
        attending: measured.attending,
        register: measured.register,
        percent: measured.percent,
        needed: measured.needed.map(needed),
        is_met: measured.is_met,
        sentence: sentence.clone().unwrap(),
    }
}

fn decision(decision: &Decision) -> DecisionFormat {
    let tie = |tie: &SeatTie| TieFormat {
        options: tie.options.iter().map(|id| id.as_uuid()).collect(),
        votes: tie.votes,
        seats: tie.seats,
    };
    let (outcome, elected, tie) = match decision {
        Decision::Undecided => (Outcome::Undecided, Vec::new(), None),
        Decision::QuorumMissed => (Outcome::QuorumMissed, Vec::new(), None),
        Decision::Accepted => (Outcome::Accepted, Vec::new(), None),
        Decision::Rejected => (Outcome::Rejected, Vec::new(), None),
        Decision::CastingVoteOpen => (Outcome::CastingVoteOpen, Vec::new(), None),
        Decision::Elected { options, tie: open } => (Outcome::Elected, options.clone(), open.as_ref().map(tie)),
        Decision::NotElected { tie: open } => (Outcome::NotElected, Vec::new(), open.as_ref().map(tie)),
    };
    DecisionFormat { outcome, elected: elected.iter().map(|id| id.as_uuid()).collect(), tie }
}

fn casting_vote(in_favor: bool) -> CastingVote {
    CastingVote { in_favor, cast_by: "Ada Young".to_owned(), at: at(80), noted_by: Some("Maria Keller".to_owned()) }
}

fn kind(ids: &CountingIds, name: &str) -> WeightKind {
    let decimals = WeightDecimals::new(6).unwrap();
    WeightKind { id: WeightKindId::new(ids), name: name.to_owned(), unit: None, decimals }
}

fn second_weight(second: &SecondTally) -> SecondWeightResult {
    SecondWeightResult {
        kind: (&second.kind).into(),
        register: count(second.register),
        absent: None,
        present: count(second.present),
        votes_cast: count(second.votes_cast),
        options: second.options.iter().map(option_sum).collect(),
        in_each: second.groups.iter().map(group_result).collect(),
    }
}

fn option_sum(option: &plenum_voting::OptionTally) -> GroupOption {
    GroupOption { id: option.option.id.as_uuid(), heads: option.count.heads, weight: option.count.weight }
}

fn group_result(group: &GroupTally) -> GroupResult {
    GroupResult {
        name: group.name.clone(),
        register: count(group.register),
        present: count(group.present),
        votes_cast: count(group.votes_cast),
        options: group.options.iter().map(option_sum).collect(),
    }
}

fn number_result(numbers: &plenum_voting::NumberTally) -> NumberResult {
    NumberResult {
        mean: numbers.mean,
        weighted_mean: numbers.weighted_mean,
        median: numbers.median,
        weighted_median: numbers.weighted_median,
        distribution: numbers
            .distribution
            .iter()
            .map(|value| ValueResult { value: value.value, heads: value.count.heads, weight: value.count.weight })
            .collect(),
    }
}

fn result(counted: &plenum_voting::RoundResult) -> RoundResult {
    let (round, tally) = (&counted.round, &counted.tally);
    let cast = tally.votes_cast;
    let option = |option: &plenum_voting::OptionTally| OptionResult {
        id: option.option.id.as_uuid(),
        text: option.option.text.clone(),
        role: option.option.role.into(),
        heads: option.count.heads,
        weight: option.count.weight,
        heads_percent: percent(option.count.heads.into(), cast.heads.into()),
        weight_percent: percent(option.count.weight, cast.weight),
    };
    let logged = |kind, seconds| LogEntry {
        at: at(seconds),
        kind,
        by: Some("Maria Keller".to_owned()),
        person: None,
        reason: None,
    };
    RoundResult {
        record: None,
        round_id: round.id.as_uuid(),
        question_id: round.question_id.as_uuid(),
        position: 1,
        number: round.number,
        reason: None,
        status: ResultStatus::Declared,
        question_text: round.wording.text.clone(),
        question_type: round.wording.question_type.into(),
        rating_max: round.wording.rating_max,
        max_choices: round.wording.max_choices,
        is_named: round.secrecy.is_named(),
        secrecy: Some(round.secrecy.into()),
        counts_heads: round.counts_heads,
        groups: Vec::new(),
        weight_kind: counted.round.weight_kind.as_ref().map(Into::into),
        decision_rule: counted.rule.as_ref().map(Into::into),
        quorum: counted.quorum.map(|measured| measured.quorum.into()),
        opened_at: round.opened_at,
        ended_at: round.ended_at.unwrap(),
        declared: Some(Declaration { at: at(90), by: "Maria Keller".to_owned() }),
        register: count(round.register),
        absent: (counted.presence == PresenceRule::CheckedIn).then(|| count(counted.absent)),
        connected_at_opening: count(counted.connected_at_opening),
        presence: counted.presence.into(),
        ways: None,
        present: Some(count(counted.present)),
        represented: (counted.represented.heads > 0).then(|| count(counted.represented)),
        votes_cast: count(cast),
        not_voted: count(counted.not_voted),
        invalid: count(counted.invalid),
        options: tally.options.iter().map(option).collect(),
        numbers: tally.numbers.as_ref().map(number_result),
        different_texts: tally.texts.as_ref().map(|texts| texts.len() as u64),
        in_each: counted.groups.iter().map(group_result).collect(),
        second_weight: counted.second.as_ref().map(second_weight),
        casting_vote: counted.casting_vote.as_ref().map(|cast| CastingVoteFormat {
            in_favor: cast.in_favor,
            cast_by: cast.cast_by.clone(),
            at: cast.at,
            noted_by: cast.noted_by.clone(),
        }),
        election: None,
        decision: decision(&counted.decision),
        arithmetic: ArithmeticFormat {
            checks: counted.arithmetic.checks.iter().map(check).collect(),
            quorum: counted.quorum.map(|measured| quorum(measured, &counted.arithmetic.quorum)),
            sentence: counted.arithmetic.sentence.clone(),
        },
        log: vec![logged(LogKind::Opened, 0), logged(LogKind::Declared, 90)],
    }
}

/// An admission of the first voter of a file, as it would be logged.
pub(crate) fn admission(file: &RoundFile) -> LogEntry {
    let voter = &file.register[0];
    LogEntry {
        at: at(10),
        kind: LogKind::Admitted,
        by: Some("Maria Keller".to_owned()),
        person: Some(LoggedPerson { name: voter.name.clone(), username: voter.username.clone(), weight: voter.weight }),
        reason: Some("Came late".to_owned()),
    }
}
