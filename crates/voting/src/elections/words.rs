use super::{
    Action, DecidedBy, Effect, Elected, ElectedBy, ExclusionReason, Fault, FaultSum, Quota, ResolvedBy, ResolvedTie,
    Stage, Tie, TieMatter, Vacancies, VacancyReason, Votes,
};
use plenum_kernel::election::Candidate;
use plenum_kernel::listed;

/// The words for a count: sentences as a chair reads them out.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The names of the candidates, in the order of their numbers.
    pub names: &'a [String],
    /// The least decimals of votes.
    pub decimals: usize,
}

impl Words<'_> {
    /// The name of a candidate.
    pub fn name(&self, candidate: Candidate) -> &str {
        let name = candidate.place().and_then(|place| self.names.get(place));
        name.map_or("?", String::as_str)
    }

    /// A number of votes.
    pub fn votes(&self, votes: Votes) -> String {
        votes.text(self.decimals)
    }

    /// "3 votes", or "1 vote".
    fn counted(&self, votes: Votes) -> String {
        let text = self.votes(votes);
        let unit = if text == "1" { "vote" } else { "votes" };
        format!("{text} {unit}")
    }

    /// What happened in a stage: "Bert had the fewest votes and was excluded."
    pub fn action(&self, stage: &Stage) -> String {
        match &stage.action {
            Action::Count if stage.quota.is_some() => "The first preferences were counted.".to_owned(),
            Action::Count => "The ballots were counted.".to_owned(),
            Action::NextSeat => "The count began again for the next seat, without the elected candidates.".to_owned(),
            Action::Surplus { of, surplus, tie } => {
                let surplus = self.counted(*surplus);
                let moved = format!("The surplus of {}, {surplus}, was transferred.", self.name(*of));
                self.after(tie.as_ref(), moved)
            }
            Action::Exclusion { of, why, tie } => {
                let names = self.listed(of);
                let (were, have) = if of.len() == 1 { ("was", "has") } else { ("were", "have") };
                let excluded = match why {
                    ExclusionReason::FewestVotes => format!("{names} had the fewest votes and {were} excluded."),
                    ExclusionReason::NoVotes => format!("{names} had no votes and {were} excluded."),
                    ExclusionReason::TooLittleSupport => {
                        format!("{names} {have} too little support and {were} excluded.")
                    }
                };
                self.after(tie.as_ref(), excluded)
            }
        }
    }

    /// The sentence, after that about the tie before it.
    fn after(&self, tie: Option<&ResolvedTie>, sentence: String) -> String {
        match tie {
            Some(tie) => format!("{} {sentence}", self.resolved(tie)),
            None => sentence,
        }
    }

    /// The votes that a candidate needs: "The quota is 825.00000."
    pub fn quota(&self, quota: Quota) -> String {
        if quota.is_enough {
            return format!("The quota is {}.", self.votes(quota.votes));
        }
        let votes = self.counted(quota.votes);
        let are = if votes == "1 vote" { "is" } else { "are" };
        format!("More than {votes} {are} needed.")
    }

    /// Why a candidate is elected.
    pub fn elected(&self, elected: &Elected) -> String {
        let name = self.name(elected.candidate);
        match elected.by {
            ElectedBy::Quota => format!("{name} has the quota and is elected."),
            ElectedBy::Majority => format!("{name} has more than half of the votes and is elected."),
            ElectedBy::LastVacancies => format!("{name} is elected, because no more candidates are left than seats."),
            ElectedBy::RequiredShare => format!("{name} has the required share of votes and is elected."),
            ElectedBy::MostVotes | ElectedBy::Order => format!("{name} is elected."),
            ElectedBy::ListSeat(list) => format!("{name} is elected for list {list}."),
            ElectedBy::TieDecision(by) => format!("{name} is elected. {}", decider(by)),
        }
    }

    /// A tie that waits for a decision.
    pub fn tie(&self, tie: &Tie) -> String {
        let left = |seats: u32| if seats == 1 { "1 seat is".to_owned() } else { format!("{seats} seats are") };
        match &tie.matter {
            TieMatter::Seats { candidates, seats } => {
                format!("{} are equal, and {} left for them.", self.listed(candidates), left(*seats))
            }
            TieMatter::Exclusion { candidates } => {
                let (names, stage) = (self.listed(candidates), tie.stage);
                format!("{names} are equal, and one of them must be excluded at stage {stage}.")
            }
            TieMatter::FirstSurplus { candidates } => {
                let (names, stage) = (self.listed(candidates), tie.stage);
                format!("The surpluses of {names} are equal, and one of them must be transferred at stage {stage}.")
            }
            TieMatter::ListSeats { lists, seats } => {
                let lists: Vec<String> = lists.iter().map(u32::to_string).collect();
                format!("Lists {} have equal quotients, and {} left for them.", listed(&lists), left(*seats))
            }
        }
    }

    /// A tie that was decided.
    pub fn resolved(&self, resolved: &ResolvedTie) -> String {
        let equal = match &resolved.tie.matter {
            TieMatter::Seats { candidates, .. } | TieMatter::Exclusion { candidates } => {
                format!("{} were equal.", self.listed(candidates))
            }
            TieMatter::FirstSurplus { candidates } => {
                format!("The surpluses of {} were equal.", self.listed(candidates))
            }
            TieMatter::ListSeats { lists, .. } => {
                let lists: Vec<String> = lists.iter().map(u32::to_string).collect();
                format!("Lists {} had equal quotients.", listed(&lists))
            }
        };
        match resolved.by {
            ResolvedBy::EarlierStage(stage) => format!("{equal} Their votes at stage {stage} decided."),
            ResolvedBy::NoDifference => format!("{equal} Their order makes no difference."),
            ResolvedBy::Decision(by) => format!("{equal} {}", decider(by)),
        }
    }

    /// Why seats stay vacant.
    pub fn vacancies(&self, vacancies: Vacancies) -> String {
        let seats = match vacancies.seats {
            1 => "1 seat stays vacant".to_owned(),
            seats => format!("{seats} seats stay vacant"),
        };
        let why = match vacancies.why {
            VacancyReason::TooFewCandidates => "there are fewer candidates than seats",
            VacancyReason::NoVotes => "nobody else has votes",
            VacancyReason::RequirementMissed => "nobody else has the required share of votes",
            VacancyReason::NoneOfTheAbove => "none of the above is ahead",
        };
        format!("{seats}: {why}.")
    }

    /// A fault of ballots, with its effect: "Ballots with a skipped rank, valid up to there: 3".
    pub fn fault(&self, sum: &FaultSum) -> String {
        let fault = match sum.fault {
            Fault::Blank => "no mark",
            Fault::OnlyWithdrawn => "marks for withdrawn candidates only",
            Fault::Withdrawn => "a mark for a withdrawn candidate",
            Fault::OtherMethod => "marks of another method",
            Fault::NoSuchCandidate => "a number that nobody has",
            Fault::TooFew => "too few marks",
            Fault::TooMany => "too many marks",
            Fault::Repeated => "a candidate marked twice",
            Fault::SkippedRank => "a skipped rank",
            Fault::EqualRank => "several candidates in one rank",
            Fault::TooManyForOne => "too many votes for one candidate",
            Fault::NoneAndOthers => "none of the above beside candidates",
            Fault::OtherList => "a candidate of another list",
        };
        let effect = match sum.effect {
            Effect::PassedOver => "passed over",
            Effect::CutThere => "valid up to there",
            Effect::Invalid => "invalid",
            Effect::Abstains => "counted as abstentions",
            Effect::ValidForNobody => "valid for nobody",
        };
        format!("Ballots with {fault}, {effect}: {}", sum.ballots.voters)
    }

    fn listed(&self, candidates: &[Candidate]) -> String {
        let names: Vec<String> = candidates.iter().map(|candidate| self.name(*candidate).to_owned()).collect();
        listed(&names)
    }
}

const fn decider(by: DecidedBy) -> &'static str {
    match by {
        DecidedBy::Lot => "The tie was decided by a lot drawn from the seed.",
        DecidedBy::LotByHand => "The tie was decided by a lot drawn by hand.",
        DecidedBy::RunOff => "The tie was decided by another ballot.",
    }
}
