import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Portal } from '../../shared/diagnostics/run/portal';
import { numberOf } from '../../shared/diagnostics/run/test-data';
import { countOf } from '../../shared/format';
import classes from './leftovers-notice.module.css';
import { diagnosticQueries } from './queries';

interface LeftoversNoticeProps {
  portal: Portal;
  onCleanUp: () => void;
}

/** Reports test data that exist while no test runs. */
export function LeftoversNotice({ portal, onCleanUp }: LeftoversNoticeProps) {
  // Searched again on each visit, and after each run.
  const { data } = useQuery({ ...diagnosticQueries.testData(portal), staleTime: 0, gcTime: 0 });
  const number = data ? numberOf(data) : 0;
  return (
    <div role="status">
      {number > 0 ? (
        <div className={classes.root}>
          <IconAlertTriangle className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
          <p className={classes.text}>
            A test run was interrupted or is running elsewhere, and {countOf(number, 'test record')}{' '}
            {number === 1 ? 'is' : 'are'} still there. Statistics do not count test data.
          </p>
          <Button size="xs" variant="default" onClick={onCleanUp}>
            Run Cleanup Data
          </Button>
        </div>
      ) : null}
    </div>
  );
}
