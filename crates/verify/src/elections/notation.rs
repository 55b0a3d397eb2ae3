//! The notation of marks in files: candidates by number.

use std::collections::BTreeSet;

use plenum_result_format::MethodName;

use super::papers::BallotMarks;

/// The marks of a stored ballot, by the notation of the API. `None` if it is no ballot of an election.
pub(crate) fn marks_of(text: &str, method: MethodName) -> Option<BallotMarks> {
    let texts: Vec<&str> = text.split(' ').collect();
    match texts[..] {
        ["abstain"] => return Some(BallotMarks::Abstain),
        ["blank"] => return Some(BallotMarks::None),
        _ => {}
    }
    let number = |text: &str| text.parse::<u32>().ok();
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
            let points = |text: &&str| text.split_once('=').and_then(|(one, two)| Some((number(one)?, number(two)?)));
            texts.iter().map(points).collect::<Option<_>>().map(BallotMarks::Points)
        }
        MethodName::Irv | MethodName::StvScottish | MethodName::Schulze | MethodName::Borda => ranks_of(&texts),
        MethodName::Lists => {
            let (lists, others): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| text.starts_with("list="));
            let [list] = lists[..] else { return None };
            let candidates = others.iter().map(|text| number(text)).collect::<Option<_>>()?;
            Some(BallotMarks::List(number(list.strip_prefix("list=")?)?, candidates))
        }
    }
}

fn ranks_of(texts: &[&str]) -> Option<BallotMarks> {
    let mut ranks: Vec<Vec<u32>> = Vec::new();
    for text in texts {
        let (rank, candidate) = text.split_once(':')?;
        let (rank, candidate) = (rank.parse::<usize>().ok()?, candidate.parse().ok()?);
        if rank == 0 || rank > 2_000 {
            return None;
        }
        if ranks.len() < rank {
            ranks.resize(rank, Vec::new());
        }
        ranks[rank - 1].push(candidate);
    }
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
            ranks.iter().find(|rank| !rank.is_empty()).into_iter().flatten().copied().collect()
        }
    }
}
