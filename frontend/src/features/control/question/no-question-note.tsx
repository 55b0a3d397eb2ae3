import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { MeetingStatus } from '../../../api/types';
import { paths } from '../../../shared/paths';
import classes from './question-panel.module.css';

interface NoQuestionNoteProps {
  meetingId: string;
  status: MeetingStatus;
  hasQuestions: boolean;
}

/** Takes the place of the question while there is none to control. */
export function NoQuestionNote({ meetingId, status, hasQuestions }: NoQuestionNoteProps) {
  const { title, text } = noteFor(status, hasQuestions);
  return (
    <section className={classes.note}>
      <h2 className={classes.noteTitle}>{title}</h2>
      <p className={classes.noteText}>{text}</p>
      {hasQuestions ? null : (
        <Button className={classes.noteAction} component={Link} to={paths.meetingQuestions(meetingId)}>
          Add a Question
        </Button>
      )}
    </section>
  );
}

function noteFor(status: MeetingStatus, hasQuestions: boolean): { title: string; text: string } {
  if (!hasQuestions) {
    return {
      title: 'No questions available',
      text: 'Add a question under Manage Questions before you start the meeting.',
    };
  }
  switch (status) {
    case 'COMPLETED':
      return {
        title: 'The meeting has ended',
        text: 'The results stay here: choose a question in the agenda.',
      };
    case 'CANCELLED':
      return { title: 'The meeting is cancelled', text: 'Participants see it as unavailable.' };
    default:
      return {
        title: 'The meeting has not started',
        text: 'Participants can enter when you press Start Meeting. You open the first question after that.',
      };
  }
}
