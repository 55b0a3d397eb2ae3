//! The terms of an election in sentences, for readers of files and minutes.

use plenum_kernel::capitalized;

use crate::{
    AbstentionsName, BlankName, BordaScaleName, ComparisonName, DivisorsName, ElectionRuleFormat, ListOrderName,
    MethodName, RefusedSeatName, RepetitionName, ShareBaseName, ShareFormat, StrengthName, TieRuleName,
    TooManyRankedName, TreatmentName, UnansweredName, UnrankedName, YesRankingName,
};

impl ShareBaseName {
    /// The base in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::YesAndNo => "yes and no for the candidate",
            Self::ValidBallots => "the valid ballots",
            Self::VotesCast => "the votes cast",
            Self::Register => "the whole register",
            Self::Present => "those present",
        }
    }
}

impl ShareFormat {
    /// "more than 1/2 of the votes cast".
    pub fn words(&self) -> String {
        let Self { base, comparison, numerator, denominator } = self;
        format!("{} {numerator}/{denominator} of {}", comparison.words(), base.words())
    }
}

/// The terms as sentences, the last one without a full stop: "an election of 1 person by the most votes, counted by heads. A
/// candidate needs more than 1/2 of the votes cast. Abstentions are votes cast. …".
pub(crate) fn election_words(rule: &ElectionRuleFormat) -> String {
    let mut sentences = vec![head(rule)];
    sentences.extend(requirement(rule));
    sentences.extend(of_method(rule));
    sentences.extend(general(rule));
    sentences.join(". ")
}

/// "an election of 5 persons by single transferable vote (Scottish rules), counted by heads".
fn head(rule: &ElectionRuleFormat) -> String {
    let seats = match rule.seats {
        None => "an election of everybody who has enough votes".to_owned(),
        Some(1) => "an election of 1 person".to_owned(),
        Some(seats) => format!("an election of {seats} persons"),
    };
    format!("{seats} by {}, counted by {}", rule.method.words(), rule.unit.words())
}

/// The share that elects. `per_candidate` has one in any case.
fn requirement(rule: &ElectionRuleFormat) -> Option<String> {
    let (base, comparison) = (ShareBaseName::YesAndNo, ComparisonName::MoreThan);
    let majority = ShareFormat { base, comparison, numerator: 1, denominator: 2 };
    let usual = (rule.method == MethodName::PerCandidate).then_some(majority);
    rule.requirement.or(usual).map(|share| format!("A candidate needs {}", share.words()))
}

fn of_method(rule: &ElectionRuleFormat) -> Vec<String> {
    match rule.method {
        MethodName::PerCandidate => answers(rule),
        MethodName::Plurality | MethodName::Approval => choices(rule),
        MethodName::Cumulative => votes(rule),
        MethodName::Score => points(rule),
        MethodName::Irv => {
            let by_stages = rule.ties_by_earlier_stages == Some(true);
            let by_stages = by_stages.then(|| "A tie is decided by the earlier stages first".to_owned());
            ranks(rule).into_iter().chain(by_stages).collect()
        }
        MethodName::StvScottish => ranks(rule),
        MethodName::Schulze => {
            let strength = rule.strength.map(|strength| match strength {
                StrengthName::WinningVotes => "A victory is as strong as the votes for the winner",
                StrengthName::Margins => "A victory is as strong as the difference between the votes of the two",
            });
            ranks(rule).into_iter().chain(strength.map(str::to_owned)).collect()
        }
        MethodName::Borda => borda(rule),
        MethodName::Lists => lists(rule),
    }
}

fn answers(rule: &ElectionRuleFormat) -> Vec<String> {
    let most = match rule.yes_ranking.unwrap_or(YesRankingName::Yes) {
        YesRankingName::Yes => "those with the most yes are elected",
        YesRankingName::YesLessNo => "those with the largest difference between yes and no are elected",
    };
    let ranking = rule.seats.map(|_| format!("If more candidates have it than there are seats, {most}"));
    let unanswered = match rule.unanswered.unwrap_or(UnansweredName::Abstains) {
        UnansweredName::Abstains => "A ballot without an answer for a candidate abstains for this candidate",
        UnansweredName::Invalid => "A ballot without an answer for a candidate is invalid",
    };
    ranking.into_iter().chain([unanswered.to_owned()]).collect()
}

fn choices(rule: &ElectionRuleFormat) -> Vec<String> {
    let number = limits(rule.least_choices.unwrap_or(1), rule.most_choices);
    let repeated = match rule.repeated_choices.unwrap_or(RepetitionName::CountsOnce) {
        RepetitionName::CountsOnce => "A candidate who is chosen twice on a ballot counts once",
        RepetitionName::Invalid => "A ballot that chooses a candidate twice is invalid",
    };
    vec![format!("A ballot chooses {number}"), repeated.to_owned()]
}

