import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compressed } from './build-plugins/compressed.ts';
import { BUILD_TARGET } from './build-plugins/oldest-browsers/browsers.ts';
import { oldestBrowsers } from './build-plugins/oldest-browsers/plugin.ts';
import { preloads } from './build-plugins/preloads.ts';
import { serviceWorker } from './build-plugins/service-worker/plugin.ts';

/** The folder for the reports of `just test`. */
const reports = process.env.PLENUM_TEST_REPORTS;

/** The icons that voters or the presentation show too; all others belong to the portals. */
const SHARED_ICONS = [
  'AlertCircle',
  'AlertTriangle',
  'ArrowDown',
  'ArrowLeft',
  'ArrowUp',
  'CalendarOff',
  'CalendarX',
  'Check',
  'CircleCheck',
  'Clock',
  'CloudOff',
  'Hourglass',
  'Inbox',
  'InfoCircle',
  'Loader',
  'Lock',
  'Logout',
  'Minus',
  'PlayerPause',
  'Plus',
  'PointFilled',
  'Refresh',
  'Star',
  'StarFilled',
  'X',
];

/** The modules of `src/shared` that voters or the presentation need too; all others belong to the portals. */
const SHARED_MODULES = [
  'clipboard',
  'format',
  'offline',
  'paths',
  'return-to',
  'shape',
  'storage',
  'unsaved-work',
  'use-single-start',
];

/**
 * The build file of each module; unlisted modules are placed automatically. Without this, the build creates a file for
 * each shared module, and a voter's phone requests thirty of them.
 */
