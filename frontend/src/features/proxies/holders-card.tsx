import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ProxySettings } from '../../api/types';
import { formatNumber } from '../../shared/format';
import { Card } from '../../shared/ui/card';
import { StatusBadge } from '../../shared/ui/status-badge';
import { proxyQueries } from './queries';

/** The holders of a meeting with their totals, beside the limits. */
export function HoldersCard({ meetingId, settings }: { meetingId: string; settings: ProxySettings }) {
  const { data } = useQuery(proxyQueries.holders(meetingId));
  if (data === undefined || data.holders.length === 0) {
    return null;
  }
  return (
    <Card title="Holders" description={limitsOf(settings, data.wholeWeight)}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Holder</Table.Th>
            <Table.Th ta="right">Principals</Table.Th>
            <Table.Th ta="right">Weight</Table.Th>
            <Table.Th>Status</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.holders.map(({ holder, principals, weight, isBeyondLimits, mayHold }) => (
            <Table.Tr key={holder.id}>
              <Table.Td>
                <Text span dir="auto">
                  {holder.name}
                </Text>{' '}
                <Text span c="dimmed" size="sm">
                  {holder.username}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{principals}</Table.Td>
              <Table.Td ta="right">{formatNumber(weight)}</Table.Td>
              <Table.Td>
                <StatusBadge tone={isBeyondLimits || !mayHold ? 'warning' : 'good'}>
                  {statusOf(isBeyondLimits, mayHold)}
                </StatusBadge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function statusOf(isBeyondLimits: boolean, mayHold: boolean): string {
  if (!mayHold) {
    return 'Cannot vote for anybody';
  }
  return isBeyondLimits ? 'Beyond a limit' : 'Within the limits';
}

function limitsOf({ maxPrincipals, maxWeight, maxSharePercent }: ProxySettings, whole: number): string {
  const limits = [
    maxPrincipals === null ? null : `${maxPrincipals} principals`,
    maxWeight === null ? null : `a weight of ${formatNumber(maxWeight)}`,
    maxSharePercent === null ? null : `${formatNumber(maxSharePercent)} % of ${formatNumber(whole)}`,
  ].filter((part) => part !== null);
  return limits.length === 0
    ? 'There are no limits.'
    : `Each holder has at most ${limits.join(' and ')}, on one question.`;
}
