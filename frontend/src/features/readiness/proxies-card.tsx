import { Anchor, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { HolderTotal } from '../../api/types';
import { countOf } from '../../shared/format';
import { proxiesPath } from '../../shared/proxies-path';
import { Card } from '../../shared/ui/card';
import { StatusBadge } from '../../shared/ui/status-badge';
import { proxyQueries } from '../proxies/queries';

/** Checks the proxies of a meeting: holders beyond a limit, and holders who cannot vote. */
export function ProxiesCard({ meetingId }: { meetingId: string }) {
  const settings = useQuery(proxyQueries.settings(meetingId));
  const holders = useQuery({
    ...proxyQueries.holders(meetingId),
    enabled: settings.data?.isOn === true,
  });
  if (holders.data === undefined || holders.data.holders.length === 0) {
    return null;
  }
  const wrong = holders.data.holders.filter(({ isBeyondLimits, mayHold }) => isBeyondLimits || !mayHold);
  return (
    <Card
      title="Proxies"
      description={`${countOf(holders.data.holders.length, 'holder')}. Proxies take effect at the next opening.`}
    >
      {wrong.length === 0 ? (
        <StatusBadge tone="good">All holders can vote and are within the limits</StatusBadge>
      ) : (
        <List>
          {wrong.map((total) => (
            <List.Item key={total.holder.id}>{problemOf(total)}</List.Item>
          ))}
        </List>
      )}
      <Anchor component={Link} to={proxiesPath(meetingId)}>
        Proxies of this meeting
      </Anchor>
    </Card>
  );
}

function problemOf({ holder, principals, weight, mayHold }: HolderTotal): string {
  if (!mayHold) {
    return `${holder.name} cannot vote for anybody: the person is inactive, or may not vote in this meeting.`;
  }
  return `${holder.name} is beyond a limit, with ${countOf(principals, 'principal')} and the weight ${weight}.`;
}
