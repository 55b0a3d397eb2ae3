import { IconCheck, IconEye, IconPointFilled } from '@tabler/icons-react';
import type { Question, Round } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import classes from './agenda.module.css';
import { type AgendaState, agendaState, endedRounds } from './agenda-state';

interface AgendaProps {
  questions: Question[];
  rounds: Round[];
  live: LiveState | null;
  viewedId: string | null;
  onView: (questionId: string) => void;
}

/** The questions in order, each with what it is at. Choosing one shows its results, and moves nothing in the hall. */
export function Agenda({ questions, rounds, live, viewedId, onView }: AgendaProps) {
  return (
    <nav className={classes.root} aria-label="Agenda">
      <h2 className={classes.title}>Agenda</h2>
      {questions.length === 0 ? <p className={classes.empty}>No questions available</p> : null}
      <ol className={classes.list}>
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
                  <span className={classes.text}>{question.questionText}</span>
                  <span className={classes.meta}>
                    <Mark state={state} />
                    {stateWords(state, endedRounds(rounds, question.id)[0])}
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

function stateWords(state: AgendaState, lastRound: Round | undefined): string {
  switch (state) {
    case 'open':
      return 'Voting open';
    case 'shown':
      return 'On screen';
    case 'ended':
      return lastRound ? `Ended, ${lastRound.voteCount} of ${lastRound.registerSize} voted` : 'Ended';
    case 'next':
      return 'Not asked yet';
  }
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
