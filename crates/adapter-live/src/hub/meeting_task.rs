//! The task of one watched meeting. It alone changes the snapshot and announces changes to the watchers.

use std::collections::HashSet;
use std::error::Error;
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use plenum_kernel::{EndUserId, MeetingId, PortFailure, RoundId};
use plenum_meetings::People;
use plenum_meetings::live::{
    Holders, LiveChange, LiveCheckIn, LiveFacts, LiveQuorum, LiveRound, LiveSource, LiveState, Weights,
};
use rust_decimal::Decimal;
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use super::announcement::{Announcement, open_round};
use super::backoff::Backoff;
use super::channel::{DeclaredResult, MeetingChannel, ServedReloads, Snapshot};
use super::presence_set::PresenceCounts;
use super::state::Hub;
use crate::LiveSettings;

/// The shortest time between two queries for the weight of the votes. The query takes longer the more votes there are.
const WEIGHT_INTERVAL: Duration = Duration::from_secs(1);

/// The time between two loads while notices of other instances do not arrive.
const DELAYED_RELOAD: Duration = Duration::from_secs(2);

/// The time from one load to the next while the key of a secret vote is not confirmed. Voters wait for it, and no notice says
/// that it can be confirmed.
const KEY_RELOAD: Duration = Duration::from_secs(2);

/// Keeps the channel's snapshot up to date until the last watcher has left, the meeting is deleted or the hub is shut
/// down.
pub(super) async fn run(hub: Arc<Hub>, channel: Arc<MeetingChannel>) {
    // Runs after a panic too, so that no watcher waits in a channel without a task.
    let _close_on_drop = CloseOnDrop { hub: &hub, channel: &channel };
    select! {
        biased;
        () = channel.end() => {}
        () = load_and_run(&hub, &channel) => {}
    }
}

struct CloseOnDrop<'a> {
    hub: &'a Hub,
    channel: &'a Arc<MeetingChannel>,
}

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.hub.close(self.channel);
    }
}

async fn load_and_run(hub: &Hub, channel: &MeetingChannel) {
    let (facts, weights) = match hub.source.load_with_weights(channel.meeting).await {
        Ok(Some(loaded)) => loaded,
        Ok(None) => {
            channel.snapshot.send_replace(Snapshot::Missing);
            return;
        }
        Err(failure) => {
            channel.snapshot.send_replace(Snapshot::Failed(Arc::new(failure)));
            return;
        }
    };
    MeetingTask::new(hub, channel, facts, weights).run().await;
}

/// The counters of an open round: the round, its votes, the size of its register, and the weight of its votes if a quorum
/// needs it.
type Counts = Option<(RoundId, u64, u64, Option<Decimal>)>;

/// The connected voters, and the eligible ones if there is a quorum or check-in.
type PresenceCounters = (PresenceCounts, Option<People>);

/// A running query to the store. Only one runs at a time, so every result is newer than the one before, and a lower count
/// means a withdrawn vote, not an older reading.
type Query = Pin<Box<dyn Future<Output = QueryResult> + Send>>;

enum QueryResult {
    Facts(Result<Option<Loaded>, PortFailure>),
    Votes(RoundId, Result<u64, PortFailure>),
    Weight(RoundId, Result<Decimal, PortFailure>),
    CheckedIn(Result<LiveCheckIn, PortFailure>),
}

struct Loaded {
    is_delayed: bool,
    facts: Arc<LiveFacts>,
    weights: Arc<Weights>,
    changes: Vec<LiveChange>,
    voted: Arc<HashSet<EndUserId>>,
}

