//! The sentences of the result of an election: who is elected, what is left or waits, and what a lot decided.

use plenum_kernel::listed;

use crate::Wording;
use crate::elections::{Elected, Outcome, Tie, TieMatter};
use crate::results::election_count::CountedElection;

impl CountedElection {
    /// "Elected: Anna; Bert; 1 seat stays vacant. A lot decided the seat of Bert", without the last full stop.
    pub fn sentence(&self, wording: &Wording) -> String {
        let telling = Telling { counted: self, names: wording.option_texts() };
        let mut sentences = vec![telling.outcome()];
        sentences.extend(telling.seats_by_lot());
        sentences.extend(telling.other_lots());
        sentences.join(". ")
    }
}

/// A count with the names of its candidates.
struct Telling<'a> {
    counted: &'a CountedElection,
    names: Vec<String>,
}

impl Telling<'_> {
    /// The elected ones, and the seats or the tie that are left.
    fn outcome(&self) -> String {
        let elected = self.elected();
        let rest = match &self.counted.count.outcome {
            Outcome::Tied(tie) if self.counted.waits_for_lot() => {
                let waiting = format!("count waits: a tie between {} is not decided", self.tied(tie));
                return match elected {
                    Some(elected) => format!("Elected so far: {elected}; the {waiting}"),
                    None => format!("The {waiting}"),
                };
            }
            Outcome::Tied(tie) => format!("; a tie between {} is left to another ballot", self.tied(tie)),
            Outcome::Complete { vacancies: Some(vacancies) } if vacancies.seats == 1 => {
                "; 1 seat stays vacant".to_owned()
            }
            Outcome::Complete { vacancies: Some(vacancies) } => format!("; {} seats stay vacant", vacancies.seats),
            Outcome::Complete { vacancies: None } => String::new(),
        };
        match elected {
            Some(elected) => format!("Elected: {elected}{rest}"),
            None => format!("None is elected{rest}"),
        }
    }

    /// "Anna; Bert", or "Bert, by lot" if nobody else is elected. `None` if nobody is.
    fn elected(&self) -> Option<String> {
        match &self.counted.count.elected[..] {
            [] => None,
            [only] if self.is_by_lot(only) => Some(format!("{}, by lot", self.name(only.candidate.number()))),
            all => Some(all.iter().map(|one| self.name(one.candidate.number())).collect::<Vec<_>>().join("; ")),
        }
    }

    /// The seats among several that a lot decided.
    fn seats_by_lot(&self) -> Option<String> {
        let elected = &self.counted.count.elected;
        let names: Vec<&str> =
            elected.iter().filter(|one| self.is_by_lot(one)).map(|one| self.name(one.candidate.number())).collect();
        match names[..] {
            // The only one is told with the name.
            _ if elected.len() < 2 => None,
            [] => None,
            [only] => Some(format!("A lot decided the seat of {only}")),
            _ => Some(format!("{} decided the seats of {}", lots(self.ties_with_a_seat().count()), listed(&names))),
        }
    }

    /// The lots that gave no seat to a person: between lists, for "none of the above", and about the order of the count.
    fn other_lots(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let (mut exclusions, mut surpluses) = (Vec::new(), Vec::new());
        for tie in self.decided() {
            match &tie.matter {
                TieMatter::Seats { .. } if self.gave_a_seat(tie) => {}
                TieMatter::Seats { .. } => sentences.push(format!("A lot decided between {}", self.tied(tie))),
                TieMatter::ListSeats { seats, .. } => {
                    let seats = if *seats == 1 { "a seat".to_owned() } else { format!("{seats} seats") };
                    sentences.push(format!("A lot decided {seats} between {}", self.tied(tie)));
                }
                TieMatter::Exclusion { .. } => exclusions.push(tie.stage.to_string()),
                TieMatter::FirstSurplus { .. } => surpluses.push(tie.stage.to_string()),
            }
        }
        sentences.extend(at_stages("who was excluded", &exclusions));
        sentences.extend(at_stages("whose surplus was transferred first", &surpluses));
        sentences
    }

    /// The ties that a lot decided.
    fn decided(&self) -> impl Iterator<Item = &Tie> {
        self.counted.decisions.iter().map(|made| &made.decision.tie)
    }

    fn ties_with_a_seat(&self) -> impl Iterator<Item = &Tie> {
        self.decided().filter(|tie| matches!(tie.matter, TieMatter::Seats { .. }) && self.gave_a_seat(tie))
    }

    fn gave_a_seat(&self, tie: &Tie) -> bool {
        self.counted.count.elected.iter().any(|elected| is_seat_of(tie, elected))
    }

    fn is_by_lot(&self, elected: &Elected) -> bool {
        self.decided().any(|tie| matches!(tie.matter, TieMatter::Seats { .. }) && is_seat_of(tie, elected))
    }

    /// "Anna and Bert", or "the lists Greens and Reds".
    fn tied(&self, tie: &Tie) -> String {
        let numbers = tie.numbers();
        match tie.matter {
            TieMatter::ListSeats { .. } => {
                let lists: Vec<String> = numbers.iter().map(|number| self.list(*number)).collect();
                format!("the lists {}", listed(&lists))
            }
            TieMatter::Seats { .. } | TieMatter::Exclusion { .. } | TieMatter::FirstSurplus { .. } => {
                listed(&numbers.iter().map(|number| self.name(*number)).collect::<Vec<_>>())
            }
        }
    }

    /// The name of a list, or its number if it has no name.
    fn list(&self, number: u32) -> String {
        let names = &self.counted.rule.list_names;
        let name = (number as usize).checked_sub(1).and_then(|place| names.get(place)).filter(|name| !name.is_empty());
        name.map_or_else(|| number.to_string(), Clone::clone)
    }

    /// The name of a candidate. "None of the above" has the number after the last one.
    fn name(&self, number: u32) -> &str {
        let known = (number as usize).checked_sub(1).and_then(|place| self.names.get(place));
        known.map_or("None of the above", String::as_str)
    }
}

