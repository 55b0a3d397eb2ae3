import { BarChart } from '@mantine/charts';
import type { OptionRole, Result } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { formatPercent, type Unit, unitsOf } from '../../../shared/result/figures';
import { useIsPhone } from '../../../shared/ui/data-table';
import { BarShape } from './bar-shape';
import { ChartFrame } from './chart-frame';

const SIGNS: Record<OptionRole, string> = { yes: '✓ ', no: '✗ ', abstain: '– ', choice: '' };
const BAR = 24;
const GAP = 14;

/** The width of the names and the figures next to the bars, and the number of characters of a name that fit. */
const WIDE = { names: 132, figures: 148, letters: 20 };
const NARROW = { names: 88, figures: 112, letters: 14 };

/** A bar for each option, as long as its percentage, in each unit that counts. */
export function OptionsChart({ result }: { result: Pick<Result, 'options' | 'decisionRule'> }) {
  const units = unitsOf(result.decisionRule);
  const room = useIsPhone() ? NARROW : WIDE;
  const height = result.options.length * (units.length * BAR + GAP) + 12;
  const data = result.options.map((option) => ({
    name: `${SIGNS[option.role]}${cut(option.text, room.letters)}`,
    role: option.role,
    heads: option.headsPercent ?? 0,
    headsLabel: figures(option.heads, option.headsPercent),
    weight: option.weightPercent ?? 0,
    weightLabel: figures(option.weight, option.weightPercent),
  }));
  return (
    <ChartFrame
      label={`Chart: percentage of the votes cast, ${units.map(byUnit).join(' and ')}`}
      caption={`Percentage of the votes cast, ${units.map(byUnit).join(' and, below it, ')}`}
      height={height}
    >
      <BarChart
        h={height}
        data={data}
        dataKey="name"
        orientation="vertical"
        gridAxis="none"
        withXAxis={false}
        withTooltip={false}
        series={units.map((unit) => ({ name: unit, color: 'teal' }))}
        xAxisProps={{ domain: [0, 100] }}
        yAxisProps={{ width: room.names, interval: 0 }}
        barChartProps={{ accessibilityLayer: false, barGap: 2, margin: { right: room.figures } }}
        barProps={{
          barSize: BAR - 4,
          shape: (bar: object) => <BarShape {...bar} meaning={roleOf(bar)} />,
        }}
        withBarValueLabel
        valueLabelProps={({ name }) => ({
          dataKey: `${name}Label`,
          formatter: undefined,
          fill: 'var(--mantine-color-text)',
        })}
      />
    </ChartFrame>
  );
}

/** Without a line break: the chart breaks a label at each space. */
function figures(votes: number, percent: number | null): string {
  return `${formatNumber(votes)} · ${formatPercent(percent)}`.replaceAll(' ', '\u00a0');
}

function byUnit(unit: Unit): string {
  return `by ${unit}`;
}

function roleOf(bar: object): OptionRole {
  return (bar as { payload: { role: OptionRole } }).payload.role;
}

/** The table has the whole text. */
function cut(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}
