import { VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Meeting } from '../../api/types';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import classes from './guide.module.css';

interface FirstStepsProps {
  hasPeople: boolean;
  /** The meeting to prepare; null before there is one. */
  meeting: Meeting | null;
  isRehearsed: boolean;
}

interface Step {
  name: string;
  hint: string;
  isDone: boolean;
  /** Where the step is done; undefined while an earlier step is missing. */
  to: string | undefined;
}

/** The five steps to the first meeting. Each one ticks itself as soon as its data are there. */
export function FirstSteps({ hasPeople, meeting, isRehearsed }: FirstStepsProps) {
  const steps: Step[] = [
    {
      name: 'Add people',
      hint: 'The people who vote, one by one or from a file.',
      isDone: hasPeople,
      to: paths.clientEndUsers,
    },
    {
      name: 'Plan a meeting',
      hint: 'Its title and time, from a template or blank.',
      isDone: meeting !== null,
      to: meeting ? paths.clientMeetings : `${paths.clientMeetings}?create=1`,
    },
    {
      name: 'Write the questions',
      hint: 'What is voted on, and how it is decided.',
      isDone: (meeting?.questionCount ?? 0) > 0,
      to: meeting ? paths.meetingQuestions(meeting.id) : undefined,
    },
    {
      name: 'Rehearse',
      hint: 'See whether everybody can connect.',
      isDone: isRehearsed,
      to: meeting ? paths.meetingReadiness(meeting.id) : undefined,
    },
    {
      name: 'Go live',
      hint: 'Start the meeting and open the first vote.',
      isDone: false,
      to: meeting ? paths.meetingControl(meeting.id) : undefined,
    },
  ];
  const current = steps.find(({ isDone }) => !isDone);

  return (
    <Card
      title="Your first meeting"
      description={meeting ? `Five steps, now for “${meeting.title}”.` : 'Five steps to your first vote.'}
    >
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.name} className={classes.step} data-done={step.isDone || undefined}>
            <span className={classes.mark} data-current={step === current || undefined} aria-hidden="true">
              {step.isDone ? <IconCheck size={16} stroke={2} /> : index + 1}
            </span>
            <div>
              {step.to ? (
                <Link
                  className={classes.link}
                  to={step.to}
                  aria-current={step === current ? 'step' : undefined}
                >
                  {step.name}
                </Link>
              ) : (
                <span className={classes.later}>{step.name}</span>
              )}
              {step.isDone ? <VisuallyHidden> (done)</VisuallyHidden> : null}
              <p className={classes.hint}>{step.hint}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
