use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::chair::{get, insist};
use super::plan::{Moment, Strike};
use super::polling::{Ballots, Outcome, Polling};
use super::screens::{Screens, Shown, shown_by};
use super::stage::Stage;
use super::strike::Struck;
use crate::failure::LoadFailure;
use crate::hall::Hall;
use crate::http::{Connection, Target};
use crate::journal::{Entry, Handed};

/// For how long the product may take to recover, and screens to come back. One that takes longer never came back.
const PATIENCE: Duration = Duration::from_secs(120);
/// While the organizer ends the round, so many of the voters have voted.
const VOTED_AT_ENDING: f64 = 0.7;

/// A round that was played, with its fault.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) round: String,
    pub(super) entries: Vec<Entry>,
    pub(super) outcome: Outcome,
    pub(super) struck: Struck,
    /// Votes that were acknowledged while the fault lasted.
    pub(super) meanwhile: usize,
    /// How long it took from the end of the fault until a vote was acknowledged; none where nobody had to vote any more.
    pub(super) votes_again: Option<Duration>,
    /// The same until all screens were right.
    pub(super) screens_again: Duration,
}

/// Who plays.
pub(super) struct Cast<'a> {
    pub(super) stage: &'a mut Stage,
    pub(super) hall: &'a mut Hall,
    pub(super) screens: &'a Screens,
    pub(super) seed: u64,
    pub(super) longest: Duration,
}

