import { Checkbox } from '@mantine/core';
import { memo, useState } from 'react';
import type { EndUser } from '../../../api/types';
import { TestBadge } from '../../../shared/ui/test-badge';
import classes from './participant-picker.module.css';

interface ParticipantRowProps {
  endUser: EndUser;
  isChosen: boolean;
  /** Must be a stable function, because the list may have thousands of rows. */
  onToggle: (endUser: EndUser, isChosen: boolean) => void;
}

/** A person to invite. An inactive person cannot be added, but one who is invited can be removed. */
export const ParticipantRow = memo(function ParticipantRow(props: ParticipantRowProps) {
  const { endUser, isChosen, onToggle } = props;
  // So that a removal by mistake can be undone, and the keyboard keeps its focus.
  const [wasChosen] = useState(isChosen);
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
        disabled={!(endUser.isActive || isChosen || wasChosen)}
        checked={isChosen}
        onChange={(event) => onToggle(endUser, event.currentTarget.checked)}
      />
    </li>
  );
});
