import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { PlenumServer, superAdmin } from './support/plenum-server';
import { arrange } from './support/setting';
import { expect, test } from './support/test';

/** An empty page on another origin, like that of another product. */
async function anotherOrigin(): Promise<{ origin: string; pages: Server }> {
  const pages = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Intranet</title>');
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  return { origin: `http://127.0.0.1:${(pages.address() as AddressInfo).port}`, pages };
}

interface Call {
  /** The URL of the API. */
  api: string;
  organizer: { email: string; password: string };
  meetingId: string;
}

/** The answers that a script of a foreign page can read. Runs in the browser. */
async function tryEverything({ api, organizer, meetingId }: Call) {
  const refused = () => null;
  const json = { 'Content-Type': 'application/json' };
  const signedIn = await fetch(`${api}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ ...organizer, portal: 'CLIENT' }),
  }).catch(refused);
  const token = signedIn ? (await signedIn.json()).token : '';
  const withToken = { Authorization: `Bearer ${token}` };
  const file = await fetch(`${api}/client/end-users/export`, { headers: withToken }).catch(refused);
  const made = await fetch(`${api}/client/questions`, {
    method: 'POST',
    headers: { ...json, ...withToken },
    body: JSON.stringify({ meetingId, questionText: 'Well?', questionType: 'YES_NO', colour: 'red' }),
  }).catch(refused);
  const health = await fetch(`${api}/health`, { credentials: 'include' }).catch(refused);
  const firstEvent = await new Promise<string>((done) => {
    const path = `${api}/public/meetings/${meetingId}/presentation/stream`;
    const own = `${api}/sse/meetings/${meetingId}/stream?token=${token}`;
    const source = new EventSource(token ? own : path, { withCredentials: true });
    source.onmessage = ({ data }) => {
      source.close();
      done(JSON.parse(data).type);
    };
    source.onerror = () => {
      source.close();
      done('error');
    };
  });
  return {
    isSignedIn: token !== '',
    fileName: file?.headers.get('Content-Disposition') ?? null,
    location: made?.headers.get('Location') ?? null,
    unknownFields: made?.headers.get('Plenum-Unknown-Fields') ?? null,
    requestId: health?.headers.get('X-Request-Id') ?? null,
    firstEvent,
  };
}

async function pageAt(page: Page, origin: string, call: Call): ReturnType<typeof tryEverything> {
  await page.goto(origin);
  return page.evaluate(tryEverything, call);
}

test('pages of a listed origin read streams, files and headers, and those of another one nothing', async ({
  browser,
}) => {
  const [listed, unlisted] = await Promise.all([anotherOrigin(), anotherOrigin()]);
  const server = await PlenumServer.start({ PLENUM_CORS_ORIGINS: listed.origin });
  try {
    const setting = await arrange(server.url, { name: 'Other Origin', voters: 1, questions: [] });
    const call = { api: `${server.url}/api`, ...setting };
    const page = await browser.newPage();

    const seen = await pageAt(page, listed.origin, call);
    expect(seen.isSignedIn).toBe(true);
    expect(seen.fileName).toContain('attachment; filename=');
    expect(seen.location).toMatch(/^\/api\/client\/questions\//);
    expect(seen.unknownFields).toBe('colour');
    expect(seen.requestId).not.toBeNull();
    expect(seen.firstEvent).toBe('connected');

    expect(await pageAt(page, unlisted.origin, call)).toEqual({
      isSignedIn: false,
      fileName: null,
      location: null,
      unknownFields: null,
      requestId: null,
      firstEvent: 'error',
    });

    // The server's report agrees with what the browser has just done.
    const login = await page.request.post(`${call.api}/auth/login`, { data: superAdmin });
    const headers = { Authorization: `Bearer ${(await login.json()).token}` };
    const report = await (await page.request.get(`${call.api}/test/cors`, { headers })).json();
    const allowed = report.details.probes.filter(({ kind }: { kind: string }) => kind === 'allowed');
    expect(allowed).toMatchObject([{ origin: listed.origin, isAllowed: true, problems: [] }]);
    expect(report.isValid).toBe(true);
    await page.close();
  } finally {
    await server.stop();
    listed.pages.close();
    unlisted.pages.close();
  }
});
