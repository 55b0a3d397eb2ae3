/**
 * The recipes of `just test`. One starts as soon as those in `after` have passed. `isBackground` ones leave the cores to the
 * others. The front end's tests and those in Rust have the cores to themselves, because what they wait for has a deadline;
 * the browser waits much of its time, so what is left runs beside it.
 */
export const RECIPES = [
  { name: 'install', after: [] },
  { name: 'install-test-programs', after: ['install'], isBackground: true },
  { name: 'install-test-packages', after: ['install'], isBackground: true },
  { name: 'check', after: ['install'] },
  { name: 'check-dependencies', after: ['install-test-packages'], isBackground: true },
  { name: 'build-frontend', after: ['install'], isBackground: true },
  { name: 'build-for-tests', after: ['install'] },
  { name: 'test-frontend', after: ['build-for-tests', 'build-frontend', 'check'] },
  { name: 'test-rust', after: ['test-frontend', 'install-test-programs', 'check-dependencies'] },
  { name: 'e2e', after: ['test-rust'] },
  { name: 'test-api', after: ['test-rust'] },
  { name: 'test-bench', after: ['test-api'] },
  { name: 'browsers', arguments: ['--voter'], after: ['test-bench'] },
];
