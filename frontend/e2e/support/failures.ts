import type { Page } from '@playwright/test';

/** A call as the API document names it: the method, and the path below the server's root. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string | RegExp;
}

interface ServerError {
  status: number;
  error?: string;
  code?: string;
  fields?: Record<string, string[]>;
}

/** Makes the server answer this request with an error until the returned function is called. */
export async function answerWithError(
  page: Page,
  call: Call,
  answer: ServerError,
): Promise<() => Promise<void>> {
  const { status, error = 'Something is broken here', code = 'broken', fields } = answer;
  return onCall(page, call, (route) =>
    route.fulfill({ status, json: { error, message: error, code, ...(fields ? { fields } : {}) } }),
  );
}

/** Makes the server answer this request with this body until the returned function is called. */
export async function answerWith(page: Page, call: Call, json: object): Promise<() => Promise<void>> {
  return onCall(page, call, (route) => route.fulfill({ json }));
}

/** Makes the network lose this request until the returned function is called. */
export async function loseCall(page: Page, call: Call): Promise<() => Promise<void>> {
  return onCall(page, call, (route) => route.abort('connectionfailed'));
}

/**
 * Simulates all failures of a request in turn: a server error with a reason, one without a reason, and no network.
 * `tryIt` receives the message that the screen should show.
 */
export async function inEachFailure(
  page: Page,
  call: Call,
  fallback: string,
  tryIt: (said: string) => Promise<void>,
): Promise<void> {
  const ways = [
    {
      begin: () => answerWithError(page, call, { status: 500, error: 'The disk is full' }),
      said: 'The disk is full',
    },
    { begin: () => answerWithError(page, call, { status: 500, error: '' }), said: fallback },
    { begin: () => loseCall(page, call), said: `${fallback}: the server could not be reached` },
  ];
  for (const { begin, said } of ways) {
    const end = await begin();
    await tryIt(said);
    await end();
  }
}

/** Delays the request until the returned function is called; then the server receives it. */
export async function holdCall(page: Page, call: Call): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await onCall(page, call, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/** Counts a request without changing it: a double click must send it once. */
export function countCalls(page: Page, call: Call): () => number {
  let calls = 0;
  page.on('request', (request) => {
    if (request.method() === call.method && fits(new URL(request.url()), call.path)) {
      calls += 1;
    }
  });
  return () => calls;
}

type Route = Parameters<Parameters<Page['route']>[1]>[0];

async function onCall(page: Page, call: Call, answer: (route: Route) => Promise<void>) {
  const handler = async (route: Route) => {
    if (route.request().method() === call.method) {
      await answer(route);
    } else {
      await route.fallback();
    }
  };
  const matcher = (url: URL) => fits(url, call.path);
  await page.route(matcher, handler);
  return () => page.unroute(matcher, handler);
}

function fits(url: URL, path: string | RegExp): boolean {
  return typeof path === 'string' ? url.pathname === path : path.test(url.pathname);
}
