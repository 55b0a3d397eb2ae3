//! Those who are connected to one meeting, through this instance and through others, each voter once.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plenum_kernel::{EndUserId, InstanceId};
use plenum_meetings::People;
use plenum_meetings::live::{PresenceNews, Weights};
use tokio::time::Instant;

/// How many voters are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Presence {
    /// All of them.
    pub(crate) participants: u64,
    /// Those who may vote, where a quorum asks for them.
    pub(crate) present: People,
}

/// Who came here and who left, for the others.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Movement {
    pub(crate) came: Vec<EndUserId>,
    pub(crate) left: Vec<EndUserId>,
}

/// The crowd of one meeting. It is kept apart from the room, because other instances may watch a meeting that nobody
/// watches here.
#[derive(Default)]
pub(crate) struct PresenceSet {
    /// Whether other instances are told of those who are here.
    is_told: bool,
    voters: Mutex<Voters>,
}

/// Those of them who may vote are counted as they come and go, and never anew, so that thousands may come at once.
#[derive(Default)]
struct Voters {
    /// How many screens each voter has open here.
    screens: HashMap<EndUserId, usize>,
    /// What other instances told of theirs.
    elsewhere: HashMap<InstanceId, Branch>,
    /// Through how many instances each voter is connected.
    places: HashMap<EndUserId, usize>,
    /// Who came here since the others were told, and who left.
    untold: HashMap<EndUserId, bool>,
    /// What those weigh who may vote; nobody where no quorum asks for them.
    weights: Arc<Weights>,
    /// Those who are connected and may vote.
    present: People,
}

/// What one other instance told.
struct Branch {
    /// The number of its last report.
    number: u64,
    heard_at: Instant,
    voters: HashSet<EndUserId>,
    /// The beginning of a report in several parts.
    gathering: Option<Gathering>,
}

struct Gathering {
    number: u64,
    next: u32,
    voters: HashSet<EndUserId>,
}

impl PresenceSet {
    /// Nobody yet. `is_told` says whether other instances want to know of those who come.
    pub(crate) fn new(is_told: bool) -> Self {
        Self { is_told, voters: Mutex::default() }
    }

    fn voters(&self) -> MutexGuard<'_, Voters> {
        self.voters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many different voters are connected.
    pub(crate) fn presence(&self) -> Presence {
        let voters = self.voters();
        Presence { participants: voters.places.len() as u64, present: voters.present }
    }

    /// The same by these weights, for somebody who asks once.
    pub(crate) fn presence_by(&self, weights: &Weights) -> Presence {
        let voters = self.voters();
        let present = voters.places.keys().filter_map(|voter| weights.get(voter).copied()).collect();
        Presence { participants: voters.places.len() as u64, present }
    }

    /// The voters who are connected, in no order.
    pub(crate) fn connected(&self) -> Vec<EndUserId> {
        self.voters().places.keys().copied().collect()
    }

    /// Counts those who are connected by these weights from now on. Looks at each of them, and so is called only where the
    /// weights are others.
    pub(crate) fn weigh_by(&self, weights: Arc<Weights>) {
        let mut voters = self.voters();
        voters.present = voters.places.keys().filter_map(|voter| weights.get(voter).copied()).collect();
        voters.weights = weights;
    }

    /// A voter opened a screen here.
    pub(crate) fn came(&self, voter: EndUserId) {
        let mut voters = self.voters();
        let screens = voters.screens.entry(voter).or_default();
        *screens += 1;
        if *screens == 1 {
            voters.enter(voter);
            if self.is_told {
                voters.untold.insert(voter, true);
            }
        }
    }

    /// A voter closed a screen here.
    pub(crate) fn left(&self, voter: EndUserId) {
        let mut voters = self.voters();
        let Some(screens) = voters.screens.get_mut(&voter) else { return };
        *screens -= 1;
        if *screens == 0 {
            voters.screens.remove(&voter);
            voters.leave(voter);
            if self.is_told {
                voters.untold.insert(voter, false);
            }
        }
    }

