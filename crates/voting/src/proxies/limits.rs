//! Whether a proxy can be granted.

use std::collections::BTreeSet;

use plenum_kernel::{EndUserId, QuestionId};
use rust_decimal::Decimal;

use crate::{AllowedHolders, ProxyScope, ProxySettings};

/// A proxy that is in force already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingProxy {
    /// The principal.
    pub principal: EndUserId,
    /// The weight of the principal.
    pub weight: Decimal,
    /// The holder.
    pub holder: EndUserId,
    /// The name of the holder.
    pub holder_name: String,
    /// The questions.
    pub scope: ProxyScope,
}

/// A person at the time of a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyCandidate {
    /// The end user.
    pub id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// Whether the person can sign in.
    pub is_active: bool,
    /// The weight, if the person may vote in the meeting.
    pub votes_with: Option<Decimal>,
}

/// The facts that decide a grant.
#[derive(Clone, Copy, Debug)]
pub struct GrantContext<'a> {
    /// The settings of the meeting.
    pub settings: &'a ProxySettings,
    /// Whether the principal grants it.
    pub is_by_principal: bool,
    /// The principal.
    pub principal: &'a ProxyCandidate,
    /// The holder.
    pub holder: &'a ProxyCandidate,
    /// The questions.
    pub scope: &'a ProxyScope,
    /// The proxies of the meeting that are not revoked.
    pub standing: &'a [StandingProxy],
    /// The weight of everybody who may vote.
    pub whole_weight: Decimal,
}

/// The reason why a proxy is not granted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProxyRule {
    /// The meeting has no proxies.
    #[error("this meeting has no proxies; switch them on in the settings of the meeting")]
    Off,
    /// Only organizers grant proxies here.
    #[error("proxies of this meeting are granted by the organizer")]
    ByOrganizerOnly,
    /// No such end user.
    #[error("there is no person with this username")]
    NoSuchPrincipal,
    /// No such end user.
    #[error("there is no person with this username who may vote for you")]
    NoSuchHolder,
    /// Nobody is their own holder.
    #[error("{0} cannot vote by proxy for themselves")]
    SamePerson(String),
    /// The principal has no vote in the meeting.
    #[error("{0} may not vote in this meeting, so there is no vote to cast for them")]
    PrincipalHasNoVote(String),
    /// The holder cannot sign in.
    #[error("{0} is not active and cannot vote for anybody")]
    HolderInactive(String),
    /// The holder may not vote, and only those who may are allowed as holders.
    #[error("{0} may not vote in this meeting, and only people who may vote can hold proxies here")]
    HolderHasNoVote(String),
    /// The list of questions contains none, or one of another meeting.
    #[error("name at least one question of this meeting, or none for all of them")]
    UnknownQuestion,
    /// A question without proxies is named.
    #[error("on one of these questions nobody can vote by proxy")]
    QuestionWithoutProxies,
    /// The principal has granted a proxy for the same question.
    #[error("{principal} has already given a proxy to {holder}; revoke it first")]
    AlreadyGranted {
        /// The principal.
        principal: String,
        /// The other holder.
        holder: String,
    },
    /// The principal holds proxies of others.
    #[error("{0} holds proxies of others and cannot give one: a proxy is never passed on")]
    PrincipalHolds(String),
    /// The holder has given a proxy.
    #[error("{0} has given a proxy and cannot hold one: a proxy is never passed on")]
    HolderGave(String),
    /// Too many principals.
    #[error("{holder} would vote for {would} people on one question, and the limit is {limit}")]
    TooMany {
        /// The holder.
        holder: String,
        /// The number with the new proxy.
        would: u32,
        /// The limit.
        limit: u32,
    },
    /// Too much weight.
    #[error("{holder} would vote for others with the weight {would} on one question, and the limit is {limit}")]
    TooMuchWeight {
        /// The holder.
        holder: String,
        /// The weight with the new proxy.
        would: Decimal,
        /// The limit.
        limit: Decimal,
    },
    /// Too large a share.
    #[error(
        "{holder} would vote for others with the weight {would} of {whole} on one question, and the limit is {limit} %"
    )]
    TooLargeShare {
        /// The holder.
        holder: String,
        /// The weight with the new proxy.
        would: Decimal,
        /// The weight of everybody who may vote.
        whole: Decimal,
        /// The limit, in percent.
        limit: Decimal,
    },
}

