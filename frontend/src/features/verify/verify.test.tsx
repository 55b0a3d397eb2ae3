import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FileCheck } from '../../api/types';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';
import { readFragment } from './printed-records';

const HASH = '5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456';
const KEY = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const SIGNATURE = '0f'.repeat(64);

const known = { hash: HASH, isKnown: true, number: 1, recordedAt: '2026-11-21T18:10:02Z', key: KEY };
const unknown = { hash: '0'.repeat(64), isKnown: false, number: null, recordedAt: null, key: null };

const recounted = {
  name: 'Item 1, round 1: Do you approve?',
  register: 731,
  ballots: 620,
  method: 'Counted again from all answers',
  isRecounted: true,
  differences: [],
};

const checked: FileCheck = {
  verdict: 'signed',
  kind: 'results',
  title: 'Annual meeting',
  organization: 'Rowing Club',
  key: KEY,
  rounds: [recounted],
  entries: null,
  purged: null,
  differences: [],
  faults: [],
  records: [known],
  timestamps: [],
};

function answerFile(check: FileCheck) {
  server.use(
    http.post('/public/verify', ({ response }) => response(200).json({ success: true, data: check })),
  );
}

function answerRecords(records: (typeof known | typeof unknown)[], minutesKey: string | null) {
  server.use(
    http.post('/public/verify/records', ({ response }) =>
      response(200).json({ success: true, data: { records, minutesKey } }),
    ),
  );
}

function file(name: string, content = '{}'): File {
  return new File([content], name);
}

beforeEach(() => {
  server.use(
    http.get('/public/evidence-keys', ({ response }) =>
      response(200).json({
        keys: [
          {
            fingerprint: KEY,
            publicKey: HASH,
            createdAt: '2026-11-01T08:00:00Z',
            retiredAt: null,
            endorsedBy: null,
            endorsement: null,
            isLost: false,
          },
        ],
      }),
    ),
  );
});

