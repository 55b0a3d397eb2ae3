use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use tokio::process::Command;
use tokio::time::Instant;

use super::installation::{ADMIN_EMAIL, ADMIN_PASSWORD, Installation, cannot};
use super::plan::{Extent, Fault, plan};
use super::report::{Report, fault_result, rows, sum};
use super::round::{PlayedRound, RoundPlayer, target_of};
use super::screens::{Screens, Viewer};
use super::user_session::UserSession;
use super::verify::{Verdict, verify};
use super::{Kind, Settings, Tampering};
use crate::failure::LoadFailure;
use crate::fixture::{
    Fixture, FixtureContent, FixtureSettings, PlannedQuestion, QuestionKind, Secrecy, SignInMethod, Tokens,
    sign_in_request,
};
use crate::machine::describe;
use crate::output::progress;

/// Number of presentations, which watch without a sign-in.
const PRESENTATIONS: usize = 3;
/// Number of concurrent sign-ins.
const CONCURRENT_SIGN_INS: usize = 16;

/// Builds an installation, injects faults by the seed, and checks the votes.
///
/// # Errors
/// Fails if the run cannot be completed. A wrong result does not fail it.
pub async fn play(settings: &Settings) -> Result<Report, LoadFailure> {
    let begun = Instant::now();
    let kinds = settings.kinds();
    if kinds.is_empty() {
        let text = "these kinds of faults are possible in secret rounds only: add --secrecy secret";
        return Err(LoadFailure::Settings(text.to_owned()));
    }
    let (mut installation, not_possible) = Installation::build(&settings.binary, &kinds).await?;
    for (kind, reason) in &not_possible {
        progress(&format!("not possible here: {kind} ({reason})"));
    }
    let kinds: Vec<Kind> = kinds.into_iter().filter(|kind| !not_possible.contains_key(kind)).collect();
    let extent = Extent { seed: settings.common.seed, faults: settings.faults, longest: settings.longest };
    let planned = plan(&extent, &kinds, &settings.secrecies());
    progress(&format!("seed {}: {} faults of {} kinds", settings.common.seed, planned.len(), kinds.len()));

    let outcome = play_on(settings, &mut installation, &planned).await;
    let is_well = outcome.as_ref().is_ok_and(Report::is_clean);
    if outcome.is_ok() {
        installation.close().await;
    }
    // If the run tampered with votes, its logs are of no use.
    if !is_well && settings.tamper.is_empty() {
        progress(&format!("the logs are kept in {}", installation.folder.path().display()));
        installation.folder.keep();
    }
    let mut report = outcome?;
    report.not_possible = not_possible;
    report.problems.append(&mut installation.problems);
    report.took = begun.elapsed();
    Ok(report)
}

async fn play_on(
    settings: &Settings,
    installation: &mut Installation,
    planned: &[Fault],
) -> Result<Report, LoadFailure> {
    let (seed, longest) = (settings.common.seed, settings.longest);
    let target = target_of(installation).await?;
    let fixture_settings = FixtureSettings {
        seed,
        admin_email: ADMIN_EMAIL.to_owned(),
        admin_password: ADMIN_PASSWORD.to_owned(),
        content: FixtureContent::unlisted(settings.voters(), questions(planned)),
    };
    let mut fixture = Fixture::set_up(&target, &fixture_settings).await?;
    fixture.sign_in_voters(fixture.voters.len(), &SignInMethod::Passwords { concurrency: CONCURRENT_SIGN_INS }).await?;
    let screens = Screens::open(&target, viewers(&fixture, settings.watchers));

    let last_secret = planned.iter().rposition(|fault| fault.secrecy == Secrecy::Secret);
    let mut played = Vec::new();
    for (number, fault) in planned.iter().enumerate() {
        installation.move_to(fault.place).await?;
        let tamper: &[Tampering] = if Some(number) == last_secret { &settings.tamper } else { &[] };
        let (installation, fixture) = (&mut *installation, &mut fixture);
        let round = RoundPlayer { installation, fixture, screens: &screens, seed, longest, tamper }.play(fault).await?;
        print_round(fault, planned.len(), &round);
        played.push(round);
    }
    for tampering in &settings.tamper {
        installation.tamper(*tampering).await?;
    }
    let verdict = verify(installation, &mut fixture, &settings.binary, &played).await?;
    report(settings, planned, &played, (&screens, verdict)).await
}

