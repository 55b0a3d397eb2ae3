import type { Result } from '../../api/types';
import type { ElectionOutcome } from '../../shared/elections/election-types';
import { SeatsCard } from '../../shared/result/seats/seats-card';
import classes from './results-page.module.css';
import { RoundCard } from './round-card';

/** The rounds of one question, the earliest first. */
export interface QuestionRounds {
  questionId: string;
  /** The position in the latest round. A declared round keeps its own, which may have changed before the next one. */
  position: number;
  /** The text in the latest round, as in every heading. */
  text: string;
  latest: Result;
  rounds: Result[];
}

/** Groups rounds by question. The questions stay in the order of the server, which is that of the agenda. */
export function byQuestion(rounds: Result[]): QuestionRounds[] {
  const questions = new Map<string, [Result, ...Result[]]>();
  for (const round of rounds) {
    const known = questions.get(round.questionId);
    if (known) {
      known.push(round);
    } else {
      questions.set(round.questionId, [round]);
    }
  }
  return [...questions.values()].map(questionOf);
}

function questionOf(rounds: [Result, ...Result[]]): QuestionRounds {
  const latest = rounds.reduce((last, round) => (round.number > last.number ? round : last));
  return {
    questionId: latest.questionId,
    position: latest.position,
    text: latest.questionText,
    latest,
    rounds: rounds.sort((left, right) => left.number - right.number),
  };
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
