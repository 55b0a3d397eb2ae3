use std::cmp::Reverse;
use std::collections::BTreeMap;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{ClientId, PortFailure};

use super::foreign_fixture::votes_cast;
use super::{InMemoryClients, State, reference};
use crate::testkit::contract::{SeedMeeting, SeedQuestion, SeedRound};
use crate::{Account, Activity, ActivityKind, ActivitySource};

type Event = (DateTime<Utc>, ActivityKind);

impl State {
    /// All events of a client, unordered. The creation of the client is not among them.
    pub(super) fn events_in(&self, client: ClientId) -> Vec<Event> {
        let sign_ins = self.accounts.iter().filter(|account| account.person().client() == Some(client));
        let mut all: Vec<Event> = sign_ins.filter_map(|account| self.sign_in_to(account)).collect();
        all.extend(self.additions_to(client));
        all.extend(self.counted_meetings(client).flat_map(of_meeting));
        all.extend(self.counted_rounds(client).flat_map(of_round));
        all
    }

    fn sign_in_to(&self, account: &Account) -> Option<Event> {
        let name = format!("{} {}", account.first_name, account.last_name);
        Some((*self.account_sign_ins.get(&account.id)?, ActivityKind::AccountSignedIn { name }))
    }

    fn additions_to(&self, client: ClientId) -> impl Iterator<Item = Event> + use<> {
        let mut by_time: BTreeMap<DateTime<Utc>, u64> = BTreeMap::new();
        for end_user in self.counted_end_users(client) {
            *by_time.entry(end_user.created_at).or_default() += 1;
        }
        let mut events = Vec::new();
        let mut until: Option<DateTime<Utc>> = None;
        let mut one_by_one = None;
        for (at, number) in by_time.into_iter().rev() {
            if until.is_none_or(|until| at <= until - TimeDelta::minutes(10)) {
                events.extend(one_by_one.take());
                until = Some(at);
            }
            match (number, &mut one_by_one) {
                (1, Some((_, number))) => *number += 1,
                (1, None) => one_by_one = Some((at, 1)),
                _ => events.push((at, number)),
            }
        }
        events.extend(one_by_one);
        events.into_iter().map(|(at, number)| (at, ActivityKind::EndUsersAdded { number }))
    }

    fn activities_of(&self, client: ClientId) -> Vec<Activity> {
        let reference = self.client(client).map(reference);
        let activity = |(at, kind)| Activity { at, kind, client: reference.clone() };
        self.events_in(client).into_iter().map(activity).collect()
    }

    fn activities(&self) -> Vec<Activity> {
        let counted = || self.clients.iter().filter(|client| !client.is_test());
        let made = counted().map(|client| Activity {
            at: client.created_at,
            kind: ActivityKind::ClientCreated,
            client: Some(reference(client)),
        });
        let super_admins = self.accounts.iter().filter(|account| account.person().client().is_none());
        let signed_in = super_admins.filter_map(|account| self.sign_in_to(account)).map(|(at, kind)| Activity {
            at,
            kind,
            client: None,
        });
        let in_clients = counted().flat_map(|client| self.activities_of(client.id));
        made.chain(signed_in).chain(in_clients).collect()
    }
}

fn of_meeting(meeting: &SeedMeeting) -> impl Iterator<Item = Event> + use<> {
    let title = || meeting.title.clone();
    let created = Some((meeting.created_at, ActivityKind::MeetingCreated { title: title() }));
    let started = meeting.started_at.map(|at| (at, ActivityKind::MeetingStarted { title: title() }));
    let ended = meeting.ended_at.map(|at| (at, ActivityKind::MeetingEnded { title: title() }));
    [created, started, ended].into_iter().flatten()
}

fn of_round((question, round): (&SeedQuestion, &SeedRound)) -> impl Iterator<Item = Event> + use<> {
    let text = || question.text.clone();
    let opened = Some((round.opened_at, ActivityKind::RoundOpened { question: text() }));
    let ended = round.ended_at.map(|at| {
        let register_heads = u64::from(round.register_heads);
        (at, ActivityKind::RoundEnded { question: text(), votes_cast: votes_cast(round), register_heads })
    });
    [opened, ended].into_iter().flatten()
}

/// The newest events first.
fn newest(mut all: Vec<Activity>, limit: u32) -> Vec<Activity> {
    all.sort_by_key(|activity| Reverse((activity.at, activity.kind.place())));
    all.truncate(limit as usize);
    all
}

#[async_trait]
impl ActivitySource for InMemoryClients {
    async fn of_client(&self, owner: ClientId, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        Ok(newest(self.state().activities_of(owner), limit))
    }

    async fn of_platform(&self, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        Ok(newest(self.state().activities(), limit))
    }
}
