use std::collections::BTreeMap;

use plenum_kernel::election::{Candidate, ElectionRule, MAX_POINTS, Method};

use crate::elections::{CandidateAnswer, Marks};

/// The kind of marks on a ballot of an election.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// Yes, no or abstain for each candidate.
    Answers,
    /// Chosen candidates.
    Choices,
    /// Votes or points for candidates.
    Points,
    /// Ranks.
    Ranking,
    /// A list, and candidates on it.
    List,
}

/// A text that is no mark of a ballot, or too many of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongMarks {
    /// There is none.
    #[error("Please select an answer")]
    None,
    /// It is no mark of this ballot.
    #[error(
        "\"{text}\" is not a mark of this ballot. Please send marks such as {example}, with numbers from 1 to {names}."
    )]
    NoMark {
        /// The text.
        text: String,
        /// Marks of this kind of ballot.
        example: &'static str,
        /// The number of names on the ballot.
        names: u32,
    },
    /// There are more marks than an election can have.
    #[error("Please send at most {0} marks.")]
    TooMany(usize),
    /// The ballot does not name one list.
    #[error("Please select exactly one list.")]
    NotOneList,
}

/// The form of a ballot in an election.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BallotForm {
    /// The kind of its marks.
    pub kind: MarkKind,
    /// The number of names on it, with "none of the above".
    pub names: u32,
    /// The names of the lists. Empty without lists.
    pub lists: Vec<String>,
    /// Whether its points are called points. Otherwise they are votes.
    pub has_points: bool,
}

impl BallotForm {
    /// The form for a rule and this number of candidates.
    pub fn of(rule: &ElectionRule, candidates: usize) -> Self {
        let kind = match &rule.method {
            Method::PerCandidate(_) => MarkKind::Answers,
            Method::Plurality(_) | Method::Approval(_) => MarkKind::Choices,
            Method::Cumulative(_) | Method::Score(_) => MarkKind::Points,
            Method::Irv(_) | Method::StvScottish(_) | Method::Schulze(_) | Method::Borda(_) => MarkKind::Ranking,
            Method::Lists(_) => MarkKind::List,
        };
        let names = u32::try_from(rule.standings(candidates).len()).unwrap_or(u32::MAX);
        let has_points = matches!(rule.method, Method::Score(_));
        Self { kind, names, lists: rule.list_names.clone(), has_points }
    }

    /// Reads the marks of a ballot: `abstain` or `blank` alone, or `3` for a choice, `1:3` for rank 1 of candidate 3, `3=2`
    /// for two votes, `3=yes` for an answer, `list=2` for a list. A mark that contradicts the rules of the election is kept:
    /// the count says what it means.
    ///
    /// # Errors
    /// Refuses what is no mark of this ballot, and more than two marks for each name.
    pub fn read(&self, texts: &[String]) -> Result<Marks, WrongMarks> {
        let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
        match texts[..] {
            [] => return Err(WrongMarks::None),
            ["abstain"] => return Ok(Marks::Abstention),
            ["blank"] => return Ok(Marks::Blank),
            _ if texts.len() > self.most_marks() => return Err(WrongMarks::TooMany(self.most_marks())),
            _ => {}
        }
        match self.kind {
            MarkKind::Answers => {
                let mut answers = self.each(&texts, |text| self.pair(text, answer_of))?;
                answers.sort_by_key(|(candidate, _)| *candidate);
                Ok(Marks::Answers(answers))
            }
            MarkKind::Choices => {
                let mut choices = self.each(&texts, |text| self.candidate(text))?;
                choices.sort_unstable();
                Ok(Marks::Choices(choices))
            }
            MarkKind::Points => {
                let points = |text: &str| text.parse().ok().filter(|points| *points <= MAX_POINTS);
                let mut points = self.each(&texts, |text| self.pair(text, points))?;
                points.sort_unstable();
                Ok(Marks::Points(points))
            }
            MarkKind::Ranking => self.read_ranking(&texts),
            MarkKind::List => self.read_list(&texts),
        }
    }

    /// The marks of a stored answer. `None` for the text of another answer.
    pub(crate) fn stored(&self, text: &str) -> Option<Marks> {
        self.read(&text.split(' ').map(str::to_owned).collect::<Vec<_>>()).ok()
    }

    /// The largest number of marks on a ballot: each name twice, and a list.
    fn most_marks(&self) -> usize {
        self.names as usize * 2 + 1
    }

