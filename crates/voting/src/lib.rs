//! Rounds, the register, ballots, decision rules and results.
//!
//! A round is one opening of a question for voting. It freezes the wording, the options and the register of that moment.
//! Each folder holds one subject: its values and rules, its ports, and its use cases, one per file.
//!
//! - `rounds`: opening, countdown and end of a round, and its log
//! - `register`: the voters of a round, exclusions and admissions
//! - `proxies`: settings, grants and limits of proxies
//! - `paper_votes`: votes on paper, which two tellers enter and confirm, and ballots of voting places
//! - `ballots`: the check of a ballot (`ballot.rs`), casting (`cast_ballot.rs`), and removal of test votes
//! - `decision`: thresholds, checks, quorum, outcome, and the sentences that explain it (`arithmetic.rs`)
//! - `elections`: elections of persons by ten methods, with stages and ties: pure counting
//! - `urns`: the envelopes of secret rounds, and the port of their keys
//! - `results`: tally, count, declaration. `result.rs` computes a result, and no other place does. `answer_curation.rs`
//!   arranges text answers for the presentation
//!
//! The server counts a vote or refuses it with a reason. `cast_ballot.rs` holds the order of these checks.

mod ballots;
mod decision;
pub mod elections;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod live;
mod paper_votes;
mod proxies;
mod register;
mod results;
mod rounds;
#[cfg(feature = "testkit")]
pub mod testkit;
mod urns;