struct MeetingTask<'a> {
    hub: &'a Hub,
    channel: &'a MeetingChannel,
    state: LiveState,
    sent_counts: Counts,
    sent_presence: PresenceCounters,
    /// Voting weights by which the present voters are counted.
    weights: Arc<Weights>,
    /// Declared results that were not announced yet.
    unsent_results: Vec<DeclaredResult>,
    /// The number of unsent results that were declared before the running load, whose facts show them.
    loaded_results: usize,
    /// The highest reload request that the running load serves.
    loading_request: u64,
    /// The facts are to be loaded.
    is_out_of_date: bool,
    /// The votes of the open round are to be counted.
    has_new_votes: bool,
    /// The weight of those votes is to be added up.
    has_new_weight: bool,
    /// The people who are checked in are to be counted.
    has_new_check_ins: bool,
    /// The time of the next announcement of counters, at the earliest.
    counters_from: Instant,
    /// The time of the next query for the weight of votes, at the earliest.
    weight_from: Instant,
    /// The time of the next load while notices of other instances do not arrive.
    reload_from: Instant,
    /// The time of the next load while the key of a secret vote is not confirmed.
    key_from: Instant,
    /// The time of the next query after a failed one, at the earliest.
    query_from: Instant,
    backoff: Backoff,
}

impl<'a> MeetingTask<'a> {
    fn new(hub: &'a Hub, channel: &'a MeetingChannel, facts: LiveFacts, weights: Weights) -> Self {
        let weights = Arc::new(weights);
        channel.presence.set_weights(Arc::clone(&weights), Arc::clone(&facts.holders));
        let presence = presence_of(&facts, channel);
        let PresenceCounts { participants, present, represented } = presence;
        let state = LiveState {
            instance: hub.instance,
            version: hub.first_version(),
            participants,
            present,
            represented,
            is_delayed: hub.is_delayed(),
            facts: Arc::new(facts),
        };
        hub.record_version(state.version);
        let now = Instant::now();
        let task = Self {
            sent_counts: counts(&state.facts),
            sent_presence: (presence, eligible(&state.facts)),
            weights,
            unsent_results: Vec::new(),
            loaded_results: 0,
            loading_request: 0,
            hub,
            channel,
            state,
            is_out_of_date: false,
            has_new_votes: false,
            has_new_weight: false,
            has_new_check_ins: false,
            counters_from: now,
            weight_from: now,
            reload_from: now + DELAYED_RELOAD,
            key_from: now + KEY_RELOAD,
            query_from: now,
            backoff: Backoff::new(),
        };
        task.publish_snapshot();
        task
    }

    /// Returns when the meeting is deleted.
    async fn run(mut self) {
        let period = self.hub.settings.heartbeat;
        let mut reload = interval_at(Instant::now() + period, period);
        reload.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut query: Option<Query> = None;
        loop {
            self.is_out_of_date |= self.channel.updates.take_meeting_changed();
            self.has_new_votes |= self.channel.updates.take_votes_changed();
            self.has_new_check_ins |= self.channel.updates.take_checked_in_changed();
            self.take_declared();
            let now = Instant::now();
            self.reload_if_delayed(now);
            if query.is_none() {
                query = self.next_query(now);
            }
            if now >= self.counters_from {
                self.announce_counters(now);
            }
            let wake = self.next_wake(query.is_some());
            // A running query blocks nothing here: presence is counted even while the store hangs.
            select! {
                result = result_of(&mut query) => {
                    query = None;
                    if !self.apply(result) {
                        return;
                    }
                }
                () = self.channel.updates.changed() => {}
                () = wait_until(wake) => {}
                // A change whose commit was not acknowledged sends no signal. The periodic load finds it.
                _ = reload.tick() => self.is_out_of_date = true,
            }
        }
    }

    /// Reloads at intervals while notices of other instances do not arrive.
    fn reload_if_delayed(&mut self, now: Instant) {
        let is_delayed = self.hub.is_delayed();
        // A change of the flag itself is announced, together with the missed changes.
        self.is_out_of_date |= is_delayed != self.state.is_delayed;
        if is_delayed && now >= self.reload_from {
            self.is_out_of_date = true;
            self.reload_from = now + DELAYED_RELOAD;
        }
    }

    /// A declared result waits for a load, so that the snapshot shows the result before it is announced.
    fn take_declared(&mut self) {
        let declared = self.channel.updates.take_declared();
        self.is_out_of_date |= !declared.is_empty();
        self.unsent_results.extend(declared);
    }