    fn each<T>(&self, texts: &[&str], read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, WrongMarks> {
        texts.iter().map(|text| read(text).ok_or_else(|| self.no_mark(text))).collect()
    }

    fn no_mark(&self, text: &str) -> WrongMarks {
        let example = match self.kind {
            MarkKind::Answers => "3=yes, 3=no or 3=abstain",
            MarkKind::Choices => "3",
            MarkKind::Points => "3=2",
            MarkKind::Ranking => "1:3",
            MarkKind::List => "list=1, or a candidate as 3",
        };
        WrongMarks::NoMark { text: text.to_owned(), example, names: self.names }
    }

    fn candidate(&self, text: &str) -> Option<Candidate> {
        let number = number_of(text).filter(|number| (1..=self.names).contains(number))?;
        Some(Candidate::numbered(number))
    }

    fn pair<T>(&self, text: &str, value: impl Fn(&str) -> Option<T>) -> Option<(Candidate, T)> {
        let (candidate, content) = text.split_once('=')?;
        Some((self.candidate(candidate)?, value(content)?))
    }

    fn read_ranking(&self, texts: &[&str]) -> Result<Marks, WrongMarks> {
        let rank_of = |text: &str| {
            let (rank, candidate) = text.split_once(':')?;
            Some((number_of(rank).filter(|rank| (1..=self.names).contains(rank))?, self.candidate(candidate)?))
        };
        let mut by_rank: BTreeMap<u32, Vec<Candidate>> = BTreeMap::new();
        for (rank, candidate) in self.each(texts, rank_of)? {
            by_rank.entry(rank).or_default().push(candidate);
        }
        by_rank.values_mut().for_each(|candidates| candidates.sort_unstable());
        let last = by_rank.keys().last().copied().unwrap_or_default();
        Ok(Marks::Ranking((1..=last).map(|rank| by_rank.remove(&rank).unwrap_or_default()).collect()))
    }

    fn read_list(&self, texts: &[&str]) -> Result<Marks, WrongMarks> {
        let list_of = |text: &str| {
            let number = number_of(text.strip_prefix("list=")?)?;
            (1..=self.lists.len()).contains(&(number as usize)).then_some(number)
        };
        let (lists, others): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| text.starts_with("list="));
        let [list] = lists[..] else { return Err(WrongMarks::NotOneList) };
        let list = list_of(list).ok_or_else(|| self.no_mark(list))?;
        let mut candidates = self.each(&others, |text| self.candidate(text))?;
        candidates.sort_unstable();
        Ok(Marks::List { list, candidates })
    }
}

fn number_of(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|letter| letter.is_ascii_digit()) && text.len() <= 4;
    text.parse().ok().filter(|_| is_plain)
}

fn answer_of(text: &str) -> Option<CandidateAnswer> {
    match text {
        "yes" => Some(CandidateAnswer::Yes),
        "no" => Some(CandidateAnswer::No),
        "abstain" => Some(CandidateAnswer::Abstain),
        _ => None,
    }
}

const fn answer_word(answer: CandidateAnswer) -> &'static str {
    match answer {
        CandidateAnswer::Yes => "yes",
        CandidateAnswer::No => "no",
        CandidateAnswer::Abstain => "abstain",
    }
}

/// The marks in the notation of [`BallotForm::read`], in one order for equal marks.
pub(crate) fn notation(marks: &Marks) -> Vec<String> {
    let number = |candidate: &Candidate| candidate.number().to_string();
    match marks {
        Marks::Abstention => vec!["abstain".to_owned()],
        Marks::Blank => vec!["blank".to_owned()],
        Marks::Choices(choices) => choices.iter().map(number).collect(),
        Marks::Answers(answers) => {
            let mark = |(candidate, answer): &(Candidate, CandidateAnswer)| {
                format!("{}={}", candidate.number(), answer_word(*answer))
            };
            answers.iter().map(mark).collect()
        }
        Marks::Points(points) => {
            points.iter().map(|(candidate, points)| format!("{}={points}", candidate.number())).collect()
        }
        Marks::Ranking(ranks) => {
            let of_rank = |(rank, candidates): (usize, &Vec<Candidate>)| {
                candidates.iter().map(move |candidate| format!("{rank}:{}", candidate.number())).collect::<Vec<_>>()
            };
            (1..).zip(ranks).flat_map(of_rank).collect()
        }
        Marks::List { list, candidates } => {
            std::iter::once(format!("list={list}")).chain(candidates.iter().map(number)).collect()
        }
    }
}

