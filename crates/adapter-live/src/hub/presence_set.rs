//! The voters who are connected to one meeting, through this instance or others. Each voter counts once.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plenum_kernel::{EndUserId, InstanceId};
use plenum_meetings::People;
use plenum_meetings::live::{Holders, LiveCheckIn, LiveFacts, PresenceUpdate, Weights};
use rust_decimal::Decimal;
use tokio::time::Instant;

/// The number of connected voters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PresenceCounts {
    /// All connected voters.
    pub(super) participants: u64,
    /// The eligible ones among them. Zero if the meeting has no quorum.
    pub(super) present: People,
    /// The eligible voters who are not connected, and the holder of their proxy is. Zero if the meeting has no quorum.
    pub(super) represented: People,
}

impl PresenceCounts {
    /// The people who are present and represented by the record of a meeting with check-in, where nobody counts by a connection.
    /// `None` for another meeting.
    pub(super) fn by_record(facts: &LiveFacts) -> Option<Self> {
        let LiveCheckIn { present, represented, .. } = facts.check_in?;
        Some(Self { participants: present.heads, present, represented })
    }
}

/// Voters who connected or disconnected on this instance since the last report.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PresenceChanges {
    pub(super) came: Vec<EndUserId>,
    pub(super) left: Vec<EndUserId>,
}

/// The presence of one meeting. It is separate from the meeting's channel, because other instances may report a meeting
/// without watchers on this one.
#[derive(Default)]
pub(super) struct PresenceSet {
    /// Whether changes on this instance are reported to others.
    is_reported: bool,
    voters: Mutex<Voters>,
}

/// The present voters are counted as voters come and go, never all at once, so that thousands may arrive together.
#[derive(Default)]
struct Voters {
    /// The open streams of each voter on this instance.
    streams: HashMap<EndUserId, usize>,
    /// The voters that other instances reported.
    remote: HashMap<InstanceId, RemoteInstance>,
    /// The number of instances through which each voter is connected.
    instances: HashMap<EndUserId, usize>,
    /// Voters who connected (true) or disconnected (false) here since the last report.
    unreported: HashMap<EndUserId, bool>,
    /// The weights of those who may vote. Empty if the meeting has no quorum.
    weights: Arc<Weights>,
    /// Connected voters who may vote.
    present: People,
    /// The holder of each principal, and the principals of each holder.
    holders: Arc<Holders>,
    principals: HashMap<EndUserId, Vec<EndUserId>>,
    /// Those who may vote and are not connected, and whose holder is.
    represented: People,
}

/// The voters that another instance has reported.
struct RemoteInstance {
    /// The number of its last report.
    number: u64,
    last_report_at: Instant,
    voters: HashSet<EndUserId>,
    /// The first parts of a report in several parts.
    partial: Option<PartialReport>,
}

struct PartialReport {
    number: u64,
    next_part: u32,
    voters: HashSet<EndUserId>,
}

impl PresenceSet {
    /// Creates an empty set. `is_reported` says whether changes are reported to other instances.
    pub(super) fn new(is_reported: bool) -> Self {
        Self { is_reported, voters: Mutex::default() }
    }

    fn voters(&self) -> MutexGuard<'_, Voters> {
        self.voters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the connected voters.
    pub(super) fn counts(&self) -> PresenceCounts {
        let voters = self.voters();
        let Voters { present, represented, .. } = *voters;
        PresenceCounts { participants: voters.instances.len() as u64, present, represented }
    }

    /// Counts the connected voters once by `weights` and `holders`, and keeps those that are set.
    pub(super) fn counts_by(&self, weights: &Weights, holders: &Holders) -> PresenceCounts {
        let voters = self.voters();
        let represented = voters.represented_by(weights, holders);
        let present = voters.instances.keys().filter_map(|voter| weights.get(voter).copied()).collect();
        PresenceCounts { participants: voters.instances.len() as u64, present, represented }
    }