    /// The next query to the store, if one is due. Clears its flag first, so that a change during the query causes another.
    fn next_query(&mut self, now: Instant) -> Option<Query> {
        if now < self.query_from {
            return None;
        }
        self.is_out_of_date |= now >= self.key_from && self.state.facts.lacks_key();
        if self.is_out_of_date {
            self.is_out_of_date = false;
            self.has_new_votes = false;
            self.has_new_weight = false;
            self.has_new_check_ins = false;
            self.loaded_results = self.unsent_results.len();
            self.loading_request = self.channel.updates.reload_requests();
            let (source, meeting) = (Arc::clone(&self.hub.source), self.channel.meeting);
            let (before, is_delayed) = (self.state.clone(), self.hub.is_delayed());
            return Some(Box::pin(
                async move { QueryResult::Facts(load(&*source, meeting, &before, is_delayed).await) },
            ));
        }
        if self.has_new_check_ins && now >= self.counters_from {
            self.has_new_check_ins = false;
            let (source, meeting) = (Arc::clone(&self.hub.source), self.channel.meeting);
            return Some(Box::pin(async move { QueryResult::CheckedIn(source.checked_in(meeting).await) }));
        }
        if self.has_new_votes && now >= self.counters_from {
            self.has_new_votes = false;
            // No screen has a counter without an open round.
            let round = open_round(&self.state)?;
            self.has_new_weight = self.weighs_votes();
            let source = Arc::clone(&self.hub.source);
            return Some(Box::pin(async move { QueryResult::Votes(round, source.votes_cast(round).await) }));
        }
        if self.has_new_weight && now >= self.weight_from {
            self.has_new_weight = false;
            self.weight_from = now + WEIGHT_INTERVAL;
            let round = open_round(&self.state)?;
            let source = Arc::clone(&self.hub.source);
            return Some(Box::pin(async move { QueryResult::Weight(round, source.weight_cast(round).await) }));
        }
        None
    }

    fn weighs_votes(&self) -> bool {
        self.state.facts.quorum.as_ref().is_some_and(LiveQuorum::weighs_votes)
    }

    /// The time of the next work that no event triggers.
    fn next_wake(&self, is_querying: bool) -> Option<Instant> {
        let counters = self.has_unsent_counters().then_some(self.counters_from);
        let facts = self.is_out_of_date.then_some(self.query_from);
        let has_new_counts = self.has_new_votes || self.has_new_check_ins;
        let votes = has_new_counts.then(|| self.query_from.max(self.counters_from));
        let weight = self.has_new_weight.then(|| self.query_from.max(self.weight_from));
        let reload = self.state.is_delayed.then(|| self.query_from.max(self.reload_from));
        let key = self.state.facts.lacks_key().then(|| self.query_from.max(self.key_from));
        let query = [facts, votes, weight, reload, key].into_iter().flatten().min().filter(|_| !is_querying);
        [counters, query].into_iter().flatten().min()
    }

    /// Applies a result of the store to the state. False when the meeting is deleted.
    fn apply(&mut self, result: QueryResult) -> bool {
        let failure = match result {
            QueryResult::Facts(Ok(None)) => return false,
            QueryResult::Facts(Ok(Some(loaded))) => {
                self.apply_facts(loaded);
                self.serve_reloads(None);
                None
            }
            QueryResult::Votes(round, Ok(votes)) => {
                self.apply_votes(round, votes);
                None
            }
            QueryResult::Weight(round, Ok(weight)) => {
                self.change_open(round, |open| open.weight_cast = Some(weight));
                None
            }
            QueryResult::CheckedIn(Ok(check_in)) => {
                self.apply_check_ins(check_in);
                None
            }
            QueryResult::CheckedIn(Err(failure)) => {
                self.has_new_check_ins = true;
                Some(Arc::new(failure))
            }
            QueryResult::Facts(Err(failure)) => {
                self.is_out_of_date = true;
                let failure = Arc::new(failure);
                self.serve_reloads(Some(Arc::clone(&failure)));
                Some(failure)
            }
            QueryResult::Votes(_, Err(failure)) => {
                self.has_new_votes = true;
                Some(Arc::new(failure))
            }
            QueryResult::Weight(_, Err(failure)) => {
                self.has_new_weight = true;
                Some(Arc::new(failure))
            }
        };
        match failure {
            None => self.backoff = Backoff::new(),
            Some(failure) => {
                let wait = self.backoff.next();
                self.query_from = Instant::now() + wait;
                tracing::warn!(
                    meeting.id = %self.channel.meeting,
                    retry_ms = wait.as_millis() as u64,
                    error = &*failure as &dyn Error,
                    "the live snapshot could not be brought up to date",
                );
            }
        }
        true
    }

