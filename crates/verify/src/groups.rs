//! Counts among the members of each group in which a rule must be met.

use std::collections::HashMap;

use plenum_result_format::{CountedBallot, GroupOption, GroupResult, RegisteredVoter, RoundFile, RoundResult};

use crate::decision::DecisionInput;
use crate::exact::{self, amount};
use crate::recount::electorate;
use crate::report::Differences;
use crate::tally::{Pair, Tally, sum};
use crate::urn::Recounted;

/// The counts among the members of a group.
pub(crate) struct GroupCount<'a> {
    name: &'a str,
    tally: Tally,
    register: Pair,
    present: Pair,
}

impl<'a> GroupCount<'a> {
    /// The counts of all groups of a round, in the order of its rule.
    pub(crate) fn of_all(round: &'a RoundFile) -> Vec<Self> {
        let (recounted, groups) = (Recounted::of(round), BallotGroups::of(round));
        round.result.in_each.iter().map(|given| Self::of(round, given, (recounted, &groups))).collect()
    }

    fn of(round: &'a RoundFile, given: &'a GroupResult, (recounted, groups): (Recounted, &BallotGroups<'a>)) -> Self {
        let name = given.name.as_str();
        let belongs = |voter: &RegisteredVoter| voter.groups.iter().any(|group| group == name);
        let (register, present) = electorate(round, belongs);
        let tally = match recounted {
            Recounted::Answers => Tally::of(round, |ballot| groups.any(ballot).iter().any(|group| group == name)),
            // Only the sums of the options are given. Marks tell who has voted.
            Recounted::SecretSums | Recounted::UnshownSums | Recounted::Nothing => {
                let voted = round.register.iter().filter(|voter| belongs(voter) && voter.has_voted);
                let mut tally = Tally::none(sum(voted.map(|voter| voter.weight)));
                for GroupOption { id, heads, weight } in &given.options {
                    tally.options.insert(*id, Pair { heads: *heads, weight: exact::of(*weight) });
                }
                tally
            }
        };
        Self { name, tally, register, present }
    }

    /// The input of the decision among these members.
    pub(crate) fn input<'b>(
        &'b self,
        result: &'b RoundResult,
        second: Option<&'b DecisionInput<'b>>,
    ) -> DecisionInput<'b> {
        let (register, present) = (self.register.clone(), self.present.clone());
        DecisionInput { result, tally: &self.tally, register, present, group: Some(self.name), second }
    }

    /// The counts as a file states them.
    pub(crate) fn result(&self, result: &RoundResult) -> GroupResult {
        let option = |id| {
            let votes = self.tally.option(id);
            GroupOption { id, heads: votes.heads, weight: amount(&votes.weight) }
        };
        GroupResult {
            name: self.name.to_owned(),
            register: self.register.count(),
            present: self.present.count(),
            votes_cast: self.tally.cast.count(),
            options: result.options.iter().map(|of| option(of.id)).collect(),
        }
    }
}

/// The groups of ballots: by the register if they have a voter.
pub(crate) struct BallotGroups<'a> {
    voters: HashMap<u32, &'a RegisteredVoter>,
}

impl<'a> BallotGroups<'a> {
    pub(crate) fn of(round: &'a RoundFile) -> Self {
        let mut voters = HashMap::new();
        for voter in &round.register {
            voters.entry(voter.place).or_insert(voter);
        }
        Self { voters }
    }

    /// The groups of a ballot.
    fn any<'b>(&self, ballot: &'b CountedBallot) -> &'b [String]
    where
        'a: 'b,
    {
        let voter = ballot.voter.and_then(|place| self.voters.get(&place));
        voter.map_or(&ballot.groups, |voter| &voter.groups)
    }

    /// The groups of a ballot, sorted.
    pub(crate) fn sorted(&self, ballot: &'a CountedBallot) -> Vec<&'a str> {
        let mut groups: Vec<&str> = self.any(ballot).iter().map(String::as_str).collect();
        groups.sort_unstable();
        groups
    }
}

/// The groups of the file are those of its rule, and nobody belongs to another one. Sums of a group are possible.
pub(crate) fn check_groups(found: &mut Differences, round: &RoundFile, wanted: usize) {
    let given = &round.result.in_each;
    let is_named_once =
        given.iter().enumerate().all(|(place, group)| given[..place].iter().all(|other| other.name != group.name));
    if given.len() != wanted || !is_named_once {
        found.wants("result.inEach", given.len(), format!("the {wanted} groups of the rule, each once"));
    }
    let is_known = |name: &String| given.iter().any(|group| group.name == *name);
    for (index, voter) in round.register.iter().enumerate().filter(|(_, voter)| !voter.groups.iter().all(is_known)) {
        found.wants(format!("register.{index}.groups"), voter.groups.join(", "), "groups of the rule");
    }
    for (index, ballot) in round.ballots.iter().enumerate() {
        if !ballot.groups.iter().all(is_known) || ballot.voter.is_some() && !ballot.groups.is_empty() {
            found.wants(
                format!("ballots.{index}.groups"),
                ballot.groups.join(", "),
                "groups of the rule, and left out if it is named",
            );
        }
    }
    for (index, group) in GroupCount::of_all(round).iter().enumerate() {
        let chosen = group.tally.options.values().fold(Pair::none(), |sum, votes| sum.plus(votes));
        if chosen != group.tally.cast {
            found.wants(
                format!("result.inEach.{index}.options"),
                chosen.heads,
                format!("together {}", group.tally.cast.heads),
            );
        }
    }
}
