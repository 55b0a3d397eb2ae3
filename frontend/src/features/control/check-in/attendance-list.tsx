import { NativeSelect } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { formatNumber } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { unitAfter, weightName } from '../../../shared/result/weight-names';
import { ExportMenu } from '../../../shared/ui/export-menu';
import { ListPages } from '../../../shared/ui/list-pages';
import { LoadError } from '../../../shared/ui/load-error';
import rows from '../../../shared/ui/named-rows.module.css';
import { SearchInput } from '../../../shared/ui/search-input';
import { useFocusHeld } from '../../../shared/ui/use-focus-held';
import { useMeetingKind } from '../../../shared/weights/use-meeting-kind';
import { AttendeeRow } from './attendee-row';
import classes from './check-in.module.css';
import { useExportAttendance } from './mutations';
import { type AttendanceFilters, checkInQueries } from './queries';

/** The shortest interval between two requests for the names. */
const REFRESH_MS = 3_000;

/** The people who may vote, whether they are there, and the totals. */
export function AttendanceList({ meetingId, live }: { meetingId: string; live: LiveState | null }) {
  const root = useRef<HTMLElement>(null);
  const [filters, setFilters] = useState<AttendanceFilters>({ search: '', presence: '', page: 1 });
  const people = useQuery(checkInQueries.people(meetingId, filters));
  const kind = useMeetingKind(meetingId);
  const exportFile = useExportAttendance(meetingId);
  const seen = useThrottledValue(live?.participantCount ?? 0, REFRESH_MS);
  const { refetch } = people;
  useFocusHeld(root, people.data);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the number changes the list.
  useEffect(() => {
    void refetch();
  }, [seen, refetch]);

  const filter = (change: Partial<AttendanceFilters>) => setFilters({ ...filters, page: 1, ...change });
  const open = live?.currentQuestion?.isActive ? live.currentQuestion : null;
  const totals = people.data?.totals;
  return (
    <section ref={root} className={classes.part} aria-labelledby="attendance" tabIndex={-1}>
      <h3 id="attendance" className={classes.title}>
        Attendance
      </h3>
      {totals ? (
        <p className={classes.totals} role="status">
          <strong>
            {formatNumber(totals.present.heads)} of {formatNumber(totals.eligible.heads)}
          </strong>{' '}
          people are here, {weightName(kind)} {formatNumber(totals.present.weight)} of{' '}
          {formatNumber(totals.eligible.weight)}
          {unitAfter(kind)}
        </p>
      ) : null}
      <Filters filters={filters} onFilter={filter} />
      <ExportMenu
        buttonLabel="Export Attendance"
        menuLabel="Export Attendance"
        sections={[{ formats: ['xlsx', 'csv'] }]}
        isBusy={exportFile.isPending}
        variant="default"
        onExport={(format) => exportFile.mutate(format === 'xlsx' ? 'xlsx' : 'csv')}
      />
      {people.isError ? (
        <LoadError
          message={messageOf(people.error, 'The attendance could not be loaded')}
          isRetrying={people.isFetching}
          onRetry={() => void people.refetch()}
        />
      ) : null}
      {people.data ? (
        <>
          <ul className={rows.list}>
            {people.data.data.map((person) => (
              <AttendeeRow key={person.id} meetingId={meetingId} person={person} kind={kind} open={open} />
            ))}
          </ul>
          {people.data.data.length === 0 ? <p className={classes.note}>Nobody is in this list.</p> : null}
          <ListPages
            label="attendance"
            page={filters.page}
            total={people.data.meta?.total ?? 0}
            onPage={(page) => setFilters({ ...filters, page })}
          />
        </>
      ) : null}
    </section>
  );
}

interface FiltersProps {
  filters: AttendanceFilters;
  onFilter: (change: Partial<AttendanceFilters>) => void;
}

function Filters({ filters, onFilter }: FiltersProps) {
  return (
    <div className={classes.filters}>
      <SearchInput
        label="Search by name or username"
        value={filters.search}
        onSearch={(search) => onFilter({ search })}
      />
      <NativeSelect
        label="Show"
        data={[
          { value: '', label: 'Everybody' },
          { value: 'present', label: 'Present' },
          { value: 'absent', label: 'Absent' },
        ]}
        value={filters.presence}
        onChange={(event) =>
          onFilter({ presence: event.currentTarget.value as AttendanceFilters['presence'] })
        }
      />
    </div>
  );
}
