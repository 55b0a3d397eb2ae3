import { BarChart } from '@mantine/charts';
import type { Result } from '../../../api/types';
import { PERCENT_SIGN } from '../../../shared/format';
import { distributionBars } from '../../../shared/result/distribution';
import { BarShape } from './bar-shape';
import { ChartFrame } from './chart-frame';

interface DistributionChartProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
}

const HEIGHT = 220;

/** The distribution of ratings or percentages, by heads. Many values are grouped in tens. */
export function DistributionChart({ numbers, isPercentage }: DistributionChartProps) {
  const unit = isPercentage ? PERCENT_SIGN : '';
  const data = distributionBars(numbers.distribution).map(({ label, heads }) => ({
    name: `${label.replace(' to under ', '–<').replace(' to ', '–')}${unit}`,
    heads,
  }));
  return (
    <ChartFrame label="Chart: how many people gave which answer" caption="Answers by heads" height={HEIGHT}>
      <BarChart
        h={HEIGHT}
        data={data}
        dataKey="name"
        gridAxis="x"
        withTooltip={false}
        series={[{ name: 'heads', color: 'teal' }]}
        yAxisProps={{ allowDecimals: false, width: 44 }}
        xAxisProps={{ interval: 'equidistantPreserveStart' }}
        barChartProps={{ accessibilityLayer: false, margin: { top: 20 } }}
        barProps={{ maxBarSize: 48, shape: (bar: object) => <BarShape {...bar} meaning="choice" /> }}
        withBarValueLabel
        valueLabelProps={{ formatter: undefined, fill: 'var(--mantine-color-text)' }}
      />
    </ChartFrame>
  );
}
