//! Who has the seats after the elected have answered: elections that were worked out by hand.

use std::sync::Arc;

use chrono::DateTime;
use plenum_kernel::election::{Candidate, Divisors, ElectionRule, ListOrder, Lists, Method};
use plenum_kernel::testkit::{CountingIds, approval};
use plenum_kernel::{
    ClientId, DecisionRule, MeetingId, OptionId, OptionRole, QuestionId, QuestionType, RoundId, Seats, Secrecy,
};
use plenum_voting::{
    Answer, Count, CountableRound, NotedSeatAnswer, RegisterPaper, Round, RoundOption, RoundPapers, RoundStatus,
    SeatAnswer, SeatAnswerContext, SeatAnswerError, Terms, Wording, decide_seat_answer,
};
use rust_decimal::Decimal;

use super::profiles::STV;

/// A declared election and the answers of its elected.
struct Board {
    papers: RoundPapers,
    noted: Vec<NotedSeatAnswer>,
}

impl Board {
    /// An election with this number of seats, and as many equal ballots as each entry says.
    fn elected(method: Method, seats: u32, candidates: u32, ballots: &[(usize, &str)]) -> Self {
        let ids = CountingIds::new();
        let list_names = match &method {
            Method::Lists(lists) => (1..=lists.lists.len()).map(|number| format!("List {number}")).collect(),
            _ => Vec::new(),
        };
        let rule = ElectionRule { method, list_names, seats: Some(Seats::new(seats).unwrap()), ..approval() };
        let option = |position: u32| RoundOption {
            id: OptionId::new(&ids),
            text: format!("Person {position}"),
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
        let mut register = Vec::new();
        for (voters, marks) in ballots {
            register.extend((0..*voters).map(|_| paper(marks)));
        }
        let heads = register.len() as u64;
        let round = Round {
            id: RoundId::new(&ids),
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
        let found = CountableRound { round, position: 1, terms, log: Vec::new(), urn: None };
        Self { papers: RoundPapers::count(found, register), noted: Vec::new() }
    }

    /// Notes an answer, and returns the seats from then on.
    fn after(&mut self, candidate: u32, answer: SeatAnswer) -> Vec<u32> {
        self.note(candidate, answer, false)
    }

    fn note(&mut self, candidate: u32, answer: SeatAnswer, is_continued: bool) -> Vec<u32> {
        let context = SeatAnswerContext { papers: &self.papers, noted: &self.noted, is_continued };
        let (before, succession) = decide_seat_answer(context, (candidate, answer)).unwrap().expect("it is new");
        let seated = succession.seated.clone();
        self.noted.push(NotedSeatAnswer {
            round: self.papers.result.result.result.round.id,
            at: DateTime::UNIX_EPOCH,
            by: "Maria Keller".to_owned(),
            candidate,
            answer,
            is_continued,
            before,
            succession,
        });
        seated
    }
}

fn paper(marks: &str) -> RegisterPaper {
    RegisterPaper {
        name: "Ada Young".to_owned(),
        username: "ada".to_owned(),
        weight: Decimal::ONE,
        second_weight: None,
        added_at: DateTime::UNIX_EPOCH,
        was_connected: true,
        groups: Vec::new(),
        answer: Some(Answer::Text(marks.to_owned())),
        cast_on: None,
        proxy: None,
    }
}

/// Two seats and 90 ballots, so a quota of 31. A (1) and B (2) have it at once, without a surplus.
///
/// | gone | C (3) | D (4) | E (5) | elected |
/// | --- | --- | --- | --- | --- |
/// | B | 22 | 20 | 17, whose papers all go to C | A, C |
/// | A | 10 | 26 | 23 | B, D: C and E are excluded |
/// | A, B | 22 | 36 | 32 | D, E |
fn board() -> Board {
    let ballots = [
        (16, "1:1 2:4"),
        (15, "1:1 2:5"),
        (12, "1:2 2:3"),
        (10, "1:2 2:4"),
        (9, "1:2 2:5 3:3"),
        (10, "1:3"),
        (10, "1:4"),
        (8, "1:5 2:3"),
    ];
    Board::elected(STV, 2, 5, &ballots)
}

#[test]
fn somebody_who_moved_up_keeps_the_seat_when_another_one_declines() {
    let mut board = board();
    assert_eq!(board.after(2, SeatAnswer::Declined), [1, 3]);
    assert_eq!(board.after(3, SeatAnswer::Accepted), [1, 3]);
    assert_eq!(board.after(1, SeatAnswer::Declined), [3, 4], "the last count alone would elect 4 and 5");
}

#[test]
fn the_order_of_the_refusals_matters() {
    let mut board = board();
    assert_eq!(board.after(1, SeatAnswer::Declined), [2, 4]);
    assert_eq!(board.after(2, SeatAnswer::Declined), [4, 5]);
}

#[test]
fn who_moved_up_only_because_of_a_refusal_that_is_taken_back_makes_room() {
    let mut board = board();
    board.after(2, SeatAnswer::Declined);
    board.after(1, SeatAnswer::Declined);
    assert_eq!(board.after(2, SeatAnswer::TakenBack), [2, 4], "as if only 1 had declined");
    // A refusal that is noted again is the last one.
    assert_eq!(board.after(2, SeatAnswer::Declined), [4, 5]);
    assert_eq!(board.after(1, SeatAnswer::Accepted), [1, 3], "as if only 2 had declined");
    assert_eq!(board.after(2, SeatAnswer::Accepted), [1, 2]);
}

#[test]
fn a_refusal_of_somebody_who_moved_up_lasts() {
    let mut board = board();
    board.after(2, SeatAnswer::Declined);
    // Without 2 and 3, 4 is ahead of 5.
    assert_eq!(board.after(3, SeatAnswer::Declined), [1, 4]);
    assert_eq!(board.after(2, SeatAnswer::TakenBack), [1, 2]);
    let context = SeatAnswerContext { papers: &board.papers, noted: &board.noted, is_continued: false };
    let refused = decide_seat_answer(context, (3, SeatAnswer::Accepted));
    assert!(matches!(refused, Err(SeatAnswerError::NoSeat)), "{refused:?}");
    assert_eq!(board.after(2, SeatAnswer::Declined), [1, 4]);
}

#[test]
fn a_seat_that_waited_for_a_next_ballot_is_filled_with_the_next_answer() {
    let mut board = board();
    assert_eq!(board.note(2, SeatAnswer::Declined, true), [1]);
    // The next ballot was deleted.
    assert_eq!(board.after(1, SeatAnswer::Declined), [4, 5]);
    assert_eq!(board.after(1, SeatAnswer::TakenBack), [1, 3]);
}

/// Two seats and 16 ballots, so a quota of 6. A (1) has 7 and B (2) has 6.
///
/// - Without B, the surplus of A gives E (5) 0.57140 and D (4) 0.42855: C (3) has 4, D 4.42855 and E 1.57140. E goes first, whose
///   own ballot goes to C. Then D has fewer than C.
/// - Without A and B, D has 7 and is elected, C has 4 and E 5. C goes, and E is elected.
#[test]
fn somebody_who_moved_up_after_a_surplus_keeps_the_seat() {
    let ballots =
        [(4, "1:1 2:5"), (3, "1:1 2:4"), (3, "1:2 2:3"), (3, "1:2 2:4"), (1, "1:3"), (1, "1:4"), (1, "1:5 2:3")];
    let mut board = Board::elected(STV, 2, 5, &ballots);
    assert_eq!(board.after(2, SeatAnswer::Declined), [1, 3]);
    assert_eq!(board.after(1, SeatAnswer::Declined), [3, 4]);
}

/// The first list has 3 votes and the second 2, so each has one of two seats: 3 and 2 are more than 3/3 and 2/3.
#[test]
fn the_seats_stay_with_their_lists() {
    let lists = [[1, 2], [3, 4]].map(|numbers| numbers.map(Candidate::numbered).to_vec());
    let method = Method::Lists(Lists {
        divisors: Divisors::SainteLague,
        lists: lists.to_vec(),
        most_choices: 0,
        order: ListOrder::AsListed,
    });
    let mut board = Board::elected(method, 2, 4, &[(3, "list=1"), (2, "list=2")]);
    assert_eq!(board.after(1, SeatAnswer::Declined), [3, 2]);
    assert_eq!(board.after(3, SeatAnswer::Declined), [2, 4]);
    assert_eq!(board.after(1, SeatAnswer::TakenBack), [1, 4]);
}
