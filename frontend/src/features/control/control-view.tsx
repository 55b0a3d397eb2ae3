import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, useState } from 'react';
import { leftUndoneWords } from '../../shared/meeting/left-undone';
import { Agenda } from './agenda/agenda';
import { ControlHeader } from './control-header';
import { ControlPanels, type Panel } from './control-panels';
import classes from './control-view.module.css';
import { QuestionZone } from './question/question-zone';
import { ControlSidebar } from './sidebar/control-sidebar';
import { refusalAt } from './steps/step-refusal';
import { type ControlData, useControl } from './use-control';

/** The control view: the agenda, the current question and the figures, each in a fixed place. */
export function ControlView(data: ControlData) {
  const { meeting, questions, rounds } = data;
  const control = useControl(data);
  const [panel, setPanel] = useState<Panel | null>(null);
  const { live, status, selection, steps } = control;
  const { question, previewed } = selection;
  const figures = useElementSize();

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
        <QuestionZone {...data} control={control} onOpenPanel={setPanel} />
        <aside
          ref={figures.ref}
          className={classes.figures}
          style={{ '--height': `${figures.height}px` } as CSSProperties}
          aria-label="Live figures"
        >
          <ControlSidebar
            meeting={meeting}
            questions={questions}
            rounds={rounds}
            live={live}
            onOpenPanel={setPanel}
          />
        </aside>
      </div>
      <ControlPanels
        panel={panel}
        onClose={() => setPanel(null)}
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
