use chrono::{DateTime, Utc};
use plenum_kernel::{QuestionId, RoundId};
use rust_decimal::Decimal;

use crate::live::{LiveFacts, LiveQuestion, LiveQuorum};

/// A change that is sent to the watchers of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveChange {
    /// The whole snapshot, for a watcher that has just connected or missed a change.
    Connected,
    /// A heartbeat.
    Heartbeat {
        /// The time of the server.
        at: DateTime<Utc>,
    },
    /// A question was opened for voting.
    QuestionActivated,
    /// The open question was closed.
    QuestionDeactivated {
        /// That question.
        question: QuestionId,
    },
    /// The meeting's status changed.
    MeetingStatus,
    /// Something else changed; the whole snapshot is sent.
    MeetingUpdate,
    /// A voter was checked in or out. Sent to that voter alone, with the version that was sent before.
    OwnCheckIn {
        /// Whether the voter is checked in.
        is_in: bool,
    },
    /// Votes came in.
    VoteCount,
    /// Voters connected or disconnected, or the set of eligible voters changed.
    ParticipantCount,
    /// The result of a round was declared; perhaps of a question that is not on the screen.
    ResultDeclared {
        /// That round.
        round: RoundId,
        /// The question that was voted on.
        question: QuestionId,
    },
}

impl LiveFacts {
    /// The changes for a watcher that knows `before`, in this order.
    pub fn changes_since(&self, before: &Self) -> Vec<LiveChange> {
        let mut changes = Vec::new();
        if self.status != before.status {
            changes.push(LiveChange::MeetingStatus);
        }
        let opened = self.open_round_id();
        let closed = before.open_round_id().filter(|closed| opened != Some(*closed));
        if let (Some(_), Some(question)) = (closed, &before.question) {
            changes.push(LiveChange::QuestionDeactivated { question: question.id });
        }
        let is_new = opened.is_some() && opened != before.open_round_id();
        if is_new {
            changes.push(LiveChange::QuestionActivated);
        }
        // Each change above contains the step. A step without another difference, such as an end that was undone between two
        // snapshots, must be sent as well, because organizers refer to the number.
        let is_unannounced_step = changes.is_empty() && self.step != before.step;
        if is_unannounced_step
            || self.frame() != before.frame()
            || self.shows_something_else(before, closed.is_some(), is_new)
            || self.counts_other_votes(before)
        {
            changes.push(LiveChange::MeetingUpdate);
        }
        if !is_new && opened.is_some() && self.counts() != before.counts() {
            changes.push(LiveChange::VoteCount);
        }
        changes
    }

    fn open_round_id(&self) -> Option<RoundId> {
        self.open_question().map(|(_, round)| round.id)
    }

    /// The facts around the question. Counters have the number of eligible voters.
    fn frame(&self) -> impl PartialEq + '_ {
        (
            &self.title,
            &self.description,
            &self.client_name,
            &self.client_code,
            self.scheduled_start,
            self.scheduled_end,
            self.question_count,
            self.quorum.as_ref().map(|quorum| (quorum.quorum, quorum.at_opening, quorum.weight_kind.clone())),
            self.rehearsal,
            self.check_in.map(|check_in| check_in.is_self),
        )
    }

    /// Whether the quorum counts the votes of another round than before, or of none. The events of opening and closing have no
    /// quorum, and so would leave the figures of the last vote.
    fn counts_other_votes(&self, before: &Self) -> bool {
        self.quorum.as_ref().is_some_and(LiveQuorum::counts_votes) && self.open_round_id() != before.open_round_id()
    }

    fn counts(&self) -> Option<(u64, u64, Option<Decimal>)> {
        self.open_question().map(|(_, round)| (round.votes_cast, round.register_size, round.weight_cast))
    }

    /// Whether the question on the screen changed in a way that opening and closing do not cover.
    fn shows_something_else(&self, before: &Self, has_closed: bool, has_opened: bool) -> bool {
        if has_opened {
            return false;
        }
        match (&before.question, &self.question) {
            // Closing removes the question from the presentation. Only the next content must be sent.
            (_, None) => !has_closed && before.question.is_some(),
            (_, Some(_)) if has_closed => true,
            (None, Some(_)) => true,
            (Some(before), Some(now)) => before.wording() != now.wording(),
        }
    }
}

