import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { ImportBody, ImportRow, ImportView } from '../../api/types';
import { endUserQueries } from '../end-users/queries';
import { UnreadableFile } from './choose/file-check';

// A browser that is offline says so at once; by default the call would wait in silence.
const networkMode = 'always';

/** A file, and where in it the table is; what is not said is guessed. */
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

/** Says what each row would do. */
export function useCheckRows() {
  return useMutation({ networkMode, mutationFn: (rows: ImportRow[]) => sendRows({ rows, dryRun: true }) });
}

interface Confirmed {
  rows: ImportRow[];
  /** What was shown for these rows. */
  checked: ImportView;
  /** Whether the rows with errors are left out. */
  skipErrors: boolean;
  /** Asked for while somebody in the file with a password may vote in an open question. */
  passwordReason: string;
  /** An earlier try got no answer, and may have got through all the same. */
  isUnsure: boolean;
}

/** Done, or checked anew because it is no longer as it was shown. */
export type Outcome =
  | { kind: 'done'; result: ImportView }
  | { kind: 'rechecked'; checked: ImportView; because: 'outdated' | 'has_errors' | 'maybe_done' };

export function useConfirmImport() {
  const queryClient = useQueryClient();
  return useMutation({
    networkMode,
    mutationFn: confirmImport,
    // Also after an error: the answer may have got lost on its way.
    onSettled: () => queryClient.invalidateQueries({ queryKey: endUserQueries.all() }),
  });
}

/**
 * An import that is sent again after its answer was lost would answer "unchanged", as if nothing had been made. So the
 * rows are looked at first, and sent only where they stand as they were shown.
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

/** No answer, or none that says that nothing was done. */
export function mayBeDone(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

async function sendRows(body: ImportBody): Promise<ImportView> {
  return (await unwrap(api.POST('/client/end-users/import', { body }))).data;
}

function toBase64(file: File): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => fail(new UnreadableFile());
    reader.readAsDataURL(file);
  });
}
