import { relative, sep } from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { filesOf } from '../chunks.ts';
import { type Browsers, ORGANIZER, spelledOut, VOTER } from './browsers.ts';
import { isExempt } from './exemptions.ts';
import { missingInChunk, missingInModule, type Use } from './scripts.ts';
import { missingInStyle } from './styles.ts';

/**
 * Fails the build if a file uses a feature that its oldest browsers lack, so that the error does not appear in a
 * meeting. `voterModules` are the entry modules of voters' screens.
 */
export function oldestBrowsers(voterModules: readonly string[]): Plugin {
  let root = '';
  return {
    name: 'plenum-oldest-browsers',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const voter = filesOfVoters(bundle, voterModules);
        if (voter.size === 0) {
          this.error('No file of the build is for voters, so that none of them was looked at.');
        }
        const problems = Object.values(bundle).flatMap((file) => {
          const browsers = voter.has(file.fileName) ? VOTER : ORGANIZER;
          return file.type === 'chunk' ? inChunk(file, browsers, root) : inAsset(file, browsers);
        });
        if (problems.length > 0) {
          const all = [...new Set(problems)].join('\n');
          this.error(`Some of the oldest supported browsers lack these features:\n${all}`);
        }
      },
    },
  };
}

function filesOfVoters(bundle: Rollup.OutputBundle, voterModules: readonly string[]): Set<string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const known = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const isVoters = ({ moduleIds }: Rollup.OutputChunk) =>
    moduleIds.some((id) => voterModules.some((module) => id.replaceAll('\\', '/').endsWith(`/${module}`)));
  const first = chunks.filter(isVoters);
  const later = first.flatMap(({ dynamicImports }) =>
    dynamicImports.flatMap((name) => known.get(name) ?? []),
  );
  const page = first.length > 0 ? chunks.filter(({ isEntry }) => isEntry) : [];
  return new Set([...page, ...first, ...later].flatMap((chunk) => filesOf(chunk, known)));
}

/** By module if possible, so that the message names the place to change. */
function inChunk(chunk: Rollup.OutputChunk, browsers: Browsers, root: string): string[] {
  const inModules = Object.entries(chunk.modules).flatMap(([id, { code }]) => {
    const name = relative(root, id).replaceAll(sep, '/');
    return code ? reportLines(name, missingInModule(code, browsers), browsers) : [];
  });
  return [...inModules, ...reportLines(chunk.name, missingInChunk(chunk.code, browsers), browsers)];
}

function inAsset({ fileName, names, source }: Rollup.OutputAsset, browsers: Browsers): string[] {
  if (!fileName.endsWith('.css')) {
    return [];
  }
  return reportLines(names[0] ?? fileName, missingInStyle(String(source), browsers), browsers);
}

function reportLines(file: string, uses: Use[], browsers: Browsers): string[] {
  return uses
    .filter(({ feature }) => !isExempt(file, feature))
    .map(({ feature, browsers: names }) => `- ${file}: ${feature} (not in ${spelledOut(names, browsers)})`);
}
