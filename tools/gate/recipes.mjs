/**
 * The recipes of `just test`. One starts as soon as those in `after` have passed. `isBackground` ones leave the cores to the
 * others. The Rust tests and those in the browser wait much of their time, so they run beside one another; what else
 * needs the binaries runs after the Rust tests, so that no more than two kinds share the cores.
 */
export const RECIPES = [
  { name: 'install', after: [] },
  { name: 'install-test-programs', after: ['install'], isBackground: true },
  { name: 'install-test-packages', after: ['install'], isBackground: true },
  { name: 'check', after: ['install'] },
  { name: 'check-dependencies', after: ['install-test-packages'], isBackground: true },
  { name: 'test-frontend', after: ['install'], isBackground: true },
  { name: 'build-frontend', after: ['install'], isBackground: true },
  { name: 'build-for-tests', after: ['install'] },
  { name: 'test-rust', after: ['build-for-tests', 'install-test-programs'] },
  { name: 'e2e', after: ['build-for-tests', 'build-frontend', 'install-test-programs', 'test-frontend', 'check'] },
  { name: 'test-api', after: ['test-rust', 'install-test-packages'] },
  { name: 'test-bench', after: ['test-api'] },
  { name: 'browsers', arguments: ['--voter'], after: ['test-bench', 'build-frontend', 'install-test-programs'] },
];
