import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import type { EndUser } from '../../../api/types';
import { TestBadge } from '../../../shared/ui/test-badge';
import classes from './participant-picker.module.css';

interface ParticipantRowProps {
  endUser: EndUser;
  isChosen: boolean;
  /** The same function each time: the list may hold thousands of rows. */
  onToggle: (endUser: EndUser, isChosen: boolean) => void;
}

/** A person who can be invited; one who is inactive can only stay as they are. */
export const ParticipantRow = memo(function ParticipantRow(props: ParticipantRowProps) {
  const { endUser, isChosen, onToggle } = props;
  return (
    <li className={classes.row}>
      <Checkbox
        label={
          <>
            {endUser.isActive ? endUser.name : `${endUser.name} (Inactive)`}
            {endUser.isTest ? (
              <>
                {' '}
                <TestBadge />
              </>
            ) : null}
          </>
        }
        description={endUser.username}
        disabled={!endUser.isActive}
        checked={isChosen}
        onChange={(event) => onToggle(endUser, event.currentTarget.checked)}
      />
    </li>
  );
});
