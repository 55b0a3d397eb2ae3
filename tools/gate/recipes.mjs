/**
 * The recipes of `just test`. One starts as soon as those in `after` have passed. `isBackground` ones leave the cores to the
 * others, and take what these do not use: what they wait for has no deadline. The front end's tests, those in Rust and the
 * browser come one after another, because what they wait for has one.
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
