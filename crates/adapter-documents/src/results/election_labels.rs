//! The texts of an election in documents.

use plenum_result_format::{
    ElectionResult, ElectionTieFormat, RoundResult, StageFormat, SumFormat, TieDeciderName, TieDecisionFormat,
    TieMatterName, VacanciesFormat,
};
use rust_decimal::Decimal;

use super::labels::grouped;

/// What documents say beside a count that elects nobody.
pub(super) const QUORUM_MISSED: &str = "The quorum was missed, so nobody is elected.";

/// The texts of the election of a round. `None` for other types.
pub(super) struct ElectionLabels<'a> {
    pub(super) election: &'a ElectionResult,
    /// The sealed ballots that could not be read. They are invalid, and not in the count.
    unread: u64,
    /// Whether the quorum was missed. Then the count elects nobody, leaves no tie to decide, and gives no list a seat.
    pub(super) is_quorum_missed: bool,
}

impl<'a> ElectionLabels<'a> {
    pub(super) fn of(result: &'a RoundResult) -> Option<Self> {
        let is_quorum_missed = result.is_quorum_missed();
        let unread = result.invalid.heads;
        result.election.as_deref().map(|election| Self { election, unread, is_quorum_missed })
    }

    /// The sentences of a stage: what happened, and then one for each candidate whom it elects.
    pub(super) fn words(&self, stage: &'a StageFormat) -> &'a [String] {
        let elected = self.election.elected.iter().filter(|elected| elected.stage == stage.number);
        let left_out = if self.is_quorum_missed { elected.count() } else { 0 };
        stage.words.get(..stage.words.len().saturating_sub(left_out)).unwrap_or_default()
    }

    /// The tie at which the count ended.
    pub(super) fn open_tie(&self) -> Option<&'a ElectionTieFormat> {
        self.election.tie.as_ref().filter(|_| !self.is_quorum_missed)
    }

    /// The vacant seats of a complete count.
    pub(super) fn vacancies(&self) -> Option<&'a VacanciesFormat> {
        self.election.vacancies.as_ref().filter(|_| !self.is_quorum_missed)
    }

    /// The name of a candidate.
    pub(super) fn name(&self, number: u32) -> &'a str {
        let known = self.election.candidates.iter().find(|candidate| candidate.number == number);
        known.map_or("(no such candidate)", |candidate| candidate.name.as_str())
    }

    /// The name of a list.
    fn list(&self, number: u32) -> &'a str {
        let lists = self.election.lists.iter().flatten();
        lists.into_iter().find(|list| list.list == number).map_or("(no such list)", |list| list.name.as_str())
    }

    /// "120 ballots: 112 valid, 6 abstentions, 2 invalid", with sealed ballots that could not be read.
    pub(super) fn ballots(&self) -> String {
        let ballots = &self.election.ballots;
        let count =
            |heads: u64, one: &str, more: &str| format!("{} {}", grouped(heads), if heads == 1 { one } else { more });
        let with_unread = |sum: &SumFormat| sum.heads.saturating_add(self.unread);
        format!(
            "{}: {}, {}, {}",
            count(with_unread(&ballots.cast), "ballot", "ballots"),
            count(ballots.valid.heads, "valid", "valid"),
            count(ballots.abstentions.heads, "abstention", "abstentions"),
            count(with_unread(&ballots.invalid), "invalid", "invalid"),
        )
    }

    /// The number of votes of a candidate at the end of a stage, for people. A dash if the candidate took no part.
    pub(super) fn votes_at(stage: &StageFormat, candidate: u32) -> String {
        let votes = stage.votes.iter().find(|votes| votes.candidate == candidate);
        votes.map_or_else(|| "–".to_owned(), |votes| votes.votes.clone())
    }

    /// The sentences of a decision of a tie.
    pub(super) fn decision(&self, decision: &TieDecisionFormat) -> String {
        let order: Vec<&str> = decision.order.iter().map(|number| self.tied_name(decision, *number)).collect();
        let how = match (decision.by, &decision.seed) {
            (TieDeciderName::Lot, Some(seed)) => format!("Plenum drew the lot from the seed {seed}"),
            _ => {
                let drawn_by = decision.drawn_by.as_deref().unwrap_or("unknown");
                let witness = decision.witnessed_by.as_deref().unwrap_or("nobody");
                format!("Lot by hand, drawn by {drawn_by}, seen by {witness}")
            }
        };
        format!("{} {how}: {}.", decision.tie.words, order.join(", "))
    }

    fn tied_name(&self, decision: &TieDecisionFormat, number: u32) -> &'a str {
        if decision.tie.matter == TieMatterName::ListSeats { self.list(number) } else { self.name(number) }
    }

    /// The marks of a ballot in words: "1. Anna; 2. Bert".
    pub(super) fn marks(&self, notation: &str) -> String {
        let number = |text: &str| text.parse().unwrap_or(0);
        let word = |mark: &str| match (mark.split_once(':'), mark.split_once('=')) {
            (Some((rank, candidate)), _) => format!("{rank}. {}", self.name(number(candidate))),
            (None, Some(("list", list))) => format!("List: {}", self.list(number(list))),
            (None, Some((candidate, answer))) => format!("{}: {answer}", self.name(number(candidate))),
            (None, None) if mark == "abstain" => "Abstain".to_owned(),
            (None, None) if mark == "blank" => "Blank".to_owned(),
            (None, None) => self.name(number(mark)).to_owned(),
        };
        notation.split(' ').map(word).collect::<Vec<_>>().join("; ")
    }
}

/// A number of an election, which is an exact decimal as text.
pub(super) fn amount(text: &str) -> Option<Decimal> {
    text.parse().ok()
}
