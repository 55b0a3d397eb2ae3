import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/**
 * Which file of the build a module goes to; what is not listed goes where it is used. Left to itself, the build makes
 * a file of each module that screens share, and a voter's phone asks for thirty of them.
 */
const FILES = {
  react: [/node_modules\/(react|react-dom|react-router|scheduler)\//],
  /** What every screen stands on, the voter's first one included. */
  base: [
    /node_modules\/(@mantine\/(notifications|store)|@tabler|@tanstack|openapi-fetch|zod|clsx)\//,
    /node_modules\/(react-transition-group|react-remove-scroll[a-z-]*|react-style-singleton|use-callback-ref|use-sidecar)\//,
    /@mantine\/core\/esm\/core\//,
    /@mantine\/core\/esm\/components\/(Button|CloseButton|Input|InputBase|Loader|Notification|Portal)\//,
    /@mantine\/core\/esm\/components\/(ActionIcon|Group|PasswordInput|Skeleton|TextInput|Transition|UnstyledButton|VisuallyHidden)\//,
    /src\/api\//,
    /src\/shared\/[a-z-]+\.ts$/,
    /src\/shared\/ui\/(empty-state|error-state|form-error|loading-screen|state-view|submit-button|toast|wordmark)\./,
    /src\/shared\/ui\/(meeting-status-badge|status-badge)\./,
  ],
  /** Needed by voters and by the forms of the desk, and too large to be carried by either for the other. */
  inputs: [
    /node_modules\/react-number-format\//,
    /@mantine\/core\/esm\/components\/(NumberInput|Textarea)\//,
  ],
  live: [/src\/shared\/live\//],
  /** All of the voter's screens at once: nothing is left to load when the hall's network is at its worst. */
  voter: [/src\/features\/voter\//, /@mantine\/core\/esm\/components\/Slider\//],
  /** What only the portals of administrators and organizers need. */
  desk: [
    /node_modules\/(@mantine\/form|@floating-ui|klona|fast-deep-equal)\//,
    /@mantine\/core\/esm\/components\/(Checkbox|Combobox|Drawer|FloatingIndicator|FocusTrap|InlineInput|Menu)\//,
    /@mantine\/core\/esm\/components\/(Modal|ModalBase|NativeSelect|Overlay|Pagination|Paper|Popover|ScrollArea)\//,
    /@mantine\/core\/esm\/components\/(SegmentedControl|Text|Tooltip)\//,
    /src\/features\/(portal|sign-in)\//,
    /src\/shared\/ui\//,
  ],
};

export default defineConfig({
  // Relative addresses: the server puts the base path into <base href> when it serves the page.
  base: './',
  plugins: [react()],
  server: {
    proxy: { '/api': 'http://127.0.0.1:8080' },
  },
  build: {
    target: 'es2022',
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
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    testTimeout: 15_000,
  },
});
