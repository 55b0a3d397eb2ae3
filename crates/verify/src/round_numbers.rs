//! Whether the rounds of each question are numbered without a gap.

use std::collections::{HashMap, HashSet};

use plenum_result_format::ResultsFile;
use uuid::Uuid;

use crate::report::Differences;

/// A re-vote has the number after that of the round before it, which is in the file, too: with its result, or among those that are
/// not counted. So nobody can leave out a round that was repeated.
///
/// The file of a deleted meeting contains nothing but records of declared results, so the round before may have had none. If some
/// records are damaged, nobody knows their numbers, and the file is refused because of them.
pub(crate) fn check_numbers(found: &mut Differences, file: &ResultsFile) {
    let has_only_records = file.closings.is_none() && file.rounds.iter().all(|round| round.seal.is_some());
    let is_complete = !has_only_records && file.damaged.is_empty();
    let mut listed = ListedRounds::of(file);
    let mut check = |at: String, question: Uuid, number: u32| {
        if number == 0 || (is_complete && number > 1 && !listed.has(question, number - 1)) {
            found.wants(at, number, "the number after that of the round before");
        }
    };
    for (index, round) in file.rounds.iter().enumerate() {
        check(format!("rounds.{index}.result.number"), round.result.question_id, round.result.number);
    }
    for (index, round) in file.uncounted.iter().enumerate() {
        if let Some(question) = round.question_id {
            check(format!("uncounted.{index}.number"), question, round.number);
        }
    }
}

/// The rounds in a file.
struct ListedRounds {
    /// The questions and numbers of the rounds.
    known: HashSet<(Uuid, u32)>,
    /// How many uncounted rounds have this number and do not name their question, as in files of earlier versions. Their positions
    /// do not tell it, because the agenda can be in another order than when a result was declared.
    nameless: HashMap<u32, usize>,
}

impl ListedRounds {
    fn of(file: &ResultsFile) -> Self {
        let mut known: HashSet<_> =
            file.rounds.iter().map(|round| (round.result.question_id, round.result.number)).collect();
        let mut nameless: HashMap<u32, usize> = HashMap::new();
        for round in &file.uncounted {
            if let Some(question) = round.question_id {
                known.insert((question, round.number));
            } else {
                *nameless.entry(round.number).or_default() += 1;
            }
        }
        Self { known, nameless }
    }

    /// Whether the round is in the file. One without a question is taken for one round only.
    fn has(&mut self, question: Uuid, number: u32) -> bool {
        if self.known.contains(&(question, number)) {
            return true;
        }
        let Some(left) = self.nameless.get_mut(&number).filter(|left| **left > 0) else { return false };
        *left -= 1;
        true
    }
}