fn votes(rule: &ElectionRuleFormat) -> Vec<String> {
    let votes = rule.votes.or(rule.seats).unwrap_or(1);
    let for_one = rule.most_for_one.unwrap_or(votes);
    let each = format!("Each voter has {}, at most {for_one} for one candidate", counted(votes, "vote"));
    let all = (rule.needs_all_votes == Some(true)).then(|| "A ballot with fewer votes is invalid".to_owned());
    [each].into_iter().chain(all).collect()
}

fn points(rule: &ElectionRuleFormat) -> Vec<String> {
    let most = rule.points.map(|points| format!("A ballot gives each candidate at most {}", counted(points, "point")));
    let least = rule.least_marked.filter(|least| *least > 1);
    let least = least.map(|least| format!("A ballot that marks fewer than {least} candidates is invalid"));
    most.into_iter().chain(least).collect()
}

/// The limits of a ranking, and the effects of its faults.
fn ranks(rule: &ElectionRuleFormat) -> Vec<String> {
    let least = rule.least_ranks.unwrap_or(1);
    let number = (least > 1 || rule.most_ranks.is_some()).then(|| limits(least, rule.most_ranks));
    let too_many = rule.too_many_ranks.filter(|_| rule.most_ranks.is_some()).map(|effect| match effect {
        TooManyRankedName::UpToThere => "A ranking of more candidates is valid up to this number",
        TooManyRankedName::Invalid => "A ballot that ranks more candidates is invalid",
    });
    let is_equal_allowed = rule.allows_equal == Some(true);
    let equal = rule.equal_ranks.filter(|_| !is_equal_allowed);
    let gap = rule.tolerated_gap.filter(|gap| *gap > 0);
    let faults = [
        rule.skipped_ranks.map(|effect| fault("a skipped rank", effect)),
        gap.map(|gap| format!("A gap of {} has no effect", counted(gap, "rank"))),
        rule.repeated_ranks.map(|effect| fault("a repeated candidate", effect)),
        is_equal_allowed.then(|| "Candidates can share a rank".to_owned()),
        equal.map(|effect| fault("a rank with several candidates", effect)),
    ];
    let number = number.map(|number| format!("A ballot ranks {number}"));
    number.into_iter().chain(too_many.map(str::to_owned)).chain(faults.into_iter().flatten()).collect()
}

fn fault(what: &str, effect: TreatmentName) -> String {
    match effect {
        TreatmentName::PassOver => capitalized(&format!("{what} is passed over")),
        TreatmentName::UpToThere => format!("A ranking is valid up to {what}"),
        TreatmentName::Invalid => capitalized(&format!("{what} makes a ballot invalid")),
    }
}

fn borda(rule: &ElectionRuleFormat) -> Vec<String> {
    let scale = rule.scale.map(|scale| match scale {
        BordaScaleName::ToZero => "The last of all ranks gives 0 points, and each rank above it 1 more",
        BordaScaleName::ToOne => "The last of all ranks gives 1 point, and each rank above it 1 more",
        BordaScaleName::OfRanked => "The last rank of a ballot gives 1 point, and each rank above it 1 more",
    });
    let unranked = rule.unranked.map(|unranked| match unranked {
        UnrankedName::Nothing => "Candidates without a rank get no points",
        UnrankedName::MeanOfRest => "Candidates without a rank get the mean of the points that are left",
    });
    ranks(rule).into_iter().chain(scale.into_iter().chain(unranked).map(str::to_owned)).collect()
}

fn lists(rule: &ElectionRuleFormat) -> Vec<String> {
    let divisors = match rule.divisors.unwrap_or(DivisorsName::SainteLague) {
        DivisorsName::SainteLague => "The votes of the lists are divided by 1, 3, 5 and so on (Sainte-Laguë)",
        DivisorsName::DHondt => "The votes of the lists are divided by 1, 2, 3 and so on (D'Hondt)",
    };
    let order = match rule.list_order.unwrap_or(ListOrderName::AsListed) {
        ListOrderName::AsListed => "The candidates of a list get its seats in the order of the list",
        ListOrderName::ByVotes => "The candidates of a list get its seats in the order of their own votes",
        ListOrderName::ByVotesThenListed => {
            "The candidates of a list get its seats in the order of their own votes, and where these are equal, in the order of \
             the list"
        }
    };
    let most = rule.most_choices.filter(|most| *most > 0);
    let most = most.map(|most| format!("A ballot chooses at most {} of its list", counted(most, "candidate")));
    [divisors.to_owned(), order.to_owned()].into_iter().chain(most).collect()
}

