import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { http, server } from '../../../test/server';
import { Caller } from './caller';

it('leaves nothing behind at the signal of the test, whatever the answer', async () => {
  const paths: string[] = [];
  server.use(
    http.untyped.get('*/api/*', ({ request }) => {
      paths.push(request.url);
      return new Response('{}', { status: paths.length % 2 === 0 ? 200 : 404 });
    }),
  );
  const { signal } = new AbortController();
  const caller = new Caller(null, signal);
  for (let call = 0; call < 20; call += 1) {
    await caller.get('/health');
  }
  expect(paths).toHaveLength(20);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
