import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alertRules,
  alertTests,
  anchors,
  dashboard,
  dashboardQueries,
  documentedAlerts,
  documentedMetrics,
  metricsIn,
} from './monitoring.mjs';

/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance'];

/** What is wrong with the metrics of a query. A Rust test compares the table of docs/operations.md with the code. */
function faultsOf(query) {
  const documented = documentedMetrics();
  return metricsIn(query).flatMap(({ name, labels }) => {
    const family = name.replace(/_(bucket|count|sum)$/, '');
    const metric = documented.get(name) ?? documented.get(family);
    const isStored = metric && (metric.kind === 'histogram') === (family !== name);
    if (!isStored) {
      return [`the product has no metric ${name}`];
    }
    const known = [...metric.labels, ...ADDED, ...(name.endsWith('_bucket') ? ['le'] : [])];
    return labels.filter((label) => !known.includes(label)).map((label) => `${name} has no label ${label}`);
  });
}

test('a metric that the product does not have, a wrong suffix and a wrong label are found', () => {
  assert.deepEqual(faultsOf('rate(plenum_votes_total{outcome="failed",job="plenum"}[5m])'), []);
  assert.deepEqual(faultsOf('plenum_ballot_write_seconds_bucket{le="1.0"}'), []);
  assert.deepEqual(faultsOf('plenum_votes'), ['the product has no metric plenum_votes']);
  assert.deepEqual(faultsOf('plenum_ballot_write_seconds'), ['the product has no metric plenum_ballot_write_seconds']);
  assert.deepEqual(faultsOf('plenum_ballot_queue_sum'), ['the product has no metric plenum_ballot_queue_sum']);
  assert.deepEqual(faultsOf('plenum_ballot_queue{pool="general"}'), ['plenum_ballot_queue has no label pool']);
});

test('alert rules read only metrics and labels that the product has', () => {
  for (const { name, expression } of alertRules()) {
    assert.deepEqual(faultsOf(expression), [], name);
    assert.match(expression, /\b(plenum_|up\{job="plenum"\}|probe_success\{job="plenum-ready"\})/, name);
  }
});

test('each alert says what it means and what to do, and names a section of docs/operations.md', () => {
  const known = anchors();
  for (const { name, severity, summary, description, runbook } of alertRules()) {
    assert.ok(['critical', 'warning'].includes(severity), `${name}: ${severity}`);
    assert.ok(summary && description, name);
    const [page, anchor] = runbook.split('#');
    assert.equal(page, 'docs/operations.md', name);
    assert.ok(known.has(`#${anchor}`), `${name}: docs/operations.md has no section #${anchor}`);
  }
});

test('docs/operations.md lists each alert with the section that the rule names', () => {
  const rules = alertRules().map(({ name, runbook }) => ({ name, link: `#${runbook.split('#')[1]}` }));
  assert.ok(rules.length > 0);
  assert.deepEqual(documentedAlerts(), rules);
});

test('each alert has a test in which it fires, and one in which it stays quiet', () => {
  const tests = alertTests();
  for (const { name } of alertRules()) {
    assert.ok(tests.includes(`${name} fires`), name);
    assert.ok(tests.includes(`${name} stays quiet`), name);
  }
});

test('the dashboard reads only metrics and labels that the product has', () => {
  const { ofPanels, ofVariables } = dashboardQueries();
  assert.ok(ofPanels.length > 0 && ofVariables.length > 0);
  for (const query of [...ofPanels, ...ofVariables]) {
    assert.deepEqual(faultsOf(query), [], query);
  }
});

test('the dashboard shows every metric', () => {
  const { ofPanels } = dashboardQueries();
  const missing = [...documentedMetrics().keys()].filter((name) => !ofPanels.some((query) => query.includes(name)));
  assert.deepEqual(missing, []);
});

test('each panel of the dashboard has an id of its own, a place of its own and an explanation', () => {
  const { panels } = dashboard();
  const unique = (values) => new Set(values).size;
  assert.equal(unique(panels.map(({ id }) => id)), panels.length);
  assert.equal(unique(panels.map(({ gridPos }) => `${gridPos.x}:${gridPos.y}`)), panels.length);
  for (const { title, type, description } of panels) {
    assert.ok(title && (type === 'row' || description), title);
  }
});