impl Cast<'_> {
    /// Opens a question, lets everybody vote, strikes, and ends the round. What is wrong afterwards is no failure.
    pub(super) async fn play(&mut self, strike: &Strike) -> Result<Played, LoadFailure> {
        let question = strike.number - 1;
        let mut polling = Polling::new();
        let mut problems = Vec::new();
        let (round, opening) = self.open(question, strike).await?;
        let may_be_late = strike.moment == Moment::Ending;
        let ballots = Ballots { question, round, seed: self.seed, may_be_late };
        let (in_time, late) = shares(self.hall.voters.len());
        polling.send(self.hall, &ballots, in_time.clone(), self.longest / 3 + strike.lasts() + self.longest * 2 / 3);

        let (struck, screens_again) = match (strike.moment, opening) {
            (_, Some(struck)) => (struck, self.screens_again(&struck, question, 0, &mut problems).await),
            (Moment::Voting(share), None) => {
                let wanted = (in_time.len() as f64 * share).ceil() as usize;
                polling.acks.reach(wanted, Instant::now() + PATIENCE).await;
                let struck = self.stage.strike(strike).await?;
                let known = polling.acks.count() as u64;
                (struck, self.screens_again(&struck, question, known, &mut problems).await)
            }
            (_, None) => {
                let wanted = (in_time.len() as f64 * VOTED_AT_ENDING).ceil() as usize;
                polling.acks.reach(wanted, Instant::now() + PATIENCE).await;
                let struck = self.end(strike).await?;
                let wrong = self.screens.settle(PATIENCE, |shown| shown.question.is_none()).await;
                let again = struck.ended.elapsed();
                problems.extend(wrong.into_iter().map(|screen| format!("did not see the end: {screen}")));
                (struck, again)
            }
        };
        self.until_ready().await?;
        polling.finish().await;
        if !may_be_late {
            problems.extend(self.differences(question, &ballots.round).await?);
            insist(self.hall, async |hall| hall.clear().await).await?;
        }
        let (acks, second) = (Arc::clone(&polling.acks), ballots.clone());
        let (mut entries, mut outcome) = polling.close();
        let (meanwhile, votes_again) = (acks.between(struck.began, struck.ended), acks.first_after(struck.ended));
        let (too_late, of_late) = self.come_too_late(&second, late).await;
        entries.extend(too_late);
        problems.extend(of_late);
        let wrong = self.screens.settle(PATIENCE, |shown| shown.question.is_none()).await;
        problems.extend(wrong.into_iter().map(|screen| format!("did not come back: {screen}")));
        outcome.problems.extend(problems);
        Ok(Played { round: ballots.round, entries, outcome, struck, meanwhile, votes_again, screens_again })
    }

    async fn open(&mut self, question: usize, strike: &Strike) -> Result<(String, Option<Struck>), LoadFailure> {
        let Self { stage, hall, .. } = self;
        if strike.moment != Moment::Opening {
            return Ok((insist(hall, async |hall| hall.open(question).await).await?, None));
        }
        let opening = async {
            sleep(strike.lasts() / 10).await;
            insist(hall, async |hall| hall.open(question).await).await
        };
        let (struck, round) = tokio::join!(stage.strike(strike), opening);
        Ok((round?, Some(struck?)))
    }

    async fn end(&mut self, strike: &Strike) -> Result<Struck, LoadFailure> {
        let Self { stage, hall, .. } = self;
        let ending = async {
            sleep(strike.lasts() / 10).await;
            insist(hall, async |hall| hall.clear().await).await
        };
        let (struck, ended) = tokio::join!(stage.strike(strike), ending);
        ended?;
        struck
    }

    /// Waits until every screen shows the round, and at least what was acknowledged when the fault ended.
    async fn screens_again(
        &self,
        struck: &Struck,
        question: usize,
        known: u64,
        problems: &mut Vec<String>,
    ) -> Duration {
        let is_right = |shown: &Shown| shown.question == Some(question) && shown.votes >= known;
        let wrong = self.screens.settle(PATIENCE, is_right).await;
        problems.extend(wrong.into_iter().map(|screen| format!("did not come back: {screen}")));
        struck.ended.elapsed()
    }

    async fn until_ready(&self) -> Result<(), LoadFailure> {
        let target = &self.hall.target;
        let request = target.request("GET", "/api/health/ready").bytes();
        let mut connection = Connection::new(Arc::clone(target), 0).with_patience(Duration::from_secs(10));
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = connection.call(&request).await;
            if answer.as_ref().is_ok_and(|answer| answer.status == 200) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                let source = answer.err().unwrap_or_else(|| io::ErrorKind::TimedOut.into());
                return Err(LoadFailure::NoAnswer { what: "GET /health/ready".to_owned(), source });
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Where database, API and screens do not say the same of a round in which everybody has voted.
    async fn differences(&mut self, question: usize, round: &str) -> Result<Vec<String>, LoadFailure> {
        let deadline = Instant::now() + PATIENCE;
        let state = format!("/sse/meetings/{}/state", self.hall.meeting);
        let public = format!("/public/meetings/{}/presentation", self.hall.meeting);
        loop {
            let stored = self.stage.number(&format!("SELECT count(*) FROM votes WHERE round_id = '{round}'")).await?;
            let expected = Shown { question: Some(question), votes: stored };
            let mut differences = self.screens.wrong(|shown| *shown == expected);
            for path in [&state, &public] {
                let shown = shown_by(&get(self.hall, path).await?);
                if shown != expected {
                    differences.push(format!("GET {path} (question {:?}, {} votes)", shown.question, shown.votes));
                }
            }
            if differences.is_empty() || Instant::now() >= deadline {
                let told = |who| format!("{stored} votes of question {question} are stored, and otherwise says: {who}");
                return Ok(differences.into_iter().map(told).collect());
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// After the organizer was told that the round has ended nobody's vote is taken any more.
    async fn come_too_late(&self, ballots: &Ballots, late: Range<usize>) -> (Vec<Entry>, Vec<String>) {
        let mut polling = Polling::new();
        polling.send(self.hall, &Ballots { may_be_late: true, ..ballots.clone() }, late, Duration::ZERO);
        polling.finish().await;
        let (entries, outcome) = polling.close();
        let taken = entries.iter().filter(|entry| matches!(entry.handed, Handed::Acknowledged { .. }));
        let mut problems: Vec<String> =
            taken.map(|entry| format!("the vote of {} was taken after the end", entry.voter)).collect();
        problems.extend(outcome.problems);
        (entries, problems)
    }
}

/// Who votes in time, and who comes when the round has ended: one in fifty, and at least one.
pub(super) fn shares(voters: usize) -> (Range<usize>, Range<usize>) {
    let late = voters.div_ceil(50);
    (0..voters - late, voters - late..voters)
}

/// The address by which everybody calls.
pub(super) async fn target_of(stage: &Stage) -> Result<Arc<Target>, LoadFailure> {
    Ok(Arc::new(Target::find(&stage.url()).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_fifty_comes_too_late_and_at_least_one() {
        assert_eq!(shares(200), (0..196, 196..200));
        assert_eq!(shares(12), (0..11, 11..12));
    }
}
