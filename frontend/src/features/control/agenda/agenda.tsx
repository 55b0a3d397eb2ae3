import { IconCheck, IconEye, IconPointFilled } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Question, Round } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { capitalized } from '../../../shared/result/result-words';
import classes from './agenda.module.css';
import { type AgendaState, agendaState, END_WORDS, endedRounds, NOT_OPENED } from './agenda-state';

interface AgendaProps {
  questions: Question[];
  rounds: Round[];
  live: LiveState | null;
  viewedId: string | null;
  onView: (questionId: string) => void;
}

/** The questions in order, each with its state. Selecting one previews it, and changes nothing on the presentation. */
export function Agenda({ questions, rounds, live, viewedId, onView }: AgendaProps) {
  const list = useRef<HTMLOListElement>(null);
  const currentId = live?.currentQuestion?.id;

  // Not scrollIntoView: that would scroll the page too.
  useEffect(() => {
    const box = list.current;
    const entry = currentId ? box?.querySelector('[data-state="open"], [data-state="shown"]') : null;
    if (box && entry) {
      const offset = entry.getBoundingClientRect().top - box.getBoundingClientRect().top;
      box.scrollTop += offset - box.clientHeight / 3;
    }
  }, [currentId]);

  return (
    <nav className={classes.root} aria-label="Agenda">
      <h2 className={classes.title}>Agenda</h2>
      {questions.length === 0 ? <p className={classes.empty}>No questions available</p> : null}
      {questions.length > 0 ? (
        <p className={classes.hint}>
          Choose a question to preview it. The screens in the hall do not change.
        </p>
      ) : null}
      <ol ref={list} className={classes.list}>
        {questions.map((question) => {
          const state = agendaState(question, live, rounds);
          return (
            <li key={question.id}>
              <button
                type="button"
                className={classes.entry}
                data-state={state}
                aria-current={question.id === viewedId}
                onClick={() => onView(question.id)}
              >
                <span className={classes.number}>{question.orderIndex}</span>
                <span className={classes.body}>
                  <span className={classes.text} dir="auto">
                    {question.questionText}
                  </span>
                  <span className={classes.meta}>
                    <Mark state={state} />
                    <span>{stateWords(state, live, endedRounds(rounds, question.id)[0])}</span>
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function stateWords(state: AgendaState, live: LiveState | null, lastRound: Round | undefined): string {
  switch (state) {
    case 'open':
      return `Voting open, ${voted(live?.voteCount ?? 0, live?.registerSize ?? 0)}`;
    case 'shown':
      return lastRound
        ? `On the presentation, ${endWords(lastRound).toLowerCase()}`
        : `On the presentation, ${NOT_OPENED}`;
    case 'ended':
      return lastRound ? endWords(lastRound) : capitalized(END_WORDS.ended);
    case 'next':
      return capitalized(NOT_OPENED);
  }
}

const STATUS_WORDS: Record<Round['status'], string> = {
  OPEN: 'Voting open',
  ENDED: capitalized(END_WORDS.ended),
  COUNTED: 'Counted',
  DECLARED: 'Declared',
};

function endWords({ status, voteCount, registerSize }: Round): string {
  return `${STATUS_WORDS[status]}, ${voted(voteCount, registerSize)}`;
}

function voted(voteCount: number, registerSize: number): string {
  return `${formatNumber(voteCount)} of ${formatNumber(registerSize)} voted`;
}

function Mark({ state }: { state: AgendaState }) {
  switch (state) {
    case 'open':
      return <IconPointFilled size={14} aria-hidden="true" />;
    case 'shown':
      return <IconEye size={14} stroke={2} aria-hidden="true" />;
    case 'ended':
      return <IconCheck size={14} stroke={2} aria-hidden="true" />;
    case 'next':
      return null;
  }
}
