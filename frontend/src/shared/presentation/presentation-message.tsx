import { IconCalendarX, IconCircleCheck, IconHourglass, IconPlayerPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './presentation-message.module.css';
import type { PresentationPhase } from './presentation-phase';

interface PresentationMessageProps {
  phase: PresentationPhase;
  /** The ways to join, while they are useful. */
  children: ReactNode;
}

/** A message about the next step of the meeting. */
export function PresentationMessage({ phase, children }: PresentationMessageProps) {
  const { title, text, note, icon: Icon } = messageFor(phase);
  return (
    <div className={classes.root} data-beside={phase === 'waiting'}>
      <div className={classes.words}>
        <Icon className={classes.icon} stroke={1.25} aria-hidden="true" />
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.text}>{text}</p>
        {note ? <p className={classes.note}>{note}</p> : null}
      </div>
      {children ? <div className={classes.join}>{children}</div> : null}
    </div>
  );
}

interface Message {
  title: string;
  text: string;
  note?: string;
  icon: typeof IconHourglass;
}

function messageFor(phase: PresentationPhase): Message {
  switch (phase) {
    case 'waiting':
      return {
        title: 'Waiting for Question',
        text: 'The moderator will start the next question shortly',
        icon: IconHourglass,
      };
    case 'completed':
      return { title: 'Meeting Completed', text: 'Thank you for participating!', icon: IconCircleCheck };
    case 'cancelled':
      return { ...NOT_ACTIVE, note: 'This meeting was cancelled.', icon: IconCalendarX };
    default:
      return NOT_ACTIVE;
  }
}

const NOT_ACTIVE: Message = {
  title: 'Meeting Not Active',
  text: 'Please wait for the moderator to start the meeting',
  icon: IconPlayerPause,
};
