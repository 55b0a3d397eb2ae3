use std::collections::BTreeMap;

use serde::Deserialize;

use crate::failure::LoadFailure;

/// The server's record of its rounds: the exported results, which list the ballots of named votes by voter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The rounds by id.
    pub rounds: BTreeMap<String, RecordedRound>,
}

/// An ended round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedRound {
    /// The votes that the result counts, in heads.
    pub counted: u64,
    /// The heads that the result counts for each option or number. It lists no free texts.
    pub heads: Option<BTreeMap<String, u64>>,
    /// The listed ballots.
    pub ballots: Vec<RecordedBallot>,
}

/// A ballot in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedBallot {
    /// The voter's username.
    pub voter: String,
    /// The answers in the words of the question.
    pub answers: Vec<String>,
}

impl Record {
    /// Reads an exported file.
    ///
    /// # Errors
    /// Fails when the file is not an export, or its votes are not named.
    pub fn read(file: &[u8]) -> Result<Self, LoadFailure> {
        let unreadable = |text: String| LoadFailure::Unreadable { what: "the export of the results".to_owned(), text };
        let file: File = serde_json::from_slice(file).map_err(|error| unreadable(error.to_string()))?;
        let mut rounds = BTreeMap::new();
        for round in file.rounds {
            let id = round.result.round_id.clone();
            let recorded =
                round.into_recorded().ok_or_else(|| unreadable(format!("the votes of round {id} are not named")))?;
            rounds.insert(id, recorded);
        }
        Ok(Self { rounds })
    }
}

#[derive(Deserialize)]
struct File {
    rounds: Vec<Round>,
}

#[derive(Deserialize)]
struct Round {
    result: RoundResult,
    register: Vec<Registered>,
    ballots: Vec<Ballot>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RoundResult {
    round_id: String,
    votes_cast: Count,
    options: Vec<ChoiceOption>,
    numbers: Option<Numbers>,
}

#[derive(Deserialize)]
struct Numbers {
    distribution: Vec<Value>,
}

#[derive(Deserialize)]
struct Value {
    value: serde_json::Number,
    heads: u64,
}

#[derive(Deserialize)]
struct Count {
    heads: u64,
}

#[derive(Deserialize)]
struct ChoiceOption {
    id: String,
    text: String,
    heads: u64,
}

#[derive(Deserialize)]
struct Registered {
    place: u32,
    username: String,
}

#[derive(Deserialize)]
struct Ballot {
    voter: Option<u32>,
    answer: Answer,
    count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Answer {
    Options(Vec<String>),
    Number(serde_json::Number),
    Text(String),
}

impl Round {
    /// `None` for a ballot without a voter.
    fn into_recorded(self) -> Option<RecordedRound> {
        let options: BTreeMap<&str, &str> =
            self.result.options.iter().map(|option| (option.id.as_str(), option.text.as_str())).collect();
        let voters: BTreeMap<u32, &str> =
            self.register.iter().map(|entry| (entry.place, entry.username.as_str())).collect();
        let mut ballots = Vec::with_capacity(self.ballots.len());
        for ballot in self.ballots {
            let voter = (*voters.get(&ballot.voter?)?).to_owned();
            let answers = texts(ballot.answer, &options);
            for _ in 0..ballot.count {
                ballots.push(RecordedBallot { voter: voter.clone(), answers: answers.clone() });
            }
        }
        Some(RecordedRound { counted: self.result.votes_cast.heads, heads: self.result.heads(), ballots })
    }
}

impl RoundResult {
    fn heads(&self) -> Option<BTreeMap<String, u64>> {
        if let Some(numbers) = &self.numbers {
            return Some(numbers.distribution.iter().map(|value| (value.value.to_string(), value.heads)).collect());
        }
        let of_options = || self.options.iter().map(|option| (option.text.clone(), option.heads)).collect();
        (!self.options.is_empty()).then(of_options)
    }
}

/// An unknown option appears as its id, which no voter has sent.
fn texts(answer: Answer, options: &BTreeMap<&str, &str>) -> Vec<String> {
    match answer {
        Answer::Options(ids) => {
            ids.into_iter().map(|id| options.get(id.as_str()).map_or(id, |text| (*text).to_owned())).collect()
        }
        Answer::Number(number) => vec![number.to_string()],
        Answer::Text(text) => vec![text],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(ballots: &str) -> String {
        format!(
            r#"{{"format": "plenum-results/1", "rounds": [{{
                "result": {{"roundId": "r1", "votesCast": {{"heads": 3, "weight": 3.5}},
                    "options": [{{"id": "o1", "text": "Yes", "heads": 2}}, {{"id": "o2", "text": "No", "heads": 1}}]}},
                "register": [{{"place": 1, "username": "anna"}}, {{"place": 2, "username": "ben"}}],
                "ballots": [{ballots}]
            }}]}}"#
        )
    }

    #[test]
    fn ballots_are_read_by_username_and_in_words() {
        let ballots = r#"{"voter": 2, "answer": {"options": ["o2", "o1"]}, "weight": 1, "count": 1},
            {"voter": 1, "answer": {"number": 37.50}, "weight": 1, "count": 1},
            {"voter": 1, "answer": {"text": "A longer break"}, "weight": 1, "count": 1}"#;
        let record = Record::read(file(ballots).as_bytes()).unwrap();
        let round = &record.rounds["r1"];
        assert_eq!(round.counted, 3);
        assert_eq!(round.heads, Some([("Yes".to_owned(), 2), ("No".to_owned(), 1)].into()));
        let found: Vec<_> =
            round.ballots.iter().map(|ballot| (ballot.voter.as_str(), ballot.answers.join(","))).collect();
        let expected = [("ben", "No,Yes"), ("anna", "37.50"), ("anna", "A longer break")];
        assert_eq!(found, expected.map(|(voter, answer)| (voter, answer.to_owned())));
    }

    #[test]
    fn a_result_counts_numbers_and_lists_no_words() {
        let heads = |numbers: &str| {
            let file = format!(
                r#"{{"rounds": [{{"register": [], "ballots": [],
                    "result": {{"roundId": "r1", "votesCast": {{"heads": 2}}, "options": [], "numbers": {numbers}}}}}]}}"#
            );
            Record::read(file.as_bytes()).unwrap().rounds["r1"].heads.clone()
        };
        assert_eq!(heads(r#"{"distribution": [{"value": 4, "heads": 2}]}"#), Some([("4".to_owned(), 2)].into()));
        assert_eq!(heads("null"), None);
    }

    #[test]
    fn a_ballot_counted_twice_is_read_twice() {
        let ballots = r#"{"voter": 1, "answer": {"options": ["o1"]}, "weight": 1, "count": 2}"#;
        assert_eq!(Record::read(file(ballots).as_bytes()).unwrap().rounds["r1"].ballots.len(), 2);
    }

    #[test]
    fn a_file_without_voters_is_not_a_record() {
        let ballots = r#"{"voter": null, "answer": {"options": ["o1"]}, "weight": 1, "count": 1}"#;
        assert!(Record::read(file(ballots).as_bytes()).is_err());
        assert!(Record::read(b"{}").is_err());
    }
}