    /// The connected voters, in no order.
    pub(super) fn connected(&self) -> Vec<EndUserId> {
        self.voters().instances.keys().copied().collect()
    }

    /// Sets the weights and the proxies, and counts all connected voters by them. Call it only if one of them changed.
    pub(super) fn set_weights(&self, weights: Arc<Weights>, holders: Arc<Holders>) {
        let mut voters = self.voters();
        voters.represented = voters.represented_by(&weights, &holders);
        voters.principals.clear();
        for (principal, holder) in &*holders {
            voters.principals.entry(*holder).or_default().push(*principal);
        }
        voters.holders = holders;
        voters.present = voters.instances.keys().filter_map(|voter| weights.get(voter).copied()).collect();
        voters.weights = weights;
    }

    /// Adds a stream of a voter on this instance.
    pub(super) fn connect(&self, voter: EndUserId) {
        let mut voters = self.voters();
        let streams = voters.streams.entry(voter).or_default();
        *streams += 1;
        if *streams == 1 {
            voters.add_instance(voter);
            if self.is_reported {
                voters.unreported.insert(voter, true);
            }
        }
    }

    /// Removes a stream of a voter on this instance.
    pub(super) fn disconnect(&self, voter: EndUserId) {
        let mut voters = self.voters();
        let Some(streams) = voters.streams.get_mut(&voter) else { return };
        *streams -= 1;
        if *streams == 0 {
            voters.streams.remove(&voter);
            voters.remove_instance(voter);
            if self.is_reported {
                voters.unreported.insert(voter, false);
            }
        }
    }

    /// Whether no voter is connected.
    pub(super) fn is_empty(&self) -> bool {
        let voters = self.voters();
        voters.instances.is_empty() && voters.remote.is_empty()
    }

    /// Takes the changes on this instance since the last report.
    pub(super) fn take_changes(&self) -> PresenceChanges {
        let mut changes = PresenceChanges::default();
        for (voter, has_come) in std::mem::take(&mut self.voters().unreported) {
            if has_come { changes.came.push(voter) } else { changes.left.push(voter) }
        }
        changes
    }

    /// All voters who are connected through this instance. Clears the unreported changes.
    pub(super) fn take_all(&self) -> Vec<EndUserId> {
        let mut voters = self.voters();
        voters.unreported.clear();
        voters.streams.keys().copied().collect()
    }

    /// Applies a report of another instance. A report that does not follow the one before is ignored, because a full report
    /// comes within seconds.
    pub(super) fn apply_report(&self, instance: InstanceId, number: u64, update: PresenceUpdate, now: Instant) {
        let mut voters = self.voters();
        match update {
            PresenceUpdate::All { part, parts, voters: reported } => {
                let remote = voters.remote_instance(instance, now);
                if let Some(all) = remote.collect_part(number, part, parts, reported) {
                    voters.replace(instance, number, all);
                }
            }
            PresenceUpdate::Changed { since, came, left } => {
                let Some(remote) = voters.remote.get_mut(&instance) else { return };
                remote.last_report_at = now;
                if remote.number == since {
                    remote.number = number;
                    voters.change(instance, &came, &left);
                }
            }
        }
    }

    /// Removes the voters of instances whose last report is older than `before`. Returns whether there were any.
    pub(super) fn remove_silent_instances(&self, before: Instant) -> bool {
        let mut voters = self.voters();
        let silent = voters.remote.iter().filter(|(_, remote)| remote.last_report_at < before);
        let silent: Vec<InstanceId> = silent.map(|(instance, _)| *instance).collect();
        for instance in &silent {
            voters.replace(*instance, 0, HashSet::new());
        }
        !silent.is_empty()
    }

    /// Counts the silence of all instances from now. Their silence means nothing while no report can arrive.
    pub(super) fn reset_silence(&self, now: Instant) {
        for remote in self.voters().remote.values_mut() {
            remote.last_report_at = now;
        }
    }
}

