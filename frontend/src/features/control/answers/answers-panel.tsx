import { Skeleton, Switch, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/api-error';
import type { AnswerCuration } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { hiddenWords } from '../../../shared/presentation/answer-wall';
import { LoadError } from '../../../shared/ui/load-error';
import { AnswerGroups } from './answer-groups';
import { AnswerList } from './answer-list';
import classes from './answers-panel.module.css';
import { type Change, partsOf } from './curation';
import { GroupForm } from './group-form';
import { answerQueries } from './queries';
import { useCurate } from './use-curate';

interface AnswersPanelProps {
  meetingId: string;
  roundId: string;
}

/** The answers to a text question: which of them the presentation shows, and how. */
export function AnswersPanel({ meetingId, roundId }: AnswersPanelProps) {
  const curation = useQuery(answerQueries.curation(meetingId, roundId));
  if (curation.isPending) {
    return <LoadingAnswers />;
  }
  if (curation.data === undefined) {
    return (
      <LoadError
        message={messageOf(curation.error, 'The answers could not be loaded')}
        isRetrying={curation.isFetching}
        onRetry={() => void curation.refetch()}
      />
    );
  }
  return <Curation meetingId={meetingId} roundId={roundId} curation={curation.data} />;
}

function Curation({ meetingId, roundId, curation }: AnswersPanelProps & { curation: AnswerCuration }) {
  const [selected, setSelected] = useState<readonly string[]>([]);
  const curate = useCurate(meetingId, roundId);
  const { version, isShown, isDeclared, groups, wall } = curation;

  const change: Change = (next, used = [], onStored) => {
    if (curate.isPending) {
      return;
    }
    curate.mutate(
      { version, ...next(partsOf(curation)) },
      {
        onSuccess: () => {
          setSelected((current) => current.filter((id) => !used.includes(id)));
          onStored?.();
        },
      },
    );
  };

  return (
    <div className={classes.root}>
      <p className={classes.note}>
        This changes the presentation only. The result, the minutes and the exports keep all answers. Nobody
        sees who wrote an answer.
      </p>
      <Switch
        label="Show answers on the presentation"
        description={shownWords(isShown, isDeclared)}
        checked={isShown}
        onChange={() => change((parts) => ({ ...parts, isShown: !isShown }))}
      />
      <p className={classes.count} role="status">
        {`${countOf(wall.cards.length, 'card')} ${isShown ? 'on' : 'for'} the presentation. ${hiddenWords(wall.hidden)}`.trim()}
      </p>
      <AnswerGroups groups={groups} onChange={change} />
      <GroupForm selected={selected} groups={groups} onChange={change} isBusy={curate.isPending} />
      <AnswerList
        meetingId={meetingId}
        roundId={roundId}
        selected={selected}
        onSelect={setSelected}
        onChange={change}
      />
    </div>
  );
}

function shownWords(isShown: boolean, isDeclared: boolean): string {
  if (!isShown) {
    return 'The presentation shows only the number of answers.';
  }
  return isDeclared
    ? 'The presentation shows them with the question.'
    : 'They appear when you declare the result.';
}

function LoadingAnswers() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the answers...</VisuallyHidden>
      <Skeleton height={44} />
      <Skeleton height={44} mt="xs" />
      <Skeleton height={44} mt="xs" />
    </div>
  );
}
