import type { Result } from '../../api/types';
import type { ElectionOutcome } from '../../shared/elections/election-types';
import { SeatsCard } from '../../shared/result/seats/seats-card';
import classes from './results-page.module.css';
import { RoundCard } from './round-card';

/** The rounds of one question, the earliest first. */
export interface QuestionRounds {
  questionId: string;
  position: number;
  /** The text in the latest round, as in every heading. */
  text: string;
  latest: Result;
  rounds: Result[];
}

/**
 * Groups rounds by question. The server sends them in the order of the agenda, with the rounds of a question one after
 * another.
 */
export function byQuestion(rounds: Result[]): QuestionRounds[] {
  const questions = new Map<string, QuestionRounds>();
  for (const round of rounds) {
    const before = questions.get(round.questionId);
    questions.set(round.questionId, {
      questionId: round.questionId,
      position: round.position,
      text: round.questionText,
      latest: round,
      rounds: [...(before?.rounds ?? []), round],
    });
  }
  return [...questions.values()];
}

export function questionAnchor(questionId: string): string {
  return `question-${questionId}`;
}

interface QuestionResultsProps {
  meetingId: string;
  question: QuestionRounds;
  elections: ElectionOutcome[];
}

/** A question with all of its rounds: the earlier ones stay visible. The last ballot of an election shows its seats. */
export function QuestionResults({ meetingId, question, elections }: QuestionResultsProps) {
  const { questionId, position, text, rounds } = question;
  const id = questionAnchor(questionId);
  const ended = elections.filter((outcome) =>
    rounds.some(({ roundId }) => outcome.rounds.at(-1) === roundId),
  );
  return (
    <section className={classes.question} aria-labelledby={id}>
      <h2 className={classes.questionTitle} id={id} tabIndex={-1} dir="auto">
        {position}. {text}
      </h2>
      {rounds.map((round) => (
        <RoundCard
          key={round.roundId}
          meetingId={meetingId}
          result={round}
          isOnly={rounds.length === 1 && round.number === 1}
          headline={text}
        />
      ))}
      {ended.map((outcome) => (
        <SeatsCard key={outcome.rounds[0]} meetingId={meetingId} outcome={outcome} />
      ))}
    </section>
  );
}
