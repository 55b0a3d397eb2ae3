//! Who has the seats after the elected have answered: for any answers the recount agrees with the engine.

use std::sync::Arc;

use chrono::DateTime;
use plenum_kernel::election::{Candidate, Divisors, ElectionRule, Irv, ListOrder, Lists, Method, RankingRules};
use plenum_kernel::testkit::{CountingIds, approval};
use plenum_kernel::{
    ClientId, DecisionRule, MeetingId, OptionId, OptionRole, QuestionId, QuestionType, RoundId, Seats, Secrecy,
};
use plenum_result_format::{ResultsFile, RoundFile};
use plenum_verify::verify;
use plenum_voting::{
    Answer, Count, CountableRound, NotedSeatAnswer, RegisterPaper, Round, RoundOption, RoundPapers, RoundStatus,
    SeatAnswer, SeatAnswerContext, Terms, Wording, decide_seat_answer,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::limits::{Contest, merged, ranks, with_answers};

/// A declared election, and its file.
struct Board {
    papers: RoundPapers,
    round: RoundFile,
}

/// The answers of a person, and whether a next ballot was on the agenda.
type Given = (u32, SeatAnswer, bool);

impl Board {
    /// `None` if the count waits for a lot, so that nothing is declared.
    fn elected(method: &Method, seats: u32, candidates: u32, ballots: &[String]) -> Option<Self> {
        let terms = merged(terms_of(method), &json!({ "seats": seats }));
        let contest = Contest { candidates: candidates as usize, terms, ballots: ballots.to_vec() };
        let file = contest.round();
        let list_names = match method {
            Method::Lists(lists) => vec![String::new(); lists.lists.len()],
            _ => Vec::new(),
        };
        let seats = Some(Seats::new(seats).unwrap());
        let rule = ElectionRule { method: method.clone(), list_names, seats, ..approval() };
        let papers = papers(rule, candidates, file.result.round_id, ballots);
        let election = papers.result.result.result.election.as_ref().unwrap();
        if election.open_tie().is_some() {
            return None;
        }
        let elected = election.count.elected.iter().map(|elected| {
            json!({ "candidate": elected.candidate.number(), "stage": elected.stage, "by": "quota", "list": null })
        });
        let standing = (1..=candidates).map(|number| {
            json!({ "number": number, "name": format!("Candidate {number}"), "line": null, "isWithdrawn": false,
                    "support": "0" })
        });
        let mut round = serde_json::to_value(&file).unwrap();
        round["result"]["election"]["elected"] = elected.collect();
        round["result"]["election"]["candidates"] = standing.collect();
        let round = serde_json::from_value(round).unwrap();
        Some(Self { papers, round })
    }

    /// The answers that the engine notes.
    fn noted(&self, given: &[Given]) -> Vec<NotedSeatAnswer> {
        let mut noted: Vec<NotedSeatAnswer> = Vec::new();
        for (candidate, answer, is_continued) in given.iter().copied() {
            let context = SeatAnswerContext { papers: &self.papers, noted: &noted, is_continued };
            let Ok(Some((before, succession))) = decide_seat_answer(context, (candidate, answer)) else { continue };
            noted.push(NotedSeatAnswer {
                round: self.papers.result.result.result.round.id,
                at: DateTime::UNIX_EPOCH,
                by: "Ada".to_owned(),
                candidate,
                answer,
                is_continued,
                before,
                succession,
            });
        }
        noted
    }

    fn file(&self, noted: &[NotedSeatAnswer]) -> ResultsFile {
        let round = self.round.result.round_id;
        with_answers(self.round.clone(), &noted.iter().map(|noted| in_file(round, noted)).collect::<Vec<_>>())
    }
}

fn terms_of(method: &Method) -> Value {
    match method {
        Method::StvScottish(_) => merged(ranks(), &json!({ "method": "stv_scottish" })),
        Method::Irv(_) => merged(ranks(), &json!({ "method": "irv", "tiesByEarlierStages": true })),
        Method::Lists(lists) => {
            let list = |candidates: &Vec<Candidate>| {
                let numbers: Vec<u32> = candidates.iter().map(|candidate| candidate.number()).collect();
                json!({ "name": "", "candidates": numbers })
            };
            json!({
                "method": "lists", "divisors": "sainte_lague", "mostChoices": 0, "listOrder": "as_listed",
                "lists": lists.lists.iter().map(list).collect::<Vec<_>>(),
            })
        }
        other => panic!("{other:?}"),
    }
}

fn papers(rule: ElectionRule, candidates: u32, round: Uuid, ballots: &[String]) -> RoundPapers {
    let ids = CountingIds::new();
    let option = |position: u32| RoundOption {
        id: OptionId::new(&ids),
        text: format!("Candidate {position}"),
        position,
        role: OptionRole::Choice,
    };
    let wording = Wording {
        text: "Who?".to_owned(),
        question_type: QuestionType::Election,
        options: (1..=candidates).map(option).collect(),
        rating_max: None,
        max_choices: None,
        election: Some(Arc::new(rule.clone())),
    };
    let heads = ballots.len() as u64;
    let round = Round {
        id: RoundId::from_uuid(round),
        client_id: ClientId::new(&ids),
        meeting_id: MeetingId::new(&ids),
        question_id: QuestionId::new(&ids),
        number: 1,
        status: RoundStatus::Declared,
        wording,
        opened_at: DateTime::UNIX_EPOCH,
        ended_at: Some(DateTime::UNIX_EPOCH),
        closes_at: None,
        register: Count { heads, weight: Decimal::from(heads) },
        reason: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weight_kind: None,
        second_weight_kind: None,
        urn: None,
        counted_at: None,
        declared: None,
    };
    let terms = Terms { rule: Some(DecisionRule::Election(Box::new(rule))), ..Terms::default() };
    let paper = |marks: &String| RegisterPaper {
        name: "Ada Young".to_owned(),
        username: "ada".to_owned(),
        weight: Decimal::ONE,
        second_weight: None,
        added_at: DateTime::UNIX_EPOCH,
        was_connected: true,
        groups: Vec::new(),
        answer: Some(Answer::Text(marks.clone())),
        cast_on: None,
        proxy: None,
    };
    let found = CountableRound { round, position: 1, terms, log: Vec::new(), urn: None };
    RoundPapers::count(found, ballots.iter().map(paper).collect())
}

fn in_file(round: Uuid, noted: &NotedSeatAnswer) -> Value {
    let answer = match noted.answer {
        SeatAnswer::Accepted => "accepted",
        SeatAnswer::Declined => "declined",
        SeatAnswer::TakenBack => "taken_back",
    };
    let succession = &noted.succession;
    let lot =
        |lot: &plenum_voting::DrawnLot| json!({ "stage": lot.stage, "order": lot.order, "isOfLists": lot.is_of_lists });
    json!({
        "roundId": round, "at": "2026-11-26T19:30:00Z", "by": "Ada", "candidate": noted.candidate, "answer": answer,
        "isContinued": noted.is_continued, "seated": succession.seated,
        "drawn": succession.drawn.iter().map(lot).collect::<Vec<_>>(), "tied": succession.tied, "words": "",
    })
}

/// The fields of answers in which the recount differs.
fn differing(file: &ResultsFile) -> Vec<String> {
    let differences = verify(file).differences.into_iter().map(|difference| difference.field);
    let of_answers = |field: &String| field.starts_with("elections.0.answers");
    differences.filter(of_answers).collect()
}

/// Equal ballots that rank these candidates.
fn ranked(voters: usize, order: &[u32]) -> Vec<String> {
    let marks: Vec<String> = (1..=order.len()).zip(order).map(|(rank, number)| format!("{rank}:{number}")).collect();
    vec![marks.join(" "); voters]
}

/// Two seats and 90 ballots, so a quota of 31, which 1 and 2 have at once. Without 2 alone 3 is elected beside 1: 5 goes first, and
/// both kinds of its papers go to 3. Without 1 and 2 there are 22 for 3, 36 for 4 and 32 for 5.
fn board() -> Board {
    let ballots = [
        ranked(16, &[1, 4]),
        ranked(15, &[1, 5]),
        ranked(12, &[2, 3]),
        ranked(10, &[2, 4]),
        ranked(9, &[2, 5, 3]),
        ranked(10, &[3]),
        ranked(10, &[4]),
        ranked(8, &[5, 3]),
    ];
    Board::elected(&STV, 2, 5, &ballots.concat()).unwrap()
}

const STV: Method = Method::StvScottish(RankingRules::UP_TO_FAULT);

#[test]
fn seats_of_people_who_moved_up_are_kept_and_those_of_earlier_versions_accepted() {
    let board = board();
    let given = [(2, SeatAnswer::Declined, false), (3, SeatAnswer::Accepted, false), (1, SeatAnswer::Declined, false)];
    let noted = board.noted(&given);
    assert_eq!(noted.iter().map(|noted| &noted.succession.seated[..]).collect::<Vec<_>>(), [[1, 3], [1, 3], [3, 4]]);
    assert_eq!(differing(&board.file(&noted)), [] as [String; 0]);
    let with_last = |seated: &[u32]| {
        let mut file = board.file(&noted);
        file.elections[0].answers[2].seated = seated.to_vec();
        differing(&file)
    };
    // The last count alone elects 4 and 5.
    assert_eq!(with_last(&[4, 5]), [] as [String; 0]);
    for wrong in [&[3, 5][..], &[4], &[5, 4], &[1, 3]] {
        let found = with_last(wrong);
        assert!(found.iter().any(|field| field.starts_with("elections.0.answers.2.seated")), "{wrong:?}: {found:?}");
    }
}

#[test]
fn a_refusal_that_is_taken_back_makes_room_for_its_seat() {
    let board = board();
    let declined = [(2, SeatAnswer::Declined, false), (1, SeatAnswer::Declined, false)];
    let noted = board.noted(&[&declined[..], &[(2, SeatAnswer::TakenBack, false)]].concat());
    assert_eq!(noted[2].succession.seated, [2, 4], "as if only 1 had declined");
    assert_eq!(differing(&board.file(&noted)), [] as [String; 0]);
}

/// An election by a method that counts again, and its ballots.
fn contest() -> impl Strategy<Value = (Method, u32, u32, Vec<String>)> {
    let irv = Method::Irv(Irv { ranking: RankingRules::LENIENT, ties_by_earlier_stages: true });
    let ranking = (4..=7_u32, prop_oneof![3 => Just(STV), 1 => Just(irv)]).prop_flat_map(|(candidates, method)| {
        let order = Just((1..=candidates).collect::<Vec<u32>>()).prop_shuffle();
        let ballot = (order, 1..=candidates as usize, 1..=9_usize);
        let ballot = ballot.prop_map(|(order, length, voters)| ranked(voters, &order[..length]));
        (Just(method), 2..=3_u32, Just(candidates), vec(ballot, 4..=14).prop_map(|ballots| ballots.concat()))
    });
    let numbers = [&[1, 2][..], &[3], &[4, 5, 6]];
    let lists = numbers.map(|numbers| numbers.iter().copied().map(Candidate::numbered).collect::<Vec<_>>()).to_vec();
    let method =
        Method::Lists(Lists { divisors: Divisors::SainteLague, lists, most_choices: 0, order: ListOrder::AsListed });
    let marks = select(vec!["list=1", "list=2", "list=3"]).prop_map(str::to_owned);
    let listed = (Just(method), 2..=4_u32, Just(6_u32), vec(marks, 3..=30));
    prop_oneof![4 => ranking, 1 => listed]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_recount_of_seats_agrees_with_the_engine(
        (method, seats, candidates, ballots) in contest(),
        given in vec((1..=7_u32, 0..=3_usize, 0..=9_u8), 1..=9),
    ) {
        let answers = [SeatAnswer::Declined, SeatAnswer::Declined, SeatAnswer::Accepted, SeatAnswer::TakenBack];
        let given: Vec<Given> =
            given.into_iter().map(|(candidate, answer, luck)| (candidate, answers[answer], luck == 0)).collect();
        if let Some(board) = Board::elected(&method, seats, candidates, &ballots) {
            let noted = board.noted(&given);
            let seated: Vec<&[u32]> = noted.iter().map(|noted| &noted.succession.seated[..]).collect();
            for (place, noted) in noted.iter().enumerate().filter(|(_, noted)| noted.answer == SeatAnswer::Declined) {
                let left: Vec<u32> =
                    noted.before.iter().copied().filter(|number| *number != noted.candidate).collect();
                prop_assert!(seated[place].starts_with(&left), "{left:?} {seated:?}");
            }
            prop_assert_eq!(differing(&board.file(&noted)), [] as [String; 0], "{:?} {:?}", given, seated);
        }
    }
}
