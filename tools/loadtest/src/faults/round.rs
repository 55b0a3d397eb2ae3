use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::acks::Acks;
use super::inject::Injected;
use super::installation::Installation;
use super::key_folder::{KeyStep, try_without_key_folder};
use super::kind::Kind;
use super::plan::{Fault, Moment};
use super::retry::{get, retry};
use super::screens::{Screens, Shown, shown_by};
use super::tampering::Tampering;
use super::voting::{Ballots, Outcome, RoundVoting};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, OpenRound, Secrecy};
use crate::http::{Connection, Target};
use crate::journal::{Entry, Submission};
use crate::rng::Rng;

/// Time limit for the product to recover and for screens to reconnect. After it they count as not recovered.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Share of the voters who have voted when the organizer ends the round.
const VOTED_AT_ENDING: f64 = 0.7;

/// A round with its fault.
#[derive(Debug)]
pub(super) struct PlayedRound {
    pub(super) round: String,
    pub(super) fault: Fault,
    pub(super) entries: Vec<Entry>,
    pub(super) outcome: Outcome,
    pub(super) injected: Injected,
    /// Votes acknowledged during the fault.
    pub(super) votes_during: usize,
    /// Time from the end of the fault until a vote was acknowledged; none if no votes were missing.
    pub(super) votes_again: Option<Duration>,
    /// Time from the end of the fault until all screens were correct.
    pub(super) screens_again: Duration,
}

/// Plays one round.
pub(super) struct RoundPlayer<'a> {
    pub(super) installation: &'a mut Installation,
    pub(super) fixture: &'a mut Fixture,
    pub(super) screens: &'a Screens,
    pub(super) seed: u64,
    pub(super) longest: Duration,
    /// Changes of sealed votes before their urn is opened.
    pub(super) tamper: &'a [Tampering],
}

/// An injected fault, with the time from its end until all screens were correct.
#[derive(Clone, Copy, Debug)]
struct Injection {
    injected: Injected,
    screens_again: Duration,
}