pub use ballots::ballot::{Answer, Ballot, BallotRule, StoredVote};
pub use ballots::cast_ballot::{
    BallotContent, BallotPorts, BallotService, CastBallotError, CastRequest, VoteReset, WithdrawError,
};
pub use ballots::cast_on::CastOn;
pub use ballots::discard_test_vote::{check_discard, is_test_round};
pub use ballots::marks::{BallotForm, MarkKind, WrongMarks};
pub use ballots::ports::{BallotBox, CastOutcome, DiscardVoteError};
pub use ballots::voter_question::VoterQuestion;
pub use decision::arithmetic::Arithmetic;
pub use decision::casting_vote::CastingVote;
pub use decision::check::{Blocking, Check, DecisionInput};
pub use decision::group_tally::{GroupTally, RegisteredGroup};
pub use decision::outcome::{Decision, SeatTie, decide};
pub use decision::presence::{Represented, count_present};
pub use decision::quorum::MeasuredQuorum;
pub use decision::second_weight::SecondTally;
pub use decision::threshold::{Needed, is_met, needed};
pub use live::{Presence, VotingSignals};
pub use paper_votes::batch::{
    BatchRequest, BatchState, EnteredBallot, IssuedBallot, MAX_ENTERED_BATCHES, MAX_ISSUED_BALLOTS, MAX_PAPER_BALLOTS,
    MAX_PAPER_BATCHES, MAX_ROUNDS_WITH_LEFT_BATCHES, NewPaperBatch, PaperBallot, PaperBatch, PaperBatchHead,
    PaperOutcome, RoundWithLeftBatches, Teller,
};
pub use paper_votes::enter_and_confirm::{
    BatchInRound, EnterBatchError, EnterRequest, EnteredVotes, PaperVotePorts, PaperVoteService,
};
pub use paper_votes::ports::{CloseBatchError, IssueError, PaperVotes, StoreBatchError};
pub use paper_votes::rules::{
    ConfirmationContext, ConfirmationRule, EntryContext, EntryRule, IssueRule, PaperVoter, decide_confirmation,
    decide_entry, decide_issue,
};
pub use proxies::grant_and_revoke::{GrantRequest, ProxyService};
pub use proxies::limits::{GrantContext, ProxyCandidate, ProxyRule, StandingProxy, decide_grant, load_of};
pub use proxies::ports::{ChangeProxySettingsError, GrantError, ProxyStore, Revocation, RevokeError};
pub use proxies::proxy::{
    AllowedHolders, Granting, HeldState, HeldVote, HeldVotes, HolderTotal, NewProxy, Proxy, ProxyAuthor, ProxyFilter,
    ProxyNote, ProxyPerson, ProxyReference, ProxyScope, ProxySettings, ProxyTotals, ProxyUse,
};
pub use register::entries::{RegisterEntry, RegisterFilter};
pub use register::exclude_and_admit::{RegisterChangeRequest, RegisterService};
pub use register::reason::Reason;
pub use register::register_changes::{
    AdmissionRule, AdmitError, ExcludeError, Exclusion, ExclusionRule, Latecomer, LiftExclusionError, RegisterChange,
    RegisterChanges, decide_admission, decide_exclusion,
};
pub use results::answer_curation::{
    AnswerCuration, AnswerGroup, AnswerId, AnswerWall, CardKind, CurationContext, CurationPart, CurationRule,
    GivenAnswer, GroupName, InvalidCuration, StoredCuration, WallCard, decide_curation, sort_by_frequency,
};
pub use results::archives::{Archives, ImportedArchive};
pub use results::closing::{AmendedSubject, Closable, NotedAmendment, StoredClosing};
pub use results::count_and_declare::{
    ClosedUrn, Counting, ResultStep, ResultStepContext, ResultStepError, ResultStepRule, check_declarable,
    decide_counting, decide_declaring,
};
pub use results::countable_round::{
    CountTaking, CountableRound, LoggedResult, PaperProxy, PlacedResult, RegisterPaper, RoundPapers,
};
pub use results::curation_store::{CurateError, CurationChange, CurationStore};
pub use results::decide_tie::{DecideTieError, NewTieDecision, TieLot, TieRequest};
pub use results::destroy_keys::UrnKeyService;
pub use results::election_count::{CountedElection, MadeTieDecision};
pub use results::meeting_record::{
    AgendaText, MeetingRecord, MeetingRecords, NotedAttendance, NotedPresence, NotedRemark,
};
pub use results::note_casting_vote::{CastingVoteError, CastingVoteRequest, NewCastingVote};
pub use results::purge::{
    DueEntries, DueMeeting, DuePurge, PurgeDocuments, PurgeOrder, PurgeScope, PurgeStore, Purgeable, PurgeableMeeting,
    Purged, PurgedBy, RefusedMeeting, Retention, RuleFailure, StoredPurge, TooYoung, YOUNGEST_DAYS, check_clock,
    purge_all, purge_by_rule,
};
pub use results::purge_clock::{ClockDoubt, KnownTimes, MOST_IDLE_DAYS, SETTLED_DAYS};
pub use results::record::{
    AmendmentGap, ClosedTimes, Contradiction, LostRecord, RecordHead, RecordLink, RecordStub, RecordSubject,
    RecordTimes, RecordWriter, Recordable, ResultRecords, SealedRecord, Standing, Standings, StoredRecord,
    UnrecordedResult, is_other_time,
};
pub use results::result::{RoundResult, SecondTerms, Terms};
pub use results::result_store::{DeclaredOnScreen, DeclaredToVoter, ResultStore};
pub use results::sealing_keys::{SealingError, SealingKeys};
pub use results::seat_answer::{
    MAX_SEAT_ANSWERS, NewSeatAnswer, NotedSeatAnswer, SeatAnswer, SeatAnswerContext, SeatAnswerError,
    SeatAnswerRequest, decide_seat_answer,
};
pub use results::see_results::{
    AnswerFilter, ResultPorts, ResultService, ShowCountError, UncountedRound, UndeclaredRounds, UnrecordedRound,
};
pub use results::succession::{DrawnLot, Succession};
pub use results::tally::{CountedVote, NumberTally, OptionTally, Tally, TextTally, ValueCount};
pub use results::timestamps::{MAX_COUNTED_WAITING, NewTimestamp, RecordTimestamps, StoredTimestamp, UnstampedRecord};
pub use results::urn_store::UrnStore;
pub use results::urn_tally::{OpenedUrn, UrnTally};
pub use results::ways::Ways;
pub use rounds::countdown::{Countdown, CountdownContext, CountdownRule, decide_closing};
pub use rounds::log::{LogEntry, LogKind, LoggedPerson, not_before};
pub use rounds::opening::{
    LastRound, Opening, OpeningContext, OpeningRule, REGISTER_WEIGHT_LIMIT, RevoteReason, RoundOpening, ShowingContext,
    check_quorum, check_register_weight, check_secrecy, check_whole_groups, decide_opening, decide_revote,
    decide_showing,
};
pub use rounds::organizer_step::{OrganizerStep, ScreenChange};
pub use rounds::ports::{
    CountdownError, ForecastScope, MAX_DEADLINES, MAX_NAMED_WEIGHTLESS, NamedVoter, OpenRoundError, RoundStore,
    Weightless,
};
pub use rounds::prepare_registers::{PreparationService, PreparedRegisters, RegisterPreparation};
pub use rounds::round::{
    Count, CurrentQuestion, Declared, Round, RoundDeadline, RoundOverview, RoundStatus, Screen, VoterAgenda, VoterRound,
};
pub use rounds::run_rounds::{RoundPorts, RoundService};
pub use rounds::weight_names::WeightNames;
pub use rounds::wording::{RoundOption, Wording};
pub use urns::envelope::{Envelope, envelopes_hash, sealed_size};
pub use urns::guard::{MIN_ANONYMITY_SET, SecrecyForecast, SecrecyRisk};
pub use urns::opened_ballot::OpenedBallot;
pub use urns::ports::{CastEnvelope, HeldShare, KeyShare, PreparedKey, Sealing, UnlockError, UrnKeys};
pub use urns::share_bus::{ShareBus, ShareMessage, ShareMessageStream};
pub use urns::urn::Urn;