    /// Whether nobody is connected.
    pub(crate) fn is_empty(&self) -> bool {
        let voters = self.voters();
        voters.places.is_empty() && voters.elsewhere.is_empty()
    }

    /// Who came here and who left since others were told last.
    pub(crate) fn take_movement(&self) -> Movement {
        let mut movement = Movement::default();
        for (voter, has_come) in std::mem::take(&mut self.voters().untold) {
            if has_come { movement.came.push(voter) } else { movement.left.push(voter) }
        }
        movement
    }

    /// Everyone who is connected through this instance, after which nothing is untold.
    pub(crate) fn take_all(&self) -> Vec<EndUserId> {
        let mut voters = self.voters();
        voters.untold.clear();
        voters.screens.keys().copied().collect()
    }

    /// Hears what another instance tells. What does not follow from what it told before is left out: it tells everything
    /// again before long.
    pub(crate) fn hear(&self, instance: InstanceId, number: u64, news: PresenceNews, now: Instant) {
        let mut voters = self.voters();
        match news {
            PresenceNews::All { part, parts, voters: told } => {
                let branch = voters.branch(instance, now);
                if let Some(all) = branch.gather(number, part, parts, told) {
                    voters.replace(instance, number, all);
                }
            }
            PresenceNews::Changed { since, came, left } => voters.change(instance, number, since, &came, &left, now),
        }
    }

    /// Forgets those of instances that have not been heard of since `before`. Whether there were any.
    pub(crate) fn forget_silent(&self, before: Instant) -> bool {
        let mut voters = self.voters();
        let silent = voters.elsewhere.iter().filter(|(_, branch)| branch.heard_at < before);
        let silent: Vec<InstanceId> = silent.map(|(instance, _)| *instance).collect();
        for instance in &silent {
            voters.replace(*instance, 0, HashSet::new());
        }
        !silent.is_empty()
    }

    /// Nobody can be heard: their silence means nothing.
    pub(crate) fn excuse_silence(&self, now: Instant) {
        for branch in self.voters().elsewhere.values_mut() {
            branch.heard_at = now;
        }
    }
}

impl Voters {
    /// A voter is connected through one instance more.
    fn enter(&mut self, voter: EndUserId) {
        let places = self.places.entry(voter).or_default();
        *places += 1;
        if *places == 1
            && let Some(weight) = self.weights.get(&voter)
        {
            self.present.add(*weight);
        }
    }

    /// A voter is connected through one instance less.
    fn leave(&mut self, voter: EndUserId) {
        let Some(places) = self.places.get_mut(&voter) else { return };
        *places -= 1;
        if *places == 0 {
            self.places.remove(&voter);
            if let Some(weight) = self.weights.get(&voter) {
                self.present.remove(*weight);
            }
        }
    }

    /// What is known of an instance that has just been heard.
    fn branch(&mut self, instance: InstanceId, now: Instant) -> &mut Branch {
        let branch = self.elsewhere.entry(instance).or_insert_with(|| Branch {
            number: 0,
            heard_at: now,
            voters: HashSet::new(),
            gathering: None,
        });
        branch.heard_at = now;
        branch
    }

    fn replace(&mut self, instance: InstanceId, number: u64, all: HashSet<EndUserId>) {
        let Some(branch) = self.elsewhere.get_mut(&instance) else { return };
        let before = std::mem::take(&mut branch.voters);
        for voter in all.difference(&before) {
            self.enter(*voter);
        }
        for voter in before.difference(&all) {
            self.leave(*voter);
        }
        if all.is_empty() {
            self.elsewhere.remove(&instance);
        } else if let Some(branch) = self.elsewhere.get_mut(&instance) {
            branch.voters = all;
            branch.number = number;
        }
    }

