import { Switch } from '@mantine/core';
import type { Meeting, Question } from '../../../api/types';
import { useSetSecondCall } from '../mutations';
import classes from './second-call.module.css';

interface SecondCallProps {
  meeting: Meeting;
  questions: Question[];
}

/** Switches to the second call of a meeting, if it or one of its questions has another quorum then. */
export function SecondCall({ meeting, questions }: SecondCallProps) {
  const call = useSetSecondCall(meeting.id);
  const quorums = [meeting.quorum, ...questions.map(({ quorum }) => quorum)];
  if (!quorums.some((quorum) => quorum?.secondCall !== undefined)) {
    return null;
  }
  return (
    <div className={classes.root}>
      <Switch
        label="Second call"
        // Without it, the description in the same <label> would be part of the name.
        aria-label="Second call"
        description="The quorum for a second call applies to the questions that you open from now on."
        checked={meeting.isSecondCall}
        disabled={call.isPending}
        onChange={(event) => call.mutate(event.currentTarget.checked)}
      />
    </div>
  );
}
