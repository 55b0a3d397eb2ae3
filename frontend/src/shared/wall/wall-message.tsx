import { IconCircleCheck, IconHourglass, IconPlayerPause } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { PresentationState } from '../live/live-events';
import classes from './wall-message.module.css';

interface WallMessageProps {
  status: PresentationState['status'];
  children: ReactNode;
}

/** What the hall is waiting for. */
export function WallMessage({ status, children }: WallMessageProps) {
  const { title, text, icon: Icon } = messageFor(status);
  return (
    <div className={classes.root}>
      <Icon className={classes.icon} stroke={1.25} aria-hidden="true" />
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      {children}
    </div>
  );
}

function messageFor(status: PresentationState['status']) {
  switch (status) {
    case 'ACTIVE':
      return {
        title: 'Waiting for Question',
        text: 'The moderator will start the next question shortly',
        icon: IconHourglass,
      };
    case 'COMPLETED':
      return { title: 'Meeting Completed', text: 'Thank you for participating!', icon: IconCircleCheck };
    default:
      return {
        title: 'Meeting Not Active',
        text: 'Please wait for the moderator to start the meeting',
        icon: IconPlayerPause,
      };
  }
}
