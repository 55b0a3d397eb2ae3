import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { http, server } from '../../test/server';
import { CheckInDesk } from './check-in-desk';
import { readQueue, writeQueue } from './desk-storage';

const TOKEN = 'desk_for-a-test-of-a-closed-desk';

function unsent(name: string, kind: 'IN' | 'OUT') {
  return { id: `id of ${name}`, endUserId: name, name, kind, at: '2026-11-21T17:04:00Z', contactAt: null };
}

beforeEach(() => {
  const refusal = { error: 'The link of this desk no longer works.', code: 'desk_ended' };
  server.use(
    http.untyped.all('*/api/desk', () => HttpResponse.json(refusal, { status: 401 })),
    http.untyped.all('*/api/desk/*', () => HttpResponse.json(refusal, { status: 401 })),
  );
});

afterEach(() => localStorage.clear());

it('lists what a closed desk has not sent, and deletes it from the device', async () => {
  writeQueue(TOKEN, [unsent('Ada Ash', 'IN'), unsent('Ben Birch', 'OUT')]);
  renderPart(<CheckInDesk token={TOKEN} />);
  expect(
    await screen.findByText('2 entries were not sent and are not in the attendance. Tell the organizer.'),
  ).toBeVisible();
  expect(screen.queryByText(/^(Sending|Connecting)/)).not.toBeInTheDocument();
  const entries = within(screen.getByRole('region', { name: 'Not sent' })).getAllByRole('listitem');
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Ada Ash, in at \d\d:\d\d$/),
    expect.stringMatching(/^Ben Birch, out at \d\d:\d\d$/),
  ]);

  const askToDelete = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Delete from this device' }));
    const name = 'Delete the entries from this device?';
    return within(await screen.findByRole('dialog', { name }));
  };
  await userEvent.click((await askToDelete()).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(readQueue(TOKEN)).toHaveLength(2);

  await userEvent.click((await askToDelete()).getByRole('button', { name: 'Delete entries' }));
  await waitFor(() => expect(screen.queryByText(/not sent/)).not.toBeInTheDocument());
  expect(readQueue(TOKEN)).toEqual([]);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'This desk is closed' })).toHaveFocus());
  expect(screen.getByRole('alert')).toHaveTextContent('The link of this desk no longer works.');
});

it('speaks of one entry in the singular', async () => {
  writeQueue(TOKEN, [unsent('Ada Ash', 'IN')]);
  renderPart(<CheckInDesk token={TOKEN} />);
  expect(
    await screen.findByText('1 entry was not sent and is not in the attendance. Tell the organizer.'),
  ).toBeVisible();
});

it('says nothing of entries on a closed desk that has sent them all', async () => {
  renderPart(<CheckInDesk token={TOKEN} />);
  expect(await screen.findByRole('heading', { name: 'This desk is closed' })).toBeVisible();
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
