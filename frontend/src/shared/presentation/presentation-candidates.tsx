import type { PresentationState } from '../live/live-events';
import { PresentationList } from './presentation-list';
import classes from './presentation-question.module.css';

interface PresentationCandidatesProps {
  question: Pick<NonNullable<PresentationState['currentQuestion']>, 'questionText' | 'options' | 'election'>;
}

/** The candidates of an election with their lines. The name of a withdrawn one is struck through. */
export function PresentationCandidates({ question }: PresentationCandidatesProps) {
  const { questionText, options, election } = question;
  const candidates =
    election?.candidates ?? options.map((name, index) => ({ ...NOTHING_MORE, number: index + 1, name }));
  const entries = candidates.map(({ number, name, line, isWithdrawn }) => ({
    key: number,
    text: [name, isWithdrawn ? 'withdrawn' : '', line ?? ''].join(' '),
    content: (
      <span className={classes.optionText}>
        <bdi>{isWithdrawn ? <s>{name}</s> : name}</bdi>
        {isWithdrawn ? <span className={classes.candidateLine}> withdrawn</span> : null}
        {line ? (
          <span className={classes.candidateLine}>
            {' '}
            <bdi>{line}</bdi>
          </span>
        ) : null}
      </span>
    ),
  }));
  return <PresentationList questionText={questionText} entries={entries} />;
}

const NOTHING_MORE = { line: null, isWithdrawn: false };
