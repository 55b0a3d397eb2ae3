//! Checks whether voters may continue to watch, for many streams at once.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plenum_clients::AccessCheck;
use plenum_kernel::{ActingPerson, ClientId, EndUserId, MeetingId, PortFailure};
use plenum_meetings::MeetingService;
use tokio::sync::oneshot;
use tokio::time::sleep;

/// A voter who watches a meeting.
#[derive(Clone, Copy, Debug)]
pub(super) struct WatchingVoter {
    pub(super) acting: ActingPerson,
    pub(super) client: ClientId,
    pub(super) voter: EndUserId,
    pub(super) meeting: MeetingId,
}

/// Whether a voter may continue to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchPermission {
    MayContinue,
    SessionEnded,
    NotInvited,
}

/// A voter whose stream waits for the outcome.
struct WaitingVoter {
    watching: WatchingVoter,
    reply: oneshot::Sender<WatchPermission>,
}

/// Gathers the checks of open streams, and asks the stores for all of them together. The streams of a hall are checked in
/// the same seconds, because they were opened in the same seconds. Asked one by one, thousands of them would keep both
/// the server and the database busy, and hold up the next question.
pub(crate) struct WatcherChecks {
    access: Arc<AccessCheck>,
    meetings: Arc<MeetingService>,
    waiting: Mutex<Vec<WaitingVoter>>,
}

impl WatcherChecks {
    /// The time in which checks gather.
    const GATHERING: Duration = Duration::from_millis(100);

    /// The maximum number of voters in one question to a store.
    const BATCH: usize = 1_000;

    pub(crate) fn new(access: Arc<AccessCheck>, meetings: Arc<MeetingService>) -> Self {
        Self { access, meetings, waiting: Mutex::default() }
    }

    /// Whether the voter may continue. `None` if a store does not answer.
    pub(super) async fn permission(self: Arc<Self>, watching: WatchingVoter) -> Option<WatchPermission> {
        let (reply, outcome) = oneshot::channel();
        if self.add(WaitingVoter { watching, reply }) {
            // A task, because the stream that asked first may end before the others have their outcomes.
            tokio::spawn(async move {
                sleep(Self::GATHERING).await;
                self.check_gathered().await;
            });
        }
        // Without an answer of the stores, the reply was dropped.
        outcome.await.ok()
    }

    /// Adds a voter to those that wait. Returns whether it is the first one.
    fn add(&self, voter: WaitingVoter) -> bool {
        let mut waiting = self.waiting();
        waiting.push(voter);
        waiting.len() == 1
    }

    async fn check_gathered(&self) {
        let gathered = mem::take(&mut *self.waiting());
        let mut by_meeting: HashMap<(ClientId, MeetingId), Vec<WaitingVoter>> = HashMap::new();
        for voter in gathered {
            by_meeting.entry((voter.watching.client, voter.watching.meeting)).or_default().push(voter);
        }
        for ((client, meeting), mut voters) in by_meeting {
            while !voters.is_empty() {
                let batch = voters.split_off(voters.len().saturating_sub(Self::BATCH));
                // The streams of a batch without an answer continue, and are checked again a minute later.
                let _ = self.check(client, meeting, batch).await;
            }
        }
    }

