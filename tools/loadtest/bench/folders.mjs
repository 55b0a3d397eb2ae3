import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set();

/** A new temporary folder that other users may enter: started by root, databases and nginx's workers run as such. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `plenum-bench-${name}-`));
  chmodSync(folder, 0o755);
  made.add(folder);
  return folder;
}

/** Removes a temporary folder with all that is in it. */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

/** Removes whatever temporary folder is left. */
export function removeAllFolders() {
  for (const folder of made) {
    removeFolder(folder);
  }
}