    /// Reports to those who requested a reload that it is done, or the reason of its failure.
    fn serve_reloads(&self, failure: Option<Arc<PortFailure>>) {
        self.channel.reloads.send_replace(ServedReloads { served: self.loading_request, failure });
    }

    fn apply_facts(&mut self, loaded: Loaded) {
        let holders = Arc::clone(&self.state.facts.holders);
        self.state.facts = loaded.facts;
        self.state.is_delayed = loaded.is_delayed;
        // Counted from the end of a load: it may have waited for another instance, and other queries wait for it.
        self.key_from = Instant::now() + KEY_RELOAD;
        self.set_weights(loaded.weights, &holders);
        // Publishes even without a change to announce, so that a new watcher gets the stored state.
        self.publish_snapshot();
        for change in loaded.changes {
            match change {
                // Announced with the other counters, and no more often.
                LiveChange::VoteCount => {}
                LiveChange::QuestionActivated => {
                    self.sent_counts = counts(&self.state.facts);
                    self.announce(change, Some(Arc::clone(&loaded.voted)));
                }
                LiveChange::MeetingUpdate => {
                    let LiveState { participants, present, represented, .. } = self.state;
                    let sent = PresenceCounts { participants, present, represented };
                    self.sent_presence = (sent, eligible(&self.state.facts));
                    self.announce(change, Some(Arc::clone(&loaded.voted)));
                }
                _ => self.announce(change, None),
            }
        }
        if open_round(&self.state).is_none() {
            self.sent_counts = None;
        }
        for (round, question) in self.unsent_results.drain(..self.loaded_results).collect::<Vec<_>>() {
            self.announce(LiveChange::ResultDeclared { round, question }, None);
        }
        self.loaded_results = 0;
    }

    /// Counts the present and represented voters again if the weights or the proxies changed. They rarely do.
    fn set_weights(&mut self, weights: Arc<Weights>, holders_before: &Holders) {
        let holders = Arc::clone(&self.state.facts.holders);
        if weights != self.weights || *holders != *holders_before {
            self.channel.presence.set_weights(Arc::clone(&weights), holders);
            self.weights = weights;
            let PresenceCounts { present, represented, .. } = presence_of(&self.state.facts, self.channel);
            (self.state.present, self.state.represented) = (present, represented);
        }
    }

    /// The announcement follows with the other counters.
    fn apply_check_ins(&mut self, check_in: LiveCheckIn) {
        if self.state.facts.check_in.is_none() {
            return;
        }
        let mut facts = LiveFacts::clone(&self.state.facts);
        facts.check_in = Some(check_in);
        if let Some(quorum) = facts.quorum.as_mut() {
            quorum.eligible = check_in.eligible;
        }
        self.state.facts = Arc::new(facts);
    }

    fn apply_votes(&mut self, round: RoundId, votes: u64) {
        self.change_open(round, |open| open.votes_cast = votes);
        let now = Instant::now();
        self.announce_votes();
        self.counters_from = now + self.merge_interval();
    }

    /// Changes the open round of the state, if it is `round`.
    fn change_open(&mut self, round: RoundId, change: impl FnOnce(&mut LiveRound)) {
        let mut facts = LiveFacts::clone(&self.state.facts);
        if let Some(open) = facts.question.as_mut().and_then(|question| question.round.as_mut())
            && open.id == round
        {
            change(open);
        }
        self.state.facts = Arc::new(facts);
    }

    /// The shortest time between two announcements of counters. It grows with the watchers, because each announcement is a
    /// write for each of them, and thousands who arrive would otherwise keep the server busy.
    fn merge_interval(&self) -> Duration {
        let watchers = u32::try_from(self.channel.announcements.receiver_count()).unwrap_or(u32::MAX);
        let LiveSettings { merge_interval, merge_per_watcher, .. } = self.hub.settings;
        merge_interval.max(merge_per_watcher.saturating_mul(watchers))
    }

