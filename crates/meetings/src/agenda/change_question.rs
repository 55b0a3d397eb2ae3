use std::sync::Arc;

use plenum_kernel::{
    ClientId, DecisionRule, GroupId, Invalid, NewIds, OptionRole, PlannedQuorum, PortFailure, QuestionId, QuestionType,
    Secrecy, WeightKindId,
};

use crate::{AgendaRule, AgendaService, FormError, Question, QuestionText, QuestionUse, QuestionWeights};

/// Changes to a question. `None` keeps a field, and the inner `None` clears an optional one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionChanges {
    /// A new wording.
    pub text: Option<QuestionText>,
    /// A new type. It resets options, scale and the limit of choices.
    pub question_type: Option<QuestionType>,
    /// New options.
    pub options: Option<Vec<String>>,
    /// New meanings of the options, or `None` to derive them from their words or positions. New texts always derive
    /// them again.
    pub option_roles: Option<Option<Vec<OptionRole>>>,
    /// A new highest number of the scale, or the default.
    pub rating_max: Option<Option<u32>>,
    /// A new limit of choices, or none.
    pub max_choices: Option<Option<u32>>,
    /// Whether it must be answered.
    pub is_required: Option<bool>,
    /// A new decision rule, or none.
    pub decision_rule: Option<Option<DecisionRule>>,
    /// A new quorum, or the meeting's.
    pub quorum: Option<Option<PlannedQuorum>>,
    /// Another secrecy.
    pub secrecy: Option<Secrecy>,
    /// If no secrecy is stated: makes the question named, or a named question unshown.
    pub is_named: Option<bool>,
    /// Whether every vote counts one, whatever the weight.
    pub counts_heads: Option<bool>,
    /// Other groups that it is for. Empty for everybody.
    pub groups: Option<Vec<GroupId>>,
    /// Another kind of weight of its own, or none.
    pub weight_kind: Option<Option<WeightKindId>>,
    /// Another second weight, or none.
    pub second_weight_kind: Option<Option<WeightKindId>>,
}

