import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Portal } from '../../shared/diagnostics/run/portal';
import { catchDownloads } from '../../test/catch-downloads';
import { FakePlenum, fakePeople } from '../../test/fake-plenum';
import { renderApp } from '../../test/render-app';
import { server } from '../../test/server';
import { cardsOf } from './catalogue';

let fake: FakePlenum;
/** The response of the schema endpoint. */
let schema: () => Response | Promise<Response>;

beforeEach(() => {
  vi.restoreAllMocks();
  fake = new FakePlenum();
  schema = () => HttpResponse.json({ isValid: true, message: '', details: { differences: [] } });
  fake.sick = ({ path, person }) => {
    if (path === '/test/schema') {
      return schema();
    }
    if (path === '/test/migrations') {
      return HttpResponse.json({ pending: ['2026-11-21-000010_test_data'], details: { applied: 9 } });
    }
    return path === '/auth/me' && person
      ? HttpResponse.json({ user: Object.values(fakePeople).find(({ id }) => id === person.id) })
      : undefined;
  };
});

async function open(portal: Portal = 'CLIENT') {
  const app = await renderApp(portal === 'CLIENT' ? '/client/tests' : '/admin/tests', {
    as: fakePeople[portal],
  });
  // After the sign-in of the test: from now on the fake server answers.
  window.localStorage.setItem('accessToken', fake.tokenOf(fakePeople[portal]));
  server.use(fake.handler);
  await screen.findByRole('button', { name: 'Run All Tests' });
  return app;
}

/** A schema request without a response yet. */
function holdSchema(): () => void {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  schema = async () => {
    await released;
    return HttpResponse.json({ isValid: true, message: '', details: { differences: [] } });
  };
  return release;
}

const button = (name: string) => screen.getByRole('button', { name });
const results = () =>
  within(screen.getByRole('region', { name: 'List of results' })).getAllByRole('listitem');
const ended = () => waitFor(() => expect(button('Run All Tests')).toBeEnabled());

const NAMES = {
  'Database Tests': ['Database Connection', 'Database Schema', 'Migrations Status', 'Data Integrity'],
  'API Tests': ['Authentication Endpoints', 'Client CRUD Operations', 'Meeting Endpoints', 'Voting Flow'],
  'Performance Tests': [
    'Load Testing',
    'Response Time Analysis',
    'Memory Usage Check',
    'Concurrent User Test',
  ],
  'Security Tests': ['JWT Validation', 'CORS Configuration', 'Role-Based Access', 'SQL Injection Test'],
};

it.each([
  ['CLIENT', 'System Tests', 'Live Simulation'],
  ['SUPER_ADMIN', 'Tests', 'Live Meeting Simulation'],
] as const)('shows the cards of %s with a button for each test', async (portal, title, simulation) => {
  await open(portal);
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeInTheDocument();
  const expected = {
    ...NAMES,
    'Integration Tests': [
      'Complete Workflow Test',
      'Client Management',
      'User Management',
      'Meeting Lifecycle',
      simulation,
      'Cleanup Data',
      'Verify State',
    ],
  };
  for (const [card, names] of Object.entries(expected)) {
    const buttons = within(screen.getByRole('region', { name: card })).getAllByRole('button');
    expect(buttons.map((one) => one.getAttribute('aria-label') ?? one.textContent)).toEqual([
      `Run All ${card}`,
      ...names,
    ]);
  }
  expect(screen.getByText('No tests have been run yet')).toBeInTheDocument();
  expect(screen.getAllByRole('link', { name: title })[0]).toHaveAttribute('aria-current', 'page');
  expect(new Set(cardsOf(portal).flatMap(({ tests }) => tests.map(({ about }) => about))).size).toBe(23);
});

it('has the subtitle of the specification in the client portal', async () => {
  await open();
  expect(screen.getByText('Run various system tests and diagnostics')).toBeInTheDocument();
});

it('disables every test while one runs, lists what it found, and clears the list', async () => {
  const release = holdSchema();
  const { user } = await open();
  await user.click(button('Database Schema'));
  const [entry] = results();
  expect(within(entry as HTMLElement).getByText('Running')).toBeInTheDocument();
  for (const name of [
    ...Object.values(NAMES).flat(),
    'Run All Tests',
    'Run All Security Tests',
    'Cleanup Data',
  ]) {
    expect(button(name)).toBeDisabled();
  }
  expect(screen.getByRole('progressbar', { name: 'Progress of Database Schema' })).toBeInTheDocument();
  release();
  await ended();
  expect(button('Database Schema')).toBeEnabled();
  const item = within(results()[0] as HTMLElement);
  expect(item.getByText('Success')).toBeInTheDocument();
  expect(item.getByRole('heading', { name: 'Database Schema' })).toBeInTheDocument();
  expect(item.getByText(/^Tables, columns/)).toBeInTheDocument();
  expect(item.getByText(/"differences": \[\]/)).toBeInTheDocument();
  expect(screen.getByText('1 passed, 0 warnings, 0 errors')).toBeInTheDocument();
  expect(screen.getByText(/^Database Schema: Success\. Tables/)).toBeInTheDocument();
  const releaseAgain = holdSchema();
  await user.click(button('Database Schema'));
  for (const name of ['Clear', 'Download Report']) {
    expect(button(name)).toBeDisabled();
  }
  releaseAgain();
  await ended();
  await user.click(button('Clear'));
  expect(screen.getByText('No tests have been run yet')).toBeInTheDocument();
});

