import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '../../../api/api-error';
import type { Exclusion, Question } from '../../../api/types';
import { formatDateTime } from '../../../shared/format';
import { BusyButton } from '../../../shared/ui/busy-button';
import { FormError } from '../../../shared/ui/form-error';
import { LoadError } from '../../../shared/ui/load-error';
import { useFocusHeld } from '../../../shared/ui/use-focus-held';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import { useExclude, useLiftExclusion } from '../mutations';
import { exclusionQueries } from '../queries';
import classes from './exclusions-panel.module.css';
import { PersonForm } from './person-form';

interface ExclusionsPanelProps {
  meetingId: string;
  question: Question;
  /** Voting on this question is open. */
  isOpen: boolean;
}

/** The people excluded from one question, with the reasons. */
export function ExclusionsPanel({ meetingId, question, isOpen }: ExclusionsPanelProps) {
  const exclusions = useQuery(exclusionQueries.ofQuestion(meetingId, question.id));
  const exclude = useExclude(meetingId, question.id);
  const { isUnfolded, unfold, fold, opener } = useUnfolded();
  const root = useRef<HTMLElement>(null);
  useFocusHeld(root, exclusions.data);

  return (
    <section ref={root} className={classes.root} aria-label="People who take no part" tabIndex={-1}>
      <p className={classes.subject} dir="auto">
        {question.questionText}
      </p>
      <p className={classes.note}>
        {isOpen
          ? 'Voting is open. A person you exclude now leaves the register at once, unless they have already voted.'
          : 'When voting opens, excluded people are left out of the register. Rounds that have ended do not change.'}
      </p>
      {isUnfolded ? (
        <PersonForm
          legend="Person to exclude"
          submitLabel="Exclude from this question"
          busyLabel="Excluding…"
          failure="Failed to exclude"
          send={(body) => exclude.mutateAsync(body)}
          onDone={fold}
          onCancel={fold}
        />
      ) : (
        <Button
          ref={opener}
          variant="default"
          leftSection={<IconUserOff size={18} stroke={1.75} aria-hidden="true" />}
          onClick={unfold}
        >
          Exclude a person
        </Button>
      )}
      {exclusions.isError ? (
        <LoadError
          message={messageOf(exclusions.error, 'The exclusions could not be loaded')}
          isRetrying={exclusions.isFetching}
          onRetry={() => void exclusions.refetch()}
        />
      ) : null}
      {exclusions.isPending ? <LoadingExclusions /> : null}
      {exclusions.data?.length === 0 ? <p className={classes.note}>No one is excluded.</p> : null}
      {exclusions.data && exclusions.data.length > 0 ? (
        <ul className={classes.list}>
          {exclusions.data.map((exclusion) => (
            <ExcludedPerson
              key={exclusion.endUserId}
              meetingId={meetingId}
              questionId={question.id}
              exclusion={exclusion}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface ExcludedPersonProps {
  meetingId: string;
  questionId: string;
  exclusion: Exclusion;
}

function ExcludedPerson({ meetingId, questionId, exclusion }: ExcludedPersonProps) {
  const lift = useLiftExclusion(meetingId, questionId);
  const { name, username, reason, at, by } = exclusion;

  return (
    <li className={classes.entry}>
      <div className={classes.line}>
        <span className={classes.words}>
          <span className={classes.name} dir="auto">
            {name}
          </span>{' '}
          <span className={classes.quiet}>{username}</span>
        </span>
        <BusyButton
          variant="default"
          size="xs"
          isBusy={lift.isPending}
          busyLabel="Lifting…"
          aria-label={`Lift the exclusion of ${name}`}
          onClick={() => lift.mutate(exclusion)}
        >
          Lift
        </BusyButton>
      </div>
      <p className={classes.reason} dir="auto">
        {reason}
      </p>
      <p className={classes.quiet}>
        {formatDateTime(at)}, by {by}
      </p>
      <FormError message={lift.isError ? messageOf(lift.error, 'Failed to lift the exclusion') : null} />
    </li>
  );
}

function LoadingExclusions() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the exclusions...</VisuallyHidden>
      <Skeleton height={72} />
    </div>
  );
}
