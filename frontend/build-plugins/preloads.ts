import type { Plugin } from 'vite';
import { filesOf } from './chunks.ts';

/** Read by the server: crates/adapter-http/src/front_end.rs. */
const FILE = 'preload.json';

/**
 * Writes the list of files that a screen needs beyond the page's own, so that the server can preload them. Otherwise a
 * browser requests them only after the app has started and read the address: one more round trip on each first visit.
 *
 * `screens` has the modules for an address, and for all unlisted addresses below it.
 */
export function preloads(screens: Record<string, string[]>): Plugin {
  return {
    name: 'plenum-preloads',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const known = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const inPage = new Set(
          chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => filesOf(entry, known)),
        );
        const filesOfScreen = (modules: string[]) => {
          const files = modules.flatMap((module) => {
            const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
            return chunk
              ? filesOf(chunk, known)
              : this.error(`No chunk has ${module}, which is to be preloaded.`);
          });
          return [...new Set(files)].filter((file) => !inPage.has(file));
        };
        const files = Object.entries(screens).map(([path, modules]) => [path, filesOfScreen(modules)]);
        this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(Object.fromEntries(files)) });
      },
    },
  };
}
