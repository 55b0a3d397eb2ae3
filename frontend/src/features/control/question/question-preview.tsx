import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Question } from '../../../api/types';
import { BusyButton } from '../../../shared/ui/busy-button';
import { QuestionContent } from './question-content';
import classes from './question-preview.module.css';

interface QuestionPreviewProps {
  question: Question;
  /** Null if the presentation cannot show anything, because the meeting is not running. */
  onShow: (() => void) | null;
  isShowing: boolean;
  /** Its result is declared: the hall sees the result again together with the question. */
  isDeclared: boolean;
  onClose: () => void;
  /** The decision rule, and the excluded people. */
  terms: ReactNode;
  /** Its tallies. */
  children: ReactNode;
}

/** A question of the agenda that is shown only to the organizer. */
export function QuestionPreview(props: QuestionPreviewProps) {
  const { question, onShow, isShowing, isDeclared, onClose, terms, children } = props;
  const root = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question starts at its top.
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'nearest' });
  }, [question.id]);

  return (
    <section ref={root} className={classes.root} aria-labelledby="preview">
      <div className={classes.head}>
        <IconEye size={20} stroke={1.75} aria-hidden="true" />
        <div className={classes.words} role="status">
          <h2 id="preview" className={classes.title}>
            Preview of question {question.orderIndex}
          </h2>
          <p className={classes.text}>Only you see this. Nothing has changed in the hall.</p>
        </div>
        <div className={classes.actions}>
          {onShow ? (
            <BusyButton variant="outline" isBusy={isShowing} busyLabel="Showing…" onClick={onShow}>
              {isDeclared ? 'Show Result on Presentation' : 'Show on Presentation'}
            </BusyButton>
          ) : null}
          <Button variant="default" onClick={onClose}>
            Close Preview
          </Button>
        </div>
      </div>
      <QuestionContent question={question} />
      {terms}
      <div className={classes.results}>{children}</div>
    </section>
  );
}
