use chrono::TimeDelta;
use plenum_kernel::{ClientId, EndUserId, RoundId};

use super::super::contract::SeedPassword;
use super::{KnownRound, State, person_of};
use crate::{LogEntry, LogKind, OpenRoundError, OpeningRule, RoundStatus};

impl State {
    /// Sets passwords of these voters as the store of end users does, and logs it. Returns whether that is permitted.
    pub(super) fn set_passwords(&mut self, client: ClientId, voters: &[EndUserId], password: &SeedPassword) -> bool {
        let is_running = |known: &KnownRound| {
            self.meetings
                .get(&known.round.meeting_id)
                .is_some_and(|meeting| meeting.client == client && meeting.is_active)
        };
        let running: Vec<&KnownRound> = self.rounds.iter().filter(|known| is_running(known)).collect();
        let has_some = |known: &KnownRound| voters.iter().any(|voter| known.register.contains_key(voter));
        let is_meant =
            |known: &&&KnownRound| known.round.status == RoundStatus::Open && !known.is_test && has_some(known);
        let open: Vec<RoundId> = running.iter().filter(is_meant).map(|known| known.round.id).collect();
        if !open.is_empty() && password.reason.is_none() {
            return false;
        }
        let last = running.iter().flat_map(|known| &known.log).map(|entry| entry.at).max();
        let at = last.map_or(password.now, |last| password.now.max(last + TimeDelta::microseconds(1)));
        let by = self.account_name(password.by);
        for round in open {
            let Some(known) = self.round_mut(round) else { continue };
            let mut people: Vec<_> =
                voters.iter().filter_map(|voter| known.register.get(voter)).map(person_of).collect();
            people.sort_by_key(|person| person.username.to_lowercase());
            let kind = LogKind::PasswordSet;
            known.log.extend(people.into_iter().map(|person| LogEntry {
                at,
                kind,
                by: Some(by.clone()),
                person: Some(person),
                reason: password.reason.clone(),
            }));
        }
        self.passwords_set.extend(voters.iter().map(|voter| (*voter, (at, by.clone()))));
        true
    }

    /// Logs the passwords of people in the register that somebody else set after the end of a round that reopens.
    pub(super) fn log_passwords_of_pause(&mut self, id: RoundId) {
        let Some(index) = self.rounds.iter().position(|known| known.round.id == id) else { return };
        let known = &mut self.rounds[index];
        if known.is_test {
            return;
        }
        let since_end = |voter: &EndUserId| {
            let (at, by) = self.passwords_set.get(voter)?;
            let exclusion = self.exclusions.get(&(known.round.question_id, *voter));
            if exclusion.is_some_and(|exclusion| exclusion.at < *at) && !known.votes.contains_key(voter) {
                return None;
            }
            known.round.ended_at.is_some_and(|end| *at > end).then(|| (*at, by.clone()))
        };
        let mut entries: Vec<LogEntry> = known
            .register
            .iter()
            .filter_map(|(id, voter)| {
                let (at, by) = since_end(id)?;
                let (kind, person) = (LogKind::PasswordSet, Some(person_of(voter)));
                Some(LogEntry { at, kind, by: Some(by), person, reason: None })
            })
            .collect();
        entries.sort_by_key(|entry| (entry.at, entry.person.as_ref().map(|person| person.username.to_lowercase())));
        known.log.extend(entries);
    }

    /// Refuses a register that names two people alike.
    pub(super) fn require_unique_usernames(&self, id: RoundId) -> Result<(), OpenRoundError> {
        let Some(known) = self.rounds.iter().find(|known| known.round.id == id) else { return Ok(()) };
        let mut names: Vec<&str> = known.register.values().map(|voter| voter.username.as_str()).collect();
        names.sort_by_key(|name| (name.to_lowercase(), *name));
        let shared = names.windows(2).find(|pair| pair[0].to_lowercase() == pair[1].to_lowercase());
        match shared {
            Some(pair) => Err(OpeningRule::UsernameInRegister { username: pair[0].to_owned() }.into()),
            None => Ok(()),
        }
    }
}