/// Whether a tie for seats was about the seat of this person: it belongs to the stage at which they were elected.
fn is_seat_of(tie: &Tie, elected: &Elected) -> bool {
    tie.stage == elected.stage && tie.numbers().contains(&elected.candidate.number())
}

/// What lots decided at these stages.
fn at_stages(what: &str, stages: &[String]) -> Option<String> {
    let word = if stages.len() == 1 { "stage" } else { "stages" };
    (!stages.is_empty()).then(|| format!("{} decided {what} at {word} {}", lots(stages.len()), listed(stages)))
}

const fn lots(number: usize) -> &'static str {
    if number == 1 { "A lot" } else { "Lots" }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use plenum_kernel::election::{
        Candidate, Divisors, ElectionRule, Irv, ListOrder, Lists, Method, RankingRules, TieRule,
    };
    use plenum_kernel::testkit::{CountingIds, approval};
    use plenum_kernel::{OptionId, OptionRole, QuestionType, Seats};

    use super::*;
    use crate::elections::{
        Ballot, Decided, Election, ElectionTerms, Electorate, Marks, TieDecision, TieDecisions, count,
    };
    use crate::{MadeTieDecision, RoundOption};

    fn wording() -> Wording {
        let ids = CountingIds::new();
        let option = |(position, name): (u32, &str)| RoundOption {
            id: OptionId::new(&ids),
            text: name.to_owned(),
            position,
            role: OptionRole::Choice,
        };
        Wording {
            text: "Who?".to_owned(),
            question_type: QuestionType::Election,
            options: (1..).zip(["Anna", "Ben", "Cleo"]).map(option).collect(),
            rating_max: None,
            max_choices: None,
            election: None,
        }
    }

    /// The sentence of a count of these approvals, in which lots by hand give these orders one after the other.
    fn sentence(rule: &ElectionRule, ballots: &[&[u32]], orders: &[&[u32]]) -> String {
        let terms = ElectionTerms {
            method: rule.method.clone(),
            candidates: rule.standings(3),
            seats: rule.seats,
            unit: rule.unit,
            abstentions: rule.abstentions,
            blank: rule.blank,
            least_support: None,
            electorate: Electorate::default(),
        };
        let election = Election::new(terms).unwrap();
        let marks = |numbers: &&[u32]| {
            let named = numbers.iter().copied().map(Candidate::numbered);
            match rule.method {
                Method::Irv(_) => Marks::Ranking(named.map(|one| vec![one]).collect()),
                Method::Lists(_) => Marks::List { list: numbers[0], candidates: Vec::new() },
                _ => Marks::Choices(named.collect()),
            }
        };
        let ballots: Vec<Ballot> = ballots.iter().map(marks).map(Ballot::of).collect();
        let mut decisions = TieDecisions::default();
        for order in orders {
            let Outcome::Tied(tie) = count(&election, &ballots, &decisions).unwrap().outcome else { panic!("no tie") };
            decisions.made.push(TieDecision { tie, decided: Decided::LotByHand { order: order.to_vec() } });
        }
        let count = count(&election, &ballots, &decisions).unwrap();
        let made = |decision: TieDecision| MadeTieDecision {
            decision,
            drawn_by: None,
            witnessed_by: None,
            at: DateTime::UNIX_EPOCH,
            decided_by: None,
        };
        let decisions = decisions.made.into_iter().map(made).collect();
        CountedElection { rule: rule.clone(), count, decisions }.sentence(&wording())
    }

    fn with_seats(seats: u32) -> ElectionRule {
        ElectionRule { seats: Some(Seats::new(seats).unwrap()), ..approval() }
    }

    #[test]
    fn what_a_lot_decided_is_told() {
        let two: [&[u32]; 2] = [&[1], &[2]];
        assert_eq!(sentence(&with_seats(1), &two, &[&[2]]), "Elected: Ben, by lot");
        let three: [&[u32]; 4] = [&[1], &[1], &[2], &[3]];
        assert_eq!(sentence(&with_seats(1), &three, &[]), "Elected: Anna");
        assert_eq!(sentence(&with_seats(2), &three, &[&[3]]), "Elected: Anna; Cleo. A lot decided the seat of Cleo");
        let all: [&[u32]; 3] = [&[1], &[2], &[3]];
        let told = "Elected: Cleo; Anna. A lot decided the seats of Cleo and Anna";
        assert_eq!(sentence(&with_seats(2), &all, &[&[3, 1]]), told);
        assert_eq!(sentence(&with_seats(3), &two, &[]), "Elected: Anna; Ben; 1 seat stays vacant");
    }

    #[test]
    fn a_lot_about_the_order_of_a_count_is_told_with_its_stage() {
        let irv = Irv { ranking: RankingRules::LENIENT, ties_by_earlier_stages: false };
        let rule = ElectionRule { method: Method::Irv(irv), ..with_seats(1) };
        let even: [&[u32]; 4] = [&[1], &[1], &[3], &[3]];
        let waiting = "The count waits: a tie between Anna and Cleo is not decided";
        assert_eq!(sentence(&rule, &even, &[]), waiting);
        assert_eq!(sentence(&rule, &even, &[&[3]]), "Elected: Cleo, by lot");
        let three: [&[u32]; 4] = [&[1], &[1], &[2, 1], &[3, 1]];
        let told = "Elected: Anna. A lot decided who was excluded at stage 2";
        assert_eq!(sentence(&rule, &three, &[&[2]]), told);
        // "None of the above" draws even with Anna, and gets the only seat by lot.
        let with_none = ElectionRule { none_of_the_above: true, ..rule };
        let told = "None is elected; 1 seat stays vacant. A lot decided between Anna and None of the above";
        assert_eq!(sentence(&with_none, &[&[1], &[4]], &[&[4]]), told);
    }

    #[test]
    fn lists_are_named_and_have_numbers_only_without_a_name() {
        let lists = Lists {
            divisors: Divisors::DHondt,
            lists: (1..=3).map(|number| vec![Candidate::numbered(number)]).collect(),
            most_choices: 0,
            order: ListOrder::AsListed,
        };
        let list_names = ["Greens", "Reds", ""].map(str::to_owned).to_vec();
        let rule = ElectionRule { method: Method::Lists(lists), list_names, ..with_seats(1) };
        let told = "Elected: Ben. A lot decided a seat between the lists Greens and Reds";
        assert_eq!(sentence(&rule, &[&[1], &[2]], &[&[2]]), told);
        let waiting = "The count waits: a tie between the lists Greens and 3 is not decided";
        assert_eq!(sentence(&rule, &[&[1], &[3]], &[]), waiting);
    }

    #[test]
    fn an_open_tie_waits_or_is_left_to_another_ballot() {
        let three: [&[u32]; 4] = [&[1], &[1], &[2], &[3]];
        let waiting = "Elected so far: Anna; the count waits: a tie between Ben and Cleo is not decided";
        assert_eq!(sentence(&with_seats(2), &three, &[]), waiting);
        let run_off = |seats| ElectionRule { ties: TieRule::RunOff, ..with_seats(seats) };
        let left = "a tie between Ben and Cleo is left to another ballot";
        assert_eq!(sentence(&run_off(2), &three, &[]), format!("Elected: Anna; {left}"));
        assert_eq!(sentence(&run_off(1), &three[2..], &[]), format!("None is elected; {left}"));
    }
}
