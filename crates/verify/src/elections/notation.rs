//! The notation of marks in files: candidates by number.

use std::collections::BTreeSet;

use plenum_result_format::{ElectionRuleFormat, MethodName, RoundFile};

use super::papers::BallotMarks;

/// The number of names on the ballot, with "none of the above".
pub(crate) fn names(round: &RoundFile, rule: &ElectionRuleFormat) -> usize {
    round.result.options.len() + usize::from(rule.none_of_the_above)
}

/// The most marks on a ballot with this many names: each name twice, and a list.
pub(crate) const fn most_marks(names: usize) -> usize {
    names * 2 + 1
}

/// The marks of a stored ballot, by the notation of the API. `None` if it is not a ballot of this election.
pub(crate) fn marks_of(text: &str, round: &RoundFile, rule: &ElectionRuleFormat) -> Option<BallotMarks> {
    let (method, names) = (rule.method, names(round, rule));
    let texts: Vec<&str> = text.split(' ').take(most_marks(names) + 1).collect();
    match texts[..] {
        ["abstain"] => return Some(BallotMarks::Abstain),
        ["blank"] => return Some(BallotMarks::None),
        _ if texts.len() > most_marks(names) => return None,
        _ => {}
    }
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
    match method {
        MethodName::Plurality | MethodName::Approval => {
            texts.iter().map(|text| number(text)).collect::<Option<_>>().map(BallotMarks::Chosen)
        }
        MethodName::PerCandidate => {
            let answer = |text: &&str| {
                let (candidate, answer) = text.split_once('=')?;
                let answer = match answer {
                    "yes" => Some(true),
                    "no" => Some(false),
                    "abstain" => None,
                    _ => return None,
                };
                Some((number(candidate)?, answer))
            };
            texts.iter().map(answer).collect::<Option<_>>().map(BallotMarks::Answers)
        }
        MethodName::Cumulative | MethodName::Score => {
            let points =
                |text: &&str| text.split_once('=').and_then(|(one, two)| Some((number(one)?, two.parse().ok()?)));
            texts.iter().map(points).collect::<Option<_>>().map(BallotMarks::Points)
        }
        MethodName::Irv | MethodName::StvScottish | MethodName::Schulze | MethodName::Borda => ranks_of(&texts, names),
        MethodName::Lists => {
            let (lists, others): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| text.starts_with("list="));
            let [list] = lists[..] else { return None };
            let candidates = others.iter().map(|text| number(text)).collect::<Option<_>>()?;
            Some(BallotMarks::List(number(list.strip_prefix("list=")?)?, candidates))
        }
    }
}

/// The ranks, each of which is at most the number of names.
fn ranks_of(texts: &[&str], names: usize) -> Option<BallotMarks> {
    let mark = |text: &&str| {
        let (rank, candidate) = text.split_once(':')?;
        let rank = rank.parse::<u32>().ok().filter(|rank| (1..=names).contains(&(*rank as usize)))?;
        Some((rank, candidate.parse().ok().filter(|number| *number > 0)?))
    };
    let mut ranks: Vec<(u32, u32)> = texts.iter().map(mark).collect::<Option<_>>()?;
    ranks.sort_by_key(|(rank, _)| *rank);
    Some(BallotMarks::Ranks(ranks))
}

/// The candidates for whom a ballot counts at once: chosen, with a yes or points, or in the first rank.
pub(crate) fn named_first(marks: &BallotMarks) -> BTreeSet<u32> {
    match marks {
        BallotMarks::Abstain | BallotMarks::None => BTreeSet::new(),
        BallotMarks::Chosen(chosen) | BallotMarks::List(_, chosen) => chosen.iter().copied().collect(),
        BallotMarks::Answers(answers) => {
            answers.iter().filter(|(_, answer)| *answer == Some(true)).map(|(number, _)| *number).collect()
        }
        BallotMarks::Points(points) => {
            points.iter().filter(|(_, points)| *points > 0).map(|(number, _)| *number).collect()
        }
        BallotMarks::Ranks(ranks) => {
            let first = ranks.first().map(|(rank, _)| *rank);
            ranks.iter().filter(|(rank, _)| Some(*rank) == first).map(|(_, number)| *number).collect()
        }
    }
}
