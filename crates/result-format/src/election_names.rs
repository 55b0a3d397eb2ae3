use plenum_kernel::election::{
    Abstentions, Blank, BordaScale, Divisors, ListOrder, RefusedSeat, Repetition, ShareBase, Strength, TieRule,
    TooManyRanked, Treatment, Unanswered, Unranked, YesRanking,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::decision_rule::same_names;

macro_rules! names {
    ($(#[$doc:meta])* $name:ident as $schema:ident for $value:ty { $($(#[$of:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[schema(as = $schema)]
        pub enum $name { $($(#[$of])* $variant),+ }
        same_names!($name, $value, [$($variant),+]);
    };
}

/// The way from ballots to elected candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ElectionMethod)]
pub enum MethodName {
    /// Yes, no or abstain for each candidate.
    PerCandidate,
    /// The most votes.
    Plurality,
    /// Several votes for each voter, and several of them for one candidate if the voter wants.
    Cumulative,
    /// Any number of approvals.
    Approval,
    /// Instant-runoff voting.
    Irv,
    /// Single transferable vote by the rules of Scottish councils.
    StvScottish,
    /// Schulze's method.
    Schulze,
    /// The Borda count.
    Borda,
    /// Points for each candidate.
    Score,
    /// Seats for lists.
    Lists,
}

names! {
    /// The whole of a share of an election.
    ShareBaseName as ElectionShareBase for ShareBase {
        /// Yes and no for the candidate. Only for `per_candidate`.
        YesAndNo,
        /// The valid ballots, without abstentions.
        ValidBallots,
        /// The valid ballots, and the abstentions if they count as votes cast. Invalid ballots are none.
        VotesCast,
        /// The whole register.
        Register,
        /// Those present.
        Present,
    }
}
names! {
    /// What follows a tie.
    TieRuleName as ElectionTieRule for TieRule {
        /// A lot, drawn by Plenum or by people.
        Lot,
        /// A lot that Plenum draws.
        DrawnLot,
        /// A lot that people draw. If somebody moves up later, Plenum draws.
        LotByHand,
        /// Another ballot among the tied.
        RunOff,
    }
}
names! {
    /// What follows if an elected person declines.
    RefusedSeatName as ElectionRefusedSeat for RefusedSeat {
        /// The next one moves up.
        NextMovesUp,
        /// The seat stays vacant until another ballot.
        StaysVacant,
    }
}
names! {
    /// The effect of abstentions.
    AbstentionsName as ElectionAbstentions for Abstentions {
        /// They are votes cast.
        AreVotesCast,
        /// It is as if these voters had not voted.
        AreNotVotes,
    }
}
names! {
    /// The meaning of a ballot without any mark.
    BlankName as BlankBallot for Blank {
        /// It is invalid.
        Invalid,
        /// It is an abstention.
        Abstains,
        /// It is a valid vote for nobody.
        ValidForNobody,
    }
}
names! {
    /// The effect of a candidate who is marked twice on a ballot without ranks.
    RepetitionName as RepeatedChoices for Repetition {
        /// The candidate counts once.
        CountsOnce,
        /// The ballot is invalid.
        Invalid,
    }
}
names! {
    /// The order of candidates who have enough yes, if there are fewer seats.
    YesRankingName as YesRanking for YesRanking {
        /// Most yes first.
        Yes,
        /// The largest difference between yes and no first.
        YesLessNo,
    }
}
names! {
    /// The meaning of a candidate without an answer.
    UnansweredName as Unanswered for Unanswered {
        /// An abstention for this candidate.
        Abstains,
        /// The ballot is invalid.
        Invalid,
    }
}
names! {
    /// The effect of a fault in a ranking.
    TreatmentName as RankingFault for Treatment {
        /// The count passes over the rank.
        PassOver,
        /// The ranking is valid up to the fault.
        UpToThere,
        /// The ballot is invalid.
        Invalid,
    }
}
names! {
    /// The effect of more ranked candidates than allowed.
    TooManyRankedName as TooManyRanks for TooManyRanked {
        /// The ranking is valid up to the allowed number.
        UpToThere,
        /// The ballot is invalid.
        Invalid,
    }
}
names! {
    /// The measure of a victory of one candidate over another.
    StrengthName as SchulzeStrength for Strength {
        /// The votes of those who prefer the winner.
        WinningVotes,
        /// The difference between these votes and those for the loser.
        Margins,
    }
}
names! {
    /// The points of the places of a Borda count with n candidates.
    BordaScaleName as BordaScale for BordaScale {
        /// n - 1 to 0.
        ToZero,
        /// n to 1.
        ToOne,
        /// The number of ranked candidates to 1.
        OfRanked,
    }
}
names! {
    /// The points of candidates that a ballot does not rank.
    UnrankedName as UnrankedPoints for Unranked {
        /// None.
        Nothing,
        /// The mean of the places that are left.
        MeanOfRest,
    }
}
names! {
    /// The divisors of the votes of a list.
    DivisorsName as ListDivisors for Divisors {
        /// 1, 3, 5.
        SainteLague,
        /// 1, 2, 3.
        DHondt,
    }
}
names! {
    /// The order in which the candidates of a list get its seats.
    ListOrderName as ListOrder for ListOrder {
        /// As on the list.
        AsListed,
        /// By the votes for each candidate.
        ByVotes,
        /// By the votes for each candidate, and as on the list where they are equal.
        ByVotesThenListed,
    }
}

/// The order in which ballots show the candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CandidateOrder)]
pub enum BallotOrderName {
    /// By number.
    #[default]
    AsEntered,
    /// By name.
    ByName,
    /// By a lot from `orderSeed`.
    ByLot,
    /// By number, starting at another candidate for each voter.
    Rotated,
}
