import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JoinAsk } from '../../api/types';
import { useChangeJoinAsk } from './mutations';
import { joinLinkQueries } from './queries';

const OPTIONS: { value: JoinAsk; label: string }[] = [
  { value: 'NOTHING', label: 'Nothing but the name' },
  { value: 'PASSWORD', label: 'The password' },
  { value: 'EMAIL_CODE', label: 'A code by email' },
];

/** What all links of the organization ask for. A change is saved at once. */
export function JoinAskSelect() {
  const settings = useQuery(joinLinkQueries.settings());
  const change = useChangeJoinAsk();
  return (
    <Select
      label="All personal links ask for"
      description="With the password or a code, a link that was passed on is not enough. People without an email address are asked for the password. Also holds for links that were made before."
      allowDeselect={false}
      disabled={!settings.isSuccess}
      data={OPTIONS}
      value={change.isPending ? change.variables : (settings.data?.asks ?? null)}
      onChange={(value) => change.mutate(value as JoinAsk)}
    />
  );
}