    fn change(
        &mut self,
        instance: InstanceId,
        number: u64,
        since: u64,
        came: &[EndUserId],
        left: &[EndUserId],
        now: Instant,
    ) {
        let Some(branch) = self.elsewhere.get_mut(&instance) else { return };
        branch.heard_at = now;
        if branch.number != since {
            return;
        }
        branch.number = number;
        let came: Vec<_> = came.iter().copied().filter(|voter| branch.voters.insert(*voter)).collect();
        let left: Vec<_> = left.iter().copied().filter(|voter| branch.voters.remove(voter)).collect();
        came.into_iter().for_each(|voter| self.enter(voter));
        left.into_iter().for_each(|voter| self.leave(voter));
    }
}

impl Branch {
    /// Everyone, once the last part is there and none is missing.
    fn gather(&mut self, number: u64, part: u32, parts: u32, voters: Vec<EndUserId>) -> Option<HashSet<EndUserId>> {
        let mut gathering = match (part, self.gathering.take()) {
            (0, _) => Gathering { number, next: 0, voters: HashSet::with_capacity(voters.len()) },
            (_, Some(begun)) if begun.number == number && begun.next == part => begun,
            _ => return None,
        };
        gathering.voters.extend(voters);
        gathering.next += 1;
        if gathering.next >= parts {
            return Some(gathering.voters);
        }
        self.gathering = Some(gathering);
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use plenum_kernel::testkit::CountingIds;
    use rust_decimal::Decimal;

    use super::*;

    struct Scene {
        crowd: PresenceSet,
        voters: [EndUserId; 4],
        instances: [InstanceId; 2],
        now: Instant,
    }

    impl Scene {
        fn new() -> Self {
            let ids = CountingIds::new();
            let voters = [(); 4].map(|()| EndUserId::new(&ids));
            let instances = [(); 2].map(|()| InstanceId::new(&ids));
            Self { crowd: PresenceSet::new(true), voters, instances, now: Instant::now() }
        }

        /// The other instance of this place has these voters.
        fn all(&self, instance: usize, number: u64, voters: &[usize]) {
            self.part(instance, number, (0, 1), voters);
        }

        fn part(&self, instance: usize, number: u64, (part, parts): (u32, u32), voters: &[usize]) {
            let voters = voters.iter().map(|voter| self.voters[*voter]).collect();
            self.crowd.hear(self.instances[instance], number, PresenceNews::All { part, parts, voters }, self.now);
        }

        fn changed(&self, instance: usize, (since, number): (u64, u64), came: &[usize], left: &[usize]) {
            let those = |places: &[usize]| places.iter().map(|voter| self.voters[*voter]).collect();
            let news = PresenceNews::Changed { since, came: those(came), left: those(left) };
            self.crowd.hear(self.instances[instance], number, news, self.now);
        }

        fn connected(&self) -> Vec<usize> {
            let connected = self.crowd.connected();
            assert_eq!(self.crowd.presence().participants, connected.len() as u64);
            (0..self.voters.len()).filter(|voter| connected.contains(&self.voters[*voter])).collect()
        }
    }

    #[test]
    fn a_voter_is_counted_once_through_however_many_instances_they_are_connected() {
        let scene = Scene::new();
        scene.crowd.came(scene.voters[0]);
        scene.crowd.came(scene.voters[0]);
        scene.all(0, 1, &[0, 1]);
        scene.all(1, 1, &[1, 2]);
        assert_eq!(scene.connected(), [0, 1, 2]);

        scene.crowd.left(scene.voters[0]);
        scene.crowd.left(scene.voters[0]);
        assert_eq!(scene.connected(), [0, 1, 2]);
        scene.all(0, 2, &[1]);
        assert_eq!(scene.connected(), [1, 2]);
        scene.all(0, 3, &[]);
        assert_eq!(scene.connected(), [1, 2]);
        scene.all(1, 2, &[]);
        assert_eq!(scene.connected(), [0; 0]);
        assert!(scene.crowd.is_empty());
    }

    #[test]
    fn changes_follow_one_another_or_wait_for_the_whole() {
        let scene = Scene::new();
        scene.changed(0, (0, 1), &[3], &[]);
        assert_eq!(scene.connected(), [0; 0], "nothing was told before");
        scene.all(0, 2, &[0]);
        scene.changed(0, (2, 3), &[1], &[0]);
        assert_eq!(scene.connected(), [1]);
        scene.changed(0, (4, 5), &[2], &[]);
        assert_eq!(scene.connected(), [1], "number 4 was not heard");
        scene.all(0, 6, &[1, 2]);
        scene.changed(0, (6, 7), &[2, 2], &[3, 1]);
        assert_eq!(scene.connected(), [2]);
    }

    #[test]
    fn a_report_in_parts_counts_when_its_last_part_is_there() {
        let scene = Scene::new();
        scene.all(0, 1, &[0, 3]);
        scene.part(0, 2, (0, 2), &[0, 1]);
        assert_eq!(scene.connected(), [0, 3]);
        scene.part(0, 2, (1, 2), &[2]);
        assert_eq!(scene.connected(), [0, 1, 2]);
        // The first part is missing, and then one in the middle, and then the end.
        scene.part(0, 3, (1, 2), &[3]);
        scene.part(0, 4, (0, 3), &[3]);
        scene.part(0, 4, (2, 3), &[3]);
        scene.part(0, 5, (0, 2), &[3]);
        scene.part(0, 6, (1, 2), &[3]);
        assert_eq!(scene.connected(), [0, 1, 2]);
    }

    #[test]
    fn those_of_an_instance_that_fell_silent_are_forgotten_unless_nobody_can_be_heard() {
        let scene = Scene::new();
        scene.all(0, 1, &[0]);
        scene.crowd.came(scene.voters[1]);
        assert!(!scene.crowd.forget_silent(scene.now));
        let later = scene.now + Duration::from_secs(60);
        scene.crowd.excuse_silence(later);
        assert!(!scene.crowd.forget_silent(later));
        assert_eq!(scene.connected(), [0, 1]);
        assert!(scene.crowd.forget_silent(later + Duration::from_secs(1)));
        assert_eq!(scene.connected(), [1]);
    }

    #[test]
    fn what_they_weigh_follows_those_who_are_connected_anywhere() {
        let scene = Scene::new();
        scene.all(0, 1, &[0, 1]);
        let weights: Weights = [(scene.voters[0], Decimal::TWO), (scene.voters[2], Decimal::TEN)].into();
        scene.crowd.weigh_by(Arc::new(weights));
        let weight = || scene.crowd.presence().present.weight;
        let asked_once: Weights = [(scene.voters[1], Decimal::ONE)].into();
        assert_eq!(scene.crowd.presence_by(&asked_once).present.weight, Decimal::ONE);
        assert_eq!(weight(), Decimal::TWO);
        scene.crowd.came(scene.voters[0]);
        scene.crowd.came(scene.voters[2]);
        assert_eq!(weight(), Decimal::from(12));
        scene.all(0, 2, &[1, 2]);
        scene.crowd.left(scene.voters[2]);
        assert_eq!(weight(), Decimal::from(12));
        scene.changed(0, (2, 3), &[], &[2]);
        assert_eq!(weight(), Decimal::TWO);
    }

    #[test]
    fn the_others_are_told_of_those_who_are_here_and_of_no_others() {
        let scene = Scene::new();
        scene.all(0, 1, &[3]);
        scene.crowd.came(scene.voters[0]);
        scene.crowd.came(scene.voters[1]);
        scene.crowd.left(scene.voters[1]);
        let movement = Movement { came: vec![scene.voters[0]], left: vec![scene.voters[1]] };
        assert_eq!(scene.crowd.take_movement(), movement);
        assert_eq!(scene.crowd.take_movement(), Movement::default());
        scene.crowd.came(scene.voters[2]);
        let mut all = scene.crowd.take_all();
        all.sort_unstable();
        assert_eq!(all, [scene.voters[0], scene.voters[2]]);
        assert_eq!(scene.crowd.take_movement(), Movement::default());
    }

    #[test]
    fn who_works_alone_keeps_no_list_of_what_is_untold() {
        let scene = Scene::new();
        let crowd = PresenceSet::new(false);
        crowd.came(scene.voters[0]);
        assert_eq!(crowd.take_movement(), Movement::default());
    }
}