/// The terms that every method has.
fn general(rule: &ElectionRuleFormat) -> Vec<String> {
    let who = if rule.method == MethodName::Lists { "list" } else { "candidate" };
    let support = rule.least_support.map(|share| format!("A {who} needs the support of {}", share.words()));
    let nobody = rule.none_of_the_above.then(|| "\"None of the above\" is on the ballot".to_owned());
    let others = [
        match rule.abstentions {
            AbstentionsName::AreVotesCast => "Abstentions are votes cast",
            AbstentionsName::AreNotVotes => "Abstentions are not votes cast",
        },
        match rule.blank {
            BlankName::Invalid => "A blank ballot is invalid",
            BlankName::Abstains => "A blank ballot is an abstention",
            BlankName::ValidForNobody => "A blank ballot is a valid vote for nobody",
        },
        match rule.ties {
            TieRuleName::Lot => "A tie is decided by lot",
            TieRuleName::DrawnLot => "A tie is decided by a lot that Plenum draws",
            TieRuleName::LotByHand => "A tie is decided by a lot that people draw",
            TieRuleName::RunOff => "A tie for seats is left to another ballot",
        },
        match rule.declined {
            RefusedSeatName::NextMovesUp => "If an elected person declines, the next one moves up",
            RefusedSeatName::StaysVacant => "If an elected person declines, the seat stays vacant until another ballot",
        },
    ];
    let follows = rule.follows.map(|follows| format!("This is ballot {} of the election", follows.ballot));
    support.into_iter().chain(nobody).chain(others.map(str::to_owned)).chain(follows).collect()
}

/// "1 to 3 candidates", "2 candidates", "at most 3 candidates" or "at least 1 candidate".
fn limits(least: u32, most: Option<u32>) -> String {
    match most {
        None => format!("at least {}", counted(least, "candidate")),
        Some(most) if most == least => counted(most, "candidate"),
        Some(most) if least == 0 => format!("at most {}", counted(most, "candidate")),
        Some(most) => format!("{least} to {}", counted(most, "candidate")),
    }
}

/// "1 vote", "3 votes".
fn counted(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::DecisionRuleFormat;

    fn words(election: &Value) -> String {
        let rule: DecisionRuleFormat =
            serde_json::from_value(json!({ "kind": "election", "election": election })).unwrap();
        rule.words()
    }

    #[test]
    fn the_words_of_an_election_have_what_decided_it() {
        let share = json!({ "base": "votes_cast", "comparison": "more_than", "numerator": 1, "denominator": 2 });
        let support = json!({ "base": "valid_ballots", "comparison": "at_least", "numerator": 1, "denominator": 20 });
        let plurality = json!({
            "method": "plurality", "requirement": share, "leastSupport": support, "noneOfTheAbove": true,
            "leastChoices": 1, "mostChoices": 1, "blank": "abstains", "abstentions": "are_not_votes", "ties": "run_off",
        });
        assert_eq!(
            words(&plurality),
            "An election of 1 person by the most votes, counted by heads. A candidate needs more than 1/2 of the votes cast. \
             A ballot chooses 1 candidate. A candidate who is chosen twice on a ballot counts once. A candidate needs the \
             support of at least 1/20 of the valid ballots. \"None of the above\" is on the ballot. Abstentions are not votes \
             cast. A blank ballot is an abstention. A tie for seats is left to another ballot. If an elected person declines, \
             the next one moves up"
        );
    }

    #[test]
    fn the_words_of_each_method_have_its_own_terms() {
        let lists = json!([{ "name": "Greens", "candidates": [1, 2] }]);
        for (election, expected) in [
            (
                json!({ "method": "per_candidate" }),
                "A candidate needs more than 1/2 of yes and no for the candidate. If more",
            ),
            (json!({ "method": "approval", "seats": 2 }), "A ballot chooses at least 1 candidate"),
            (json!({ "method": "cumulative", "seats": 3 }), "Each voter has 3 votes, at most 3 for one candidate"),
            (json!({ "method": "score", "points": 10 }), "A ballot gives each candidate at most 10 points"),
            (json!({ "method": "irv", "skippedRanks": "invalid" }), "A skipped rank makes a ballot invalid"),
            (json!({ "method": "stv_scottish", "repeatedRanks": "up_to_there" }), "valid up to a repeated candidate"),
            (json!({ "method": "schulze", "strength": "margins" }), "as strong as the difference"),
            (json!({ "method": "borda", "unranked": "mean_of_rest" }), "get the mean of the points that are left"),
            (json!({ "method": "lists", "lists": lists, "divisors": "d_hondt" }), "1, 2, 3 and so on (D'Hondt)"),
            (json!({ "method": "lists", "lists": lists }), "1, 3, 5 and so on (Sainte-Laguë)"),
        ] {
            let words = words(&election);
            assert!(words.contains(expected), "{expected:?} is not in {words:?}");
            assert!(!words.ends_with('.') && !words.contains(".."), "{words}");
        }
    }
}