impl LiveQuestion {
    fn wording(&self) -> impl PartialEq + '_ {
        (
            self.id,
            &self.text,
            self.question_type,
            (&self.options, &self.abstention),
            (self.rating_max, self.max_choices, &self.election),
            self.position,
            (self.secrecy, self.counts_heads),
            &self.groups,
            // A key that could not be confirmed is missing. Voters cannot vote until it is there.
            self.open_round().map(|round| (round.closes_at, round.urn_key.as_deref())),
            self.is_void(),
            self.declared_round().map(|round| (round.id, round.answer_wall)),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::TimeDelta;
    use plenum_kernel::election::{CandidateNote, ElectionRule};
    use plenum_kernel::testkit::{CountingIds, approval};
    use plenum_kernel::{
        AtOpening, Attendance, ClientId, MeetingId, Minimum, QuestionType, Quorum, RehearsalId, RoundId, Secrecy, Step,
        Threshold, Unit,
    };

    use super::*;
    use crate::live::{LiveRehearsal, LiveRound};
    use crate::{MeetingStatus, People};

    fn facts(question: Option<LiveQuestion>) -> LiveFacts {
        let ids = CountingIds::new();
        LiveFacts {
            meeting_id: MeetingId::new(&ids),
            client_id: ClientId::new(&ids),
            client_name: "Rowing club".to_owned(),
            client_code: "rowing-club".to_owned(),
            title: "General assembly".to_owned(),
            description: None,
            status: MeetingStatus::Active,
            step: Step(4),
            scheduled_start: DateTime::<Utc>::UNIX_EPOCH,
            scheduled_end: DateTime::<Utc>::UNIX_EPOCH,
            question_count: 2,
            question,
            quorum: None,
            rehearsal: None,
            check_in: None,
            holders: std::sync::Arc::default(),
        }
    }

    fn question(is_open: Option<bool>) -> LiveQuestion {
        let ids = CountingIds::new();
        LiveQuestion {
            id: QuestionId::new(&ids),
            text: "Approve the budget?".to_owned(),
            question_type: QuestionType::YesNo,
            options: vec!["Yes".to_owned(), "No".to_owned()],
            abstention: None,
            rating_max: None,
            max_choices: None,
            election: None,
            secrecy: Secrecy::Unshown,
            counts_heads: false,
            groups: Vec::new(),
            position: 1,
            round: is_open.map(|is_open| LiveRound {
                id: RoundId::new(&ids),
                is_open,
                is_declared: false,
                opened_at: DateTime::<Utc>::UNIX_EPOCH,
                closes_at: None,
                urn_key: None,
                is_void: false,
                register_size: 3,
                votes_cast: 0,
                weight_cast: None,
                answer_wall: None,
            }),
        }
    }

    fn with(base: &LiveFacts, question: Option<LiveQuestion>) -> LiveFacts {
        LiveFacts { question, ..base.clone() }
    }

    #[test]
    fn an_unchanged_state_has_no_changes() {
        let now = facts(Some(question(Some(true))));
        assert_eq!(now.changes_since(&now.clone()), []);
    }

    #[test]
    fn opening_a_question_activates_it() {
        let before = facts(None);
        let now = with(&before, Some(question(Some(true))));
        assert_eq!(now.changes_since(&before), [LiveChange::QuestionActivated]);
    }

    #[test]
    fn opening_the_question_that_is_shown_activates_it() {
        let open = question(Some(true));
        let before = facts(Some(LiveQuestion { round: None, ..open.clone() }));
        let now = with(&before, Some(open));
        assert_eq!(now.changes_since(&before), [LiveChange::QuestionActivated]);
    }

    #[test]
    fn ending_a_round_deactivates_its_question() {
        let open = question(Some(true));
        let before = facts(Some(open.clone()));
        let now = with(&before, None);
        assert_eq!(now.changes_since(&before), [LiveChange::QuestionDeactivated { question: open.id }]);
    }

    #[test]
    fn opening_another_question_first_deactivates_the_one_before() {
        let first = question(Some(true));
        let before = facts(Some(first.clone()));
        let now = with(&before, Some(question(Some(true))));
        let expected = [LiveChange::QuestionDeactivated { question: first.id }, LiveChange::QuestionActivated];
        assert_eq!(now.changes_since(&before), expected);
    }

    #[test]
    fn moving_on_without_opening_deactivates_and_shows() {
        let first = question(Some(true));
        let before = facts(Some(first.clone()));
        let now = with(&before, Some(question(None)));
        let expected = [LiveChange::QuestionDeactivated { question: first.id }, LiveChange::MeetingUpdate];
        assert_eq!(now.changes_since(&before), expected);
    }

    #[test]
    fn showing_and_taking_away_a_question_is_an_update() {
        let before = facts(None);
        let shown = with(&before, Some(question(None)));
        assert_eq!(shown.changes_since(&before), [LiveChange::MeetingUpdate]);
        assert_eq!(before.changes_since(&shown), [LiveChange::MeetingUpdate]);
    }

    #[test]
    fn a_re_vote_of_the_open_question_is_a_new_activation() {
        let open = question(Some(true));
        let before = facts(Some(open.clone()));
        let again = LiveQuestion { round: question(Some(true)).round, ..open.clone() };
        let now = with(&before, Some(again));
        let expected = [LiveChange::QuestionDeactivated { question: open.id }, LiveChange::QuestionActivated];
        assert_eq!(now.changes_since(&before), expected);
    }

    #[test]
    fn votes_and_latecomers_change_the_count_alone() {
        let open = question(Some(true));
        let before = facts(Some(open.clone()));
        let mut voted = open.clone();
        voted.round.as_mut().unwrap().votes_cast = 1;
        assert_eq!(with(&before, Some(voted)).changes_since(&before), [LiveChange::VoteCount]);
        let mut latecomer = open;
        latecomer.round.as_mut().unwrap().register_size = 4;
        assert_eq!(with(&before, Some(latecomer)).changes_since(&before), [LiveChange::VoteCount]);
    }

    #[test]
    fn the_status_is_the_first_change_when_a_meeting_ends() {
        let open = question(Some(true));
        let before = facts(Some(open.clone()));
        let now = LiveFacts { status: MeetingStatus::Completed, ..with(&before, None) };
        let expected = [LiveChange::MeetingStatus, LiveChange::QuestionDeactivated { question: open.id }];
        assert_eq!(now.changes_since(&before), expected);
    }

    #[test]
    fn a_countdown_that_is_set_moved_or_taken_off_is_an_update() {
        let open = question(Some(true));
        let closing = |seconds| {
            let mut closing = open.clone();
            closing.round.as_mut().unwrap().closes_at = Some(DateTime::<Utc>::UNIX_EPOCH + TimeDelta::seconds(seconds));
            closing
        };
        let without = facts(Some(open.clone()));
        let (short, long) = (with(&without, Some(closing(30))), with(&without, Some(closing(60))));
        for (before, now) in [(&without, &short), (&short, &long), (&long, &without)] {
            assert_eq!(now.changes_since(before), [LiveChange::MeetingUpdate]);
        }
    }

    #[test]
    fn a_key_that_appears_changes_or_disappears_during_a_secret_vote_is_an_update() {
        let mut open = question(Some(true));
        open.secrecy = Secrecy::Secret;
        let keyed = |key: u8| {
            let mut keyed = open.clone();
            keyed.round.as_mut().unwrap().urn_key = Some(vec![key; 65]);
            keyed
        };
        let without = facts(Some(open.clone()));
        let (first, second) = (with(&without, Some(keyed(4))), with(&without, Some(keyed(5))));
        assert!(without.lacks_key() && !first.lacks_key());
        for (before, now) in [(&without, &first), (&first, &second), (&second, &without)] {
            assert_eq!(now.changes_since(before), [LiveChange::MeetingUpdate]);
        }
    }

    #[test]
    fn only_an_open_secret_vote_lacks_a_key() {
        let secret = |is_open| LiveQuestion { secrecy: Secrecy::Secret, ..question(is_open) };
        assert!(facts(Some(secret(Some(true)))).lacks_key());
        for question in [question(Some(true)), secret(Some(false)), secret(None)] {
            assert!(!facts(Some(question)).lacks_key());
        }
    }

    #[test]
    fn a_step_without_another_change_is_an_update() {
        let before = facts(Some(question(Some(true))));
        let now = LiveFacts { step: Step(6), ..before.clone() };
        assert_eq!(now.changes_since(&before), [LiveChange::MeetingUpdate]);
        let ended = LiveFacts { status: MeetingStatus::Completed, ..now };
        assert_eq!(ended.changes_since(&before), [LiveChange::MeetingStatus]);
    }

    #[test]
    fn a_declared_result_is_an_update() {
        let mut ended = question(Some(false));
        let before = facts(Some(ended.clone()));
        ended.round.as_mut().unwrap().is_declared = true;
        assert_eq!(with(&before, Some(ended)).changes_since(&before), [LiveChange::MeetingUpdate]);
    }

    #[test]
    fn a_new_quorum_is_an_update_and_a_new_number_of_voters_is_not() {
        let quorum = LiveQuorum {
            quorum: Quorum {
                minimum: Minimum::Share(Threshold::AT_LEAST_HALF),
                unit: Unit::Heads,
                attendance: Attendance::Present,
            },
            at_opening: Some(AtOpening::Warn),
            eligible: People { heads: 3, weight: Decimal::ONE },
            weight_kind: None,
        };
        let without = facts(None);
        let with = |quorum| LiveFacts { quorum: Some(quorum), ..without.clone() };
        let barring = LiveQuorum { at_opening: Some(AtOpening::Bar), ..quorum.clone() };
        let plain = with(quorum.clone());
        for (before, now) in [(&without, &plain), (&plain, &with(barring)), (&plain, &without)] {
            assert_eq!(now.changes_since(before), [LiveChange::MeetingUpdate]);
        }
        let more = LiveQuorum { eligible: People { heads: 4, weight: Decimal::TEN }, ..quorum };
        assert_eq!(with(more).changes_since(&plain), []);
    }

    #[test]
    fn a_question_with_its_own_quorum_sends_the_whole_snapshot() {
        let before = facts(None);
        let quorum = LiveQuorum {
            quorum: Quorum {
                minimum: Minimum::Share(Threshold::AT_LEAST_HALF),
                unit: Unit::Heads,
                attendance: Attendance::Voted,
            },
            at_opening: None,
            eligible: People::default(),
            weight_kind: None,
        };
        let now = LiveFacts { quorum: Some(quorum), ..with(&before, Some(question(Some(true)))) };
        assert_eq!(now.changes_since(&before), [LiveChange::QuestionActivated, LiveChange::MeetingUpdate]);
        let changes = before.changes_since(&now);
        assert_eq!(changes.last(), Some(&LiveChange::MeetingUpdate), "{changes:?}");
    }

    #[test]
    fn opening_and_closing_send_the_figures_of_a_quorum_that_counts_votes() {
        let meets = |attendance| LiveQuorum {
            quorum: Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Heads, attendance },
            at_opening: Some(AtOpening::Warn),
            eligible: People { heads: 3, weight: Decimal::ONE },
            weight_kind: None,
        };
        let first = question(Some(true));
        for (attendance, sends_figures) in [(Attendance::Voted, true), (Attendance::Present, false)] {
            let idle = LiveFacts { quorum: Some(meets(attendance)), ..facts(None) };
            let (open, next) = (with(&idle, Some(first.clone())), with(&idle, Some(question(Some(true)))));
            for (before, now) in [(&idle, &open), (&open, &next), (&open, &idle)] {
                let changes = now.changes_since(before);
                assert_eq!(changes.last() == Some(&LiveChange::MeetingUpdate), sends_figures, "{changes:?}");
                assert!(changes.len() > usize::from(sends_figures), "{changes:?}");
            }
            let mut voted = first.clone();
            voted.round.as_mut().unwrap().votes_cast = 1;
            assert_eq!(with(&idle, Some(voted)).changes_since(&open), [LiveChange::VoteCount]);
        }
    }

