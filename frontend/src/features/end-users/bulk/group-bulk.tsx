import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../../api/client';
import type { EndUser } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { groupQueries } from '../../../shared/groups/queries';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { toast } from '../../../shared/ui/toast';
import { invalidatePeople } from '../queries';

type Direction = 'add' | 'remove';

const WORDS = {
  add: { label: 'Add to group', done: 'added to' },
  remove: { label: 'Remove from group', done: 'removed from' },
};

interface GroupBulkProps {
  endUsers: readonly EndUser[];
  onDone: () => void;
}

/** The actions that add the selected people to a group, or remove them from one. There are none without groups. */
export function GroupBulk({ endUsers, onDone }: GroupBulkProps) {
  const groups = useQuery(groupQueries.list());
  const [direction, setDirection] = useState<Direction>('add');
  const [isOpen, setIsOpen] = useState(false);
  const [groupId, setGroupId] = useState('');
  const change = useChangeMembers();
  const known = groups.data ?? [];
  const people = endUsers.filter(({ isErased }) => !isErased);
  const chosen = known.find(({ id }) => id === groupId) ?? known[0];
  if (!chosen) {
    return null;
  }
  const { label, done } = WORDS[direction];
  return (
    <>
      {(['add', 'remove'] as const).map((one) => (
        <Button
          key={one}
          size="xs"
          variant="default"
          disabled={people.length === 0}
          onClick={() => {
            setDirection(one);
            setIsOpen(true);
          }}
        >
          {WORDS[one].label}
        </Button>
      ))}
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={label}
        confirmLabel={`${label}: ${countOf(people.length, 'end user')}`}
        onConfirm={async () => {
          const ids = people.map(({ id }) => id);
          const changed = await change.mutateAsync({ groupId: chosen.id, [direction]: ids });
          const count = direction === 'add' ? changed.added : changed.removed;
          toast.success(`${countOf(count, 'end user')} ${done} ${chosen.name}`);
          onDone();
        }}
      >
        <NativeSelect
          label="Group"
          value={chosen.id}
          data={known.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setGroupId(event.currentTarget.value)}
        />
        <p>Open questions keep their register.</p>
      </ConfirmDialog>
    </>
  );
}

function useChangeMembers() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ groupId, ...body }: { groupId: string; add?: string[]; remove?: string[] }) =>
      unwrap(api.POST('/client/groups/{groupId}/members', { params: { path: { groupId } }, body })),
    onError: (error) => toast.failure(error, 'Failed to change the members of the group'),
    onSettled: () => invalidatePeople(queryClient),
  });
}
