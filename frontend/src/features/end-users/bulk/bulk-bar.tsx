import { Button } from '@mantine/core';
import { useState } from 'react';
import type { EndUser } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import type { Selection } from '../../../shared/list/use-selection';
import classes from './bulk.module.css';
import { BulkDialog } from './bulk-dialog';
import { BULK_TASKS, type BulkTask } from './bulk-tasks';
import { GroupBulk } from './group-bulk';

const TASKS: readonly BulkTask[] = ['activate', 'deactivate', 'export', 'delete'];

/** The actions on the selected people. */
export function BulkBar({ selection }: { selection: Selection<EndUser> }) {
  const [task, setTask] = useState<BulkTask>('activate');
  const [isOpen, setIsOpen] = useState(false);
  // A new dialog for each opening, without the report of the last one.
  const [opening, setOpening] = useState(0);
  const { rows } = selection;
  return (
    <div className={rows.length > 0 ? classes.root : undefined}>
      <div role="status">
        {rows.length > 0 ? <p className={classes.count}>{formatNumber(rows.length)} selected</p> : null}
      </div>
      {rows.length > 0 ? (
        <section className={classes.bar} aria-label="Actions on the selected end users">
          {TASKS.map((one) => (
            <Button
              key={one}
              size="xs"
              variant="default"
              disabled={!rows.some(BULK_TASKS[one].concerns)}
              onClick={() => {
                setTask(one);
                setOpening(opening + 1);
                setIsOpen(true);
              }}
            >
              {BULK_TASKS[one].label}
            </Button>
          ))}
          <GroupBulk endUsers={rows} onDone={selection.clear} />
          <Button size="xs" variant="subtle" onClick={selection.clear}>
            Clear selection
          </Button>
        </section>
      ) : null}
      <BulkDialog
        key={opening}
        task={task}
        endUsers={rows}
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        onDone={selection.clear}
      />
    </div>
  );
}