    #[test]
    fn the_start_and_the_end_of_a_rehearsal_are_updates() {
        let without = facts(None);
        let rehearsal = |ids: &CountingIds| {
            let id = RehearsalId::new(ids);
            Some(LiveRehearsal { id, started_at: DateTime::<Utc>::UNIX_EPOCH })
        };
        let ids = CountingIds::new();
        let first = LiveFacts { rehearsal: rehearsal(&ids), ..without.clone() };
        let second = LiveFacts { rehearsal: rehearsal(&ids), ..without.clone() };
        for (before, now) in [(&without, &first), (&first, &second), (&second, &without)] {
            assert_eq!(now.changes_since(before), [LiveChange::MeetingUpdate]);
        }
        let opened = with(&without, Some(question(Some(true))));
        assert_eq!(opened.changes_since(&first), [LiveChange::QuestionActivated, LiveChange::MeetingUpdate]);
    }

    #[test]
    fn new_terms_of_the_question_on_the_screen_are_an_update() {
        let before = facts(Some(question(None)));
        let by_heads = LiveQuestion { counts_heads: true, ..question(None) };
        assert_eq!(with(&before, Some(by_heads)).changes_since(&before), [LiveChange::MeetingUpdate]);
        let note = |is_withdrawn| CandidateNote { line: None, about: None, is_withdrawn };
        let of = |is_withdrawn| {
            let rule = ElectionRule { candidates: vec![note(false), note(is_withdrawn)], ..approval() };
            Some(LiveQuestion { election: Some(Arc::new(rule)), ..question(None) })
        };
        let before = facts(of(false));
        assert_eq!(with(&before, of(true)).changes_since(&before), [LiveChange::MeetingUpdate]);
    }

    #[test]
    fn a_new_title_is_an_update() {
        let before = facts(None);
        let now = LiveFacts { title: "Other".to_owned(), ..before.clone() };
        assert_eq!(now.changes_since(&before), [LiveChange::MeetingUpdate]);
    }
}
