import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the repository that match the patterns, without those of dependencies. */
const filesOf = (...patterns) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)));

const documents = filesOf('*.md');

const read = (path) => readFileSync(join(ROOT, path), 'utf8').replace(/^```[\s\S]*?^```/gm, '');

/** The anchors that GitHub makes of headings. A heading that occurs again gets a number. */
function anchorsOf(path) {
  const seen = new Map();
  const anchors = new Set();
  for (const [, heading] of read(path).matchAll(/^#+ (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const number = seen.get(anchor) ?? 0;
    anchors.add(number === 0 ? anchor : `${anchor}-${number}`);
    seen.set(anchor, number + 1);
  }
  return anchors;
}

test('each link between documents leads to a file, and to a heading that exists', () => {
  assert.ok(documents.includes('README.md') && documents.includes('docs/operations.md'), documents.join(' '));
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(([link, file, anchor]) => {
      const target = file === '' ? path : normalize(join(dirname(path), file));
      const isThere = existsSync(join(ROOT, target));
      const hasHeading = !anchor || !target.endsWith('.md') || (isThere && anchorsOf(target).has(anchor));
      return isThere && hasHeading ? [] : [`${path}: ${link}`];
    }),
  );
  assert.deepEqual(broken, []);
});

/** A file or a folder in backticks. */
const NAME = /`([\w./-]+(?:\.(?:rs|tsx?|mjs|toml|json|sh|sql|css|md)|\/))`/g;

/** The abbreviations for folders of tests in architecture.md. */
const SHORT = { 'postgres/': 'crates/adapter-postgres/tests/it/', 'hub/': 'crates/adapter-live/tests/it/' };

test('each file and folder that architecture.md names exists', () => {
  const files = filesOf().map((path) => `/${path}`);
  const exists = (name) => {
    const short = Object.keys(SHORT).find((abbreviation) => name.startsWith(abbreviation));
    const full = `/${short ? SHORT[short] + name.slice(short.length) : name}`;
    return files.some((path) => (full.endsWith('/') ? path.includes(full) : path.endsWith(full)));
  };
  const named = [...read('docs/architecture.md').matchAll(NAME)].map(([, name]) => name);
  assert.ok(named.length > 50, `${named.length} names`);
  assert.deepEqual(
    named.filter((name) => !exists(name)),
    [],
  );
});