/// The reason why a question was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeQuestionError {
    /// The client has no such question.
    #[error("the question does not exist")]
    NotFound,
    /// A rule of the agenda forbids it.
    #[error(transparent)]
    Rule(#[from] AgendaRule),
    /// It is for a group that the client does not have.
    #[error("one of the groups does not exist")]
    UnknownGroups,
    /// A field does not fit the question's type.
    #[error("{field}: {requirement}")]
    Form {
        /// The field.
        field: &'static str,
        /// The requirement.
        requirement: Invalid,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<FormError> for ChangeQuestionError {
    fn from((field, requirement): FormError) -> Self {
        Self::Form { field, requirement }
    }
}

impl QuestionChanges {
    /// Makes all changes, or none. Options with unchanged texts keep their ids.
    ///
    /// # Errors
    /// Refuses a form that does not fit the type, a decision rule that does not fit the question, and other wording, type,
    /// options or terms once voting has begun.
    pub fn apply_to(
        self,
        question: &mut Question,
        used: QuestionUse,
        ids: &dyn NewIds,
    ) -> Result<(), ChangeQuestionError> {
        let changed = self.changed(question, ids)?;
        if !changed.is_put_as(question) {
            match used {
                QuestionUse::Unused => {}
                QuestionUse::Open => return Err(AgendaRule::IsOpen.into()),
                QuestionUse::Voted => return Err(AgendaRule::HasVotes.into()),
            }
        }
        *question = changed;
        Ok(())
    }

    fn changed(self, question: &Question, ids: &dyn NewIds) -> Result<Question, ChangeQuestionError> {
        let formed = self.with_changed_form(question, ids)?;
        let has_new_rule = self.decision_rule.is_some();
        let mut changed = Question {
            text: self.text.unwrap_or_else(|| question.text.clone()),
            is_required: self.is_required.unwrap_or(question.is_required),
            decision_rule: self.decision_rule.unwrap_or_else(|| question.decision_rule.clone()),
            quorum: self.quorum.unwrap_or(question.quorum),
            secrecy: self.secrecy.unwrap_or_else(|| with_names(question.secrecy, self.is_named)),
            counts_heads: self.counts_heads.unwrap_or(question.counts_heads),
            groups: self.groups.unwrap_or_else(|| question.groups.clone()),
            weights: QuestionWeights {
                weight: self.weight_kind.unwrap_or(question.weights.weight),
                second: self.second_weight_kind.unwrap_or(question.weights.second),
            },
            ..formed
        };
        changed.fix_order_of_candidates();
        changed.keep_followed_ballot(question);
        // An earlier rule no longer fits, so it must change as well.
        let place = |field| if has_new_rule { field } else { "decisionRule" };
        changed
            .check_changed_rule(question)
            .map_err(|(field, requirement)| ChangeQuestionError::Form { field: place(field), requirement })?;
        changed.check_weights()?;
        changed
            .check_follows(question.followed_ballot().filter(|_| changed.question_type == QuestionType::Election))
            .map_err(|(field, requirement)| ChangeQuestionError::Form { field, requirement })?;
        Ok(changed)
    }
}

/// The secrecy of a question for a caller who only states whether it is named.
fn with_names(secrecy: Secrecy, is_named: Option<bool>) -> Secrecy {
    match is_named {
        Some(true) => Secrecy::Named,
        Some(false) if secrecy.is_named() => Secrecy::Unshown,
        Some(false) | None => secrecy,
    }
}

impl AgendaService {
    /// Changes a question and informs the live screens.
    ///
    /// # Errors
    /// Fails when the client has no such question, the form does not fit the type, or voting has begun.
    pub async fn change(
        &self,
        owner: ClientId,
        id: QuestionId,
        changes: QuestionChanges,
    ) -> Result<Question, ChangeQuestionError> {
        let ids = Arc::clone(&self.ids);
        let decide = move |question: &mut Question, used| changes.apply_to(question, used, &*ids);
        let question = self.questions.update(owner, id, Box::new(decide)).await?;
        self.signals.meeting_changed(question.meeting_id).await;
        Ok(question)
    }

    /// Deletes a question without votes, its open round included, and informs the live screens.
    ///
    /// # Errors
    /// Fails when the client has no such question, or it has votes.
    pub async fn delete(&self, owner: ClientId, id: QuestionId) -> Result<(), ChangeQuestionError> {
        let meeting = self.questions.remove(owner, id).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// Inserts a copy of a question right after it.
    ///
    /// # Errors
    /// Fails when the client has no such question, or the agenda is full.
    pub async fn duplicate(&self, owner: ClientId, id: QuestionId) -> Result<Question, ChangeQuestionError> {
        let (ids, now) = (Arc::clone(&self.ids), self.clock.now());
        let copy = move |original: &Question| original.copy_to(original.meeting_id, &*ids, now);
        let question = self.questions.duplicate(owner, id, Box::new(copy)).await?;
        self.signals.meeting_changed(question.meeting_id).await;
        Ok(question)
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::election::{BallotOrder, ElectionRule};
    use plenum_kernel::testkit::{CountingIds, approval};
    use plenum_kernel::{Attendance, Majority, MeetingId, Minimum, Quorum, Seats, Threshold, Unit, Units};

    use super::*;
    use crate::agenda::sample_question::{by_approval, question};

    /// The types that need no decision rule.
    fn without_rule() -> impl Iterator<Item = QuestionType> {
        QuestionType::ALL.into_iter().filter(|question_type| *question_type != QuestionType::Election)
    }

    fn texts(question: &Question) -> Vec<&str> {
        question.options.iter().map(|option| option.text.as_str()).collect()
    }

    fn becoming(question_type: QuestionType) -> QuestionChanges {
        QuestionChanges { question_type: Some(question_type), ..QuestionChanges::default() }
    }

    fn with_options(options: &[&str]) -> QuestionChanges {
        let options = Some(options.iter().map(|text| (*text).to_owned()).collect());
        QuestionChanges { options, ..QuestionChanges::default() }
    }

    fn rewording() -> QuestionChanges {
        QuestionChanges { text: Some(QuestionText::parse("What else?").unwrap()), ..QuestionChanges::default() }
    }

    /// Changes a question without votes.
    fn change(question: &Question, changes: QuestionChanges) -> Result<Question, ChangeQuestionError> {
        let mut changed = question.clone();
        changes.apply_to(&mut changed, QuestionUse::Unused, &CountingIds::new())?;
        Ok(changed)
    }

    /// The refused field, and the requirement.
    fn refused(question: &Question, changes: QuestionChanges) -> (&'static str, String) {
        match change(question, changes) {
            Err(ChangeQuestionError::Form { field, requirement }) => (field, requirement.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_changes_change_nothing() {
        for question_type in QuestionType::ALL {
            let question = question(question_type);
            assert_eq!(change(&question, QuestionChanges::default()).unwrap(), question);
            assert_eq!(change(&question, becoming(question_type)).unwrap(), question, "its own type is no other");
        }
    }

    #[test]
    fn a_new_type_replaces_all_fields_of_the_old_type() {
        for before in without_rule() {
            for after in without_rule().filter(|after| *after != before) {
                let question = question(before);
                let options = (after == QuestionType::MultipleChoice).then(|| vec!["A".to_owned(), "B".to_owned()]);
                let changed = change(&question, QuestionChanges { options, ..becoming(after) }).unwrap();
                let (options, rating_max): (&[&str], _) = match after {
                    QuestionType::YesNo => (&["Yes", "No"], None),
                    QuestionType::MultipleChoice => (&["A", "B"], None),
                    QuestionType::Rating => (&[], Some(5)),
                    QuestionType::OpenText | QuestionType::Percentage | QuestionType::Election => (&[], None),
                };
                assert_eq!(texts(&changed), options, "{before:?} to {after:?}");
                assert_eq!((changed.rating_max, changed.max_choices), (rating_max, None), "{before:?} to {after:?}");
                let kept = Question {
                    question_type: after,
                    options: changed.options.clone(),
                    rating_max,
                    max_choices: None,
                    ..question
                };
                assert_eq!(changed, kept, "{before:?} to {after:?}");
            }
        }
    }

    #[test]
    fn an_election_always_has_its_terms() {
        let choice = question(QuestionType::MultipleChoice);
        assert_eq!(refused(&choice, becoming(QuestionType::Election)).0, "options");
        let with_names = QuestionChanges { question_type: Some(QuestionType::Election), ..with_options(&["Anna"]) };
        assert_eq!(refused(&choice, with_names.clone()).0, "decisionRule");
        let with_terms = QuestionChanges { decision_rule: Some(Some(by_approval())), ..with_names };
        let election = change(&choice, with_terms).unwrap();
        assert_eq!((texts(&election), election.max_choices), (vec!["Anna"], None));
        assert_eq!(refused(&election, becoming(QuestionType::OpenText)).0, "decisionRule", "its terms do not fit");
        assert_eq!(refused(&election, ruled(None)).0, "decisionRule");
    }

    #[test]
    fn an_order_by_lot_is_drawn_from_the_id_of_the_question() {
        let election = question(QuestionType::Election);
        let by_lot = |seed: &str| {
            let order = BallotOrder::ByLot { seed: seed.to_owned() };
            ruled(Some(DecisionRule::Election(Box::new(ElectionRule { order, ..approval() }))))
        };
        let seed_of = |question: &Question| match &question.decision_rule {
            Some(DecisionRule::Election(rule)) => match &rule.order {
                BallotOrder::ByLot { seed } => seed.clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(seed_of(&change(&election, by_lot("")).unwrap()), election.id.as_uuid().to_string());
        assert_eq!(seed_of(&change(&election, by_lot("blue sky")).unwrap()), "blue sky");
    }

    #[test]
    fn a_choice_without_options_is_refused() {
        for before in QuestionType::ALL.into_iter().filter(|before| *before != QuestionType::MultipleChoice) {
            let (field, requirement) = refused(&question(before), becoming(QuestionType::MultipleChoice));
            assert_eq!((field, requirement.as_str()), ("options", "Please provide at least 2 options"), "{before:?}");
        }
    }

    #[test]
    fn fields_of_other_types_are_ignored() {
        let everything =
            QuestionChanges { rating_max: Some(Some(7)), max_choices: Some(Some(99)), ..with_options(&["only one"]) };
        for question_type in [QuestionType::OpenText, QuestionType::Percentage] {
            let question = question(question_type);
            assert_eq!(change(&question, everything.clone()).unwrap(), question);
        }
    }

    #[test]
    fn unchanged_options_keep_their_ids_at_any_position() {
        let question = question(QuestionType::MultipleChoice);
        let [anna, bert, carl] = &question.options[..] else { panic!("there are three") };
        let changed = change(&question, with_options(&["Carl", "Dora", "Anna"])).unwrap();
        assert_eq!(texts(&changed), ["Carl", "Dora", "Anna"]);
        assert_eq!((changed.options[0].id, changed.options[2].id), (carl.id, anna.id));
        assert!([anna.id, bert.id, carl.id].iter().all(|id| *id != changed.options[1].id));
        assert!(changed.options.iter().map(|option| option.position).eq(1..=3));
        let yes_no = change(
            &question,
            QuestionChanges { question_type: Some(QuestionType::YesNo), ..with_options(&["Bert", "Anna"]) },
        );
        let options = yes_no.unwrap().options;
        let roles: Vec<_> = options.iter().map(|option| (option.id, option.role)).collect();
        assert_eq!(roles, [(bert.id, OptionRole::Yes), (anna.id, OptionRole::No)], "what they mean is read anew");
    }

    #[test]
    fn a_cleared_field_gets_its_default() {
        let rating = question(QuestionType::Rating);
        assert_eq!(rating.rating_max, Some(10));
        let cleared = QuestionChanges { rating_max: Some(None), ..QuestionChanges::default() };
        assert_eq!(change(&rating, cleared).unwrap().rating_max, Some(5));
        let choice = question(QuestionType::MultipleChoice);
        assert_eq!(choice.max_choices, Some(2));
        let cleared = QuestionChanges { max_choices: Some(None), ..QuestionChanges::default() };
        assert_eq!(change(&choice, cleared).unwrap().max_choices, None);
    }

    #[test]
    fn an_invalid_form_is_refused_as_for_a_new_question() {
        let choice = question(QuestionType::MultipleChoice);
        assert_eq!(refused(&choice, with_options(&["Anna"])).0, "options");
        assert_eq!(refused(&choice, with_options(&["Anna", " anna"])).0, "options");
        let two_of_one = QuestionChanges { max_choices: Some(Some(3)), ..with_options(&["Anna", "Bert"]) };
        assert_eq!(refused(&choice, two_of_one).0, "maxChoices");
        let seven = QuestionChanges { rating_max: Some(Some(7)), ..QuestionChanges::default() };
        assert_eq!(refused(&question(QuestionType::Rating), seven).0, "ratingMax");
    }

    #[test]
    fn a_refused_change_changes_nothing() {
        let mut choice = question(QuestionType::MultipleChoice);
        let before = choice.clone();
        let wrong = QuestionChanges { text: rewording().text, is_required: Some(false), ..with_options(&["Anna"]) };
        wrong.apply_to(&mut choice, QuestionUse::Unused, &CountingIds::new()).unwrap_err();
        assert_eq!(choice, before);
        let late = QuestionChanges { is_required: Some(false), ..rewording() };
        late.apply_to(&mut choice, QuestionUse::Voted, &CountingIds::new()).unwrap_err();
        assert_eq!(choice, before);
    }

    #[test]
    fn a_question_with_votes_cannot_change() {
        let choice = question(QuestionType::MultipleChoice);
        let (rating, yes_no) = (question(QuestionType::Rating), question(QuestionType::YesNo));
        for (question, changes) in [
            (&choice, rewording()),
            (&choice, with_options(&["Bert", "Anna", "Carl"])),
            (&choice, with_options(&["Anna", "Bert", "Carl", "Dora"])),
            (&choice, becoming(QuestionType::YesNo)),
            (&choice, QuestionChanges { max_choices: Some(Some(3)), ..QuestionChanges::default() }),
            (&choice, QuestionChanges { max_choices: Some(None), ..QuestionChanges::default() }),
            (&rating, QuestionChanges { rating_max: Some(Some(5)), ..QuestionChanges::default() }),
            (&rating, becoming(QuestionType::Percentage)),
            (&choice, ruled(Some(DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::ONE }))),
            (&choice, QuestionChanges { quorum: Some(Some(QUORUM)), ..QuestionChanges::default() }),
            (&rating, QuestionChanges { secrecy: Some(Secrecy::Named), ..QuestionChanges::default() }),
            (&yes_no, with_roles(Some(&[OptionRole::No, OptionRole::Yes]))),
        ] {
            for (used, rule) in [(QuestionUse::Open, AgendaRule::IsOpen), (QuestionUse::Voted, AgendaRule::HasVotes)] {
                let mut changed = question.clone();
                let refused = changes.clone().apply_to(&mut changed, used, &CountingIds::new());
                assert!(matches!(&refused, Err(ChangeQuestionError::Rule(broken)) if *broken == rule), "{refused:?}");
                assert_eq!(changed, *question);
            }
            assert_ne!(change(question, changes).unwrap(), *question);
        }
    }

    #[test]
    fn an_unchanged_question_and_its_required_flag_can_be_saved_at_any_time() {
        for question_type in QuestionType::ALL {
            let mut question = question(question_type);
            let before = question.clone();
            let as_it_is = QuestionChanges {
                text: Some(question.text.clone()),
                question_type: Some(question_type),
                options: Some(texts(&question).into_iter().map(|text| format!(" {text} ")).collect()),
                rating_max: Some(question.rating_max),
                max_choices: Some(question.max_choices),
                is_required: Some(false),
                option_roles: None,
                decision_rule: Some(question.decision_rule.clone()),
                quorum: Some(question.quorum),
                secrecy: Some(question.secrecy),
                is_named: None,
                counts_heads: Some(question.counts_heads),
                groups: Some(question.groups.clone()),
                weight_kind: Some(question.weights.weight),
                second_weight_kind: Some(question.weights.second),
            };
            for used in [QuestionUse::Open, QuestionUse::Voted] {
                as_it_is.clone().apply_to(&mut question, used, &CountingIds::new()).unwrap();
                assert_eq!(question, Question { is_required: false, ..before.clone() });
            }
        }
    }

    #[test]
    fn an_invalid_form_is_refused_before_votes_are_checked() {
        let mut choice = question(QuestionType::MultipleChoice);
        let refused = with_options(&["Anna"]).apply_to(&mut choice, QuestionUse::Voted, &CountingIds::new());
        assert!(matches!(refused, Err(ChangeQuestionError::Form { field: "options", .. })), "{refused:?}");
    }

    const QUORUM: PlannedQuorum = PlannedQuorum {
        quorum: Quorum {
            minimum: Minimum::Share(Threshold::AT_LEAST_HALF),
            unit: Unit::Heads,
            attendance: Attendance::Present,
        },
        second_call: None,
    };

    fn ruled(rule: Option<DecisionRule>) -> QuestionChanges {
        QuestionChanges { decision_rule: Some(rule), ..QuestionChanges::default() }
    }

    fn with_roles(roles: Option<&[OptionRole]>) -> QuestionChanges {
        QuestionChanges { option_roles: Some(roles.map(<[_]>::to_vec)), ..QuestionChanges::default() }
    }

    fn roles(question: &Question) -> Vec<OptionRole> {
        question.options.iter().map(|option| option.role).collect()
    }

    fn simple_majority() -> DecisionRule {
        DecisionRule::Majority(Majority::simple(Units::Heads))
    }

    #[test]
    fn terms_are_set_and_cleared() {
        let before = question(QuestionType::YesNo);
        let terms = QuestionChanges {
            quorum: Some(Some(QUORUM)),
            secrecy: Some(Secrecy::Named),
            ..ruled(Some(simple_majority()))
        };
        let set = change(&before, terms).unwrap();
        assert_eq!(
            (set.decision_rule.clone(), set.quorum, set.secrecy),
            (Some(simple_majority()), Some(QUORUM), Secrecy::Named)
        );
        assert_eq!(change(&set, rewording()).unwrap().decision_rule, set.decision_rule, "what is left out stays");
        let cleared = QuestionChanges { quorum: Some(None), secrecy: Some(Secrecy::Unshown), ..ruled(None) };
        assert_eq!(change(&set, cleared).unwrap(), before);
    }

    #[test]
    fn a_rule_must_fit_the_changed_question() {
        let (yes_no, choice) = (question(QuestionType::YesNo), question(QuestionType::MultipleChoice));
        let for_seats = |seats| DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::new(seats).unwrap() };
        assert_eq!(refused(&choice, ruled(Some(simple_majority()))).0, "decisionRule");
        assert_eq!(refused(&choice, ruled(Some(for_seats(4)))).0, "decisionRule.seats");
        let no_yes =
            QuestionChanges { options: Some(vec!["No".into(), "Later".into()]), ..ruled(Some(simple_majority())) };
        assert_eq!(refused(&yes_no, no_yes).0, "options");
        let both = QuestionChanges { decision_rule: Some(Some(simple_majority())), ..becoming(QuestionType::YesNo) };
        assert!(change(&choice, both).is_ok());
    }

    #[test]
    fn a_rule_that_no_longer_fits_must_change_too() {
        let yes_no = change(&question(QuestionType::YesNo), ruled(Some(simple_majority()))).unwrap();
        let elected = ruled(Some(DecisionRule::Plurality { unit: Unit::Heads, seats: Seats::new(3).unwrap() }));
        let choice = change(&question(QuestionType::MultipleChoice), elected).unwrap();
        for (question, changes) in [
            (&yes_no, becoming(QuestionType::Rating)),
            (&yes_no, with_options(&["No", "Later"])),
            (&yes_no, with_roles(Some(&[OptionRole::Yes, OptionRole::Abstain]))),
            (&choice, with_options(&["Anna", "Bert"])),
        ] {
            assert_eq!(refused(question, changes.clone()).0, "decisionRule", "{changes:?}");
            let cleared = QuestionChanges { decision_rule: Some(None), ..changes };
            assert_eq!(change(question, cleared).unwrap().decision_rule, None);
        }
    }

    #[test]
    fn unchanged_options_keep_their_roles_and_new_ones_derive_them() {
        let (yes, no, abstain) = (OptionRole::Yes, OptionRole::No, OptionRole::Abstain);
        let turned = change(&question(QuestionType::YesNo), with_roles(Some(&[no, yes]))).unwrap();
        assert_eq!(roles(&turned), [no, yes]);
        assert_eq!(roles(&change(&turned, rewording()).unwrap()), [no, yes]);
        assert_eq!(roles(&change(&turned, with_options(&[" Yes", "No"])).unwrap()), [no, yes]);
        assert_eq!(roles(&change(&turned, with_options(&["Yes", "No", "Abstain"])).unwrap()), [yes, no, abstain]);
        assert_eq!(roles(&change(&turned, with_roles(None)).unwrap()), [yes, no]);
        assert_eq!(refused(&turned, with_roles(Some(&[yes]))).0, "optionRoles");
    }

    #[test]
    fn a_copy_is_the_same_question_with_other_ids() {
        let original = question(QuestionType::MultipleChoice);
        let ids = CountingIds::new();
        let meeting = MeetingId::new(&ids);
        let copy = original.copy_to(meeting, &ids, original.created_at);
        assert!(copy.is_put_as(&original));
        assert_eq!((copy.meeting_id, copy.position), (meeting, original.position));
        assert_ne!(copy.id, original.id);
        let mut pairs = copy.options.iter().zip(&original.options);
        assert!(pairs.all(|(copied, option)| copied.id != option.id), "{copy:?}");
    }

    #[test]
    fn kinds_of_weight_fit_the_question_and_its_rule() {
        let ids = CountingIds::new();
        let [shares, capital] = [(); 2].map(|()| WeightKindId::new(&ids));
        let simple = Majority::simple(Units::SecondWeight).conditions().to_vec();
        let by_second = Majority::new(simple, plenum_kernel::OnTie::Rejected).map(DecisionRule::Majority).unwrap();
        let motion = question(QuestionType::YesNo);
        let refused = |changes: QuestionChanges, to: &Question| {
            let mut changed = to.clone();
            match changes.apply_to(&mut changed, QuestionUse::Unused, &ids) {
                Ok(()) => None,
                Err(ChangeQuestionError::Form { field, .. }) => Some(field),
                Err(other) => panic!("{other:?}"),
            }
        };
        let second = |kind| QuestionChanges { second_weight_kind: Some(kind), ..QuestionChanges::default() };
        let with_rule = QuestionChanges { decision_rule: Some(Some(by_second)), ..QuestionChanges::default() };
        assert_eq!(refused(with_rule.clone(), &motion), Some("secondWeightKindId"), "the rule needs one");
        let both = QuestionChanges { second_weight_kind: Some(Some(capital)), ..with_rule };
        assert_eq!(refused(both.clone(), &motion), None);
        let mut by_both = motion.clone();
        both.apply_to(&mut by_both, QuestionUse::Unused, &ids).unwrap();
        assert_eq!(refused(second(None), &by_both), Some("secondWeightKindId"), "the rule still needs it");
        let secret = QuestionChanges { secrecy: Some(Secrecy::Secret), ..QuestionChanges::default() };
        assert_eq!(refused(secret, &by_both), Some("secondWeightKindId"));
        let same = QuestionChanges { weight_kind: Some(Some(capital)), ..QuestionChanges::default() };
        assert_eq!(refused(same, &by_both), Some("secondWeightKindId"));
        let own = QuestionChanges { weight_kind: Some(Some(shares)), ..QuestionChanges::default() };
        assert_eq!(refused(own.clone(), &by_both), None);
        let election = question(QuestionType::Election);
        assert_eq!(refused(own, &election), Some("weightKindId"));
        assert_eq!(refused(second(Some(shares)), &election), Some("secondWeightKindId"));
    }
}
