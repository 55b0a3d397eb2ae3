import { api, unwrap } from '../../../api/client';
import type { Credentials, EndUser } from '../../../api/types';
import { countOf } from '../../../shared/format';

export type BulkTask = 'activate' | 'deactivate' | 'export' | 'delete';

interface TaskWords {
  /** "Activate" */
  label: string;
  /** "Activate 3 end users" */
  title: (count: number) => string;
  /** "3 end users activated" */
  done: (count: number) => string;
  /** The effects, in sentences. */
  effects: readonly string[];
  isDangerous: boolean;
  /** Whether the task changes anything for this person. */
  concerns: (endUser: EndUser) => boolean;
}

const people = (count: number) => countOf(count, 'end user');

export const BULK_TASKS: Record<BulkTask, TaskWords> = {
  activate: {
    label: 'Activate',
    title: (count) => `Activate ${people(count)}`,
    done: (count) => `${people(count)} activated`,
    effects: ['They can sign in and vote.'],
    isDangerous: false,
    concerns: ({ isActive, isErased }) => !isActive && !isErased,
  },
  deactivate: {
    label: 'Deactivate',
    title: (count) => `Deactivate ${people(count)}`,
    done: (count) => `${people(count)} deactivated`,
    effects: [
      'They cannot sign in or vote until they are activated again.',
      'They are signed out everywhere, also in a meeting that is running.',
    ],
    isDangerous: true,
    concerns: ({ isActive, isErased }) => isActive && !isErased,
  },
  export: {
    label: 'Export credentials',
    title: (count) => `Set new passwords for ${people(count)}`,
    done: (count) => `Credentials of ${people(count)} exported`,
    effects: [
      'Stored passwords cannot be read. New ones are set and written into one file; the old ones stop working.',
      'These people are signed out everywhere, also in a meeting that is running.',
    ],
    isDangerous: true,
    concerns: ({ isErased }) => !isErased,
  },
  delete: {
    label: 'Delete',
    title: (count) => `Delete ${people(count)}`,
    done: (count) => `${people(count)} deleted`,
    effects: ['This action cannot be undone.', 'Votes already cast stay and count.'],
    isDangerous: true,
    concerns: () => true,
  },
};

/** Does the task for one person. Only the export has an answer. */
export async function carryOut(
  task: BulkTask,
  { id }: EndUser,
  passwordReason: string,
): Promise<Credentials | null> {
  const params = { path: { endUserId: id } };
  switch (task) {
    case 'activate':
    case 'deactivate':
      await unwrap(
        api.PUT('/client/end-users/{endUserId}', { params, body: { isActive: task === 'activate' } }),
      );
      return null;
    case 'delete':
      await unwrap(api.DELETE('/client/end-users/{endUserId}', { params }));
      return null;
    case 'export': {
      const body = passwordReason ? { body: { passwordReason } } : {};
      const answer = api.POST('/client/end-users/{endUserId}/export-credentials', { params, ...body });
      return (await unwrap(answer)).data;
    }
  }
}
