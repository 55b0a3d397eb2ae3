import { Button } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Question } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { audienceWords, useGroupNames } from '../../../shared/groups/group-names';
import { quorumWords, ruleWords } from '../../../shared/result/result-words';
import { SecrecyBadge } from '../../../shared/terms/secrecy-badge';
import { StatusBadge } from '../../../shared/ui/status-badge';
import { useKindsOfQuestion } from '../../../shared/weights/question-kinds';
import { meetingQueries } from '../../meetings/queries';
import { exclusionQueries } from '../queries';
import classes from './question-terms.module.css';

interface QuestionTermsProps {
  question: Question;
  onShowExclusions: () => void;
}

/** The terms of a question: its decision rule, whether votes are named, and the excluded people. */
export function QuestionTerms({ question, onShowExclusions }: QuestionTermsProps) {
  const { decisionRule, quorum } = question;
  const meeting = useQuery(meetingQueries.detail(question.meetingId)).data;
  const kinds = useKindsOfQuestion(question, meeting);
  const groups = audienceWords(useGroupNames(question.groupIds));
  const exclusions = useQuery(exclusionQueries.ofQuestion(question.meetingId, question.id));
  const count = exclusions.data?.length ?? 0;

  return (
    <div className={classes.root}>
      <p className={classes.words}>
        <SecrecyBadge secrecy={question.secrecy} />
        {question.countsHeads ? <StatusBadge tone="neutral">Counted by heads</StatusBadge> : null}
        {groups === null ? null : <StatusBadge tone="neutral">{groups}</StatusBadge>}
        <span>{decisionRule ? ruleWords(decisionRule, kinds) : 'No decision rule.'}</span>
        {quorum ? <span>Own quorum: {quorumWords(quorum, kinds.weightKind)}</span> : null}
      </p>
      <Button
        className={classes.exclusions}
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconUserOff size={16} stroke={1.75} aria-hidden="true" />}
        onClick={onShowExclusions}
      >
        {count > 0 ? `${formatNumber(count)} excluded` : 'Exclude from this question'}
      </Button>
    </div>
  );
}
