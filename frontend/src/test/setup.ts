import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { session } from '../api/session';
import { toasts } from '../shared/ui/toast';
import { measureNoTextFields, traceNoElements } from './cheaper-rendering';
import { server } from './server';

// A screen is loaded on its first visit, and the machine may be busy.
configure({ asyncUtilTimeout: 20_000 });

// jsdom has no layout: Mantine's media queries get the answer of a wide screen.
Object.defineProperty(window, 'matchMedia', {
  writable: true,
  value: (query: string): MediaQueryList => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  }),
});
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });
measureNoTextFields();
traceNoElements();
window.scrollTo = () => undefined;
window.HTMLElement.prototype.scrollIntoView = () => undefined;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  toasts.clear();
  session.forget();
  window.localStorage.clear();
  window.sessionStorage.clear();
});
afterAll(() => {
  server.close();
  // Test files share a process. Each loads the modules of `src` again, so that no state passes to the next file.
  vi.resetModules();
});
