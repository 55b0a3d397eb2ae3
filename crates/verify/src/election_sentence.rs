//! The sentences of an election, from the recount.

use plenum_result_format::{ElectedFormat, ElectionResult, ElectionTieFormat, RoundResult, TieMatterName, TieRuleName};

use crate::sentence::Words;
use crate::tally::election_rule;

/// Who is elected, what is left or waits, and what lots decided.
pub(crate) fn election_sentence(result: &RoundResult, election: &ElectionResult, words: Words) -> String {
    let sentence = ElectionSentence {
        election,
        names: result.options.iter().map(|option| option.text.as_str()).collect(),
        has_run_off: election_rule(result).is_some_and(|rule| rule.ties == TieRuleName::RunOff),
    };
    match words {
        Words::Earliest => sentence.earlier(),
        Words::WithCastingVotesOpen | Words::Present => sentence.present(),
    }
}

/// The sentence of a count of candidates with these names, in present words. The tests compare it with that of the server.
#[cfg(feature = "fuzzing")]
pub fn sentence_of_count(election: &ElectionResult, names: &[&str], has_run_off: bool) -> String {
    ElectionSentence { election, names: names.to_vec(), has_run_off }.present()
}

struct ElectionSentence<'a> {
    election: &'a ElectionResult,
    /// The names of the candidates, in the order of their numbers.
    names: Vec<&'a str>,
    /// Whether another ballot decides ties for seats.
    has_run_off: bool,
}

