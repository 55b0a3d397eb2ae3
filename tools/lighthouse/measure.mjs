import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import lighthouse, { desktopConfig } from 'lighthouse';
import puppeteer from 'puppeteer-core';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** Slow 3G as Lighthouse simulates it: a round trip of 400 ms, and 400 kbit/s. */
const SLOW_3G = { rttMs: 400, throughputKbps: 400, cpuSlowdownMultiplier: 4 };
const CONFIGS = {
  desktop: desktopConfig,
  mobile: undefined,
  'slow 3G': { extends: 'lighthouse:default', settings: { throttling: SLOW_3G } },
};

const requireOfTests = createRequire(new URL('../../frontend/package.json', import.meta.url));
/** The browser of the browser tests: Debian's, or otherwise Playwright's own download. */
const BROWSER =
  [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find((path) => path && existsSync(path)) ??
  requireOfTests('@playwright/test').chromium.executablePath();

/** Measures each screen `runs` times in each of its form factors, each time in a new browser. */
export async function measure(url, world, screens, runs) {
  const results = [];
  for (const formFactor of Object.keys(CONFIGS)) {
    for (const screen of screens.filter(({ least }) => formFactor in least)) {
      const all = [];
      for (let run = 0; run < runs; run += 1) {
        all.push(await measureOnce(url, world, screen, formFactor));
      }
      const result = { screen, formFactor, ...medianOf(all) };
      console.log(`${formFactor} ${screen.name}: ${JSON.stringify(result.scores)} at ${Math.round(result.benchmark)}`);
      results.push(result);
    }
  }
  return results;
}

async function measureOnce(url, world, screen, formFactor) {
  const browser = await puppeteer.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run'],
  });
  try {
    const page = await browser.newPage();
    if (screen.as) {
      await store(page, url, await world.signIn[screen.as]());
    }
    const flags = { onlyCategories: CATEGORIES, disableStorageReset: Boolean(screen.as), logLevel: 'error' };
    const { lhr } = await lighthouse(`${url}${screen.path}`, flags, CONFIGS[formFactor], page);
    return readingsOf(lhr);
  } finally {
    await browser.close();
  }
}

/** Stores the tokens as after a sign-in. */
async function store(page, url, tokens) {
  await page.goto(`${url}/favicon.svg`);
  await page.evaluate((entries) => {
    for (const [key, value] of entries) {
      localStorage.setItem(key, value);
    }
  }, Object.entries(tokens));
}

function readingsOf(lhr) {
  if (lhr.runtimeError) {
    throw new Error(`${lhr.requestedUrl}: ${lhr.runtimeError.message}`);
  }
  const score = (id) => Math.round((lhr.categories[id].score ?? 0) * 100);
  const figure = (id) => lhr.audits[id]?.numericValue ?? 0;
  return {
    scores: Object.fromEntries(CATEGORIES.map((id) => [id, score(id)])),
    figures: {
      firstPaint: figure('first-contentful-paint'),
      largestPaint: figure('largest-contentful-paint'),
      blocked: figure('total-blocking-time'),
      shift: figure('cumulative-layout-shift'),
      usable: figure('interactive'),
    },
    failed: failedAudits(lhr),
    finalPath: new URL(lhr.finalDisplayedUrl).pathname,
    /** The speed of this machine during the run. An idle laptop has 1,500 to 3,000. */
    benchmark: lhr.environment.benchmarkIndex,
    lighthouse: lhr.lighthouseVersion,
  };
}

/** The findings that lower accessibility or best practices, by name and place. */
function failedAudits(lhr) {
  return ['accessibility', 'best-practices'].flatMap((category) =>
    lhr.categories[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
      .map(({ id }) => {
        const places = (lhr.audits[id].details?.items ?? []).map(
          (item) => item.node?.selector ?? item.description ?? item.issueType ?? '',
        );
        return `${id}: ${lhr.audits[id].title} ${places.join(', ')}`.trim();
      }),
  );
}

/** The run with the median performance. Scores that must be 100 are the worst of all runs. */
function medianOf(all) {
  const sorted = all.toSorted((a, b) => a.scores.performance - b.scores.performance);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  const worst = (id) => Math.min(...all.map(({ scores }) => scores[id]));
  return {
    ...middle,
    scores: {
      performance: middle.scores.performance,
      accessibility: worst('accessibility'),
      'best-practices': worst('best-practices'),
    },
    failed: [...new Set(all.flatMap(({ failed }) => failed))],
  };
}
