import type { Plugin } from 'vite';
import { filesOf } from './chunks.ts';

/** Read by the server: crates/adapter-http/src/front_end.rs. */
const FILE = 'preload.json';

/**
 * Writes which files a screen needs beyond those of the page itself, so that the server can name them in the page.
 * Else a browser learns of them only when the app has arrived and has looked at the address: one way to the server and
 * back more, on each first visit.
 *
 * `screens` has the modules that are drawn at an address, and at all addresses below it that are not listed themselves.
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
