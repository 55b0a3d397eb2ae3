import { LineChart } from '@mantine/charts';
import type { MeetingResults } from '../../../api/types';
import { formatTime } from '../../../shared/format';
import { ChartFrame } from './chart-frame';

const HEIGHT = 220;

/** The number of people present during the meeting, and the number who may vote. */
export function AttendanceChart({ attendance }: Pick<MeetingResults, 'attendance'>) {
  const data = attendance.map(({ at, present, eligible }) => ({
    at: Date.parse(at),
    Present: present.heads,
    'May vote': eligible.heads,
  }));
  return (
    <ChartFrame label="Chart: attendance over time, by heads" caption="By heads" height={HEIGHT}>
      <LineChart
        h={HEIGHT}
        data={data}
        dataKey="at"
        curveType="stepAfter"
        gridAxis="x"
        withDots={false}
        withTooltip={false}
        withLegend
        series={[
          { name: 'Present', color: 'var(--plenum-accent)' },
          { name: 'May vote', color: 'var(--plenum-abstain)', strokeDasharray: '6 4' },
        ]}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          tickFormatter: (at: number) => formatTime(new Date(at).toISOString()),
        }}
        yAxisProps={{ allowDecimals: false, width: 44, domain: [0, 'auto'] }}
        lineChartProps={{ accessibilityLayer: false }}
      />
    </ChartFrame>
  );
}
