/** The maximum time until a voter's phone shows a usable screen, by form factor. */
const USABLE_MS = { mobile: 3_000, 'slow 3G': 7_000 };

/** The missed targets, one sentence each. */
export function misses(results) {
  return results.flatMap(({ screen, formFactor, scores, figures, failed, finalPath }) => {
    const where = `${screen.name} (${formFactor})`;
    const least = screen.least[formFactor];
    // Only voters' screens have a target on slow 3G.
    const isVoterPhone = 'slow 3G' in screen.least;
    const isTooSlow = isVoterPhone && figures.usable > (USABLE_MS[formFactor] ?? Number.POSITIVE_INFINITY);
    return [
      finalPath === screen.path ? null : `${where}: led to ${finalPath}`,
      scores.performance < least ? `${where}: performance ${scores.performance}, not ${least}` : null,
      isTooSlow ? `${where}: usable after ${seconds(figures.usable)}` : null,
      scores.accessibility < 100 ? `${where}: accessibility ${scores.accessibility}` : null,
      scores['best-practices'] < 100 ? `${where}: best practices ${scores['best-practices']}` : null,
      ...failed.map((audit) => `${where}: ${audit}`),
    ].filter((miss) => miss !== null);
  });
}

/** The whole of docs/lighthouse.md. */
export function report(results, runs) {
  const sections = ['Desktop', 'Mobile', 'Slow 3G'].map((name) => {
    const rows = results.filter(({ formFactor }) => formFactor.toLowerCase() === name.toLowerCase()).map(row);
    return `## ${name}\n\n${HEAD}\n${rows.join('\n')}\n`;
  });
  const speeds = results.map(({ benchmark }) => benchmark);
  const speed = `${Math.round(Math.min(...speeds))} to ${Math.round(Math.max(...speeds))}`;
  return `# Lighthouse

Written by \`just lighthouse\` (see [development](development.md#the-speed-of-screens)). Lighthouse ${results[0]?.lighthouse} on a release build, ${new Date().toISOString().slice(0, 10)}; each row is the median of ${runs} runs, each in a new browser. Mobile uses Lighthouse's settings: 1.6 Mbit/s, a round trip of 150 ms, and a processor four times slower than this machine's. Slow 3G has 400 kbit/s and a round trip of 400 ms. Other work of the machine increases "blocked", and so affects performance and "usable". Its benchmark index was ${speed} during these runs; an idle laptop has 1,500 or more.

${sections.join('\n')}`;
}

const HEAD = [
  '| screen | performance | accessibility | best practices | first paint | largest paint | usable | blocked | shift |',
  '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
].join('\n');

function row({ screen, scores, figures }) {
  const cells = [
    screen.name,
    scores.performance,
    scores.accessibility,
    scores['best-practices'],
    seconds(figures.firstPaint),
    seconds(figures.largestPaint),
    seconds(figures.usable),
    `${Math.round(figures.blocked)} ms`,
    figures.shift.toFixed(3),
  ];
  return `| ${cells.join(' | ')} |`;
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