/// The marks in words, one text for each: "1. Anna", "Bert: yes", "Carla: 2 votes".
pub(crate) fn in_words(marks: &Marks, names: &[String], form: &BallotForm) -> Vec<String> {
    let name = |candidate: &Candidate| {
        let known = candidate.place().and_then(|place| names.get(place));
        known.map_or("None of the above", String::as_str)
    };
    match marks {
        Marks::Abstention => vec!["Abstain".to_owned()],
        Marks::Blank => vec!["Blank".to_owned()],
        Marks::Choices(choices) => choices.iter().map(|candidate| name(candidate).to_owned()).collect(),
        Marks::Answers(answers) => {
            answers.iter().map(|(candidate, answer)| format!("{}: {}", name(candidate), answer_word(*answer))).collect()
        }
        Marks::Points(points) => {
            let mark = |(candidate, points): &(Candidate, u32)| {
                let unit = match (form.has_points, *points) {
                    (true, 1) => "point",
                    (true, _) => "points",
                    (false, 1) => "vote",
                    (false, _) => "votes",
                };
                format!("{}: {points} {unit}", name(candidate))
            };
            points.iter().map(mark).collect()
        }
        Marks::Ranking(ranks) => {
            let of_rank = |(rank, candidates): (usize, &Vec<Candidate>)| {
                candidates.iter().map(|candidate| format!("{rank}. {}", name(candidate))).collect::<Vec<_>>()
            };
            (1..).zip(ranks).flat_map(of_rank).collect()
        }
        Marks::List { list, candidates } => {
            let named = form.lists.get((*list as usize).wrapping_sub(1)).map_or("?", String::as_str);
            let chosen = candidates.iter().map(|candidate| name(candidate).to_owned());
            std::iter::once(format!("List: {named}")).chain(chosen).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(kind: MarkKind) -> BallotForm {
        BallotForm { kind, names: 3, lists: vec!["Greens".to_owned(), "Reds".to_owned()], has_points: false }
    }

    fn read(kind: MarkKind, texts: &[&str]) -> Result<Marks, WrongMarks> {
        form(kind).read(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    /// The marks as they are stored, and in words.
    fn told(kind: MarkKind, texts: &[&str]) -> (String, String) {
        let marks = read(kind, texts).unwrap();
        let names = ["Anna", "Bert"].map(str::to_owned);
        (notation(&marks).join(" "), in_words(&marks, &names, &form(kind)).join(", "))
    }

    #[test]
    fn each_kind_of_marks_has_a_notation_and_words() {
        let of = |stored: &str, words: &str| (stored.to_owned(), words.to_owned());
        for (kind, texts, expected) in [
            (MarkKind::Choices, &["2", "1"][..], of("1 2", "Anna, Bert")),
            (MarkKind::Choices, &["3"], of("3", "None of the above")),
            (MarkKind::Answers, &["2=no", "1=yes"], of("1=yes 2=no", "Anna: yes, Bert: no")),
            (MarkKind::Points, &["2=1", "1=5"], of("1=5 2=1", "Anna: 5 votes, Bert: 1 vote")),
            (MarkKind::Ranking, &["2:1", "1:2"], of("1:2 2:1", "1. Bert, 2. Anna")),
            (MarkKind::List, &["2", "list=1"], of("list=1 2", "List: Greens, Bert")),
            (MarkKind::Ranking, &["abstain"], of("abstain", "Abstain")),
            (MarkKind::List, &["blank"], of("blank", "Blank")),
        ] {
            assert_eq!(told(kind, texts), expected);
            let stored: Vec<&str> = expected.0.split(' ').collect();
            assert_eq!(read(kind, &stored), read(kind, texts), "what is stored is read again");
        }
    }

    #[test]
    fn skipped_repeated_and_equal_ranks_are_kept_as_they_are() {
        for texts in [&["1:1", "3:2"][..], &["1:1", "2:1"], &["1:1", "1:2"]] {
            assert_eq!(told(MarkKind::Ranking, texts).0, texts.join(" "));
        }
        assert_eq!(told(MarkKind::Choices, &["2", "2"]).0, "2 2");
    }

    #[test]
    fn what_is_no_mark_of_the_ballot_is_refused() {
        for (kind, text) in [
            (MarkKind::Choices, "4"),
            (MarkKind::Choices, "0"),
            (MarkKind::Choices, "+1"),
            (MarkKind::Choices, "1:1"),
            (MarkKind::Choices, "Anna"),
            (MarkKind::Answers, "1"),
            (MarkKind::Answers, "1=perhaps"),
            (MarkKind::Points, "1=-1"),
            (MarkKind::Points, "1=1001"),
            (MarkKind::Ranking, "0:1"),
            (MarkKind::Ranking, "4:1"),
            (MarkKind::Ranking, "1:"),
            (MarkKind::List, "list=3"),
        ] {
            assert!(matches!(read(kind, &[text]), Err(WrongMarks::NoMark { .. })), "{text}");
        }
        assert_eq!(read(MarkKind::List, &["1"]), Err(WrongMarks::NotOneList));
        assert_eq!(read(MarkKind::List, &["list=1", "list=1"]), Err(WrongMarks::NotOneList));
        assert_eq!(read(MarkKind::Choices, &["1"; 8]), Err(WrongMarks::TooMany(7)));
        assert_eq!(read(MarkKind::Choices, &[" "]), Err(WrongMarks::None));
        assert!(read(MarkKind::Choices, &["abstain", "1"]).is_err(), "an abstention stands alone");
    }
}
