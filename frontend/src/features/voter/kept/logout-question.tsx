import { Button } from '@mantine/core';
import { heldKey, undeliveredBallotNote } from '../../../shared/storage';
import { Notice } from '../notice';
import classes from './logout-question.module.css';

export interface LogoutQuestionProps {
  userId: string;
  onStay: () => void;
  onLogout: () => void;
}

/** Asks before a vote that is stored only on this device would be lost. */
export function LogoutQuestion({ userId, onStay, onLogout }: LogoutQuestionProps) {
  return (
    <Notice tone="refused" title="One of your votes is not yet delivered">
      <p>
        If you log out now, it will not be sent or counted.{' '}
        {undeliveredBallotNote.isKept(userId, heldKey(''))
          ? 'Open the meeting first to send it.'
          : 'Stay on this page until it is sent.'}
      </p>
      <div className={classes.choices}>
        <Button size="md" onClick={onStay}>
          Stay
        </Button>
        <Button size="md" variant="default" onClick={onLogout}>
          Log out without sending
        </Button>
      </div>
    </Notice>
  );
}
