import { describe, expect, it } from 'vitest';
import { type AssemblyFigures, forecastFor, type Pace } from './measurements';
import { judged } from './verdict';

function pace(change: Partial<Pace> = {}): Pace {
  return { calls: 50, p50: 60, p95: 90, max: 120, perSecond: 20, failed: 0, ...change };
}

function figures(change: Partial<AssemblyFigures> = {}): AssemblyFigures {
  const all: AssemblyFigures = {
    voters: 50,
    register: 180,
    signIn: pace(),
    load: pace(),
    vote: pace({ calls: 150, perSecond: 100 }),
    event: { calls: 12, p50: 20, p95: 40, max: 50 },
    count: { calls: 6, p50: 150, p95: 240, max: 250 },
    roundTripMs: 3,
    databaseMs: 0.4,
    votesSent: 150,
    votesCounted: 150,
    differences: [],
    serverErrors: [],
    failures: [],
    forecast: { signInSeconds: null, voteSeconds: null },
    ...change,
  };
  return { ...all, forecast: forecastFor(all.register, all.signIn, all.vote) };
}

it('extends the pace to the whole register', () => {
  expect(forecastFor(180, pace({ perSecond: 20 }), pace({ perSecond: 100 }))).toEqual({
    signInSeconds: 9,
    voteSeconds: 2,
  });
  expect(forecastFor(180, pace({ perSecond: 0 }), pace()).signInSeconds).toBeNull();
});

it('is green where everything is fast and right, and says how long all will take', () => {
  const finding = judged(figures());
  expect(finding.verdict).toBe('success');
  expect(finding.message).toBe(
    'Ready. 50 simulated voters signed in (20 per second) and voted (100 per second, 95 % within 90 ms); all 150 votes were counted as they were sent. At that pace all 180 are signed in after about 9 seconds, and a vote of all takes about 2 seconds.',
  );
  expect(finding.details).toMatchObject({ register: 180 });
});

describe('amber', () => {
  it.each<[string, Partial<AssemblyFigures>, string[]]>([
    [
      'votes of half a second',
      { vote: pace({ p95: 500 }) },
      ['Votes are slow: one in twenty takes 500 ms', 'The server itself is slow'],
    ],
    [
      'sign-ins that take more than three minutes',
      { signIn: pace({ perSecond: 0.9, p50: 900 }) },
      [
        'about 4 minutes until all 180 are signed in',
        'checks a password',
        'open the doors of the meeting 7 minutes before',
      ],
    ],
    [
      'sign-ins that wait for the network',
      { signIn: pace({ perSecond: 0.9, p50: 900 }), roundTripMs: 450 },
      ['The connection from this browser to the server is slow', 'on the network of the hall'],
    ],
    [
      'screens that are a second behind',
      { count: { calls: 6, p50: 900, p95: 1000, max: 1000 } },
      ['Screens are behind: they show each step up to 1000 ms late'],
    ],
    [
      'a big register that votes for minutes',
      { register: 7000 },
      ['about 70 seconds until all 7000 have voted', 'open for at least 3 minutes'],
    ],
    ['a sluggish database', { databaseMs: 60 }, ['The database is slow: one statement takes 60 ms']],
    [
      'repeated requests',
      { failures: ['2 × Voting: no answer came'] },
      ['had to be repeated (2 × Voting: no answer came)'],
    ],
  ])('for %s', (_, change, sentences) => {
    const { verdict, message } = judged(figures(change));
    expect(message).toMatch(/^Ready, after the steps below\. /);
    for (const sentence of sentences) {
      expect(message).toContain(sentence);
    }
    expect(verdict).toBe('warning');
  });
});

describe('red', () => {
  it.each<[string, Partial<AssemblyFigures>, string[]]>([
    ['votes of a second', { vote: pace({ p95: 1000 }) }, ['Votes are too slow: one in twenty takes 1000 ms']],
    [
      'votes that wait for the database',
      { vote: pace({ p95: 1200 }), databaseMs: 300 },
      ['one statement takes 300 ms'],
    ],
    [
      'votes that wait for the network',
      { vote: pace({ p95: 1200 }), roundTripMs: 700 },
      ['The connection to the server is slow'],
    ],
    [
      'sign-ins of more than ten minutes',
      { signIn: pace({ perSecond: 0.2, p50: 900 }) },
      ['about 15 minutes', 'open the doors of the meeting 30 minutes before'],
    ],
    [
      'a tally that differs',
      { differences: ['“Budget?”: one vote too many.'] },
      ['“Budget?”: one vote too many.', 'Do not vote on this server'],
    ],
    [
      'server errors',
      { serverErrors: ['3 × Voting: answered 503: Busy.'] },
      ['3 × Voting: answered 503', 'Check its log'],
    ],
    [
      'people who could not sign in',
      { signIn: pace({ failed: 2 }), failures: ['2 × Signing in: answered 429: Too many tries.'] },
      ['2 could not sign in', 'answered 429'],
    ],
  ])('for %s', (_, change, sentences) => {
    const { verdict, message } = judged(figures(change));
    expect(message).toMatch(/^Not ready\. /);
    for (const sentence of sentences) {
      expect(message).toContain(sentence);
    }
    expect(verdict).toBe('error');
  });

  it('names what is red before what is amber', () => {
    const { message } = judged(figures({ databaseMs: 60, differences: ['Wrong.'] }));
    expect(message.indexOf('Wrong.')).toBeLessThan(message.indexOf('The database is slow'));
  });
});