impl ProxyRule {
    /// The field of a grant that breaks the rule.
    pub fn field(&self) -> &'static str {
        match self {
            Self::NoSuchPrincipal
            | Self::PrincipalHasNoVote(_)
            | Self::AlreadyGranted { .. }
            | Self::PrincipalHolds(_) => "principal",
            Self::UnknownQuestion | Self::QuestionWithoutProxies => "questionIds",
            Self::Off | Self::ByOrganizerOnly => "proxies",
            Self::NoSuchHolder
            | Self::SamePerson(_)
            | Self::HolderInactive(_)
            | Self::HolderHasNoVote(_)
            | Self::HolderGave(_)
            | Self::TooMany { .. }
            | Self::TooMuchWeight { .. }
            | Self::TooLargeShare { .. } => "holder",
        }
    }

    /// Whether it is one of the limits for each holder.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::TooMany { .. } | Self::TooMuchWeight { .. } | Self::TooLargeShare { .. })
    }
}

/// The principals of a holder on the question in this scope on which they are most, and the largest sum of their weights.
pub fn load_of(standing: &[&StandingProxy], within: &ProxyScope) -> (u32, Decimal) {
    let named: BTreeSet<QuestionId> = standing
        .iter()
        .filter_map(|proxy| match &proxy.scope {
            ProxyScope::Questions(questions) => Some(questions),
            ProxyScope::Meeting => None,
        })
        .flatten()
        .copied()
        .filter(|question| within.covers(*question))
        .collect();
    let on = |question: Option<QuestionId>| {
        let covers = |proxy: &&&StandingProxy| match question {
            Some(question) => proxy.scope.covers(question),
            None => proxy.scope == ProxyScope::Meeting,
        };
        let (mut heads, mut weight) = (0_u32, Decimal::ZERO);
        for proxy in standing.iter().filter(covers) {
            heads += 1;
            weight += proxy.weight;
        }
        (heads, weight)
    };
    // Other questions than the named ones have the proxies for the whole meeting.
    let mut most = if *within == ProxyScope::Meeting { on(None) } else { (0, Decimal::ZERO) };
    for question in named {
        let (heads, weight) = on(Some(question));
        most = (most.0.max(heads), most.1.max(weight));
    }
    most
}

impl ProxySettings {
    /// Whether a holder with this load is within all limits.
    ///
    /// # Errors
    /// Names the limit, with its numbers.
    pub fn check_load(&self, holder: &str, load: (u32, Decimal), whole: Decimal) -> Result<(), ProxyRule> {
        let (heads, weight) = (load.0, load.1.normalize());
        let holder = || holder.to_owned();
        if let Some(limit) = self.max_principals.filter(|limit| heads > *limit) {
            return Err(ProxyRule::TooMany { holder: holder(), would: heads, limit });
        }
        if let Some(limit) = self.max_weight.filter(|limit| weight > *limit) {
            return Err(ProxyRule::TooMuchWeight { holder: holder(), would: weight, limit: limit.normalize() });
        }
        // As products, without division.
        if let Some(limit) = self.max_share.filter(|limit| weight * Decimal::ONE_HUNDRED > whole * *limit) {
            let (whole, limit) = (whole.normalize(), limit.normalize());
            return Err(ProxyRule::TooLargeShare { holder: holder(), would: weight, whole, limit });
        }
        Ok(())
    }
}

