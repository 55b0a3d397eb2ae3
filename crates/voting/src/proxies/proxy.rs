use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, EndUserId, PageRequest, ProxyId, QuestionId, RoundId, SearchText};
use rust_decimal::Decimal;

plenum_kernel::text_value!(
    /// Instructions of a principal. Only principal, holder and organizers read them.
    ProxyNote, check_text, 1000
);

plenum_kernel::text_value!(
    /// The place of the written proof of a proxy.
    ProxyReference, check_line, 200
);

/// The people who may hold proxies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AllowedHolders {
    /// Those who may vote in the meeting.
    #[default]
    Participants,
    /// Every active end user of the client.
    Anybody,
}

/// The proxies of a meeting. Without settings there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProxySettings {
    /// Whether votes can be cast by proxy.
    pub is_on: bool,
    /// Whether principals grant proxies themselves, beside the organizer.
    pub principals_may_grant: bool,
    /// The most principals of a holder on one question.
    pub max_principals: Option<u32>,
    /// The largest sum of the principals' weights of a holder on one question.
    pub max_weight: Option<Decimal>,
    /// The same as a share of the weight of everybody who may vote, in percent.
    pub max_share: Option<Decimal>,
    /// The people who may hold proxies.
    pub holders: AllowedHolders,
    /// The questions on which nobody votes for somebody else.
    pub without_questions: Vec<QuestionId>,
}

/// The questions of a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyScope {
    /// All questions of the meeting.
    Meeting,
    /// These questions.
    Questions(BTreeSet<QuestionId>),
}

impl ProxyScope {
    /// The scope of this list. `None` is the whole meeting.
    pub fn of(questions: Option<impl IntoIterator<Item = QuestionId>>) -> Self {
        questions.map_or(Self::Meeting, |questions| Self::Questions(questions.into_iter().collect()))
    }

    /// Whether it contains a question.
    pub fn covers(&self, question: QuestionId) -> bool {
        match self {
            Self::Meeting => true,
            Self::Questions(questions) => questions.contains(&question),
        }
    }

    /// Whether both contain a question.
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Questions(one), Self::Questions(other)) => !one.is_disjoint(other),
            _ => true,
        }
    }
}

/// A person of a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyPerson {
    /// The end user.
    pub id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
}

/// The person who grants or revokes a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyAuthor {
    /// An organizer.
    Organizer(AccountId),
    /// The principal.
    Principal(EndUserId),
}

/// A proxy to grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProxy {
    /// Its id.
    pub id: ProxyId,
    /// The person whose vote is cast.
    pub principal: EndUserId,
    /// The person who casts it.
    pub holder: EndUserId,
    /// The questions.
    pub scope: ProxyScope,
    /// Instructions.
    pub note: Option<ProxyNote>,
    /// The place of the written proof.
    pub reference: Option<ProxyReference>,
}

/// Proxies that are granted together, or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granting {
    /// The proxies.
    pub proxies: Vec<NewProxy>,
    /// The person who grants them.
    pub by: ProxyAuthor,
    /// The time.
    pub at: DateTime<Utc>,
    /// Whether they are checked only.
    pub is_check: bool,
}

/// A granted proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// Its id.
    pub id: ProxyId,
    /// The person whose vote is cast.
    pub principal: ProxyPerson,
    /// The weight of the principal today.
    pub weight: Decimal,
    /// The person who casts it.
    pub holder: ProxyPerson,
    /// The questions.
    pub scope: ProxyScope,
    /// Instructions.
    pub note: Option<String>,
    /// The place of the written proof.
    pub reference: Option<String>,
    /// The time of the grant.
    pub granted_at: DateTime<Utc>,
    /// The name of the person who granted it.
    pub granted_by: String,
    /// Whether that was the principal.
    pub is_by_principal: bool,
    /// The time of the revocation, and the name of the person.
    pub revoked: Option<(DateTime<Utc>, String)>,
    /// Whether it rests, because the principal is present.
    pub rests: bool,
}

/// A filter of proxies. They come in the order of the principals' names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyFilter {
    /// Text in the name or username of principal or holder, or in the reference.
    pub search: Option<SearchText>,
    /// Whether revoked ones are listed, too.
    pub with_revoked: bool,
    /// The page.
    pub page: PageRequest,
}

/// The proxies of one holder, beside the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HolderTotal {
    /// The holder.
    pub holder: ProxyPerson,
    /// The most principals on one question.
    pub principals: u32,
    /// The largest sum of their weights on one question.
    pub weight: Decimal,
    /// Whether a limit is exceeded, because settings or weights changed since the grants.
    pub is_beyond_limits: bool,
    /// Whether the holder can sign in and may hold proxies.
    pub may_hold: bool,
}

/// The holders of a meeting, by name, with the weight of everybody who may vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyTotals {
    /// The holders.
    pub holders: Vec<HolderTotal>,
    /// The weight of everybody who may vote.
    pub whole_weight: Decimal,
}

/// What happened to the vote of a principal in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldState {
    /// The holder can cast it, while the round is open.
    Open,
    /// The holder has cast it.
    CastByHolder,
    /// The principal has voted, so the proxy rests.
    VotedByPrincipal,
    /// The principal is present, so the proxy rests.
    Resting,
}

/// The vote of one principal, as the holder sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldVote {
    /// The principal.
    pub principal: ProxyPerson,
    /// The weight in the register.
    pub weight: Decimal,
    /// Instructions.
    pub note: Option<String>,
    /// Its state.
    pub state: HeldState,
}

/// The votes that a holder has in the last round of a question, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldVotes {
    /// The round. `None` if the question was never opened.
    pub round: Option<RoundId>,
    /// The votes.
    pub votes: Vec<HeldVote>,
}

/// A round in which a proxy of a principal was in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyUse {
    /// The round.
    pub round: RoundId,
    /// The question.
    pub question: QuestionId,
    /// Its text.
    pub question_text: String,
    /// The number of the round.
    pub number: u32,
    /// The name of the holder.
    pub holder: String,
    /// What happened.
    pub state: HeldState,
}
