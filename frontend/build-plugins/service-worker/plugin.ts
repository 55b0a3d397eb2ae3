import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { filesOf } from '../chunks.ts';

/** Registered by src/app/service-worker.ts. */
const FILE = 'service-worker.js';
const SOURCE = join(import.meta.dirname, 'worker.js');

/** What the worker knows of its build. */
export interface Build {
  version: string;
  /** The page's own script, which tells the pages of two builds apart. */
  entry: string;
  /** The files to keep from the start. */
  files: string[];
  /** The first part of each screen's address. */
  screens: string[];
}

/** The worker for a build. */
export function workerScript(build: Omit<Build, 'version'>): string {
  const source = readFileSync(SOURCE, 'utf8');
  const version = createHash('sha256')
    .update(source)
    .update(JSON.stringify(build))
    .digest('hex')
    .slice(0, 16);
  return source.replace('= BUILD;', () => `= ${JSON.stringify({ version, ...build })};`);
}

interface ServiceWorkerOptions {
  /** The modules of the screens that must work without a network from the first visit. Others are kept when loaded. */
  modules: readonly string[];
  /** Further files to keep, by name. */
  assets: RegExp;
  /** The addresses of the screens. */
  addresses: readonly string[];
}

/** Writes the service worker, with the list of the files that it keeps. */
export function serviceWorker({ modules, assets, addresses }: ServiceWorkerOptions): Plugin {
  return {
    name: 'plenum-service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const entry = chunksOf(bundle).find(({ isEntry }) => isEntry);
        const kept = keptFiles(bundle, modules, assets);
        if (entry === undefined || kept === null) {
          this.error('A module of the service worker, or a further file, is in no file of the build.');
        }
        const screens = [...new Set(['', ...addresses.map((address) => address.split('/')[1] ?? '')])];
        const source = workerScript({ entry: entry.fileName, files: kept, screens });
        this.emitFile({ type: 'asset', fileName: FILE, source });
      },
    },
  };
}

function chunksOf(bundle: Rollup.OutputBundle): Rollup.OutputChunk[] {
  return Object.values(bundle).filter((file) => file.type === 'chunk');
}

/** The files of the page and of the modules, sorted; null if one of them is missing. */
function keptFiles(bundle: Rollup.OutputBundle, modules: readonly string[], assets: RegExp): string[] | null {
  const chunks = chunksOf(bundle);
  const known = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const ofModules = modules.map((module) =>
    chunks.find(({ moduleIds }) => moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(`/${module}`))),
  );
  const further = Object.keys(bundle).filter((name) => assets.test(name));
  if (ofModules.includes(undefined) || further.length === 0) {
    return null;
  }
  const first = [...chunks.filter(({ isEntry }) => isEntry), ...ofModules];
  const files = first.flatMap((chunk) => (chunk ? filesOf(chunk, known) : []));
  return [...new Set([...files, ...further])].sort();
}
