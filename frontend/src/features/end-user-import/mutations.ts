import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { ImportBody, ImportRow, ImportView } from '../../api/types';
import { toBase64 } from '../../shared/file-base64';
import { invalidatePeople } from '../end-users/queries';

// A browser that is offline reports that at once; by default the request would wait silently.
const networkMode = 'always';

/** A file, and the place of the table in it. Missing parts are guessed. */
export interface FileToRead {
  file: File;
  sheet?: string;
  headerRow?: number;
}

export function useReadFile() {
  return useMutation({
    networkMode,
    mutationFn: async ({ file, ...place }: FileToRead) => {
      const body = { fileName: file.name, content: await toBase64(file), ...place };
      return (await unwrap(api.POST('/client/end-users/import/read', { body }))).data;
    },
  });
}

/** Checks the effect of each row without importing it. */
export function useCheckRows() {
  return useMutation({ networkMode, mutationFn: (rows: ImportRow[]) => sendRows({ rows, dryRun: true }) });
}

interface Confirmed {
  rows: ImportRow[];
  /** The check that was shown for these rows. */
  checked: ImportView;
  /** Whether rows with errors are skipped. */
  skipErrors: boolean;
  /** Required while a person in the file who gets a password may vote in an open question. */
  passwordReason: string;
  /** An earlier attempt got no response, and may have succeeded anyway. */
  isUnsure: boolean;
}

/** The import is done, or was checked again because the shown check is outdated. */
export type Outcome =
  | { kind: 'done'; result: ImportView }
  | { kind: 'rechecked'; checked: ImportView; because: 'outdated' | 'has_errors' | 'maybe_done' };

export function useConfirmImport() {
  const queryClient = useQueryClient();
  return useMutation({
    networkMode,
    mutationFn: confirmImport,
    // Also after an error: the response may have been lost.
    onSettled: () => invalidatePeople(queryClient),
  });
}

/**
 * Confirms an import. After a lost response, a repeated import would answer "unchanged", as if nothing had been
 * created. So the rows are checked first, and imported only if the check has not changed.
 */
async function confirmImport(confirmed: Confirmed): Promise<Outcome> {
  const { rows, checked, skipErrors, passwordReason, isUnsure } = confirmed;
  if (isUnsure) {
    const now = await sendRows({ rows, dryRun: true });
    if (JSON.stringify(now.rows) !== JSON.stringify(checked.rows)) {
      return { kind: 'rechecked', checked: now, because: 'maybe_done' };
    }
  }
  const optional = { ...(skipErrors ? { skipErrors } : {}), ...(passwordReason ? { passwordReason } : {}) };
  try {
    return { kind: 'done', result: await sendRows({ rows, dryRun: false, ...optional }) };
  } catch (error) {
    const because = refusalOf(error);
    if (!because) {
      throw error;
    }
    return { kind: 'rechecked', checked: await sendRows({ rows, dryRun: true }), because };
  }
}

function refusalOf(error: unknown): 'outdated' | 'has_errors' | null {
  const code = error instanceof ApiError && error.status === 409 ? error.code : null;
  if (code === 'import_outdated') {
    return 'outdated';
  }
  return code === 'import_has_errors' ? 'has_errors' : null;
}

/** Whether the import may have been done: there was no response, or one that does not exclude it. */
export function mayBeDone(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

async function sendRows(body: ImportBody): Promise<ImportView> {
  return (await unwrap(api.POST('/client/end-users/import', { body }))).data;
}
