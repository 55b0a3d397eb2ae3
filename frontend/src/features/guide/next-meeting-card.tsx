import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import type { Meeting } from '../../api/types';
import { countOf, formatPeriod } from '../../shared/format';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import { MeetingStatusBadge } from '../../shared/ui/meeting-status-badge';
import { TextLink } from '../../shared/ui/text-link';
import classes from './guide.module.css';

interface NextMeetingCardProps {
  meeting: Meeting;
  activePeople: number;
  /** Null while it is unknown. */
  isRehearsed: boolean | null;
}

/** The running or next meeting, its state, and what it lacks. */
export function NextMeetingCard({ meeting, activePeople, isRehearsed }: NextMeetingCardProps) {
  const isRunning = meeting.status === 'ACTIVE';
  const missing = missingOf(meeting, activePeople, isRehearsed);
  return (
    <Card title={isRunning ? 'Running now' : 'Next meeting'}>
      <p className={classes.meeting} dir="auto">
        {meeting.title}
      </p>
      <p className={classes.facts}>
        <MeetingStatusBadge status={meeting.status} />
        <span>{formatPeriod(meeting.scheduledStartTime, meeting.scheduledEndTime)}</span>
        <span>
          {countOf(meeting.questionCount, 'question')}, {countOf(meeting.participantCount, 'participant')}
        </span>
      </p>
      {missing.length > 0 ? (
        <ul className={classes.missing} aria-label="Still missing">
          {missing.map(({ text, to, label }) => (
            <li key={text}>
              {text} <TextLink to={to}>{label}</TextLink>
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.hint}>
          {isRunning ? 'Voting takes place in the control view.' : 'Nothing is missing.'}
        </p>
      )}
      <Group gap="xs" mt="md">
        <Button component={Link} to={paths.meetingControl(meeting.id)}>
          Control
        </Button>
        <Button component={Link} to={paths.meetingQuestions(meeting.id)} variant="default">
          Questions
        </Button>
      </Group>
    </Card>
  );
}

interface Missing {
  text: string;
  to: string;
  label: string;
}

function missingOf(meeting: Meeting, activePeople: number, isRehearsed: boolean | null): Missing[] {
  const isRunning = meeting.status === 'ACTIVE';
  return [
    ...(activePeople === 0 || meeting.participantCount === 0
      ? [{ text: 'Nobody can vote in it yet.', to: paths.clientEndUsers, label: 'Add people' }]
      : []),
    ...(meeting.questionCount === 0
      ? [
          {
            text: 'It has no questions yet.',
            to: paths.meetingQuestions(meeting.id),
            label: 'Write the questions',
          },
        ]
      : []),
    ...(!isRunning && isRehearsed === false
      ? [{ text: 'It has not been rehearsed.', to: paths.meetingReadiness(meeting.id), label: 'Rehearse' }]
      : []),
    ...(meeting.status === 'DRAFT'
      ? [{ text: 'Voters do not see a draft.', to: paths.clientMeetings, label: 'Change its status' }]
      : []),
  ];
}
