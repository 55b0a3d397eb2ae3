import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { type CSSProperties, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Meeting } from '../../api/types';
import { CHECK_IN_PANEL, PANEL_PARAM } from '../../shared/meeting/check-in-path';
import { leftUndoneWords } from '../../shared/meeting/left-undone';
import { Agenda } from './agenda/agenda';
import { ControlHeader } from './control-header';
import { ControlPanels, type Panel } from './control-panels';
import classes from './control-view.module.css';
import { QuestionZone } from './question/question-zone';
import { LiveFigures, SideActions } from './sidebar/control-sidebar';
import { refusalAt } from './steps/step-refusal';
import { type ControlData, useControl } from './use-control';

/** The control view: the agenda, the current question and the figures, each in a fixed place. */
export function ControlView(data: ControlData) {
  const { meeting, questions, rounds } = data;
  const control = useControl(data);
  const { panel, setPanel, closePanel } = usePanel(meeting);
  const { live, status, selection, steps } = control;
  const { question, previewed } = selection;
  const figures = useElementSize();
  // There the figures of an open vote stand directly after its question, not after the results.
  const isNarrow = useMediaQuery('(max-width: 55em)', undefined, { getInitialValueInEffect: false }) ?? false;
  const sidebar = { meeting, questions, rounds, live, onOpenPanel: setPanel };

  return (
    <div className={classes.root}>
      <ControlHeader
        meeting={{ ...meeting, status }}
        hasQuestions={questions.length > 0}
        connection={live.status}
        step={control.step}
        steps={steps}
        orders={control.orders}
        refusal={refusalAt('header', steps.refusal)}
        openRound={control.openRound}
        undone={leftUndoneWords(questions.length, rounds, live.state?.currentQuestion)}
      />
      <div className={classes.zones}>
        <Agenda
          questions={questions}
          rounds={rounds}
          live={live.state}
          viewedId={(previewed ?? question)?.id ?? null}
          onView={selection.preview}
        />
        <QuestionZone
          {...data}
          control={control}
          onOpenPanel={setPanel}
          figures={isNarrow ? <LiveFigures {...sidebar} /> : null}
        />
        <aside
          ref={figures.ref}
          className={classes.figures}
          style={{ '--height': `${figures.height}px` } as CSSProperties}
          aria-label={isNarrow ? 'Actions and presentation' : 'Live figures'}
        >
          {isNarrow ? null : <LiveFigures {...sidebar} />}
          <SideActions {...sidebar} />
        </aside>
      </div>
      <ControlPanels
        panel={panel}
        onClose={closePanel}
        meetingId={meeting.id}
        status={status}
        questions={questions}
        rounds={rounds}
        live={live.state}
      />
      {control.declaring.dialog}
      {control.revoting.dialog}
      {control.riskDialog}
    </div>
  );
}

/** The open side panel. A link may open the check-in; closing it takes that out of the address. */
function usePanel({ checkIn }: Pick<Meeting, 'checkIn'>) {
  const [params, setParams] = useSearchParams();
  const isLinked = params.get(PANEL_PARAM) === CHECK_IN_PANEL;
  const [panel, setPanel] = useState<Panel | null>(
    isLinked && checkIn === 'ON' ? { kind: 'check-in' } : null,
  );

  function closePanel() {
    setPanel(null);
    if (isLinked) {
      setParams({}, { replace: true });
    }
  }

  return { panel, setPanel, closePanel };
}
