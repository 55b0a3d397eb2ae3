import { Button } from '@mantine/core';
import { IconListDetails, IconUsers } from '@tabler/icons-react';
import { Link } from 'react-router';
import { formatNumber } from '../../shared/format';
import { paths } from '../../shared/paths';
import classes from './live-figures.module.css';

/** Who is in the hall, and where to go from here. */
export function HallCards({ meetingId, participantCount }: { meetingId: string; participantCount: number }) {
  return (
    <>
      <section className={classes.card} aria-labelledby="active-participants">
        <h2 id="active-participants" className={classes.title}>
          Active Participants
        </h2>
        <p className={classes.participants}>
          <IconUsers size={20} stroke={1.75} aria-hidden="true" />
          {participantCount === 0
            ? 'No participants yet'
            : `${formatNumber(participantCount)} Active ${participantCount === 1 ? 'Participant' : 'Participants'}`}
        </p>
        {participantCount > 0 ? <p className={classes.context}>Connected via live stream</p> : null}
      </section>

      <section className={classes.card} aria-labelledby="quick-actions">
        <h2 id="quick-actions" className={classes.title}>
          Quick Actions
        </h2>
        <Button
          component={Link}
          to={paths.meetingQuestions(meetingId)}
          variant="default"
          fullWidth
          leftSection={<IconListDetails size={18} stroke={1.75} aria-hidden="true" />}
        >
          Manage Questions
        </Button>
      </section>
    </>
  );
}