/// Decides whether a proxy is granted.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_grant(context: &GrantContext<'_>) -> Result<(), ProxyRule> {
    let GrantContext { settings, principal, holder, scope, standing, .. } = *context;
    if !settings.is_on {
        return Err(ProxyRule::Off);
    }
    if context.is_by_principal && !settings.principals_may_grant {
        return Err(ProxyRule::ByOrganizerOnly);
    }
    if principal.id == holder.id {
        return Err(ProxyRule::SamePerson(principal.name.clone()));
    }
    let weight = principal.votes_with.ok_or_else(|| ProxyRule::PrincipalHasNoVote(principal.name.clone()))?;
    if !holder.is_active {
        return Err(ProxyRule::HolderInactive(holder.name.clone()));
    }
    if holder.votes_with.is_none() && settings.holders == AllowedHolders::Participants {
        return Err(ProxyRule::HolderHasNoVote(holder.name.clone()));
    }
    if let ProxyScope::Questions(questions) = scope
        && settings.without_questions.iter().any(|question| questions.contains(question))
    {
        return Err(ProxyRule::QuestionWithoutProxies);
    }
    let earlier = standing.iter().find(|proxy| proxy.principal == principal.id && proxy.scope.overlaps(scope));
    if let Some(earlier) = earlier {
        let (principal, holder) = (principal.name.clone(), earlier.holder_name.clone());
        return Err(ProxyRule::AlreadyGranted { principal, holder });
    }
    if standing.iter().any(|proxy| proxy.holder == principal.id) {
        return Err(ProxyRule::PrincipalHolds(principal.name.clone()));
    }
    if standing.iter().any(|proxy| proxy.principal == holder.id) {
        return Err(ProxyRule::HolderGave(holder.name.clone()));
    }
    let new = standing_proxy(principal.id, weight, holder, scope.clone());
    let of_holder = standing.iter().filter(|proxy| proxy.holder == holder.id).chain([&new]);
    // A holder who has other proxies is refused only for the questions of the new one.
    let on_new: Vec<&StandingProxy> = of_holder.filter(|proxy| proxy.scope.overlaps(scope)).collect();
    settings.check_load(&holder.name, load_of(&on_new, scope), context.whole_weight)
}