describe('the check of a file', () => {
  it('says who timestamped its records, and whether the authority is known', async () => {
    const timestamp = {
      hash: HASH,
      authority: 'Example Timestamps',
      at: '2026-11-21T18:10:04Z',
      isAuthorityKnown: true,
    };
    answerFile({ ...checked, timestamps: [timestamp] });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('agm.json'));
    const list = await screen.findByRole('list', { name: 'Timestamps' });
    expect(list).toHaveTextContent('Authority known Timestamped by Example Timestamps at');
    expect(screen.getByText(/An independent authority has seen 1 record/)).toBeVisible();
    expect(screen.queryByText(/no certificate of the authority/)).not.toBeInTheDocument();
    answerFile({ ...checked, timestamps: [{ ...timestamp, isAuthorityKnown: null }] });
    await user.upload(screen.getByLabelText('Exported file'), file('other.json'));
    expect(await screen.findByText(/no certificate of the authority/)).toBeVisible();
    expect(screen.queryByText('Authority known')).not.toBeInTheDocument();
  });

  it.each([
    ['attendance_table', 'Attendance of a meeting (table)', /That the entries are true/],
    ['proxies_table', 'Proxies of a meeting (table)', /That the proxies were given/],
  ] as const)('says that of a file of kind %s only the cells are proven', async (kind, content, unproven) => {
    answerFile({ ...checked, kind, rounds: [] });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('table.csv'));
    expect(await screen.findByText(content)).toBeVisible();
    expect(screen.getByText('No cell has been changed since the table was signed.')).toBeVisible();
    expect(screen.getByText(unproven)).toBeVisible();
    expect(screen.getByText(/hidden rows and columns/)).toBeVisible();
    expect(screen.queryByText(/counted/)).not.toBeInTheDocument();
  });

  it('says what is proven, what is not, and which records are known', async () => {
    answerFile(checked);
    const { user } = await renderApp('/verify');
    expect(await screen.findByRole('heading', { name: 'Check a result' })).toBeVisible();
    await user.upload(screen.getByLabelText('Exported file'), file('agm.json'));
    const heading = await screen.findByRole('heading', {
      name: 'Signed by this installation, and consistent',
    });
    expect(heading).toHaveFocus();
    expect(screen.getByText('agm.json')).toBeVisible();
    expect(screen.getByText(/the results of 1 round agree/)).toBeVisible();
    expect(screen.getByText(/Who chose what in a secret vote/)).toBeVisible();
    expect(within(screen.getByRole('list', { name: 'Records' })).getByText('Known here')).toBeVisible();
    expect(within(screen.getByRole('list', { name: 'Recount' })).getByText('Agrees')).toBeVisible();
  });

  it('says of which rounds only the sums were checked', async () => {
    const method = 'Only the sums are kept, because weights differ: checked against marks, receipts and hash';
    const sums = { ...recounted, name: 'Item 2, round 1: Who?', method, isRecounted: false };
    answerFile({ ...checked, rounds: [recounted, sums] });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('agm.json'));
    expect(await screen.findByText(/the results of 1 round agree/)).toBeVisible();
    expect(screen.getByText(/The sums of 1 round are possible/)).toBeVisible();
    expect(screen.getByText(/The sums of 1 round: the file has no answers/)).toBeVisible();
    expect(screen.getByText(/Only the sums are kept, because weights differ/)).toBeVisible();
    expect(screen.getByText(/Counted again from all answers/)).toBeVisible();
  });

  it('says which entries of an audit log were purged', async () => {
    answerFile({ ...checked, kind: 'audit_log', title: null, organization: null, entries: 40, purged: 1200 });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('audit-log.json'));
    expect(await screen.findByText(/Entries 1 to 1,200 are not in the file. They were purged/)).toBeVisible();
  });

  it('names an archive, and the entries of the audit log in it', async () => {
    answerFile({ ...checked, kind: 'archive', entries: 1200 });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('agm-archive.json'));
    expect(await screen.findByText('Archive of a meeting (JSON)')).toBeVisible();
    expect(screen.getByText('1,200')).toBeVisible();
    expect(screen.getByText(/minutes and entries of the audit log are as they were signed/)).toBeVisible();
  });

  it('lists each place of a changed file', async () => {
    const difference = { field: 'result.options.0.heads', file: '5', expected: '4' };
    answerFile({
      ...checked,
      verdict: 'not_consistent',
      key: null,
      rounds: [{ ...recounted, name: 'Item 1', register: 2, ballots: 2, differences: [difference] }],
      records: [unknown],
    });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('agm.json'));
    await screen.findByRole('heading', { name: 'Not consistent: do not rely on this file' });
    const places = within(screen.getByRole('list', { name: 'What does not match' }));
    expect(places.getByText('Item 1, result.options.0.heads')).toBeVisible();
    expect(places.getByText('The file says 5; expected: 4.')).toBeVisible();
    expect(screen.getByText('Not known here')).toBeVisible();
  });

  it('counts one ballot, one person and one more place', async () => {
    const differences = Array.from({ length: 21 }, (_, place) => ({
      field: `result.options.${place}.heads`,
      file: '5',
      expected: '4',
    }));
    answerFile({
      ...checked,
      verdict: 'not_consistent',
      key: null,
      rounds: [{ ...recounted, register: 1, ballots: 1, differences }],
    });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('agm.json'));
    expect(await screen.findByText(/1 ballot, 1 person in the register\./)).toBeVisible();
    expect(screen.getByText('… and 1 more place.')).toBeVisible();
  });

  it('does not take a consistent file for a file of this installation', async () => {
    answerFile({ ...checked, verdict: 'origin_unknown', key: null });
    const { user } = await renderApp('/verify');
    await user.upload(await screen.findByLabelText('Exported file'), file('agm.json'));
    await screen.findByRole('heading', { name: 'Consistent, origin unknown' });
    expect(screen.getByText(/it is not signed. Anybody can write a consistent file/)).toBeVisible();
  });

  it('refuses a large file without sending it, and shows the reason of the server', async () => {
    server.use(
      http.untyped.post('*/api/public/verify', () =>
        Response.json({ code: 'unsigned_table', error: 'This table is not signed.' }, { status: 422 }),
      ),
    );
    const { user } = await renderApp('/verify');
    const input = await screen.findByLabelText('Exported file');
    await user.upload(input, file('large.json', ' '.repeat(8 * 1024 * 1024 + 1)));
    expect(await screen.findByText(/larger than 8 MB/)).toBeVisible();
    await user.upload(input, file('agm.csv', 'a,b'));
    expect(await screen.findByText('This table is not signed.')).toBeVisible();
  });
});

describe('the code of minutes', () => {
  it('shows the records that it contains', async () => {
    answerRecords([known, unknown], KEY);
    await renderApp(`/verify#R=${HASH.toUpperCase()}-${unknown.hash}&S=${SIGNATURE.toUpperCase()}`);
    expect(await screen.findByRole('heading', { name: '1 of 2 records are known here' })).toBeVisible();
    expect(
      screen.getByText('This installation signed minutes with exactly these record hashes.'),
    ).toBeVisible();
  });

  it('warns of minutes that another key signed', async () => {
    answerRecords([known], null);
    await renderApp(`/verify#R=${HASH}&S=${SIGNATURE}`);
    expect(await screen.findByRole('heading', { name: 'Not signed by this installation' })).toBeVisible();
  });

  it('says so when it is damaged', async () => {
    await renderApp(`/verify#R=${HASH.slice(2)}`);
    expect(await screen.findByText(/The address of this page is damaged/)).toBeVisible();
  });
});

it('reads hashes and a signature from an address', () => {
  expect(readFragment('')).toBeNull();
  expect(readFragment('#main')).toBeNull();
  expect(readFragment(`#R=${HASH.toUpperCase()}`)).toEqual({ hashes: [HASH], signature: null });
  expect(readFragment(`#R=${HASH}-${HASH}&S=${SIGNATURE}`)).toEqual({
    hashes: [HASH, HASH],
    signature: SIGNATURE,
  });
  for (const damaged of ['#R=', `#R=${HASH}-`, `#R=${HASH}&S=0f`, `#R=${HASH.slice(1)}g`]) {
    expect(readFragment(damaged)).toBe('damaged');
  }
});
