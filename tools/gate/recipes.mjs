/**
 * The recipes of `just test`. Each starts as soon as those in `after` have passed. `isBackground` ones have a low priority,
 * because they have no timeouts. The front end's tests, the Rust tests and the browser tests have timeouts, so they run
 * one after another.
 */
export const RECIPES = [
  { name: 'install', after: [] },
  { name: 'install-test-programs', after: ['install'], isBackground: true },
  { name: 'install-test-packages', after: ['install'], isBackground: true },
  { name: 'check', after: ['install'] },
  { name: 'check-dependencies', after: ['install-test-packages'], isBackground: true },
  { name: 'build-frontend', after: ['install'], isBackground: true },
  { name: 'build-for-tests', after: ['install'] },
  { name: 'test-api', after: ['build-for-tests', 'install-test-packages'], isBackground: true },
  { name: 'test-frontend', after: ['build-for-tests', 'check'] },
  { name: 'test-rust', after: ['test-frontend', 'install-test-programs'] },
  { name: 'e2e', after: ['test-rust', 'build-frontend'] },
  { name: 'test-loadtest', after: ['test-rust', 'test-api'] },
  { name: 'browsers', arguments: ['--voter'], after: ['test-loadtest', 'build-frontend'] },
];