impl RoundPlayer<'_> {
    /// Opens a question, lets all vote, injects the fault, and ends the round. A secret round is counted. Wrong results
    /// are reported, and do not fail the run.
    pub(super) async fn play(&mut self, fault: &Fault) -> Result<PlayedRound, LoadFailure> {
        let question = fault.number - 1;
        let mut voting = RoundVoting::new();
        let mut problems = Vec::new();
        let (round, opening) = self.open(question, fault, &mut problems).await?;
        let may_be_late = fault.moment == Moment::Ending;
        let ballots = Ballots { question, round, seed: self.seed, may_be_late };
        let (in_time, late) = split_voters(self.fixture.voters.len());
        voting.send(
            self.fixture,
            &ballots,
            in_time.clone(),
            self.longest / 3 + fault.duration() + self.longest * 2 / 3,
        )?;
        let during = match opening {
            Some(injected) => Some(self.screens_again(injected, question, 0, &mut problems).await),
            None => self.inject_while_open(fault, &voting.acks, in_time.len(), &mut problems).await?,
        };
        self.wait_until_ready().await?;
        voting.finish().await;
        if !may_be_late {
            problems.extend(self.differences(question, &ballots.round.id).await?);
            retry(self.fixture, async |fixture| fixture.clear().await).await?;
        }
        let acks = Arc::clone(&voting.acks);
        let (mut entries, mut outcome) = voting.close();
        let (too_late, late_problems) = self.send_late_ballots(&ballots, late).await?;
        entries.extend(too_late);
        problems.extend(late_problems);
        let at_count = match fault.secrecy {
            Secrecy::Named => None,
            Secrecy::Secret => self.count(&ballots.round.id, fault, &mut problems).await?,
        };
        let wrong = self.screens.wait_for(TIMEOUT, |shown| shown.question.is_none()).await;
        problems.extend(wrong.into_iter().map(|screen| format!("did not recover: {screen}")));
        outcome.problems.extend(problems);
        let at_count = at_count.map(|injected| Injection { injected, screens_again: injected.ended.elapsed() });
        let not_injected = || LoadFailure::Settings(format!("the fault {} was not injected", fault.number));
        let Injection { injected, screens_again } = during.or(at_count).ok_or_else(not_injected)?;
        Ok(PlayedRound {
            round: ballots.round.id,
            fault: fault.clone(),
            entries,
            outcome,
            injected,
            votes_during: acks.between(injected.began, injected.ended),
            votes_again: acks.first_after(injected.ended),
            screens_again,
        })
    }

    /// Injects a fault of the voting or of the end. `None` if the fault has another moment.
    async fn inject_while_open(
        &mut self,
        fault: &Fault,
        acks: &Acks,
        voters: usize,
        problems: &mut Vec<String>,
    ) -> Result<Option<Injection>, LoadFailure> {
        let share = match fault.moment {
            Moment::Voting(share) => share,
            Moment::Ending => VOTED_AT_ENDING,
            Moment::Opening | Moment::Counting => return Ok(None),
        };
        let wanted = (voters as f64 * share).ceil() as usize;
        acks.wait_for(wanted, Instant::now() + TIMEOUT).await;
        if fault.moment != Moment::Ending {
            let injected = self.installation.inject(fault).await?;
            let known = acks.count() as u64;
            return Ok(Some(self.screens_again(injected, fault.number - 1, known, problems).await));
        }
        let injected = self.end(fault).await?;
        let wrong = self.screens.wait_for(TIMEOUT, |shown| shown.question.is_none()).await;
        let screens_again = injected.ended.elapsed();
        problems.extend(wrong.into_iter().map(|screen| format!("did not show the end: {screen}")));
        Ok(Some(Injection { injected, screens_again }))
    }

    async fn open(
        &mut self,
        question: usize,
        fault: &Fault,
        problems: &mut Vec<String>,
    ) -> Result<(OpenRound, Option<Injected>), LoadFailure> {
        let Self { installation, fixture, .. } = self;
        if fault.kind == Kind::NoKeyFolderAtOpening {
            let (path, body) = fixture.opening(question);
            let step = KeyStep { method: "PUT", path, body: Some(body) };
            let injected = try_without_key_folder(installation, fixture, (fault, &step), problems).await?;
            let round = retry(fixture, async |fixture| fixture.open(question).await).await?;
            return Ok((round, Some(injected)));
        }
        if fault.moment != Moment::Opening {
            return Ok((retry(fixture, async |fixture| fixture.open(question).await).await?, None));
        }
        let opening = async {
            sleep(fault.duration() / 10).await;
            retry(fixture, async |fixture| fixture.open(question).await).await
        };
        let (injected, round) = tokio::join!(installation.inject(fault), opening);
        Ok((round?, Some(injected?)))
    }

    async fn end(&mut self, fault: &Fault) -> Result<Injected, LoadFailure> {
        let Self { installation, fixture, .. } = self;
        let ending = async {
            sleep(fault.duration() / 10).await;
            retry(fixture, async |fixture| fixture.clear().await).await
        };
        let (injected, ended) = tokio::join!(installation.inject(fault), ending);
        ended?;
        injected
    }

    /// Counts a secret round, which opens its urn. Returns the times of a fault that occurs meanwhile.
    async fn count(
        &mut self,
        round: &str,
        fault: &Fault,
        problems: &mut Vec<String>,
    ) -> Result<Option<Injected>, LoadFailure> {
        for tampering in self.tamper {
            self.installation.tamper_with_envelope(*tampering, round).await?;
        }
        let Self { installation, fixture, .. } = self;
        if fault.moment != Moment::Counting {
            let asked = Instant::now();
            retry(fixture, async |fixture| fixture.count(round).await).await?;
            installation.count_takes = asked.elapsed();
            return Ok(None);
        }
        if fault.kind == Kind::NoKeyFolderAtCount {
            let step = KeyStep { method: "POST", path: fixture.counting(round), body: None };
            let injected = try_without_key_folder(installation, fixture, (fault, &step), problems).await?;
            retry(fixture, async |fixture| fixture.count(round).await).await?;
            return Ok(Some(injected));
        }
        let (fault_delay, count_delay) = delays_at_count(fault, installation.count_takes);
        let injecting = async {
            sleep(fault_delay).await;
            installation.inject(fault).await
        };
        let counting = async {
            sleep(count_delay).await;
            retry(fixture, async |fixture| fixture.count(round).await).await
        };
        let (injected, counted) = tokio::join!(injecting, counting);
        counted?;
        injected.map(Some)
    }

    /// Waits until every screen shows the round with at least the votes that were acknowledged at the end of the fault.
    async fn screens_again(
        &self,
        injected: Injected,
        question: usize,
        known: u64,
        problems: &mut Vec<String>,
    ) -> Injection {
        let is_right = |shown: &Shown| shown.question == Some(question) && shown.votes >= known;
        let wrong = self.screens.wait_for(TIMEOUT, is_right).await;
        problems.extend(wrong.into_iter().map(|screen| format!("did not recover: {screen}")));
        Injection { injected, screens_again: injected.ended.elapsed() }
    }

    async fn wait_until_ready(&self) -> Result<(), LoadFailure> {
        let target = &self.fixture.target;
        let request = target.request("GET", "/api/health/ready").bytes();
        let mut connection = Connection::new(Arc::clone(target), 0).with_timeout(Duration::from_secs(10));
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let response = connection.call(&request).await;
            if response.as_ref().is_ok_and(|response| response.status == 200) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                let source = response.err().unwrap_or_else(|| io::ErrorKind::TimedOut.into());
                return Err(LoadFailure::NoResponse { what: "GET /health/ready".to_owned(), source });
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Differences between database, API and screens about a round in which all have voted.
    async fn differences(&mut self, question: usize, round: &str) -> Result<Vec<String>, LoadFailure> {
        let deadline = Instant::now() + TIMEOUT;
        let state = format!("/sse/meetings/{}/state", self.fixture.meeting);
        let public = format!("/public/meetings/{}/presentation", self.fixture.meeting);
        loop {
            let stored =
                self.installation.number(&format!("SELECT count(*) FROM votes WHERE round_id = '{round}'")).await?;
            let expected = Shown { question: Some(question), votes: stored };
            let mut differences = self.screens.wrong(|shown| *shown == expected);
            for path in [&state, &public] {
                let shown = shown_by(&get(self.fixture, path).await?);
                if shown != expected {
                    differences.push(format!("GET {path} (question {:?}, {} votes)", shown.question, shown.votes));
                }
            }
            if differences.is_empty() || Instant::now() >= deadline {
                let describe = |source| {
                    format!("{stored} votes of question {question} are stored; another number shows: {source}")
                };
                return Ok(differences.into_iter().map(describe).collect());
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Submits ballots after the organizer's call to end the round has succeeded. All of them must be refused.
    async fn send_late_ballots(
        &self,
        ballots: &Ballots,
        late: Range<usize>,
    ) -> Result<(Vec<Entry>, Vec<String>), LoadFailure> {
        let mut voting = RoundVoting::new();
        voting.send(self.fixture, &Ballots { may_be_late: true, ..ballots.clone() }, late, Duration::ZERO)?;
        voting.finish().await;
        let (entries, outcome) = voting.close();
        let taken = entries.iter().filter(|entry| matches!(entry.submission, Submission::Acknowledged { .. }));
        let mut problems: Vec<String> =
            taken.map(|entry| format!("the vote of {} was accepted after the end", entry.voter)).collect();
        problems.extend(outcome.problems);
        Ok((entries, problems))
    }
}

/// Delays of a fault and of the count that it disturbs: the fault begins while the urn is opened, or the count begins
/// during the fault.
fn delays_at_count(fault: &Fault, count_takes: Duration) -> (Duration, Duration) {
    let mut rng = Rng::new(fault.seed);
    if fault.kind == Kind::ServerKilledAtCount || rng.below(2) == 1 {
        // Sometimes a moment after the count.
        (count_takes.mul_f64(1.2 * rng.share()), Duration::ZERO)
    } else {
        (Duration::ZERO, fault.duration() / 10)
    }
}

/// Splits the voters into those who vote in time and those who vote after the end: one in fifty, and at least one.
pub(super) fn split_voters(voters: usize) -> (Range<usize>, Range<usize>) {
    let late = voters.div_ceil(50);
    (0..voters - late, voters - late..voters)
}

/// The address that all clients call.
pub(super) async fn target_of(installation: &Installation) -> Result<Arc<Target>, LoadFailure> {
    Ok(Arc::new(Target::find(&installation.url()).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_fifty_votes_too_late_and_at_least_one() {
        assert_eq!(split_voters(200), (0..196, 196..200));
        assert_eq!(split_voters(12), (0..11, 11..12));
    }
}
