import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What Cargo would compile in a debug build: each crate with everything that decides whether another build can use it. */
function units(folder, ...packages) {
  // The list of units is an unstable option, which is allowed for this process only and changes no build.
  const environment = { ...process.env, RUSTC_BOOTSTRAP: '1' };
  const list = ['build', '--locked', ...packages, '--all-targets', '--unit-graph', '-Zunstable-options'];
  const text = execFileSync('cargo', list, { cwd: `${ROOT}/${folder}`, env: environment, maxBuffer: 1 << 27 });
  return JSON.parse(text.toString()).units.map(({ pkg_id, target, mode, platform, features, profile }) => ({
    crate: pkg_id,
    key: JSON.stringify([pkg_id, target.name, target.kind, mode, platform, [...features].sort(), profile]),
  }));
}

test('each external crate of the load tool is one that the product’s build has compiled', () => {
  const product = new Set(units('.', '--workspace').map(({ key }) => key));
  const twice = units('tools/loadtest')
    .filter(({ crate, key }) => crate.startsWith('registry+') && !product.has(key))
    .map(({ key }) => key);
  assert.deepEqual(twice, [], 'give tools/loadtest/Cargo.toml the profiles and features of the product');
});
