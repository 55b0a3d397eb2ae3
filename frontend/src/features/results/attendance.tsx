import { useState } from 'react';
import { PAGE_SIZE } from '../../api/page';
import type { MeetingResults } from '../../api/types';
import { formatDateSeconds, formatNumber } from '../../shared/format';
import { type NamedKind, weightHead, weightName } from '../../shared/result/weight-names';
import { Card } from '../../shared/ui/card';
import { ListPages } from '../../shared/ui/list-pages';
import classes from './attendance.module.css';
import { AttendanceChart } from './charts/attendance-chart';

type Entry = MeetingResults['attendance'][number];

interface AttendanceProps extends Pick<MeetingResults, 'attendance' | 'rounds'> {
  /** What the meeting counts as weight. */
  kind: NamedKind;
}

/** The attendance during the meeting: as a chart, and with all numbers in a table. */
export function Attendance({ attendance, rounds, kind }: AttendanceProps) {
  const [page, setPage] = useState(1);
  const first = (page - 1) * PAGE_SIZE;
  const hasProxies = attendance.some(({ represented }) => represented !== undefined);
  if (attendance.length === 0) {
    return (
      <Card title="Attendance">
        <p className={classes.none}>No attendance was recorded, because the meeting has not started.</p>
      </Card>
    );
  }
  return (
    <Card title="Attendance" description={`${presentPeople(rounds)}, over the course of the meeting.`}>
      <div className={classes.columns}>
        <AttendanceChart attendance={attendance} />
        <section className={classes.figures} aria-label="Attendance in figures">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
          <section className={classes.scroll} tabIndex={0} aria-label="Table of the attendance">
            <table className={classes.table}>
              <caption className={classes.caption}>
                Attendance over time, in heads and in {weightName(kind)}
              </caption>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Present</th>
                  <th scope="col">{weightHead(kind)}</th>
                  {hasProxies ? (
                    <>
                      <th scope="col">Represented</th>
                      <th scope="col">{weightHead(kind)}</th>
                    </>
                  ) : null}
                  <th scope="col">May vote</th>
                  <th scope="col">{weightHead(kind)}</th>
                  <th scope="col">Quorum</th>
                </tr>
              </thead>
              <tbody>
                {attendance.slice(first, first + PAGE_SIZE).map((entry) => (
                  <AttendanceRow key={entry.at} entry={entry} hasProxies={hasProxies} />
                ))}
              </tbody>
            </table>
          </section>
          <ListPages label="Attendance" page={page} total={attendance.length} onPage={setPage} />
        </section>
      </div>
    </Card>
  );
}

/**
 * The people of the notes, by what the rounds counted as present. Check-in can be switched between two rounds, so that
 * neither may be true of all notes.
 */
function presentPeople(rounds: AttendanceProps['rounds']): string {
  const byCheckIn = rounds.map(({ presence }) => presence === 'CHECKED_IN');
  if (new Set(byCheckIn).size !== 1) {
    return 'People who were present and may vote';
  }
  return byCheckIn[0] ? 'People who were checked in and may vote' : 'People who were connected and may vote';
}

interface AttendanceRowProps {
  entry: Entry;
  /** Whether people were represented in any row. */
  hasProxies: boolean;
}

function AttendanceRow({ entry, hasProxies }: AttendanceRowProps) {
  const { at, present, represented, eligible, isQuorate } = entry;
  return (
    <tr>
      <th scope="row">{formatDateSeconds(at)}</th>
      <td>{formatNumber(present.heads)}</td>
      <td>{formatNumber(present.weight)}</td>
      {hasProxies ? (
        <>
          <td>{formatNumber(represented?.heads ?? 0)}</td>
          <td>{formatNumber(represented?.weight ?? 0)}</td>
        </>
      ) : null}
      <td>{formatNumber(eligible.heads)}</td>
      <td>{formatNumber(eligible.weight)}</td>
      <td>{isQuorate === null ? 'None' : isQuorate ? 'Met' : 'Missed'}</td>
    </tr>
  );
}