async fn report(
    settings: &Settings,
    planned: &[Fault],
    played: &[PlayedRound],
    (screens, verdict): (&Screens, Verdict),
) -> Result<Report, LoadFailure> {
    let mut problems = verdict.problems;
    for (fault, round) in planned.iter().zip(played) {
        let of_round = round.outcome.problems.iter();
        problems.extend(of_round.map(|problem| format!("{}: {problem}", fault.name())));
    }
    let faults: Vec<_> = planned
        .iter()
        .zip(played)
        .zip(&verdict.counts)
        .map(|((fault, round), counts)| fault_result(fault, round, *counts))
        .collect();
    Ok(Report {
        command: settings.command(),
        seed: settings.common.seed,
        day: DateTime::<Utc>::from(SystemTime::now()).format("%Y-%m-%d").to_string(),
        machine: describe(),
        program: version_of(settings).await?,
        voters: settings.voters(),
        screens: screens.count(),
        broken_streams: screens.breaks(),
        took: Duration::ZERO,
        counts: sum(verdict.counts.iter().copied()),
        second_ballots: played.iter().map(|round| round.outcome.second_ballots).sum(),
        repeats_without_answer: played.iter().map(|round| round.outcome.retries.without_answer).sum(),
        repeats_as_asked: played.iter().map(|round| round.outcome.retries.as_requested).sum(),
        urns: verdict.urns,
        problems,
        not_possible: BTreeMap::new(),
        kinds: rows(&faults),
        faults,
    })
}

/// A question for each fault. The first rounds of each secrecy have votes with options.
fn questions(planned: &[Fault]) -> Vec<PlannedQuestion> {
    let of = |(number, fault): (usize, &Fault)| {
        let before = planned[..number].iter().filter(|earlier| earlier.secrecy == fault.secrecy).count();
        PlannedQuestion { kind: QUESTIONS[before % QUESTIONS.len()], secrecy: fault.secrecy }
    };
    planned.iter().enumerate().map(of).collect()
}

/// In this order, so that a run of two rounds contains votes with options.
const QUESTIONS: [QuestionKind; 5] = [
    QuestionKind::YesNo,
    QuestionKind::MultipleChoice,
    QuestionKind::Rating,
    QuestionKind::Percentage,
    QuestionKind::OpenText,
];

fn viewers(fixture: &Fixture, watchers: usize) -> Vec<Viewer> {
    let path = format!("/api/sse/meetings/{}/stream", fixture.meeting);
    let public = format!("/api/public/meetings/{}/presentation/stream", fixture.meeting);
    let organizer = UserSession { tokens: Tokens::default(), sign_in: fixture.organizer.sign_in_request() };
    let mut viewers =
        vec![Viewer { name: "the organizer's screen".to_owned(), session: Some(organizer), path: path.clone() }];
    viewers.extend((1..=PRESENTATIONS).map(|number| Viewer {
        name: format!("presentation {number}"),
        session: None,
        path: public.clone(),
    }));
    viewers.extend(fixture.voters.iter().take(watchers).map(|voter| {
        let sign_in = sign_in_request(&fixture.target, &fixture.client_code, voter);
        let session = UserSession { tokens: voter.tokens.clone(), sign_in };
        Viewer { name: format!("the screen of {}", voter.username), session: Some(session), path: path.clone() }
    }));
    viewers
}

fn print_round(fault: &Fault, of: usize, round: &PlayedRound) {
    let lasted = (round.injected.ended - round.injected.began).as_secs_f64();
    let again = round.votes_again.map_or_else(|| "-".to_owned(), |time| format!("{:.1} s", time.as_secs_f64()));
    progress(&format!(
        "{}/{of} {} ({}, {}): {lasted:.1} s, votes again after {again}, screens after {:.1} s",
        fault.number,
        fault.kind,
        fault.place,
        fault.secrecy,
        round.screens_again.as_secs_f64(),
    ));
    for problem in &round.outcome.problems {
        progress(&format!("FAULT: {problem}"));
    }
}

async fn version_of(settings: &Settings) -> Result<String, LoadFailure> {
    let mut command = Command::new(&settings.binary);
    let output = command.arg("--version").stdin(Stdio::null()).output().await;
    let output = output.map_err(cannot("run the product's program"))?;
    let version = String::from_utf8_lossy(&output.stdout);
    // The commit and the build follow.
    let version = version.lines().next().unwrap_or_default();
    Ok(format!("{version} (`{}`)", settings.binary.display()))
}
