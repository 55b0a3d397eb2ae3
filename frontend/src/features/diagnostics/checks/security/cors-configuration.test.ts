import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { corsConfiguration } from './cors-configuration';

const { fake, run } = withFakePlenum();

interface Probe {
  origin: string;
  kind: string;
  isAllowed: boolean;
  expected: boolean;
  allowOrigin: string | null;
  problems: string[];
}

const PROBES: Probe[] = [
  {
    origin: 'https://vote.example.org',
    kind: 'allowed',
    isAllowed: true,
    expected: true,
    allowOrigin: 'https://vote.example.org',
    problems: [],
  },
  {
    origin: 'http://plenum.test',
    kind: 'own',
    isAllowed: true,
    expected: true,
    allowOrigin: null,
    problems: [],
  },
  {
    origin: 'https://foreign.invalid',
    kind: 'foreign',
    isAllowed: false,
    expected: false,
    allowOrigin: null,
    problems: [],
  },
  { origin: 'null', kind: 'null', isAllowed: false, expected: false, allowOrigin: null, problems: [] },
];
const REPORT = {
  type: 'origin-probe',
  origin: 'null',
  arrives: true,
  readable: { plain: false, withToken: false, withCookies: false },
  blocked: [] as string[],
};

let probes = PROBES;
/** The report of the page in the sandbox; undefined if that page does not load. */
let report: typeof REPORT | null = REPORT;
let allowOrigin: string | null = null;

beforeEach(() => {
  [probes, report, allowOrigin] = [PROBES, REPORT, null];
  fake().sick = ({ path }) => {
    if (path === '/test/cors') {
      const isValid = probes.every(({ isAllowed, expected }) => isAllowed === expected);
      return HttpResponse.json({ success: true, isValid, message: 'As reported.', details: { probes } });
    }
    const headers = new Headers(allowOrigin === null ? [] : [['Access-Control-Allow-Origin', allowOrigin]]);
    return path === '/health' ? HttpResponse.json({ status: 'ok' }, { headers }) : undefined;
  };
});

// jsdom does not load frames: the test acts as the page in the frame.
const observer = new MutationObserver((changes) => {
  for (const frame of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (frame instanceof HTMLIFrameElement) {
      expect(frame.getAttribute('sandbox')).toBe('allow-scripts');
      expect(frame.src).toBe('http://plenum.test/origin-probe.html');
      postReport(window, { ...REPORT, readable: { plain: true, withToken: true, withCookies: true } });
      postReport(frame.contentWindow, { type: 'something else' });
      postReport(frame.contentWindow, report);
    }
  }
});
beforeEach(() => observer.observe(document.body, { childList: true }));
afterEach(() => observer.disconnect());

function postReport(source: Window | null, data: unknown): void {
  window.dispatchEvent(new MessageEvent('message', { source, data }));
}

it('is green where all origins are answered as they should be, believing nobody but the frame', async () => {
  const result = await run(corsConfiguration);
  expect(result.message).toBe(
    '1 allowed, 1 own, 1 foreign and 1 null origins were answered correctly, and a page without an origin can read nothing in this browser.',
  );
  expect(result.status).toBe('success');
  expect(document.querySelector('iframe')).toBeNull();
});

it.each([
  [
    'https://vote.example.org',
    'Pages of the allowed origin https://vote.example.org cannot use the whole API, but should.',
  ],
  [
    'https://foreign.invalid',
    'Pages of the foreign origin https://foreign.invalid can read the API, but must not.',
  ],
  ['null', 'Pages of the origin null can read the API, but must not.'],
])('is red where the server answers %s wrongly, and names it', async (origin, sentence) => {
  probes = PROBES.map((probe) =>
    probe.origin === origin ? { ...probe, isAllowed: !probe.expected } : probe,
  );
  const result = await run(corsConfiguration);
  expect(result.message).toBe(`${sentence} Check PLENUM_CORS_ORIGINS.`);
  expect(result.status).toBe('error');
});

it('is red where pages of an allowed origin cannot open streams, and says why', async () => {
  const problem = 'Access-Control-Allow-Credentials is missing, without which streams are refused.';
  probes = PROBES.map((probe) =>
    probe.kind === 'allowed' ? { ...probe, isAllowed: false, problems: [problem] } : probe,
  );
  const result = await run(corsConfiguration);
  expect(result.message).toBe(
    `Pages of the allowed origin https://vote.example.org cannot use the whole API, but should. ${problem} Check PLENUM_CORS_ORIGINS.`,
  );
  expect(result.status).toBe('error');
});

it('is red with what the server says where it could not try', async () => {
  fake().sick = ({ path }) =>
    path === '/test/cors'
      ? HttpResponse.json({
          success: true,
          isValid: false,
          message: 'It cannot reach itself.',
          details: { probes: [] },
        })
      : undefined;
  const result = await run(corsConfiguration);
  expect(result.message).toBe('It cannot reach itself.');
  expect(result.status).toBe('error');
});

it('is no green where the server did not try a null origin', async () => {
  probes = PROBES.filter(({ kind }) => kind !== 'null');
  const result = await run(corsConfiguration);
  expect(result.message).toContain('did not try an origin of the kind null');
  expect(result.status).toBe('warning');
});

it.each(['plain', 'withToken', 'withCookies'])(
  'is red where a page without an origin can read (%s)',
  async (how) => {
    report = { ...REPORT, readable: { ...REPORT.readable, [how]: true } };
    const result = await run(corsConfiguration);
    expect(result.message).toContain(
      'Check for a proxy in front of it that adds Access-Control-Allow-Origin',
    );
    expect(result.status).toBe('error');
  },
);

it('is red where answers are for everybody when they get here', async () => {
  allowOrigin = '*';
  const result = await run(corsConfiguration);
  expect(result.message).toContain('with Access-Control-Allow-Origin: *');
  expect(result.status).toBe('error');
});

it.each(['https://foreign.example', 'https://vote.example.org'])(
  'is amber where answers to ourselves are for %s when they get here',
  async (origin) => {
    allowOrigin = origin;
    const result = await run(corsConfiguration);
    expect(result.message).toContain(
      `with Access-Control-Allow-Origin: ${origin}, so that pages of that origin`,
    );
    expect(result.status).toBe('warning');
  },
);

it('is green where they are for our own pages', async () => {
  allowOrigin = window.location.origin;
  expect((await run(corsConfiguration)).status).toBe('success');
});

it.each([
  [{ arrives: false }, 'its requests did not arrive'],
  [{ origin: 'http://plenum.test' }, 'this browser does not sandbox frames'],
  [
    { blocked: ['http://plenum.test/api/health'] },
    'a content security policy blocked it (http://plenum.test/api/health)',
  ],
])('is amber where the page in the sandbox proves nothing: %j', async (change, why) => {
  report = { ...REPORT, ...change };
  const result = await run(corsConfiguration);
  expect(result.message).toContain(`lets foreign pages read more: ${why}.`);
  expect(result.status).toBe('warning');
});

it('is amber where the page in the sandbox does not load', async () => {
  report = null;
  const late = new AbortController();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === 15_000 ? late.signal : timeout(ms)));
  const frames = new MutationObserver(() => late.abort());
  frames.observe(document.body, { childList: true });
  const result = await run(corsConfiguration);
  frames.disconnect();
  expect(result.message).toContain('origin-probe.html did not load in a frame');
  expect(result.status).toBe('warning');
});
