import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { HolderTotal, ProxySettings } from '../../api/types';
import { countOf, formatNumber } from '../../shared/format';
import { type NamedKind, unitAfter, weightAmount, weightHead } from '../../shared/result/weight-names';
import { Card } from '../../shared/ui/card';
import { type Column, DataTable } from '../../shared/ui/data-table';
import { StatusBadge } from '../../shared/ui/status-badge';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { useMeetingKind } from '../../shared/weights/use-meeting-kind';
import { proxyQueries } from './queries';

const columns = (kind: NamedKind): Column<HolderTotal>[] => [
  {
    header: 'Holder',
    render: ({ holder }) => <TwoLineCell main={holder.name} sub={holder.username} />,
    isTwoLine: true,
    onPhone: 'title',
  },
  { header: 'Principals', render: ({ principals }) => principals, align: 'right', onPhone: 'fact' },
  { header: weightHead(kind), render: ({ weight }) => formatNumber(weight), align: 'right', onPhone: 'fact' },
  {
    header: 'Status',
    render: ({ isBeyondLimits, mayHold }) => (
      <StatusBadge tone={isBeyondLimits || !mayHold ? 'warning' : 'good'}>
        {statusOf(isBeyondLimits, mayHold)}
      </StatusBadge>
    ),
    isUnbroken: true,
    onPhone: 'fact',
  },
];

/** The holders of a meeting with their totals, beside the limits. */
export function HoldersCard({ meetingId, settings }: { meetingId: string; settings: ProxySettings }) {
  const { data } = useQuery(proxyQueries.holders(meetingId));
  const kind = useMeetingKind(meetingId);
  if (data === undefined || data.holders.length === 0) {
    return null;
  }
  return (
    <Box mt="lg">
      <Card title="Holders" description={limitsOf(settings, data.wholeWeight, kind)}>
        <DataTable
          label="Holders"
          columns={columns(kind)}
          rows={data.holders}
          rowKey={({ holder }) => holder.id}
        />
      </Card>
    </Box>
  );
}

function statusOf(isBeyondLimits: boolean, mayHold: boolean): string {
  if (!mayHold) {
    return 'Cannot vote for anybody';
  }
  return isBeyondLimits ? 'Beyond a limit' : 'Within the limits';
}

function limitsOf(
  { maxPrincipals, maxWeight, maxSharePercent }: ProxySettings,
  whole: number,
  kind: NamedKind,
): string {
  const limits = [
    maxPrincipals === null ? null : countOf(maxPrincipals, 'principal'),
    maxWeight === null
      ? null
      : kind
        ? weightAmount(maxWeight, kind)
        : `a weight of ${formatNumber(maxWeight)}`,
    maxSharePercent === null
      ? null
      : `${formatNumber(maxSharePercent)} % of ${formatNumber(whole)}${unitAfter(kind)}`,
  ].filter((part) => part !== null);
  return limits.length === 0
    ? 'There are no limits.'
    : `Each holder has at most ${limits.join(' and ')}, on one question.`;
}