    fn has_unsent_counters(&self) -> bool {
        self.sent_counts != counts(&self.state.facts) || self.sent_presence != self.presence_counters()
    }

    fn announce_counters(&mut self, now: Instant) {
        let is_sent = [self.announce_votes(), self.announce_presence()];
        if is_sent.contains(&true) {
            self.counters_from = now + self.merge_interval();
        }
    }

    fn announce_votes(&mut self) -> bool {
        let counts = counts(&self.state.facts);
        let is_new = counts != self.sent_counts;
        if is_new {
            self.sent_counts = counts;
            self.announce(LiveChange::VoteCount, None);
        }
        is_new
    }

    fn announce_presence(&mut self) -> bool {
        let presence_counters = self.presence_counters();
        let is_new = presence_counters != self.sent_presence;
        if is_new {
            self.sent_presence = presence_counters;
            let PresenceCounts { participants, present, represented } = presence_counters.0;
            self.state.participants = participants;
            (self.state.present, self.state.represented) = (present, represented);
            self.announce(LiveChange::ParticipantCount, None);
        }
        is_new
    }

    fn presence_counters(&self) -> PresenceCounters {
        (presence_of(&self.state.facts, self.channel), eligible(&self.state.facts))
    }

    /// Sends a change to all watchers as the next version.
    fn announce(&mut self, change: LiveChange, voted: Option<Arc<HashSet<EndUserId>>>) {
        self.state.version += 1;
        self.hub.record_version(self.state.version);
        self.publish_snapshot();
        // Sending fails without watchers, and then the channel is about to end.
        let _ = self.channel.announcements.send(Arc::new(Announcement::new(change, self.state.clone(), voted)));
    }

    fn publish_snapshot(&self) {
        let snapshot = Announcement::new(LiveChange::Connected, self.state.clone(), None);
        self.channel.snapshot.send_replace(Snapshot::Live(Arc::new(snapshot)));
    }
}

/// Loads the facts, their differences from `before`, and the people who have voted if a difference makes screens show
/// that.
async fn load(
    source: &dyn LiveSource,
    meeting: MeetingId,
    before: &LiveState,
    is_delayed: bool,
) -> Result<Option<Loaded>, PortFailure> {
    let Some((facts, weights)) = source.load_with_weights(meeting).await? else {
        return Ok(None);
    };
    let mut changes = facts.changes_since(&before.facts);
    // Whether the state is delayed is not one of the facts.
    if is_delayed != before.is_delayed && !changes.contains(&LiveChange::MeetingUpdate) {
        changes.push(LiveChange::MeetingUpdate);
    }
    let shows_question =
        changes.iter().any(|change| matches!(change, LiveChange::QuestionActivated | LiveChange::MeetingUpdate));
    let voted = match facts.open_question() {
        Some((_, round)) if shows_question && round.votes_cast > 0 => source.who_voted(round.id).await?,
        _ => Vec::new(),
    };
    let (facts, weights, voted) = (Arc::new(facts), Arc::new(weights), Arc::new(voted.into_iter().collect()));
    Ok(Some(Loaded { is_delayed, facts, weights, changes, voted }))
}

/// The present and represented people: by the record in a meeting with check-in, otherwise the connected voters.
fn presence_of(facts: &LiveFacts, channel: &MeetingChannel) -> PresenceCounts {
    PresenceCounts::by_record(facts).unwrap_or_else(|| channel.presence.counts())
}

fn counts(facts: &LiveFacts) -> Counts {
    facts.open_question().map(|(_, round)| (round.id, round.votes_cast, round.register_size, round.weight_cast))
}

fn eligible(facts: &LiveFacts) -> Option<People> {
    let of_quorum = facts.quorum.as_ref().map(|quorum| quorum.eligible);
    of_quorum.or(facts.check_in.map(|check_in| check_in.eligible))
}

async fn result_of(query: &mut Option<Query>) -> QueryResult {
    match query {
        Some(query) => query.await,
        None => pending().await,
    }
}

async fn wait_until(wake: Option<Instant>) {
    match wake {
        Some(wake) => sleep_until(wake).await,
        None => pending().await,
    }
}
