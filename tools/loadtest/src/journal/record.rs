use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::failure::LoadFailure;

/// The server's record of its rounds: the exported results, which list the ballots of named votes by voter, and the
/// receipts of secret votes.
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
    /// The listed ballots. Empty for a secret round.
    pub ballots: Vec<RecordedBallot>,
    /// The opened urn of a secret round.
    pub urn: Option<RecordedUrn>,
}

/// The opened urn of a secret round, with the voters who are marked as having voted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedUrn {
    /// The receipts of all envelopes.
    pub receipts: Vec<String>,
    /// The usernames of those who have voted.
    pub voted: BTreeSet<String>,
    /// The number of envelopes that did not open, or had no fitting answer.
    pub invalid: u64,
    /// The number of ballots with each answer, whose options are sorted.
    pub answers: BTreeMap<Vec<String>, u64>,
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
    /// Fails when the file is not an export, or its votes are neither named nor secret.
    pub fn read(file: &[u8]) -> Result<Self, LoadFailure> {
        let unreadable = |text: String| LoadFailure::Unreadable { what: "the export of the results".to_owned(), text };
        let file: File = serde_json::from_slice(file).map_err(|error| unreadable(error.to_string()))?;
        let mut rounds = BTreeMap::new();
        for round in file.rounds {
            let id = round.result.round_id.clone();
            let recorded = round
                .into_recorded()
                .ok_or_else(|| unreadable(format!("the votes of round {id} are not named or secret")))?;
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
    urn: Option<Urn>,
}

#[derive(Deserialize)]
struct Urn {
    receipts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RoundResult {
    round_id: String,
    votes_cast: Count,
    #[serde(default)]
    invalid: Count,
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

#[derive(Default, Deserialize)]
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
#[serde(rename_all = "camelCase")]
struct Registered {
    place: u32,
    username: String,
    #[serde(default)]
    has_voted: bool,
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
    /// `None` for a ballot without a voter in a round that is not secret.
    fn into_recorded(mut self) -> Option<RecordedRound> {
        if let Some(urn) = self.urn.take() {
            return Some(self.into_secret(urn));
        }
        let options = self.result.option_texts();
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
        Some(RecordedRound { counted: self.result.votes_cast.heads, heads: self.result.heads(), ballots, urn: None })
    }

    fn into_secret(self, urn: Urn) -> RecordedRound {
        let options = self.result.option_texts();
        let mut answers: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for ballot in self.ballots {
            let mut answer = texts(ballot.answer, &options);
            answer.sort_unstable();
            *answers.entry(answer).or_default() += ballot.count;
        }
        let voted = self.register.into_iter().filter(|entry| entry.has_voted).map(|entry| entry.username).collect();
        let urn = RecordedUrn { receipts: urn.receipts, voted, invalid: self.result.invalid.heads, answers };
        let (counted, heads) = (self.result.votes_cast.heads, self.result.heads());
        RecordedRound { counted, heads, ballots: Vec::new(), urn: Some(urn) }
    }
}

impl RoundResult {
    fn option_texts(&self) -> BTreeMap<&str, &str> {
        self.options.iter().map(|option| (option.id.as_str(), option.text.as_str())).collect()
    }

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
    fn the_urn_of_a_secret_round_is_read_with_its_marks_and_sums() {
        let file = r#"{"rounds": [{
            "result": {"roundId": "r1", "votesCast": {"heads": 3}, "invalid": {"heads": 1, "weight": 1},
                "options": [{"id": "o1", "text": "Yes", "heads": 2}, {"id": "o2", "text": "No", "heads": 2}]},
            "register": [{"place": 1, "username": "anna", "hasVoted": true}, {"place": 2, "username": "ben", "hasVoted": false}],
            "ballots": [{"voter": null, "answer": {"options": ["o1", "o2"]}, "weight": 1, "count": 1},
                {"voter": null, "answer": {"options": ["o1"]}, "weight": 1, "count": 2}],
            "urn": {"openedAt": "2026-11-22T04:00:00Z", "receipts": ["AAAA", "BBBB"], "envelopesHash": "", "publicKey": ""}
        }]}"#;
        let round = &Record::read(file.as_bytes()).unwrap().rounds["r1"];
        let urn = round.urn.clone().unwrap();
        assert_eq!((round.counted, round.ballots.len(), urn.invalid), (3, 0, 1));
        assert_eq!((urn.receipts, urn.voted), (vec!["AAAA".to_owned(), "BBBB".to_owned()], ["anna".to_owned()].into()));
        let answer = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(urn.answers, [(answer(&["No", "Yes"]), 1), (answer(&["Yes"]), 2)].into());
    }

    #[test]
    fn a_file_without_voters_is_not_a_record() {
        let ballots = r#"{"voter": null, "answer": {"options": ["o1"]}, "weight": 1, "count": 1}"#;
        assert!(Record::read(file(ballots).as_bytes()).is_err());
        assert!(Record::read(b"{}").is_err());
    }
}
