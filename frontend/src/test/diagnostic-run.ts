import { afterEach, beforeEach, vi } from 'vitest';
import type { Diagnostic, Run } from '../shared/diagnostics/run/diagnostic';
import type { Portal } from '../shared/diagnostics/run/portal';
import { type ResultEntry, Runner } from '../shared/diagnostics/run/runner';
import { FakePlenum, fakePeople } from './fake-plenum';
import { server } from './server';

/**
 * A healthy fake server for each test of a file, with a clock that advances only by the server's latency. Waiting takes
 * no time.
 */
export function withFakePlenum(): { fake: () => FakePlenum; run: typeof runOn } {
  let fake = new FakePlenum();
  beforeEach(() => {
    fake = new FakePlenum();
    server.use(fake.handler);
    vi.spyOn(performance, 'now').mockImplementation(fake.now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const runOn = (test: Diagnostic, portal: Portal = 'CLIENT') => runTest(fake, test, portal);
  return { fake: () => fake, run: runOn };
}

async function runTest(fake: FakePlenum, test: Diagnostic, portal: Portal): Promise<ResultEntry> {
  const user = fakePeople[portal];
  window.localStorage.setItem('accessToken', fake.tokenOf(user));
  const hasty: Diagnostic = { ...test, run: (run: Run) => test.run({ ...run, pause: async () => {} }) };
  const runner = new Runner();
  await runner.start([hasty], portal, user);
  const [entry] = runner.state().results;
  if (!entry) {
    throw new Error('The test has no result.');
  }
  return entry;
}
