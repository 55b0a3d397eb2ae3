import type { ReactNode } from 'react';
import type { Question } from '../../../api/types';
import { roundsOf } from '../agenda/agenda-state';
import type { Panel } from '../control-panels';
import classes from '../control-view.module.css';
import type { RoundActions } from '../results/round-actions';
import { RoundResults } from '../results/round-results';
import { StepNotice } from '../steps/step-notice';
import { refusalAt } from '../steps/step-refusal';
import type { Control, ControlData } from '../use-control';
import { NoQuestionNote } from './no-question-note';
import { QuestionPanel } from './question-panel';
import { QuestionPanelSkeleton } from './question-panel-skeleton';
import { QuestionPreview } from './question-preview';
import { QuestionTerms } from './question-terms';
import { UnconfirmedBatchesNotice } from './unconfirmed-batches-notice';
import { UnconfirmedKeyNotice } from './unconfirmed-key-notice';
import { WaitingBatches } from './waiting-batches';

interface QuestionZoneProps extends ControlData {
  control: Control;
  onOpenPanel: (panel: Panel) => void;
  /** The live figures, where the screen has no space for them at the side. */
  figures: ReactNode;
}

/** The main zone: the question's panel, the preview of another question, and the results of the visible one. */
export function QuestionZone(props: QuestionZoneProps) {
  const { control } = props;
  const { question, previewed } = control.selection;
  return (
    <main id="main" className={classes.main} tabIndex={-1}>
      <UnconfirmedKeyNotice current={control.current} />
      <UnconfirmedBatchesNotice meetingId={props.meeting.id} rounds={props.rounds} />
      <PanelOrNote {...props} />
      {props.figures}
      {previewed ? <Preview {...props} question={previewed} /> : null}
      {question && !previewed ? (
        <Results
          {...props}
          key={question.id}
          question={question}
          isOpen={control.current?.id === question.id && control.current.isActive}
        />
      ) : null}
    </main>
  );
}

/** The question's panel while the meeting is active, otherwise a note. */
function PanelOrNote({ meeting, questions, control, onOpenPanel }: QuestionZoneProps) {
  const { status, live, current, steps, confirmedSteps, selection } = control;
  const { question } = selection;
  const refusal = refusalAt('question', steps.refusal);
  const notice = (
    <StepNotice notice={refusal === null ? control.notice : { tone: 'warning', text: refusal }} />
  );

  if (status !== 'ACTIVE' || !question) {
    return (
      <div>
        <NoQuestionNote meetingId={meeting.id} status={status} hasQuestions={questions.length > 0} />
        {notice}
      </div>
    );
  }
  // A question that another organizer has just added and opened is not in the agenda yet.
  if (!live.state || (current && current.id !== question.id)) {
    return <QuestionPanelSkeleton />;
  }
  return (
    <QuestionPanel
      questions={questions}
      index={selection.index}
      current={current?.id === question.id ? current : null}
      ended={control.ended}
      uncounted={control.uncounted}
      counted={control.counted}
      obstacle={control.obstacle}
      orders={control.orders}
      underWay={steps.underWay}
      onStep={confirmedSteps.attempt}
      guard={confirmedSteps.guard}
      onCancelGuard={confirmedSteps.cancel}
      notice={
        <>
          {current?.isActive && current.roundId ? (
            <WaitingBatches key={current.roundId} meetingId={meeting.id} roundId={current.roundId} />
          ) : null}
          {notice}
        </>
      }
      terms={<Terms question={question} onOpenPanel={onOpenPanel} />}
      onMinutes={() => onOpenPanel({ kind: 'minutes' })}
    />
  );
}

/** Another question of the agenda than the panel's, with its results. */
function Preview(props: QuestionZoneProps & { question: Question }) {
  const { question, control, onOpenPanel } = props;
  const { status, steps, orders, confirmedSteps, selection } = control;
  return (
    <QuestionPreview
      question={question}
      onShow={status === 'ACTIVE' ? () => confirmedSteps.attempt(orders.show(question)) : null}
      isShowing={steps.underWay === 'show'}
      isDeclared={control.endOf(question) === 'declared'}
      onClose={() => selection.preview(null)}
      terms={<Terms question={question} onOpenPanel={onOpenPanel} />}
    >
      <Results {...props} key={question.id} isOpen={false} isPreview />
    </QuestionPreview>
  );
}

function Terms({ question, onOpenPanel }: Pick<QuestionZoneProps, 'onOpenPanel'> & { question: Question }) {
  return (
    <QuestionTerms
      question={question}
      onShowExclusions={() => onOpenPanel({ kind: 'exclusions', questionId: question.id })}
    />
  );
}

interface ResultsProps extends QuestionZoneProps {
  question: Question;
  isOpen: boolean;
  isPreview?: boolean;
}

/** The rounds of a question with the actions on them. The preview has its own button that shows the question. */
function Results({ meeting, question, rounds, control, onOpenPanel, isOpen, isPreview }: ResultsProps) {
  const { status, live, current, steps, orders, declaring, revoting, confirmedSteps } = control;
  const ownRounds = roundsOf(rounds, question.id, live.state);
  const isRunning = status === 'ACTIVE';
  const isCurrent = current?.id === question.id;
  // The panel of a running question has its next step itself.
  const isInPanel = isRunning && !isPreview;
  const actions: RoundActions = {
    onCount: (round) => confirmedSteps.attempt(orders.count(round, question)),
    isCounting: steps.underWay === 'count',
    isSecret: question.secrecy === 'secret',
    isVoid: isCurrent && current.isVoid,
    countsInPanel: isInPanel ? (control.uncounted?.id ?? null) : null,
    onDeclare: (round, result) => declaring.ask(question, round, result, ownRounds[0]?.id === round.id),
    isDeclaring: steps.underWay === 'declare',
    declaresInPanel: isInPanel ? (control.counted?.round.id ?? null) : null,
    onRevote:
      isRunning &&
      !(isCurrent && current.isActive) &&
      !(isInPanel && (control.ended === 'declared' || current?.isVoid))
        ? () => revoting.ask(question.id)
        : null,
    onShow:
      isRunning && !isCurrent && !isPreview ? () => confirmedSteps.attempt(orders.show(question)) : null,
    onShowMissing: ({ id }) => onOpenPanel({ kind: 'missing', questionId: question.id, roundId: id }),
    onShowAnswers: ({ id }) => onOpenPanel({ kind: 'answers', roundId: id }),
  };
  return (
    <RoundResults
      meetingId={meeting.id}
      question={question}
      rounds={ownRounds}
      isOpen={isOpen}
      isBare={isPreview}
      refusal={refusalAt('results', steps.refusal)}
      actions={actions}
    />
  );
}
