import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { EndUser } from '../../../api/types';
import { catchDownloads } from '../../../test/catch-downloads';
import { clientAdmin } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { sampleEndUser } from '../../../test/samples';
import { http, server } from '../../../test/server';

let endUsers: EndUser[];

const person = (id: string, changes: Partial<EndUser> = {}) =>
  sampleEndUser({ id, name: `Person ${id}`, username: id, ...changes });

beforeEach(() => {
  endUsers = [person('a'), person('b'), person('c', { isActive: false }), person('d', { isErased: true })];
  server.use(
    http.get('/client/end-users', ({ response }) =>
      response(200).json({
        success: true,
        data: endUsers,
        meta: { page: 1, pageSize: 50, total: endUsers.length },
      }),
    ),
  );
});

async function openAndSelect(...names: string[]): Promise<UserEvent> {
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  for (const name of names) {
    await user.click(await screen.findByRole('checkbox', { name }));
  }
  return user;
}

const bar = () => within(screen.getByRole('region', { name: 'Actions on the selected end users' }));

/** Answers changes of people by their id, and returns those that were sent. */
function answerChanges(refused: string[] = []): { id: string; isActive: unknown }[] {
  const sent: { id: string; isActive: unknown }[] = [];
  server.use(
    http.put('/client/end-users/{endUserId}', async ({ params, request, response }) => {
      const body = await request.json();
      sent.push({ id: params.endUserId, isActive: body.isActive });
      return refused.includes(params.endUserId)
        ? response(409).json({ error: 'In use', message: 'In use', code: 'x' })
        : response(200).json({ success: true, data: person(params.endUserId) } as never);
    }),
  );
  return sent;
}

it('selects single people, the page and none', async () => {
  const user = await openAndSelect('Select Person a');
  expect(screen.getByText('1 selected')).toBeInTheDocument();
  const all = screen.getByRole('checkbox', { name: 'Select all on this page' });
  expect(all).toBePartiallyChecked();
  await user.click(all);
  expect(screen.getByText('4 selected')).toBeInTheDocument();
  expect(all).toBeChecked();
  await user.click(all);
  expect(screen.queryByText(/selected$/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('checkbox', { name: 'Select Person b' }));
  await user.click(bar().getByRole('button', { name: 'Clear selection' }));
  expect(screen.getByRole('checkbox', { name: 'Select Person b' })).not.toBeChecked();
});

it('ends the selection with the search, so that nobody unseen is affected', async () => {
  const user = await openAndSelect('Select Person a');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'Inactive Only');
  await waitFor(() => expect(screen.queryByText('1 selected')).not.toBeInTheDocument());
});

it('deactivates those that are active, one after another, and says how many are not concerned', async () => {
  const sent = answerChanges();
  const user = await openAndSelect('Select all on this page');
  await user.click(bar().getByRole('button', { name: 'Deactivate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate 2 end users?' }));
  expect(dialog.getByText('2 selected people are not concerned.')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Deactivate 2 end users' }));
  expect(await screen.findByText('2 end users deactivated')).toBeInTheDocument();
  expect(sent).toEqual([
    { id: 'a', isActive: false },
    { id: 'b', isActive: false },
  ]);
  expect(screen.queryByText(/selected$/)).not.toBeInTheDocument();
});

it('offers no action that concerns nobody', async () => {
  await openAndSelect('Select Person c');
  expect(bar().getByRole('button', { name: 'Deactivate' })).toBeDisabled();
  expect(bar().getByRole('button', { name: 'Activate' })).toBeEnabled();
});

it('names who failed and tries only these again', async () => {
  const sent = answerChanges(['a']);
  const user = await openAndSelect('Select Person a', 'Select Person b');
  await user.click(bar().getByRole('button', { name: 'Deactivate' }));
  await user.click(await screen.findByRole('button', { name: 'Deactivate 2 end users' }));
  expect(await screen.findByText('Person a: In use')).toBeInTheDocument();
  expect(screen.getByText('1 done, 1 failed, 0 left.')).toBeInTheDocument();
  sent.length = 0;
  await user.click(screen.getByRole('button', { name: 'Deactivate 1 end user' }));
  await waitFor(() => expect(sent.map(({ id }) => id)).toEqual(['a']));
});

it('stops when the server cannot be reached', async () => {
  let calls = 0;
  server.use(
    http.put('/client/end-users/{endUserId}', ({ response }) => {
      calls += 1;
      return response.untyped(Response.error());
    }),
  );
  const user = await openAndSelect('Select Person a', 'Select Person b');
  await user.click(bar().getByRole('button', { name: 'Deactivate' }));
  await user.click(await screen.findByRole('button', { name: 'Deactivate 2 end users' }));
  expect(await screen.findByText('0 done, 1 failed, 1 left.')).toBeInTheDocument();
  expect(calls).toBe(1);
  expect(screen.getByRole('button', { name: 'Deactivate 2 end users' })).toBeInTheDocument();
});

it('deletes only after the number was typed', async () => {
  const deleted: string[] = [];
  server.use(
    http.delete('/client/end-users/{endUserId}', ({ params, response }) => {
      deleted.push(params.endUserId);
      return response(200).json({ success: true } as never);
    }),
  );
  const user = await openAndSelect('Select Person a', 'Select Person d');
  await user.click(bar().getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 end users?' }));
  const confirm = dialog.getByRole('button', { name: 'Delete 2 end users' });
  expect(confirm).toBeDisabled();
  await user.type(dialog.getByRole('textbox', { name: /Type “2”/ }), '2');
  await user.click(confirm);
  expect(await screen.findByText('2 end users deleted')).toBeInTheDocument();
  expect(deleted).toEqual(['a', 'd']);
});

it('hands over the new passwords in one file, also after a failure', async () => {
  const downloads = catchDownloads();
  server.use(
    http.post('/client/end-users/{endUserId}/export-credentials', ({ params, response }) =>
      params.endUserId === 'b'
        ? response(409).json({ error: 'Not now', message: 'Not now', code: 'x' })
        : response(200).json({
            success: true,
            data: {
              organization: 'Riverside',
              clientCode: 'riverside',
              name: `Person ${params.endUserId}`,
              username: params.endUserId,
              password: `secret-${params.endUserId}`,
              email: null,
              loginInstructions: 'Open the page',
            },
          } as never),
    ),
  );
  const user = await openAndSelect('Select Person a', 'Select Person b', 'Select Person c');
  await user.click(bar().getByRole('button', { name: 'Export credentials' }));
  await user.click(await screen.findByRole('button', { name: 'Set new passwords for 3 end users' }));
  expect(await screen.findByText('Person b: Not now')).toBeInTheDocument();
  expect(downloads.map(({ name }) => name)).toEqual(['credentials.txt']);
  expect(await downloads[0]?.text()).toMatch(/secret-a[\s\S]*secret-c/);
});