/// A proxy that this grant adds.
fn standing_proxy(principal: EndUserId, weight: Decimal, holder: &ProxyCandidate, scope: ProxyScope) -> StandingProxy {
    StandingProxy { principal, weight, holder: holder.id, holder_name: holder.name.clone(), scope }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    fn person(ids: &CountingIds, name: &str, weight: Option<&str>) -> ProxyCandidate {
        ProxyCandidate {
            id: EndUserId::new(ids),
            name: name.to_owned(),
            username: name.to_lowercase(),
            is_active: true,
            votes_with: weight.map(|weight| weight.parse().unwrap()),
        }
    }

    fn on() -> ProxySettings {
        ProxySettings { is_on: true, principals_may_grant: true, ..ProxySettings::default() }
    }

    struct Hall {
        ids: CountingIds,
        ada: ProxyCandidate,
        ben: ProxyCandidate,
        standing: Vec<StandingProxy>,
    }

    impl Hall {
        fn new() -> Self {
            let ids = CountingIds::new();
            let (ada, ben) = (person(&ids, "Ada", Some("2")), person(&ids, "Ben", Some("1")));
            Self { ids, ada, ben, standing: Vec::new() }
        }

        fn give(&mut self, weight: &str, scope: ProxyScope) {
            let principal = EndUserId::new(&self.ids);
            self.standing.push(standing_proxy(principal, weight.parse().unwrap(), &self.ben, scope));
        }

        fn decide(&self, settings: &ProxySettings, scope: &ProxyScope) -> Result<(), ProxyRule> {
            decide_grant(&GrantContext {
                settings,
                is_by_principal: true,
                principal: &self.ada,
                holder: &self.ben,
                scope,
                standing: &self.standing,
                whole_weight: Decimal::from(10),
            })
        }
    }

    #[test]
    fn a_proxy_needs_settings_that_allow_it() {
        let hall = Hall::new();
        let meeting = ProxyScope::Meeting;
        assert_eq!(hall.decide(&on(), &meeting), Ok(()));
        assert_eq!(hall.decide(&ProxySettings::default(), &meeting), Err(ProxyRule::Off));
        let by_organizer = ProxySettings { principals_may_grant: false, ..on() };
        assert_eq!(hall.decide(&by_organizer, &meeting), Err(ProxyRule::ByOrganizerOnly));
        let question = QuestionId::new(&hall.ids);
        let without = ProxySettings { without_questions: vec![question], ..on() };
        assert_eq!(hall.decide(&without, &meeting), Ok(()), "the proxy is for the other questions");
        let named = ProxyScope::of(Some([question]));
        assert_eq!(hall.decide(&without, &named), Err(ProxyRule::QuestionWithoutProxies));
    }

    #[test]
    fn the_people_of_a_proxy_are_checked() {
        let mut hall = Hall::new();
        let meeting = ProxyScope::Meeting;
        hall.ben.votes_with = None;
        assert_eq!(hall.decide(&on(), &meeting), Err(ProxyRule::HolderHasNoVote("Ben".to_owned())));
        assert_eq!(hall.decide(&ProxySettings { holders: AllowedHolders::Anybody, ..on() }, &meeting), Ok(()));
        hall.ben.is_active = false;
        assert_eq!(hall.decide(&on(), &meeting), Err(ProxyRule::HolderInactive("Ben".to_owned())));
        hall.ada.votes_with = None;
        assert_eq!(hall.decide(&on(), &meeting), Err(ProxyRule::PrincipalHasNoVote("Ada".to_owned())));
        hall.ben = hall.ada.clone();
        assert_eq!(hall.decide(&on(), &meeting), Err(ProxyRule::SamePerson("Ada".to_owned())));
    }

    #[test]
    fn a_proxy_is_never_passed_on() {
        let mut hall = Hall::new();
        let other = person(&hall.ids, "Cem", Some("1"));
        let proxy = |principal: EndUserId, holder: EndUserId| StandingProxy {
            principal,
            weight: Decimal::ONE,
            holder,
            holder_name: "Dora".to_owned(),
            scope: ProxyScope::Meeting,
        };
        hall.standing = vec![proxy(hall.ada.id, other.id)];
        let twice = ProxyRule::AlreadyGranted { principal: "Ada".to_owned(), holder: "Dora".to_owned() };
        assert_eq!(hall.decide(&on(), &ProxyScope::Meeting), Err(twice));
        hall.standing = vec![proxy(other.id, hall.ada.id)];
        assert_eq!(hall.decide(&on(), &ProxyScope::Meeting), Err(ProxyRule::PrincipalHolds("Ada".to_owned())));
        hall.standing = vec![proxy(hall.ben.id, other.id)];
        assert_eq!(hall.decide(&on(), &ProxyScope::Meeting), Err(ProxyRule::HolderGave("Ben".to_owned())));
    }

    #[test]
    fn limits_count_the_question_on_which_a_holder_has_most() {
        let mut hall = Hall::new();
        let [one, two] = [(); 2].map(|()| QuestionId::new(&hall.ids));
        hall.give("1", ProxyScope::of(Some([one])));
        hall.give("3", ProxyScope::of(Some([two])));
        let two_each = ProxySettings { max_principals: Some(2), ..on() };
        assert_eq!(hall.decide(&two_each, &ProxyScope::Meeting), Ok(()), "two on each question");
        let one_each = ProxySettings { max_principals: Some(1), ..on() };
        let refused = Err(ProxyRule::TooMany { holder: "Ben".to_owned(), would: 2, limit: 1 });
        assert_eq!(hall.decide(&one_each, &ProxyScope::of(Some([one]))), refused);
        let weight = |limit: &str| ProxySettings { max_weight: Some(limit.parse().unwrap()), ..on() };
        assert_eq!(hall.decide(&weight("5"), &ProxyScope::Meeting), Ok(()));
        assert!(hall.decide(&weight("4.9"), &ProxyScope::Meeting).is_err_and(|rule| rule.is_limit()));
        let share = |limit: &str| ProxySettings { max_share: Some(limit.parse().unwrap()), ..on() };
        assert_eq!(hall.decide(&share("50"), &ProxyScope::Meeting), Ok(()), "5 of 10 is exactly half");
        let refused = hall.decide(&share("49.99"), &ProxyScope::Meeting).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "Ben would vote for others with the weight 5 of 10 on one question, and the limit is 49.99 %"
        );
        assert_eq!(refused.field(), "holder");
    }

    #[test]
    fn a_limit_counts_only_the_questions_of_the_new_proxy() {
        let mut hall = Hall::new();
        let [crowded, one, two, three] = [(); 4].map(|()| QuestionId::new(&hall.ids));
        for question in [one, two, three] {
            hall.give("1", ProxyScope::of(Some([question, crowded])));
        }
        let two_each = ProxySettings { max_principals: Some(2), ..on() };
        assert_eq!(hall.decide(&two_each, &ProxyScope::of(Some([one, two, three]))), Ok(()));
        let refused = Err(ProxyRule::TooMany { holder: "Ben".to_owned(), would: 4, limit: 2 });
        assert_eq!(hall.decide(&two_each, &ProxyScope::of(Some([one, crowded]))), refused);
    }
}
