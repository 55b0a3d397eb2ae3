import { Skeleton, VisuallyHidden } from '@mantine/core';
import {
  IconActivity,
  IconBuildingPlus,
  IconCalendarPlus,
  IconCheckbox,
  IconCircleCheck,
  IconListCheck,
  IconLogin2,
  IconPlayerPlay,
  IconUserPlus,
} from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Activity, ActivityKind, PlatformActivity } from '../../api/types';
import { formatExact, formatRecent } from '../format';
import { paths } from '../paths';
import classes from './activity-list.module.css';
import { LoadError } from './load-error';
import { TextLink } from './text-link';

type Entry = Activity & Partial<Pick<PlatformActivity, 'client'>>;

const ICON: Record<ActivityKind, ComponentType<{ size?: number; stroke?: number }>> = {
  client_created: IconBuildingPlus,
  account_signed_in: IconLogin2,
  end_users_added: IconUserPlus,
  meeting_created: IconCalendarPlus,
  meeting_started: IconPlayerPlay,
  meeting_ended: IconCircleCheck,
  round_opened: IconCheckbox,
  round_ended: IconListCheck,
};

interface ActivityListProps {
  query: UseQueryResult<Entry[]>;
  /** For several clients: each entry names its client. */
  hasClients?: boolean;
  emptyText: string;
}

/** Recent activity, the newest first. */
export function ActivityList({ query, hasClients = false, emptyText }: ActivityListProps) {
  const { data, dataUpdatedAt } = query;
  if (data) {
    return data.length > 0 ? (
      <ul className={classes.list} data-clients={hasClients || undefined}>
        {keyed(data).map(({ key, entry }) => (
          // Ages refer to the time of the response, which is renewed every half minute.
          <ActivityEntry key={key} entry={entry} now={new Date(dataUpdatedAt)} />
        ))}
      </ul>
    ) : (
      <p className={classes.empty}>{emptyText}</p>
    );
  }
  return query.isError ? (
    <LoadError
      message="Failed to load recent activity"
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  ) : (
    <ActivitySkeleton hasClients={hasClients} />
  );
}

function ActivityEntry({ entry, now }: { entry: Entry; now: Date }) {
  const Icon = ICON[entry.kind] ?? IconActivity;
  return (
    <li className={classes.entry}>
      <span className={classes.icon} aria-hidden="true">
        <Icon size={18} stroke={1.75} />
      </span>
      <span className={classes.text}>{entry.text}</span>
      {entry.client ? (
        <span className={classes.client}>
          <TextLink to={paths.adminClient(entry.client.clientCode)}>{entry.client.name}</TextLink>
        </span>
      ) : null}
      <time className={classes.time} dateTime={entry.at} title={formatExact(entry.at)}>
        {formatRecent(entry.at, now)}
      </time>
    </li>
  );
}

const SKELETON_WIDTHS = Array.from({ length: 20 }, (_, index) => 30 + ((index * 7) % 20));

function ActivitySkeleton({ hasClients }: { hasClients: boolean }) {
  return (
    <>
      <VisuallyHidden role="status">Loading recent activity...</VisuallyHidden>
      <div className={classes.list} data-clients={hasClients || undefined} aria-hidden="true">
        {SKELETON_WIDTHS.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places.
          <div key={index} className={classes.entry}>
            <Skeleton className={classes.icon} height={18} width={18} circle />
            <Skeleton className={classes.text} height={12} width={`${width}%`} />
            <Skeleton className={classes.time} height={12} width="4.5rem" ml="auto" />
          </div>
        ))}
      </div>
    </>
  );
}

/** Adds keys: entries have no id, and two may be equal. */
function keyed(entries: Entry[]): { key: string; entry: Entry }[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const base = `${entry.at} ${entry.client?.id ?? ''} ${entry.text}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { key: `${base} ${count}`, entry };
  });
}
