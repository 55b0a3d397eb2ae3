import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Rollup } from 'vite';
import { expect, test } from 'vitest';
import { BUILD_TARGET, ORGANIZER, VOTER } from './browsers.ts';
import { oldestBrowsers } from './plugin.ts';
import { missingInChunk, missingInModule } from './scripts.ts';
import { missingInStyle } from './styles.ts';

const names = (uses: { feature: string }[]) => uses.map(({ feature }) => feature);
const called = (code: string, browsers = VOTER) => names(missingInModule(code, browsers));
const named = (code: string) => names(missingInChunk(code, VOTER));
const styled = (style: string, browsers = VOTER) => names(missingInStyle(style, browsers));

test.each([
  ['signal.throwIfAborted()', 'AbortSignal.throwIfAborted'],
  ['AbortSignal.any([a, b])', 'AbortSignal.any'],
  ['AbortSignal.timeout(10)', 'AbortSignal.timeout'],
  ['list.toSorted()', 'Array.toSorted'],
  ['state.list?.toSpliced(1, 1)', 'Array.toSpliced'],
  ['Object.groupBy(list, by)', 'Object.groupBy'],
  ['Promise.withResolvers()', 'Promise.withResolvers'],
  ['new Set(a).union(b)', 'Set.union'],
  ['form.showPicker()', 'HTMLInputElement.showPicker'],
  ['URL.canParse(text)', 'URL.canParse'],
  ['navigator.wakeLock', 'Navigator.wakeLock'],
  ['text.isWellFormed()', 'String.isWellFormed'],
])('%s is missed by voters', (code, feature) => {
  expect(called(code)).toEqual([feature]);
});

test.each([
  'list.at(-1)',
  'Object.hasOwn(a, b)',
  'structuredClone(a)',
  'text.replaceAll(a, b)',
  'crypto.getRandomValues(bytes)',
  'navigator.locks.request(name, work)',
  'list.findLast(Boolean)',
  'query.isError',
  'this.run.pause()',
])('%s is everywhere', (code) => {
  expect(code.startsWith('list.findLast') ? called(code, ORGANIZER) : called(code)).toEqual([]);
});

test('globals and patterns are found in files, and names of their own are not', () => {
  expect(named('new CompressionStream("gzip")')).toEqual(['CompressionStream']);
  expect(named('let x = /(?<=a)b/')).toEqual(['a lookbehind in a pattern']);
  expect(named('let x = /[a]/v')).toEqual(['the flag v of a pattern']);
  expect(named('let x = { navigation: 1, navigate() {} }; x.navigation')).toEqual([]);
  expect(named('new BroadcastChannel("a")')).toEqual([]);
});

test.each([
  ['.a:has(.b) { color: red }', ':has in .a:has(.b)'],
  ['.a { .b { color: red } }', 'a nested rule'],
  ['.a { color: color-mix(in srgb, red, blue) }', 'color-mix()'],
  ['.a { height: 100dvh }', 'the unit dvh'],
  ['.a { height: 100cqh }', 'the unit cqh'],
  ['@container (width > 1px) { .a { color: red } }', '@container'],
  ['@media (width >= 100px) { .a { color: red } }', 'a range in @media'],
  ['.a { text-wrap: balance }', 'text-wrap'],
])('%s is missed by voters', (style, feature) => {
  expect(styled(style)).toContain(feature);
});

test.each([
  '.a { height: 100vh; height: 100dvh }',
  '@supports selector(:has(a)) { .a:has(.b) { color: red } }',
  '@layer base { .a:focus-visible { inset: 0; aspect-ratio: 1; gap: 1rem } }',
  '.a:is(.b, .c):where(.d) { accent-color: red }',
])('%s is everywhere', (style) => {
  expect(styled(style)).toEqual([]);
});

test('the presentation uses only layout features of its oldest browsers', () => {
  const style =
    '@container (max-aspect-ratio: 1) { .a { font-size: min(1cqw, 1cqh); height: 100dvh; container-type: size } }';
  expect(styled(style)).not.toEqual([]);
  expect(styled(style, ORGANIZER)).toEqual([]);
});

/** The scripts of a build of these files, or its error. */
async function building(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'plenum-build-'));
  try {
    await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(root, name), content)));
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      root,
      plugins: [oldestBrowsers(['vote.js'])],
      build: { target: BUILD_TARGET, write: false, rolldownOptions: { input: join(root, 'main.js') } },
    });
    const { output } = built as Rollup.RollupOutput;
    return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
  } catch (error) {
    return String(error);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

test('a build fails where a file for voters uses what their oldest browsers lack, and names the place', async () => {
  const main = "import('./vote.js'); import('./portals.js')";
  const old = 'export const sorted = (list) => [...list].sort()';
  const young = 'export const last = (list) => list.findLast(Boolean)';
  expect(await building({ 'main.js': main, 'vote.js': old, 'portals.js': young })).not.toContain('(not in');
  expect(await building({ 'main.js': main, 'vote.js': young, 'portals.js': old })).toContain(
    '- vote.js: Array.findLast (not in Firefox 102, Firefox on Android 102)',
  );
  const any = 'export const any = (signals) => AbortSignal.any(signals)';
  expect(await building({ 'main.js': main, 'vote.js': old, 'portals.js': any })).toContain(
    '- portals.js: AbortSignal.any (not in Safari 16.0',
  );
  expect(await building({ 'main.js': "import('./portals.js')", 'portals.js': old })).toContain(
    'No file of the build is for voters',
  );
});

test('the build writes what older engines can parse', async () => {
  const young = 'export class A { static { A.b = globalThis.list.map((x) => x) } }';
  const built = await building({ 'main.js': "import('./vote.js')", 'vote.js': young });
  expect(built).toContain('.list.map');
  expect(built).not.toMatch(/static ?\{/);
});

const SPELLED_OUT: [string, typeof VOTER, string[]][] = [
  ['index.html', VOTER, ['Safari', 'Chrome', 'Edge', 'Firefox', 'Samsung Internet']],
  ['../docs/operations.md', VOTER, ['Safari', 'Chrome', 'Edge', 'Firefox', 'Samsung Internet']],
  ['../docs/operations.md', ORGANIZER, ['Safari', 'Chrome', 'Edge', 'Firefox', 'Samsung Internet']],
];

test.each(SPELLED_OUT)('%s names the oldest browsers as they are checked', async (file, browsers, all) => {
  const text = (await readFile(file, 'utf8')).replace(/\s+/g, ' ');
  const keys: Record<string, string> = { 'Samsung Internet': 'samsunginternet_android' };
  for (const name of all) {
    expect(text).toContain(`${name} ${browsers[keys[name] ?? name.toLowerCase()]?.replace(/\.0$/, '')}`);
  }
});
