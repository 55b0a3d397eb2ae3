import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { Meeting, MeetingQuorum } from '../../../api/types';
import { quorumWords, ruleWords } from '../../../shared/result/result-words';
import { ruleName, tellsOfHeads } from '../../../shared/result/rule-names';
import type { NamedKinds } from '../../../shared/result/weight-names';
import { QuorumField } from '../../../shared/terms/quorum-field';
import { isAlwaysByHeads } from '../../../shared/terms/secrecy';
import { errorsUnder, hasErrorsAt } from '../../../shared/terms/terms-errors';
import { WarningNote } from '../../../shared/ui/warning-note';
import { useKindsOfQuestion } from '../../../shared/weights/question-kinds';
import {
  choiceCount,
  hasSecondWeight,
  hasSoundRule,
  type QuestionFormValues,
  ruleOf,
} from '../question-form';
import { SecrecyFields } from '../secrecy/secrecy-fields';
import type { QuestionChanges } from '../use-question-form';
import { looksLikeDecision, usualDecision } from './decision-advice';
import { DecisionFields } from './decision-fields';
import { decisionKinds, type DecisionFields as Fields } from './decision-form';
import classes from './decision-section.module.css';
import { QuestionWeights } from './question-weights';

interface DecisionSectionProps {
  values: QuestionFormValues;
  /** `undefined` while it is unknown. */
  meeting: Meeting | undefined;
  errors: Record<string, ReactNode>;
  changes: QuestionChanges;
}

const TERMS = ['decisionRule', 'quorum', 'secrecy', 'countsHeads', 'weightKindId', 'secondWeightKindId'];
/** The rule of an election has its fields above. */
const ELECTION_TERMS = TERMS.slice(1);

/** The decision rule of a question. It is folded to a summary until the organizer opens it. */
export function DecisionSection(props: DecisionSectionProps) {
  const { values, meeting, errors, changes } = props;
  const [isOpened, setIsOpened] = useState(false);
  const id = useId();
  const hasRules = decisionKinds(values.questionType).length > 0;
  const terms = values.questionType === 'ELECTION' ? ELECTION_TERMS : TERMS;
  const isWrong = terms.some((path) => hasErrorsAt(errors, path));
  if (isWrong && !isOpened) {
    // Errors must be visible, and the section stays open while they are corrected.
    setIsOpened(true);
  }
  const isOpen = isOpened || isWrong;
  const kinds = useKindsOfQuestion(values, meeting);

  return (
    <section className={classes.root} aria-labelledby={`${id}-head`}>
      <h3 className={classes.head} id={`${id}-head`}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          onClick={() => setIsOpened(!isOpen)}
        >
          <span className={classes.title}>
            Decision: <span className={classes.summary}>{summary(values, kinds)}</span>
          </span>
          <IconChevronDown className={classes.chevron} size={18} stroke={1.75} aria-hidden="true" />
        </button>
      </h3>
      <MissingRule values={values} onDecisionChange={changes.setDecision} />
      <div className={classes.fields} id={`${id}-fields`} hidden={!isOpen}>
        {isOpen ? (
          <>
            <MeetingWeights {...props} />
            {hasRules ? (
              <Rule {...props} kinds={kinds} />
            ) : (
              <p className={classes.words}>{ruleText(values, kinds)}</p>
            )}
            <QuorumField
              label="Own quorum"
              description={meetingQuorumWords(meeting?.quorum)}
              quorum={values.quorum}
              hasCheckIn={meeting?.checkIn === 'ON'}
              weightKind={kinds.weightKind}
              errors={{ ...errorsUnder(errors, 'quorum'), quorum: errors.quorum }}
              onChange={changes.setQuorum}
            />
            <SecrecyFields
              values={values}
              errors={errors}
              onSecrecyChange={changes.setSecrecy}
              onCountsHeadsChange={changes.setCountsHeads}
            />
          </>
        ) : null}
      </div>
    </section>
  );
}

function MeetingWeights({ values, meeting, errors, changes }: DecisionSectionProps) {
  const ofMeeting = useKindsOfQuestion({ weightKindId: null, secondWeightKindId: null }, meeting);
  return (
    <QuestionWeights
      values={values}
      meetingKind={ofMeeting.weightKind}
      errors={errors}
      onChange={changes.setWeights}
    />
  );
}

/** The fields of the rule, and the rule in words. */
function Rule({ values, errors, changes, kinds }: DecisionSectionProps & { kinds: NamedKinds }) {
  const rule = hasSoundRule(values) ? ruleOf(values) : null;
  return (
    <>
      <DecisionFields
        questionType={values.questionType}
        optionCount={choiceCount(values)}
        decision={values.decision}
        kinds={kinds}
        hasSecondWeight={hasSecondWeight(values)}
        errors={errorsUnder(errors, 'decisionRule')}
        error={errors.decisionRule}
        onChange={changes.setDecision}
      />
      <p className={classes.words} role="status">
        {rule ? ruleWords(rule, kinds) : noRuleWords(values)}
      </p>
    </>
  );
}

interface MissingRuleProps {
  values: QuestionFormValues;
  onDecisionChange: (decision: Fields) => void;
}

/** Warns about a decision without a rule, and offers the usual one. */
function MissingRule({ values, onDecisionChange }: MissingRuleProps) {
  return looksLikeDecision(values) ? (
    <div className={classes.warning}>
      <WarningNote>This looks like a decision, but has no rule: the votes would only be counted.</WarningNote>
      <Button variant="default" size="compact-sm" onClick={() => onDecisionChange(usualDecision(values))}>
        {values.questionType === 'YES_NO' ? 'Use a simple majority' : 'The most votes win'}
      </Button>
    </div>
  ) : null;
}

/** "simple majority by heads, own quorum, named vote" */
function summary(values: QuestionFormValues, kinds: NamedKinds): string {
  const rule = hasSoundRule(values) ? ruleOf(values) : null;
  const isElection = values.questionType === 'ELECTION';
  const none = values.decision.kind === 'none' && !isElection ? 'none' : 'not complete yet';
  return [
    rule ? ruleName(rule, kinds) : none,
    ...(values.quorum.isOn ? ['own quorum'] : []),
    ...(values.secrecy === 'unshown' ? [] : [`${values.secrecy} vote`]),
    ...((values.countsHeads || isAlwaysByHeads(values)) && tellsOfHeads(rule) ? ['counted by heads'] : []),
  ].join(', ');
}

function noRuleWords({ decision }: QuestionFormValues): string {
  return decision.kind === 'none'
    ? 'The votes are counted, but they decide nothing.'
    : 'The rule is not complete yet.';
}

/** The rule of an election, which has its fields above; other types here have none. */
function ruleText(values: QuestionFormValues, kinds: NamedKinds): string {
  const rule = hasSoundRule(values) ? ruleOf(values) : null;
  return rule ? ruleWords(rule, kinds) : noRuleReason(values.questionType);
}

function noRuleReason(questionType: QuestionFormValues['questionType']): string {
  if (questionType === 'ELECTION') {
    return 'The election is not complete yet.';
  }
  return questionType === 'OPEN_TEXT'
    ? 'The answers are always listed; nothing is decided by them.'
    : 'The result always shows mean, median and distribution, by heads and by weight. They decide nothing.';
}

function meetingQuorumWords(quorum: MeetingQuorum | null | undefined): string {
  if (!quorum) {
    return quorum === null
      ? 'When off, the question has no quorum, because the meeting has none.'
      : 'When off, the quorum of the meeting applies.';
  }
  return `When off, the quorum of the meeting applies: ${quorumWords(quorum)}`;
}
