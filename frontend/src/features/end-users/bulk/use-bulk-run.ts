import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error';
import type { Credentials, EndUser } from '../../../api/types';
import { downloadText } from '../../../shared/download';
import { credentialsFile } from '../credentials-file';
import { endUserQueries } from '../queries';
import { type BulkTask, carryOut } from './bulk-tasks';

export interface Failure {
  endUser: EndUser;
  error: unknown;
}

interface Progress {
  done: number;
  failures: Failure[];
  /** Not tried: the run was stopped, or the server could not be reached. */
  left: number;
}

/**
 * Carries a task out for one person after another, at most a page of them. The API has no request for several people,
 * and at once they would crowd out the voters of a meeting.
 */
export function useBulkRun() {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopped = useRef(false);

  async function run(
    task: BulkTask,
    endUsers: readonly EndUser[],
    passwordReason: string,
  ): Promise<Progress> {
    stopped.current = false;
    const exported: Credentials[] = [];
    const state: Progress = { done: 0, failures: [], left: endUsers.length };
    setProgress({ ...state });
    try {
      for (const endUser of endUsers) {
        if (stopped.current) {
          break;
        }
        try {
          const credentials = await carryOut(task, endUser, passwordReason);
          exported.push(...(credentials ? [credentials] : []));
          state.done += 1;
        } catch (error) {
          state.failures.push({ endUser, error });
          stopped.current = isHopeless(error);
        }
        state.left -= 1;
        setProgress({ ...state, failures: [...state.failures] });
      }
    } finally {
      // New passwords cannot be read again, so they are handed over also after a failure.
      if (exported.length > 0) {
        const files = exported.map((credentials) => credentialsFile(credentials, new Date()));
        const [first, ...others] = files;
        const name = others.length === 0 && first ? first.name : 'credentials.txt';
        downloadText(
          name,
          files.map(({ text }) => text).join('\n----------------------------------------\n\n'),
        );
      }
      void queryClient.invalidateQueries({ queryKey: endUserQueries.all() });
    }
    return state;
  }

  return {
    progress,
    run,
    stop: () => {
      stopped.current = true;
    },
  };
}

/** Whether the next person would fail for the same reason. */
function isHopeless(error: unknown): boolean {
  return !(error instanceof ApiError) || error.isTemporary || [401, 403, 429].includes(error.status);
}