impl Voters {
    /// Connects a voter through one more instance.
    fn add_instance(&mut self, voter: EndUserId) {
        let instances = self.instances.entry(voter).or_default();
        *instances += 1;
        if *instances > 1 {
            return;
        }
        if let Some(weight) = self.weights.get(&voter) {
            self.present.add(*weight);
            if self.holders.get(&voter).is_some_and(|holder| *holder != voter && self.instances.contains_key(holder)) {
                self.represented.remove(*weight);
            }
        }
        for weight in self.absent_principals(voter) {
            self.represented.add(weight);
        }
    }

    /// The weights of the principals of a holder who are not connected.
    fn absent_principals(&self, holder: EndUserId) -> Vec<Decimal> {
        let principals = self.principals.get(&holder).into_iter().flatten();
        let absent = principals.filter(|principal| !self.instances.contains_key(principal));
        absent.filter_map(|principal| self.weights.get(principal).copied()).collect()
    }

    /// Counts the represented voters.
    fn represented_by(&self, weights: &Weights, holders: &Holders) -> People {
        let is_represented = |(principal, holder): &(&EndUserId, &EndUserId)| {
            !self.instances.contains_key(principal) && self.instances.contains_key(holder)
        };
        let represented = holders.iter().filter(is_represented);
        represented.filter_map(|(principal, _)| weights.get(principal).copied()).collect()
    }

    /// Disconnects a voter from one instance.
    fn remove_instance(&mut self, voter: EndUserId) {
        let Some(instances) = self.instances.get_mut(&voter) else { return };
        *instances -= 1;
        if *instances == 0 {
            for weight in self.absent_principals(voter) {
                self.represented.remove(weight);
            }
            self.instances.remove(&voter);
            if let Some(weight) = self.weights.get(&voter) {
                self.present.remove(*weight);
                if self.holders.get(&voter).is_some_and(|holder| self.instances.contains_key(holder)) {
                    self.represented.add(*weight);
                }
            }
        }
    }

    /// The record of an instance that has just sent a report.
    fn remote_instance(&mut self, instance: InstanceId, now: Instant) -> &mut RemoteInstance {
        let remote = self.remote.entry(instance).or_insert_with(|| RemoteInstance {
            number: 0,
            last_report_at: now,
            voters: HashSet::new(),
            partial: None,
        });
        remote.last_report_at = now;
        remote
    }

    fn replace(&mut self, instance: InstanceId, number: u64, all: HashSet<EndUserId>) {
        let Some(remote) = self.remote.get_mut(&instance) else { return };
        let before = std::mem::take(&mut remote.voters);
        for voter in all.difference(&before) {
            self.add_instance(*voter);
        }
        for voter in before.difference(&all) {
            self.remove_instance(*voter);
        }
        if all.is_empty() {
            self.remote.remove(&instance);
        } else if let Some(remote) = self.remote.get_mut(&instance) {
            remote.voters = all;
            remote.number = number;
        }
    }

    fn change(&mut self, instance: InstanceId, came: &[EndUserId], left: &[EndUserId]) {
        let Some(remote) = self.remote.get_mut(&instance) else { return };
        let came: Vec<_> = came.iter().copied().filter(|voter| remote.voters.insert(*voter)).collect();
        let left: Vec<_> = left.iter().copied().filter(|voter| remote.voters.remove(voter)).collect();
        came.into_iter().for_each(|voter| self.add_instance(voter));
        left.into_iter().for_each(|voter| self.remove_instance(voter));
    }
}

