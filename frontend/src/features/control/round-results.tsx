import { SegmentedControl, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import type { Question, Result, Round } from '../../api/types';
import { formatDateTime, formatNumber } from '../../shared/format';
import { ErrorState } from '../../shared/ui/error-state';
import { NumbersTally } from './numbers-tally';
import { OptionsTally } from './options-tally';
import { roundQueries } from './queries';
import classes from './round-results.module.css';
import { TextsTally } from './texts-tally';

interface RoundResultsProps {
  meetingId: string;
  question: Question;
  /** Those that have ended, the latest first. */
  rounds: Round[];
  isOpen: boolean;
}

/** The tallies of a question: of its latest round, and of earlier ones on request. */
export function RoundResults({ meetingId, question, rounds, isOpen }: RoundResultsProps) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const round = rounds.find(({ id }) => id === chosenId) ?? rounds[0];

  return (
    <section className={classes.root} aria-labelledby="results">
      <div className={classes.head}>
        <h2 id="results" className={classes.title}>
          Result of question {question.orderIndex}
        </h2>
        {rounds.length > 1 ? (
          <SegmentedControl
            aria-label="Round"
            value={round?.id ?? ''}
            onChange={setChosenId}
            data={rounds.map(({ id, number }) => ({ value: id, label: `Round ${number}` })).reverse()}
          />
        ) : null}
      </div>
      {isOpen ? <p className={classes.quiet}>The tally is shown when the question has ended.</p> : null}
      {!isOpen && !round ? <p className={classes.quiet}>This question has not been voted on yet.</p> : null}
      {round ? <RoundResult meetingId={meetingId} round={round} /> : null}
    </section>
  );
}

function RoundResult({ meetingId, round }: { meetingId: string; round: Round }) {
  const result = useQuery(roundQueries.result(meetingId, round));

  if (result.isPending) {
    return (
      <div role="status">
        <VisuallyHidden>Loading the tally...</VisuallyHidden>
        <Skeleton height={20} width="60%" mt="md" />
        <Skeleton height={44} mt="md" />
        <Skeleton height={44} mt="xs" />
      </div>
    );
  }
  if (result.isError) {
    return (
      <ErrorState
        title={messageOf(result.error, 'The tally could not be loaded')}
        hint="The votes are stored; only this view of them is missing."
        isRetrying={result.isFetching}
        onRetry={() => void result.refetch()}
      />
    );
  }
  return (
    <>
      <p className={classes.question}>{result.data.round.questionText}</p>
      <p className={classes.turnout}>{turnout(result.data)}</p>
      <Tally result={result.data} />
    </>
  );
}

function turnout({ round, votesCast, register }: Result): string {
  const share = register.heads > 0 ? ` (${Math.round((votesCast.heads / register.heads) * 100)} %)` : '';
  const when = round.endedAt ? ` Ended ${formatDateTime(round.endedAt)}.` : '';
  return (
    `${formatNumber(votesCast.heads)} of ${formatNumber(register.heads)} voted${share}, ` +
    `weight ${formatNumber(votesCast.weight)} of ${formatNumber(register.weight)}.${when}`
  );
}

function Tally({ result }: { result: Result }) {
  if (result.numbers) {
    return (
      <NumbersTally numbers={result.numbers} isPercentage={result.round.questionType === 'PERCENTAGE'} />
    );
  }
  if (result.texts) {
    return <TextsTally texts={result.texts} />;
  }
  return <OptionsTally options={result.options} votesCast={result.votesCast} />;
}
