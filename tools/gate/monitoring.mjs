/**
 * What docs/monitoring and docs/operations.md say about metrics and alerts. Called as a program, it prints the
 * dashboard's queries as rules, so that promtool can check their syntax.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (path) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

/** The part of docs/operations.md below a heading, up to the next one of the same level. */
function section(heading) {
  const part = read('operations.md').split(`\n## ${heading}\n`)[1];
  return part.split('\n## ')[0];
}

/** The metrics of the table, each with its kind and its labels. */
export function documentedMetrics() {
  const rows = section('Metrics').matchAll(/^\| `(plenum_\w+)(?:\{([\w,]+)\})?` \| (\w+) \|/gm);
  return new Map([...rows].map(([, name, labels, kind]) => [name, { kind, labels: labels?.split(',') ?? [] }]));
}

/** The alerts of the table, with the address that each links to. */
export function documentedAlerts() {
  const rows = section('Alerts').matchAll(/^\| `(\w+)` \|.*\]\((#[\w-]+)\) \|$/gm);
  return [...rows].map(([, name, link]) => ({ name, link }));
}

/** The anchors of the headings of docs/operations.md. */
export function anchors() {
  const headings = read('operations.md').matchAll(/^##+ (.+)$/gm);
  return new Set([...headings].map(([, text]) => `#${text.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-')}`));
}

/** The alert rules. Each field is one line of the file. */
export function alertRules() {
  const parts = read('monitoring/alerts.yml').split('- alert: ').slice(1);
  return parts.map((part) => {
    const field = (name) => part.match(new RegExp(`^ +${name}: "?(.+?)"?$`, 'm'))?.[1];
    return {
      name: part.split('\n')[0],
      expression: field('expr'),
      severity: field('severity'),
      summary: field('summary'),
      description: field('description'),
      runbook: field('runbook'),
    };
  });
}

/** The names of the tests of alert rules. */
export function alertTests() {
  return [...read('monitoring/alerts.test.yml').matchAll(/^ {2}- name: (.+)$/gm)].map(([, name]) => name);
}

export function dashboard() {
  return JSON.parse(read('monitoring/grafana-dashboard.json'));
}

/** The queries of the dashboard: those of its panels and of its variables. */
export function dashboardQueries() {
  const { panels, templating } = dashboard();
  const ofPanels = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return { ofPanels, ofVariables: templating.list.flatMap(({ query }) => query.query ?? []) };
}

/** The metrics that a query reads, each with the labels that it selects by. */
export function metricsIn(query) {
  const uses = query.matchAll(/\b(plenum_\w+)(?:\{([^}]*)\})?/g);
  return [...uses].map(([, name, matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = dashboardQueries().ofPanels.map((query, index) => {
    const expression = query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
    return { record: `dashboard:query_${index}`, expr: expression };
  });
  // JSON is YAML, too.
  console.log(JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
}