impl ElectionSentence<'_> {
    fn present(&self) -> String {
        let seats = std::iter::once(self.seats()).chain(self.personal_lots());
        seats.chain(self.lots_without_person()).chain(self.lots_of_stages()).collect::<Vec<_>>().join(". ")
    }

    fn earlier(&self) -> String {
        let rest = match (&self.election.tie, self.vacancies()) {
            (Some(_), _) => "; a tie is open".to_owned(),
            (None, vacancies) => vacancies,
        };
        let elected = self.all_elected();
        if elected.is_empty() { format!("None is elected{rest}") } else { format!("Elected: {elected}{rest}") }
    }

    /// The seats that are filled, and what became of the others.
    fn seats(&self) -> String {
        let elected = match &self.election.elected[..] {
            [only] if self.has_seat_by_lot(only) => format!("{}, by lot", self.all_elected()),
            _ => self.all_elected(),
        };
        let are_seats = |tie: &ElectionTieFormat| matches!(tie.matter, TieMatterName::Seats | TieMatterName::ListSeats);
        let nobody = self.election.elected.is_empty();
        match &self.election.tie {
            Some(tie) if self.has_run_off && are_seats(tie) => {
                let first = if nobody { "None is elected".to_owned() } else { format!("Elected: {elected}") };
                format!("{first}; a tie between {} is left to another ballot", self.tied(tie))
            }
            Some(tie) => {
                let first = if nobody { "The".to_owned() } else { format!("Elected so far: {elected}; the") };
                format!("{first} count waits: a tie between {} is not decided", self.tied(tie))
            }
            None if nobody => format!("None is elected{}", self.vacancies()),
            None => format!("Elected: {elected}{}", self.vacancies()),
        }
    }

    fn all_elected(&self) -> String {
        self.election.elected.iter().map(|one| self.name(one.candidate)).collect::<Vec<_>>().join("; ")
    }

    fn vacancies(&self) -> String {
        match self.election.vacancies.as_ref().map_or(0, |vacancies| vacancies.seats) {
            0 => String::new(),
            1 => "; 1 seat stays vacant".to_owned(),
            seats => format!("; {seats} seats stay vacant"),
        }
    }

    /// The decided ties of this matter.
    fn decided(&self, matter: TieMatterName) -> Vec<&ElectionTieFormat> {
        self.election.decisions.iter().map(|decision| &decision.tie).filter(|tie| tie.matter == matter).collect()
    }

    /// Whether a tie decided the seat of this person.
    fn has_seat_by_lot(&self, elected: &ElectedFormat) -> bool {
        self.decided(TieMatterName::Seats).into_iter().any(|tie| is_seat_of(tie, elected))
    }

    /// Whether this tie for seats gave one to a person, and not to "none of the above".
    fn gave_a_seat(&self, tie: &ElectionTieFormat) -> bool {
        self.election.elected.iter().any(|elected| is_seat_of(tie, elected))
    }

    /// The lots for seats of persons. That of a single person is told with the name.
    fn personal_lots(&self) -> Option<String> {
        let elected = &self.election.elected;
        let winners: Vec<&str> =
            elected.iter().filter(|one| self.has_seat_by_lot(one)).map(|one| self.name(one.candidate)).collect();
        if elected.len() < 2 || winners.is_empty() {
            return None;
        }
        let ties = self.decided(TieMatterName::Seats).into_iter().filter(|tie| self.gave_a_seat(tie)).count();
        let (lots, seats) = if winners.len() == 1 { ("A lot", "seat") } else { (lots(ties), "seats") };
        Some(format!("{lots} decided the {seats} of {}", series(&winners)))
    }

    /// The lots that gave no seat to a person, in the order of the decisions: for "none of the above", and between lists.
    fn lots_without_person(&self) -> Vec<String> {
        let told = |tie: &ElectionTieFormat| match tie.matter {
            TieMatterName::Seats if self.gave_a_seat(tie) => None,
            TieMatterName::Seats => Some(format!("A lot decided between {}", self.tied(tie))),
            TieMatterName::ListSeats if tie.wanted == 1 => {
                Some(format!("A lot decided a seat between {}", self.tied(tie)))
            }
            TieMatterName::ListSeats => Some(format!("A lot decided {} seats between {}", tie.wanted, self.tied(tie))),
            TieMatterName::Exclusion | TieMatterName::FirstSurplus => None,
        };
        self.election.decisions.iter().filter_map(|decision| told(&decision.tie)).collect()
    }

    /// The lots about the order of the count.
    fn lots_of_stages(&self) -> Vec<String> {
        let matters = [
            (TieMatterName::Exclusion, "who was excluded"),
            (TieMatterName::FirstSurplus, "whose surplus was transferred first"),
        ];
        let told = |(matter, what): (TieMatterName, &str)| {
            let stages: Vec<String> = self.decided(matter).iter().map(|tie| tie.stage.to_string()).collect();
            let stages: Vec<&str> = stages.iter().map(String::as_str).collect();
            let word = if stages.len() == 1 { "stage" } else { "stages" };
            (!stages.is_empty()).then(|| format!("{} decided {what} at {word} {}", lots(stages.len()), series(&stages)))
        };
        matters.into_iter().filter_map(told).collect()
    }

    fn tied(&self, tie: &ElectionTieFormat) -> String {
        if tie.matter == TieMatterName::ListSeats {
            let lists: Vec<String> = tie.numbers.iter().map(|number| self.list(*number)).collect();
            return format!("the lists {}", series(&lists.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        series(&tie.numbers.iter().map(|number| self.name(*number)).collect::<Vec<_>>())
    }

    /// The name of a list, or its number if it has no name.
    fn list(&self, number: u32) -> String {
        let mut lists = self.election.lists.iter().flatten();
        let named = lists.find(|list| list.list == number && !list.name.is_empty());
        named.map_or_else(|| number.to_string(), |list| list.name.clone())
    }

    fn name(&self, number: u32) -> &str {
        let known = (number as usize).checked_sub(1).and_then(|place| self.names.get(place));
        known.copied().unwrap_or("None of the above")
    }
}

/// Whether a tie for seats was about the seat of this person: it is of the stage at which they were elected.
fn is_seat_of(tie: &ElectionTieFormat, elected: &ElectedFormat) -> bool {
    tie.stage == elected.stage && tie.numbers.contains(&elected.candidate)
}

fn lots(number: usize) -> &'static str {
    if number == 1 { "A lot" } else { "Lots" }
}

/// "A, B and C".
fn series(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The sentences, in present and in earlier words, of a count with these members.
    fn told(has_run_off: bool, members: &Value) -> [String; 2] {
        let sum = json!({ "heads": 0, "votes": "0" });
        let mut count = json!({
            "method": "irv", "seats": 2, "unit": "heads", "candidates": [], "stages": [], "elected": [],
            "ballots": { "cast": sum, "valid": sum, "abstentions": sum, "invalid": sum, "faults": [] },
            "answers": null, "pairs": null, "lists": null, "order": [], "tie": null, "decisions": [], "vacancies": null,
        });
        for (name, member) in members.as_object().unwrap() {
            count[name] = member.clone();
        }
        let election: ElectionResult = serde_json::from_value(count).unwrap();
        let sentence = ElectionSentence { election: &election, names: vec!["Anna", "Ben", "Cleo"], has_run_off };
        [sentence.present(), sentence.earlier()]
    }

    fn elected(candidate: u32, stage: u32) -> Value {
        json!({ "candidate": candidate, "stage": stage, "by": "majority", "list": null })
    }

    fn tie(matter: &str, stage: u32, numbers: &[u32]) -> Value {
        json!({ "stage": stage, "matter": matter, "numbers": numbers, "wanted": 1, "words": "" })
    }

    fn decided(tie: &Value) -> Value {
        json!({
            "tie": tie, "by": "lot", "seed": "seed", "order": tie["numbers"], "drawnBy": null, "witnessedBy": null,
            "at": "2026-11-26T19:30:00Z", "decidedBy": null,
        })
    }

    #[test]
    fn what_lots_decided_is_told() {
        let lot = decided(&tie("seats", 1, &[1, 2]));
        let members = json!({ "elected": [elected(2, 1)], "decisions": [lot] });
        assert_eq!(told(false, &members), ["Elected: Ben, by lot", "Elected: Ben"]);
        // Ben got the second seat without a lot.
        let members = json!({ "elected": [elected(1, 1), elected(2, 3)], "decisions": [lot] });
        assert_eq!(told(false, &members)[0], "Elected: Anna; Ben. A lot decided the seat of Anna");
        let orders = [tie("exclusion", 2, &[1, 2]), tie("exclusion", 4, &[1, 3]), tie("first_surplus", 3, &[1, 2])];
        let members = json!({ "elected": [elected(3, 4)], "decisions": orders.each_ref().map(decided) });
        let lots = "Lots decided who was excluded at stages 2 and 4. \
                    A lot decided whose surplus was transferred first at stage 3";
        assert_eq!(told(false, &members)[0], format!("Elected: Cleo. {lots}"));
        let members = json!({ "elected": [elected(3, 1)], "decisions": [decided(&tie("list_seats", 1, &[1, 2]))] });
        assert_eq!(told(false, &members)[0], "Elected: Cleo. A lot decided a seat between the lists 1 and 2");
        let lists = [(1, "Greens"), (2, "Reds")]
            .map(|(list, name)| json!({ "list": list, "name": name, "votes": "1", "seats": [] }));
        let mut named = members.clone();
        named["lists"] = json!(lists);
        assert_eq!(told(false, &named)[0], "Elected: Cleo. A lot decided a seat between the lists Greens and Reds");
        let members = json!({ "lists": lists, "tie": tie("list_seats", 1, &[1, 2]) });
        let left = "None is elected; a tie between the lists Greens and Reds is left to another ballot";
        assert_eq!(told(true, &members)[0], left);
        let members = json!({
            "decisions": [decided(&tie("seats", 1, &[1, 4]))],
            "vacancies": { "seats": 1, "why": "none_of_the_above", "words": "" },
        });
        let nobody = "None is elected; 1 seat stays vacant";
        let lot = format!("{nobody}. A lot decided between Anna and None of the above");
        assert_eq!(told(false, &members), [lot.as_str(), nobody]);
    }

    #[test]
    fn an_open_tie_waits_or_is_left_to_another_ballot() {
        let members = json!({ "elected": [elected(1, 1)], "tie": tie("seats", 1, &[2, 3]) });
        assert_eq!(
            told(false, &members),
            [
                "Elected so far: Anna; the count waits: a tie between Ben and Cleo is not decided",
                "Elected: Anna; a tie is open",
            ]
        );
        assert_eq!(told(true, &members)[0], "Elected: Anna; a tie between Ben and Cleo is left to another ballot");
        let waiting = "The count waits: a tie between Ben and Cleo is not decided";
        let members = json!({ "tie": tie("exclusion", 2, &[2, 3]) });
        assert_eq!(told(true, &members), [waiting, "None is elected; a tie is open"]);
    }
}
