use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use tokio::process::Command;
use tokio::time::Instant;

use super::guest::Guest;
use super::judge::judge;
use super::plan::{Strike, plan};
use super::report::{Report, rows, sum, told};
use super::round::{Cast, Played, target_of};
use super::screens::{Screens, Seat};
use super::stage::{ADMIN_EMAIL, ADMIN_PASSWORD, Stage, cannot};
use super::{Kind, Settings};
use crate::failure::LoadFailure;
use crate::hall::{Entrance, Hall, Pass, QuestionKind, Wishes, sign_in_request};
use crate::machine::describe;
use crate::say::progress;

/// How many watch without being signed in.
const BIG_SCREENS: usize = 3;
/// So many sign in at a time.
const AT_ONCE: usize = 16;

/// Builds an installation, breaks it as the seed says, and looks at what is left of it.
///
/// # Errors
/// Fails when the run cannot be carried out to its end. What it finds is no failure.
pub async fn play(settings: &Settings) -> Result<Report, LoadFailure> {
    let begun = Instant::now();
    let (mut stage, not_possible) = Stage::build(&settings.binary, settings.kinds()).await?;
    for (kind, reason) in &not_possible {
        progress(&format!("not possible here: {kind} ({reason})"));
    }
    let kinds: Vec<Kind> = settings.kinds().iter().copied().filter(|kind| !not_possible.contains_key(kind)).collect();
    let strikes = plan(settings.common.seed, settings.faults, &kinds, settings.longest);
    progress(&format!("seed {}: {} faults of {} kinds", settings.common.seed, strikes.len(), kinds.len()));

    let outcome = play_on(settings, &mut stage, &strikes).await;
    let is_well = outcome.as_ref().is_ok_and(Report::is_clean);
    if outcome.is_ok() {
        stage.close().await;
    }
    // What was spoiled on purpose tells nobody anything.
    if !is_well && settings.spoil.is_empty() {
        progress(&format!("the logs are left in {}", stage.folder.path().display()));
        stage.folder.keep();
    }
    let mut report = outcome?;
    report.not_possible = not_possible;
    report.problems.append(&mut stage.complaints);
    report.took = begun.elapsed();
    Ok(report)
}

async fn play_on(settings: &Settings, stage: &mut Stage, strikes: &[Strike]) -> Result<Report, LoadFailure> {
    let (seed, longest) = (settings.common.seed, settings.longest);
    let target = target_of(stage).await?;
    let wishes = Wishes {
        seed,
        admin_email: ADMIN_EMAIL.to_owned(),
        admin_password: ADMIN_PASSWORD.to_owned(),
        voters: settings.voters(),
        questions: (0..strikes.len()).map(|number| QUESTIONS[number % QUESTIONS.len()]).collect(),
        is_listed: false,
    };
    let mut hall = Hall::set_up(&target, &wishes).await?;
    hall.let_in(hall.voters.len(), &Entrance::SignIn { at_once: AT_ONCE }).await?;
    let screens = Screens::open(&target, seats(&hall, settings.watchers));

    let mut played = Vec::new();
    for strike in strikes {
        stage.move_to(strike.place).await?;
        let mut cast = Cast { stage: &mut *stage, hall: &mut hall, screens: &screens, seed, longest };
        let round = cast.play(strike).await?;
        tell(strike, strikes.len(), &round);
        played.push(round);
    }
    for spoil in &settings.spoil {
        stage.spoil(*spoil).await?;
    }
    let verdict = judge(stage, &mut hall, &settings.binary, &played).await?;

    let mut problems = verdict.problems;
    for (strike, round) in strikes.iter().zip(&played) {
        let of_round = round.outcome.problems.iter();
        problems.extend(of_round.map(|problem| format!("fault {} ({}): {problem}", strike.number, strike.kind)));
    }
    let faults: Vec<_> = strikes
        .iter()
        .zip(&played)
        .zip(&verdict.counts)
        .map(|((strike, round), counts)| told(strike, round, *counts))
        .collect();
    Ok(Report {
        command: settings.command(),
        seed,
        day: DateTime::<Utc>::from(SystemTime::now()).format("%Y-%m-%d").to_string(),
        machine: describe(),
        program: version_of(settings).await?,
        voters: hall.voters.len(),
        screens: screens.count(),
        broken_streams: screens.breaks(),
        took: Duration::ZERO,
        counts: sum(verdict.counts.iter().copied()),
        second_ballots: played.iter().map(|round| round.outcome.second_ballots).sum(),
        repeats_without_answer: played.iter().map(|round| round.outcome.repeats.without_answer).sum(),
        repeats_as_asked: played.iter().map(|round| round.outcome.repeats.as_asked).sum(),
        problems,
        not_possible: BTreeMap::new(),
        kinds: rows(&faults),
        faults,
    })
}

/// In this order, so that also a run of two rounds has votes with options.
const QUESTIONS: [QuestionKind; 5] = [
    QuestionKind::YesNo,
    QuestionKind::MultipleChoice,
    QuestionKind::Rating,
    QuestionKind::Percentage,
    QuestionKind::OpenText,
];

fn seats(hall: &Hall, watchers: usize) -> Vec<Seat> {
    let path = format!("/api/sse/meetings/{}/stream", hall.meeting);
    let public = format!("/api/public/meetings/{}/presentation/stream", hall.meeting);
    let organizer = Guest { pass: Pass::default(), sign_in: hall.organizer.sign_in_request() };
    let mut seats =
        vec![Seat { name: "the organizer's screen".to_owned(), guest: Some(organizer), path: path.clone() }];
    seats.extend((1..=BIG_SCREENS).map(|number| Seat {
        name: format!("big screen {number}"),
        guest: None,
        path: public.clone(),
    }));
    seats.extend(hall.voters.iter().take(watchers).map(|voter| {
        let sign_in = sign_in_request(&hall.target, &hall.client_code, voter);
        let guest = Guest { pass: voter.pass.clone(), sign_in };
        Seat { name: format!("the screen of {}", voter.username), guest: Some(guest), path: path.clone() }
    }));
    seats
}

fn tell(strike: &Strike, of: usize, round: &Played) {
    let lasted = (round.struck.ended - round.struck.began).as_secs_f64();
    let again = round.votes_again.map_or_else(|| "-".to_owned(), |time| format!("{:.1} s", time.as_secs_f64()));
    progress(&format!(
        "{}/{of} {} ({}): {lasted:.1} s, votes again after {again}, screens after {:.1} s",
        strike.number,
        strike.kind,
        strike.place,
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
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(format!("{version} (`{}`)", settings.binary.display()))
}