const FILES = {
  react: [/node_modules\/(react|react-dom|react-router|scheduler)\//],
  /** The modules that every screen needs, including the voter's first one. */
  base: [
    // Lists that load more while scrolling belong to the portals.
    /node_modules\/(@mantine\/store|@tanstack(?!.*(infiniteQueryObserver|useInfiniteQuery))|openapi-fetch|clsx)\//,
    /@mantine\/core\/esm\/core\//,
    /@mantine\/core\/(esm\/components|styles)\/(Button|CloseButton|Input|InputBase|Loader|Notification|Portal)[./]/,
    /@mantine\/core\/(esm\/components|styles)\/(ActionIcon|PasswordInput|Skeleton|TextInput|Transition|UnstyledButton)[./]/,
    /@mantine\/core\/(esm\/components|styles)\/(VisuallyHidden|baseline|global)[./]/,
    /@tabler\/icons-react\/dist\/esm\/(createReactComponent|defaultAttributes)\./,
    new RegExp(`@tabler/icons-react/dist/esm/icons/Icon(${SHARED_ICONS.join('|')})\\.`),
    /src\/api\/(?!file|page)/,
    new RegExp(`src/shared/(${SHARED_MODULES.join('|')})\\.ts$`),
    /src\/shared\/sign-in\//,
    /@mantine\/hooks\/esm\/utils\//,
    /src\/shared\/ui\/(busy-button|empty-state|error-state|form-error|loading-screen|meeting-status-badge)\./,
    /src\/shared\/ui\/(offline-notice|session-notice|state-view|status-badge|submit-button|text-link)\./,
    /src\/shared\/ui\/(reference|toast|toaster|wordmark)\./,
  ],
  /** The live state of a meeting, and its results. */
  live: [
    // Voters have no presentation, and no ring of votes.
    /src\/shared\/live\/(?!use-presentation-stream|vote-ring)/,
    /src\/shared\/elections\/marks\./,
    /src\/shared\/result\/(averages|distribution|figures|option-sign|outcome-badge|weight-names)\./,
  ],
  /**
   * The voter's screens at once: nothing has to be loaded later over a bad network. Only few voters need the others, which
   * the service worker loads in the meantime.
   */
  voter: [
    /src\/shared\/ballot\/(?!election\/)/,
    /src\/features\/voter\/(?!account-page|check-in\/|kept\/|proxies\/|outside-notice|void-vote|refused|not-open-yet|test-person|rehearsal\/|secret\/(receipt|submit-sealed|unconfirmed-key)|join\/(code-scanner|invitation-page|join-code-step|join-link-page|join-token)\.|results\/(damaged-results|own-vote|result-card|spoken-result|listed-result|option-bars|result-numbers|reasons|record-warning|result-details|details-body|find-receipt|option-figures|record-line|result-totals|second-totals)\.)/,
  ],
  /** The declared results on a voter's screen. There are none while the first question is open. */
  'voter-results': [
    /src\/features\/voter\/results\/(own-vote|result-card|spoken-result|listed-result|option-bars|result-numbers|reasons|record-warning|result-details)\./,
  ],
  /** The ballot of elections, which most voters never need. */
  election: [
    /src\/shared\/ballot\/election\//,
    /src\/shared\/elections\/(ballot-order|ranking|marks-limits|marks-writing)\./,
  ],
  /** Secret rounds. The ballot form loads it when one opens; the voter's first load has no space for it. */
  sealing: [/src\/shared\/sealing\//, /src\/features\/voter\/secret\/(receipt|submit-sealed)/],
  qr: [/src\/shared\/presentation\/qr-drawing\./, /node_modules\/uqr\//],
  /** Rare parts of a voter's screen: in one file, because the first load has the name of each. */
  'voter-rare': [
    /src\/features\/voter\/(check-in\/|kept\/|outside-notice|void-vote|refused|not-open-yet|test-person|proxies\/|rehearsal\/|results\/damaged-results|secret\/unconfirmed-key)/,
  ],
  /** The sign-in of accounts, so that it does not wait for the rest of the portals. */
  'sign-in': [
    /node_modules\/(@mantine\/form|zod|klona|fast-deep-equal)\//,
    /@mantine\/core\/(esm\/components|styles)\/(Checkbox|InlineInput)[./]/,
    /src\/features\/sign-in\//,
    /src\/shared\/(focus-first-invalid|use-checked-field)\./,
    /src\/shared\/theme\/sign-in-styles\./,
  ],
  /** The modules that only the portals of administrators and organizers need. */
  portals: [
    /node_modules\/(@floating-ui|@tabler|@tanstack|react-number-format)\//,
    /node_modules\/(react-remove-scroll[a-z-]*|react-style-singleton|use-callback-ref|use-sidecar)\//,
    /@mantine\/core\/(esm\/components|styles)\//,
    /src\/features\/portal\//,
    // Small, and each would be a file of its own, whose name the first load of everybody has.
    /src\/features\/(?!voter\/|presentation\/|desk\/)[a-z-]+\/queries\.ts$/,
    /src\/shared\/(list\/|result\/(use-export-results|export-results-menu)\.)/,
    /src\/api\//,
    /src\/shared\/theme\/portal-styles\./,
    /src\/shared\/[a-z-]+\.ts$/,
    /src\/shared\/ui\//,
  ],
};

/**
 * The class names of the build: the own name with a short key of the file. The default also has the line and a longer
 * key, which every voter's phone would load in scripts and styles.
 */
function shortClassName(name: string, file: string): string {
  const path = relative(import.meta.dirname, file).replaceAll('\\', '/');
  return `${name}_${createHash('sha256').update(path).digest('base64url').slice(0, 3)}`;
}

/** The build of react-router without its checks for developers. The package names only the other one. */
const PRODUCTION_ROUTER = [
  { find: /^react-router$/, file: 'index' },
  { find: /^react-router\/dom$/, file: 'dom-export' },
].map(({ find, file }) => ({
  find,
  replacement: join(import.meta.dirname, `node_modules/react-router/dist/production/${file}.mjs`),
}));

const ADMIN = ['src/features/portal/admin-layout.tsx'];
const ORGANIZER = ['src/features/portal/client-layout.tsx'];
const VOTER = ['src/features/voter/live-voting-page.tsx'];

/** Files of voters' screens that are not loaded at once. */
const VOTER_LATER = [
  'src/app/kept-ballots.tsx',
  'src/features/voter/check-in/check-in-card.tsx',
  'src/features/voter/join/invitation-page.tsx',
  'src/features/voter/join/join-link-page.tsx',
  'src/features/voter/kept/kept-ballots.tsx',
  'src/features/voter/kept/logout-question.tsx',
  'src/features/voter/outside-notice.tsx',
  'src/features/voter/proxies/by-proxy.tsx',
  'src/features/voter/refused.tsx',
  'src/features/voter/rehearsal/rehearsal.tsx',
  'src/features/voter/results/damaged-results.tsx',
  'src/features/voter/results/details-body.tsx',
  'src/features/voter/results/listed-result.tsx',
  'src/features/voter/results/result-card.tsx',
  'src/features/voter/secret/unconfirmed-key.tsx',
  'src/features/voter/test-person.tsx',
  'src/features/voter/void-vote.tsx',
  'src/features/secrecy/secrecy-page.tsx',
  'src/shared/branding/voter-brand.tsx',
  'src/shared/sealing/sealing.ts',
];

/** The first files of the usual entry screens, by address. Other addresses work too, a little later. */
const SCREENS = {
  '/admin': [...ADMIN, 'src/features/clients/admin-dashboard-page.tsx'],
  '/admin/clients': [...ADMIN, 'src/features/clients/clients-page.tsx'],
  '/admin/reports': [...ADMIN, 'src/features/reports/reports-page.tsx'],
  '/admin/tests': [...ADMIN, 'src/features/diagnostics/admin-tests-page.tsx'],
  '/admin/users': [...ADMIN, 'src/features/accounts/accounts-page.tsx'],
  '/admin/login': ['src/features/sign-in/admin-login-page.tsx'],
  '/client': [...ORGANIZER, 'src/features/guide/client-dashboard-page.tsx'],
  '/client/end-users': [...ORGANIZER, 'src/features/end-users/end-users-page.tsx'],
  '/client/end-users/import': [...ORGANIZER, 'src/features/end-user-import/import-page.tsx'],
  '/client/login': ['src/features/sign-in/client-login-page.tsx'],
  '/client/meetings': [...ORGANIZER, 'src/features/meetings/meetings-page.tsx'],
  '/client/tests': [...ORGANIZER, 'src/features/diagnostics/client-tests-page.tsx'],
  '/desk': ['src/features/desk/desk-page.tsx'],
  '/join': VOTER,
  '/participant': VOTER,
  '/secrecy': ['src/features/secrecy/secrecy-page.tsx'],
  '/presentation': ['src/features/presentation/presentation-page.tsx'],
  '/verify': ['src/features/verify/verify-page.tsx'],
  '/vote': VOTER,
  '/voting': VOTER,
};

export default defineConfig({
  // Relative addresses: the server puts the base path into <base href> when it serves the page.
  base: './',
  plugins: [
    react(),
    preloads(SCREENS),
    serviceWorker({
      modules: [...VOTER, ...VOTER_LATER],
      assets: /inter-latin-wght-normal/,
      addresses: Object.keys(SCREENS),
    }),
    compressed(),
    oldestBrowsers([...VOTER, ...VOTER_LATER]),
  ],
  resolve: { alias: process.env.VITEST ? [] : PRODUCTION_ROUTER },
  css: { modules: { generateScopedName: shortClassName } },
  server: {
    proxy: { '/api': 'http://127.0.0.1:8080' },
  },
  build: {
    target: BUILD_TARGET,
    // `plenum licenses` prints this file.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: Object.entries(FILES).map(([name, modules], index, all) => ({
            name,
            test: (id: string) => modules.some((module) => module.test(id.replaceAll('\\', '/'))),
            priority: all.length - index,
          })),
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://plenum.test/' } },
    include: ['{src,build-plugins}/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // A process for each file would load jsdom and Mantine 120 times, which takes longer than the tests. `setup.ts`
    // isolates the files instead.
    isolate: false,
    // By default, one of two cores would be idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
    // For the list of the slowest tests that `just test` prints.
    reporters: reports ? ['default', ['json', { outputFile: `${reports}/vitest.json` }]] : ['default'],
  },
});
