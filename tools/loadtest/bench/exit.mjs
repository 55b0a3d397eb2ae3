import { endAll } from './children.mjs';
import { removeAllFolders } from './folders.mjs';

/** From now on every way to end also ends all started processes, and removes all temporary folders. */
export function endEverythingAtExit() {
  process.on('exit', removeAllFolders);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => endAll().finally(() => process.exit(130)));
  }
}