it('keeps the place of the keyboard: at Stop while a test runs, at its button afterwards', async () => {
  const release = holdSchema();
  const { user } = await open();
  button('Database Schema').focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(button('Stop')).toHaveFocus());
  release();
  await waitFor(() => expect(button('Database Schema')).toHaveFocus());
});

it('runs the tests of a card one after another, and says how each ended', async () => {
  const { user } = await open();
  await user.click(button('Run All Database Tests'));
  await waitFor(() => expect(results()).toHaveLength(4));
  await ended();
  const texts = results().map((item) => within(item).getByRole('heading').textContent);
  expect(texts).toEqual([...NAMES['Database Tests']].reverse());
  const migrations = within(results()[1] as HTMLElement);
  expect(migrations.getByText('Error')).toBeInTheDocument();
  expect(migrations.getByText(/^1 migration is pending: 2026-11-21-000010_test_data\./)).toBeInTheDocument();
  const card = within(screen.getByRole('region', { name: 'Database Tests' }));
  expect(card.getAllByText('Error').length).toBeGreaterThan(0);
});

it('stops at once, and says so until it is tidied up', async () => {
  holdSchema();
  const { user } = await open();
  await user.click(button('Run All Database Tests'));
  await screen.findByRole('progressbar', { name: 'Progress of Database Schema' });
  await user.click(button('Stop'));
  await ended();
  const texts = results().map((item) => item.textContent);
  expect(texts[0]).toContain('Database Schema');
  expect(texts[0]).toContain('Stopped before it was finished.');
  expect(texts).toHaveLength(2);
});

it('stops what runs when the page is left, and shows it to those who come back', async () => {
  holdSchema();
  const { user } = await open();
  await user.click(button('Database Schema'));
  const link = screen.getAllByRole('link', { name: 'Dashboard' })[0] as HTMLElement;
  await user.click(link);
  await screen.findByRole('heading', { level: 1, name: /Dashboard/ });
  await user.click(screen.getAllByRole('link', { name: 'System Tests' })[0] as HTMLElement);
  await ended();
  expect(results()[0]?.textContent).toContain('Stopped before it was finished.');
});

it('has the browser ask before the tab is closed, as long as something runs', async () => {
  const release = holdSchema();
  const { user } = await open();
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true });
    act(() => void window.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect(closing()).toBe(false);
  await user.click(button('Database Schema'));
  expect(closing()).toBe(true);
  release();
  await ended();
  expect(closing()).toBe(false);
});

it('gives all results as a file, without secrets', async () => {
  const files = catchDownloads();
  schema = () =>
    HttpResponse.json(
      { error: 'Not now.', code: 'busy', token: 'a secret', password: 'another' },
      { status: 500 },
    );
  const { user } = await open();
  await user.click(button('Database Schema'));
  await ended();
  await user.click(button('Download Report'));
  expect(files[0]?.name).toMatch(/^plenum-tests-\d{4}-\d\d-\d\d-\d{4}\.json$/);
  const report = JSON.parse((await files[0]?.text()) ?? '');
  expect(report).toMatchObject({
    portal: 'CLIENT',
    address: 'http://plenum.test',
    summary: '0 passed, 0 warnings, 1 error',
    results: [
      { name: 'Database Schema', status: 'error', details: { status: 500, answer: { code: 'busy' } } },
    ],
  });
  expect(JSON.stringify(report)).not.toContain('secret');
  expect(JSON.stringify(report)).not.toContain('another');
  expect(document.body.textContent).not.toContain('a secret');
});

describe('test data that are there on arrival', () => {
  function leave(title: string): void {
    const clientId = fakePeople.CLIENT.clientId ?? '';
    fake.meetings.push({ id: title, clientId, title, status: 'DRAFT', participants: [], current: null });
  }

  it('are listed, and can be deleted', async () => {
    leave('TEST_meeting_1');
    leave('TEST_meeting_2');
    leave('Annual general meeting');
    const { user } = await open();
    expect(
      await screen.findByText(
        /^A test run was interrupted or is running elsewhere, and 2 test records are still there\./,
      ),
    ).toBeInTheDocument();
    await user.click(button('Run Cleanup Data'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 meetings?' }));
    expect(dialog.getByText(/TEST_meeting_1, TEST_meeting_2/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Delete test data' }));
    await ended();
    expect(fake.meetings.map(({ title }) => title)).toEqual(['Annual general meeting']);
    await waitFor(() => expect(screen.queryByText(/was broken off/)).not.toBeInTheDocument());
    expect(results()[0]?.textContent).toContain('Deleted 2 meetings. No test data is left.');
  });

  it('are kept where the person says no', async () => {
    leave('TEST_meeting_1');
    const { user } = await open();
    await user.click(button('Cleanup Data'));
    await user.click(await screen.findByRole('button', { name: 'Keep them' }));
    await ended();
    expect(fake.meetings).toHaveLength(1);
    expect(results()[0]?.textContent).toContain('Kept test data');
    expect(await screen.findByText(/1 test record is still there/)).toBeInTheDocument();
  });
});