    async fn check(&self, client: ClientId, meeting: MeetingId, batch: Vec<WaitingVoter>) -> Result<(), PortFailure> {
        let acting: Vec<ActingPerson> = batch.iter().map(|voter| voter.watching.acting).collect();
        let voters = batch.iter().map(|voter| voter.watching.voter).collect();
        let active = self.access.recheck_all(&acting).await?;
        let invited = self.meetings.invited_among(client, voters, meeting).await?;
        for WaitingVoter { watching, reply } in batch {
            let permission = match (active.contains(&watching.acting.session), invited.contains(&watching.voter)) {
                (false, _) => WatchPermission::SessionEnded,
                (true, false) => WatchPermission::NotInvited,
                (true, true) => WatchPermission::MayContinue,
            };
            // The stream may have ended.
            let _ = reply.send(permission);
        }
        Ok(())
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<WaitingVoter>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use plenum_clients::testkit::MockSessionStore;
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{Person, SessionId};
    use plenum_meetings::testkit::MockVoterMeetings;

    use super::*;
    use crate::live::mock_services::{access_on, meetings_on};

    fn checks(sessions: MockSessionStore, voters: MockVoterMeetings) -> Arc<WatcherChecks> {
        Arc::new(WatcherChecks::new(access_on(sessions), meetings_on(voters)))
    }

    /// This many voters, each in one of two meetings.
    fn watching(count: usize) -> Vec<WatchingVoter> {
        let ids = CountingIds::new();
        let client = ClientId::new(&ids);
        let meetings = [MeetingId::new(&ids), MeetingId::new(&ids)];
        let watching = |number: usize| {
            let voter = EndUserId::new(&ids);
            let acting =
                ActingPerson { session: SessionId::new(&ids), person: Person::EndUser { end_user: voter, client } };
            WatchingVoter { acting, client, voter, meeting: meetings[number % 2] }
        };
        (0..count).map(watching).collect()
    }

    async fn outcomes(checks: &Arc<WatcherChecks>, watching: &[WatchingVoter]) -> Vec<Option<WatchPermission>> {
        join_all(watching.iter().map(|one| Arc::clone(checks).permission(*one))).await
    }

    /// Sessions of which all but these are active, and which must be asked for this many times.
    fn sessions(of: &[WatchingVoter], ended: &[usize], times: usize) -> MockSessionStore {
        let active: HashMap<SessionId, Person> = of
            .iter()
            .enumerate()
            .filter(|(number, _)| !ended.contains(number))
            .map(|(_, one)| (one.acting.session, one.acting.person))
            .collect();
        let mut sessions = MockSessionStore::new();
        sessions.expect_active_among().times(times).returning(move |asked| {
            assert!(asked.len() <= WatcherChecks::BATCH);
            Ok(asked.into_iter().filter_map(|id| Some((id, *active.get(&id)?))).collect())
        });
        sessions
    }

    #[tokio::test(start_paused = true)]
    async fn the_voters_of_each_meeting_are_checked_by_one_question_to_each_store() {
        let watching = watching(6);
        let uninvited = watching[4].voter;
        let mut voters = MockVoterMeetings::new();
        voters
            .expect_invited_among()
            .times(2)
            .returning(move |_, asked, _| Ok(asked.into_iter().filter(|voter| *voter != uninvited).collect()));
        let checks = checks(sessions(&watching, &[1], 2), voters);
        let (goes_on, ended, uninvited) =
            (WatchPermission::MayContinue, WatchPermission::SessionEnded, WatchPermission::NotInvited);
        let expected = [goes_on, ended, goes_on, goes_on, uninvited, goes_on].map(Some);
        assert_eq!(outcomes(&checks, &watching).await, expected);
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_has_a_limited_number_of_voters() {
        let watching = watching(2 * (WatcherChecks::BATCH + 1));
        let mut voters = MockVoterMeetings::new();
        voters.expect_invited_among().times(4).returning(|_, asked, _| Ok(asked.into_iter().collect()));
        let checks = checks(sessions(&watching, &[], 4), voters);
        assert!(
            outcomes(&checks, &watching).await.into_iter().all(|outcome| outcome == Some(WatchPermission::MayContinue))
        );
    }

    #[tokio::test(start_paused = true)]
    async fn later_voters_are_checked_by_the_next_question() {
        let watching = watching(2);
        let mut voters = MockVoterMeetings::new();
        voters.expect_invited_among().times(2).returning(|_, asked, _| Ok(asked.into_iter().collect()));
        let checks = checks(sessions(&watching, &[], 2), voters);
        for one in watching {
            assert_eq!(Arc::clone(&checks).permission(one).await, Some(WatchPermission::MayContinue));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn without_an_answer_of_a_store_there_is_no_outcome() {
        let watching = watching(3);
        let mut voters = MockVoterMeetings::new();
        voters.expect_invited_among().returning(|_, _, _| Err(PortFailure::busy("the database")));
        let checks = checks(sessions(&watching, &[], 2), voters);
        assert_eq!(outcomes(&checks, &watching).await, [None, None, None]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_others_have_an_outcome_if_the_stream_that_asked_first_ends() {
        let watching = watching(3);
        let mut voters = MockVoterMeetings::new();
        voters.expect_invited_among().times(2).returning(|_, asked, _| Ok(asked.into_iter().collect()));
        let checks = checks(sessions(&watching, &[], 2), voters);
        let mut first = Box::pin(Arc::clone(&checks).permission(watching[0]));
        assert!(futures_util::poll!(first.as_mut()).is_pending());
        drop(first);
        assert_eq!(
            outcomes(&checks, &watching[1..]).await,
            [Some(WatchPermission::MayContinue), Some(WatchPermission::MayContinue)]
        );
    }
}
