import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set();

/** A new temporary folder with access for other users: databases and nginx's workers of root run as such. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `plenum-bench-${name}-`));
  chmodSync(folder, 0o755);
  made.add(folder);
  return folder;
}

/** Removes a temporary folder with its content. */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

/** Removes all remaining temporary folders. */
export function removeAllFolders() {
  for (const folder of made) {
    removeFolder(folder);
  }
}
