import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import type { Question } from '../../api/types';
import { formatElapsed } from '../../shared/format';
import type { LiveQuestion } from '../../shared/live/live-events';
import { useNow } from '../../shared/live/use-now';
import { optionLetter, questionTypeLabel } from '../../shared/question-types';
import { StatusBadge } from '../../shared/ui/status-badge';
import { toast } from '../../shared/ui/toast';
import { useSetCurrentQuestion } from './mutations';
import classes from './question-panel.module.css';

interface QuestionPanelProps {
  meetingId: string;
  questions: Question[];
  index: number;
  /** The live question, where it is the one of this panel. */
  current: LiveQuestion | null;
  hasEnded: boolean;
  refresh: () => Promise<void>;
}

/** The current question as voters see it, and the one big button of the moment. */
export function QuestionPanel({
  meetingId,
  questions,
  index,
  current,
  hasEnded,
  refresh,
}: QuestionPanelProps) {
  const setCurrentQuestion = useSetCurrentQuestion(meetingId, refresh);
  const question = questions[index];
  if (!question) {
    return null;
  }
  const isOpen = current?.isActive ?? false;
  const isBusy = setCurrentQuestion.isPending;
  const previous = questions[index - 1];
  const next = questions[index + 1];

  function handleStart(questionId: string) {
    setCurrentQuestion.mutate(
      { questionId, failure: 'Failed to start question' },
      { onSuccess: () => toast.success('Question activated and broadcast to participants') },
    );
  }

  function handleEnd() {
    setCurrentQuestion.mutate(
      { questionId: null, failure: 'Failed to end question' },
      { onSuccess: () => toast.success('Question ended and participants notified') },
    );
  }

  function handleMove(to: Question, direction: 'previous' | 'next') {
    setCurrentQuestion.mutate(
      { questionId: to.id, open: false, failure: `Failed to navigate to ${direction} question` },
      { onSuccess: () => toast.success(`Moved to ${direction} question`) },
    );
  }

  return (
    <section className={classes.root} aria-labelledby="question-control">
      <div className={classes.head}>
        <h2 id="question-control" className={classes.title}>
          Question Control - {index + 1} of {questions.length}
        </h2>
        <Phase isOpen={isOpen} isShown={current !== null} hasEnded={hasEnded} />
        {isOpen && current?.openedAt ? <Elapsed since={current.openedAt} /> : null}
      </div>
      <p className={classes.type}>{questionTypeLabel(question.questionType, question.ratingMax)}</p>
      <p className={classes.text}>{question.questionText}</p>
      <Answers question={question} />
      <div className={classes.actions}>
        <Button
          variant="default"
          size="lg"
          leftSection={<IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />}
          disabled={!previous || isBusy}
          onClick={() => previous && handleMove(previous, 'previous')}
        >
          Previous
        </Button>
        {isOpen ? (
          <Button
            className={classes.main}
            color="var(--plenum-accent)"
            variant="outline"
            leftSection={<IconPlayerStop size={20} stroke={1.75} aria-hidden="true" />}
            loading={isBusy}
            onClick={handleEnd}
          >
            End Question
          </Button>
        ) : (
          <Button
            className={classes.main}
            // Where the voting is done, moving on is the next step, and opening again the exception.
            variant={hasEnded ? 'default' : 'filled'}
            leftSection={<IconPlayerPlay size={20} stroke={1.75} aria-hidden="true" />}
            loading={isBusy}
            onClick={() => handleStart(question.id)}
          >
            Start Question
          </Button>
        )}
        <Button
          variant={hasEnded && !isOpen ? 'filled' : 'default'}
          size="lg"
          rightSection={<IconChevronRight size={20} stroke={1.75} aria-hidden="true" />}
          disabled={!next || isBusy}
          onClick={() => next && handleMove(next, 'next')}
        >
          Next
        </Button>
      </div>
      <p className={classes.hint}>{hintFor(isOpen, hasEnded)}</p>
    </section>
  );
}

function hintFor(isOpen: boolean, hasEnded: boolean): string {
  if (isOpen) {
    return 'Ending the question closes the voting for everyone. Previous and Next end it as well.';
  }
  return hasEnded
    ? 'Starting the question again reopens its voting; the votes that were cast stay.'
    : 'Starting the question opens the voting for everyone in the register.';
}

function Phase({ isOpen, isShown, hasEnded }: { isOpen: boolean; isShown: boolean; hasEnded: boolean }) {
  if (isOpen) {
    return <StatusBadge tone="good">Voting open</StatusBadge>;
  }
  if (isShown) {
    return <StatusBadge tone="info">On screen, voting closed</StatusBadge>;
  }
  return <StatusBadge tone="neutral">{hasEnded ? 'Ended' : 'Not on screen'}</StatusBadge>;
}

function Elapsed({ since }: { since: string }) {
  const now = useNow(1_000);
  return (
    <span className={classes.elapsed} role="timer">
      Elapsed {formatElapsed((now - Date.parse(since)) / 1_000)}
    </span>
  );
}

function Answers({ question }: { question: Question }) {
  switch (question.questionType) {
    case 'YES_NO':
    case 'MULTIPLE_CHOICE':
      return (
        <ol className={classes.options} data-long={question.optionsList.length > 4}>
          {question.optionsList.map(({ id, text }, position) => (
            <li key={id} className={classes.option}>
              <span className={classes.letter}>{optionLetter(position)}</span>
              {text}
            </li>
          ))}
        </ol>
      );
    case 'RATING':
      return <p className={classes.answerHint}>Rate from 1 to {question.ratingMax ?? 5}</p>;
    case 'PERCENTAGE':
      return <p className={classes.answerHint}>Enter percentage (0-100%)</p>;
    case 'OPEN_TEXT':
      return <p className={classes.answerHint}>Provide your text response</p>;
  }
}