impl RemoteInstance {
    /// All voters of a report, once its last part has arrived and none is missing.
    fn collect_part(
        &mut self,
        number: u64,
        part: u32,
        parts: u32,
        voters: Vec<EndUserId>,
    ) -> Option<HashSet<EndUserId>> {
        let mut report = match (part, self.partial.take()) {
            (0, _) => PartialReport { number, next_part: 0, voters: HashSet::with_capacity(voters.len()) },
            (_, Some(partial)) if partial.number == number && partial.next_part == part => partial,
            _ => return None,
        };
        report.voters.extend(voters);
        report.next_part += 1;
        if report.next_part >= parts {
            return Some(report.voters);
        }
        self.partial = Some(report);
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use plenum_kernel::testkit::CountingIds;
    use rust_decimal::Decimal;

    use super::*;

    struct Fixture {
        presence: PresenceSet,
        voters: [EndUserId; 4],
        instances: [InstanceId; 2],
        now: Instant,
    }

    impl Fixture {
        fn new() -> Self {
            let ids = CountingIds::new();
            let voters = [(); 4].map(|()| EndUserId::new(&ids));
            let instances = [(); 2].map(|()| InstanceId::new(&ids));
            Self { presence: PresenceSet::new(true), voters, instances, now: Instant::now() }
        }

        /// Reports these voters through another instance. Voters and instances are given by their index.
        fn all(&self, instance: usize, number: u64, voters: &[usize]) {
            self.part(instance, number, (0, 1), voters);
        }

        fn part(&self, instance: usize, number: u64, (part, parts): (u32, u32), voters: &[usize]) {
            let voters = voters.iter().map(|voter| self.voters[*voter]).collect();
            self.presence.apply_report(
                self.instances[instance],
                number,
                PresenceUpdate::All { part, parts, voters },
                self.now,
            );
        }

        fn changed(&self, instance: usize, (since, number): (u64, u64), came: &[usize], left: &[usize]) {
            let ids = |indices: &[usize]| indices.iter().map(|voter| self.voters[*voter]).collect();
            let update = PresenceUpdate::Changed { since, came: ids(came), left: ids(left) };
            self.presence.apply_report(self.instances[instance], number, update, self.now);
        }

        fn connected(&self) -> Vec<usize> {
            let connected = self.presence.connected();
            assert_eq!(self.presence.counts().participants, connected.len() as u64);
            (0..self.voters.len()).filter(|voter| connected.contains(&self.voters[*voter])).collect()
        }
    }

    #[test]
    fn a_voter_is_counted_once_through_however_many_instances_they_are_connected() {
        let fixture = Fixture::new();
        fixture.presence.connect(fixture.voters[0]);
        fixture.presence.connect(fixture.voters[0]);
        fixture.all(0, 1, &[0, 1]);
        fixture.all(1, 1, &[1, 2]);
        assert_eq!(fixture.connected(), [0, 1, 2]);

        fixture.presence.disconnect(fixture.voters[0]);
        fixture.presence.disconnect(fixture.voters[0]);
        assert_eq!(fixture.connected(), [0, 1, 2]);
        fixture.all(0, 2, &[1]);
        assert_eq!(fixture.connected(), [1, 2]);
        fixture.all(0, 3, &[]);
        assert_eq!(fixture.connected(), [1, 2]);
        fixture.all(1, 2, &[]);
        assert_eq!(fixture.connected(), [0; 0]);
        assert!(fixture.presence.is_empty());
    }

    #[test]
    fn a_change_that_does_not_follow_waits_for_a_full_report() {
        let fixture = Fixture::new();
        fixture.changed(0, (0, 1), &[3], &[]);
        assert_eq!(fixture.connected(), [0; 0], "nothing was reported before");
        fixture.all(0, 2, &[0]);
        fixture.changed(0, (2, 3), &[1], &[0]);
        assert_eq!(fixture.connected(), [1]);
        fixture.changed(0, (4, 5), &[2], &[]);
        assert_eq!(fixture.connected(), [1], "report 4 was lost");
        fixture.all(0, 6, &[1, 2]);
        fixture.changed(0, (6, 7), &[2, 2], &[3, 1]);
        assert_eq!(fixture.connected(), [2]);
    }

    #[test]
    fn a_report_in_parts_counts_when_its_last_part_has_arrived() {
        let fixture = Fixture::new();
        fixture.all(0, 1, &[0, 3]);
        fixture.part(0, 2, (0, 2), &[0, 1]);
        assert_eq!(fixture.connected(), [0, 3]);
        fixture.part(0, 2, (1, 2), &[2]);
        assert_eq!(fixture.connected(), [0, 1, 2]);
        // The first part is missing, and then one in the middle, and then the end.
        fixture.part(0, 3, (1, 2), &[3]);
        fixture.part(0, 4, (0, 3), &[3]);
        fixture.part(0, 4, (2, 3), &[3]);
        fixture.part(0, 5, (0, 2), &[3]);
        fixture.part(0, 6, (1, 2), &[3]);
        assert_eq!(fixture.connected(), [0, 1, 2]);
    }

    #[test]
    fn voters_of_a_silent_instance_are_removed_unless_no_instance_can_be_heard() {
        let fixture = Fixture::new();
        fixture.all(0, 1, &[0]);
        fixture.presence.connect(fixture.voters[1]);
        assert!(!fixture.presence.remove_silent_instances(fixture.now));
        let later = fixture.now + Duration::from_secs(60);
        fixture.presence.reset_silence(later);
        assert!(!fixture.presence.remove_silent_instances(later));
        assert_eq!(fixture.connected(), [0, 1]);
        assert!(fixture.presence.remove_silent_instances(later + Duration::from_secs(1)));
        assert_eq!(fixture.connected(), [1]);
    }

    #[test]
    fn the_present_weight_follows_the_voters_connected_anywhere() {
        let fixture = Fixture::new();
        fixture.all(0, 1, &[0, 1]);
        let weights: Weights = [(fixture.voters[0], Decimal::TWO), (fixture.voters[2], Decimal::TEN)].into();
        fixture.presence.set_weights(Arc::new(weights), Arc::default());
        let weight = || fixture.presence.counts().present.weight;
        let weights_once: Weights = [(fixture.voters[1], Decimal::ONE)].into();
        assert_eq!(fixture.presence.counts_by(&weights_once, &Holders::new()).present.weight, Decimal::ONE);
        assert_eq!(weight(), Decimal::TWO);
        fixture.presence.connect(fixture.voters[0]);
        fixture.presence.connect(fixture.voters[2]);
        assert_eq!(weight(), Decimal::from(12));
        fixture.all(0, 2, &[1, 2]);
        fixture.presence.disconnect(fixture.voters[2]);
        assert_eq!(weight(), Decimal::from(12));
        fixture.changed(0, (2, 3), &[], &[2]);
        assert_eq!(weight(), Decimal::TWO);
    }

    #[test]
    fn only_voters_of_this_instance_are_reported() {
        let fixture = Fixture::new();
        fixture.all(0, 1, &[3]);
        fixture.presence.connect(fixture.voters[0]);
        fixture.presence.connect(fixture.voters[1]);
        fixture.presence.disconnect(fixture.voters[1]);
        let movement = PresenceChanges { came: vec![fixture.voters[0]], left: vec![fixture.voters[1]] };
        assert_eq!(fixture.presence.take_changes(), movement);
        assert_eq!(fixture.presence.take_changes(), PresenceChanges::default());
        fixture.presence.connect(fixture.voters[2]);
        let mut all = fixture.presence.take_all();
        all.sort_unstable();
        assert_eq!(all, [fixture.voters[0], fixture.voters[2]]);
        assert_eq!(fixture.presence.take_changes(), PresenceChanges::default());
    }

    #[test]
    fn an_instance_without_others_keeps_no_unreported_changes() {
        let fixture = Fixture::new();
        let presence = PresenceSet::new(false);
        presence.connect(fixture.voters[0]);
        assert_eq!(presence.take_changes(), PresenceChanges::default());
    }
}
