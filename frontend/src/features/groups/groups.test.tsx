import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { UserGroup } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser } from '../../test/samples';
import { http, server } from '../../test/server';

const DELEGATES: UserGroup = { id: 'g1', name: 'Delegates', members: 2 };
const UNITS: UserGroup = { id: 'g2', name: 'Units', members: 0 };

function answerGroups(groups: UserGroup[]) {
  server.use(
    http.get('/client/groups', ({ response }) => response(200).json({ success: true, data: groups })),
  );
}

it('lists groups with links to their members', async () => {
  answerGroups([DELEGATES, UNITS]);
  await renderApp('/client/groups', { as: clientAdmin });
  expect(await screen.findByRole('link', { name: '2 members of Delegates' })).toHaveAttribute(
    'href',
    '/client/end-users?group=g1',
  );
  expect(screen.getByRole('link', { name: '0 members of Units' })).toBeInTheDocument();
});

it('creates a group, and shows a taken name at its field', async () => {
  answerGroups([]);
  const names: string[] = [];
  server.use(
    http.post('/client/groups', async ({ request, response }) => {
      const { name } = await request.json();
      names.push(name);
      const taken = 'Another group has this name.';
      return names.length === 1
        ? response(409).json({
            error: taken,
            message: taken,
            code: 'group_name_taken',
            fields: { name: [taken] },
          })
        : response(201).json({ success: true, data: { ...DELEGATES, name } });
    }),
  );
  const { user } = await renderApp('/client/groups', { as: clientAdmin });
  expect(await screen.findByText('No groups yet')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Create Group' }));
  await user.type(await screen.findByRole('textbox', { name: /Name/ }), ' Delegates ');
  const submit = () => screen.getAllByRole('button', { name: 'Create Group' }).at(-1) as HTMLElement;
  await user.click(submit());
  expect(await screen.findByText('Another group has this name.')).toBeInTheDocument();
  const field = screen.getByRole('textbox', { name: /Name/ });
  await user.clear(field);
  await user.type(field, 'Members');
  await user.click(submit());
  expect(await screen.findByText('Group created')).toBeInTheDocument();
  expect(names).toEqual(['Delegates', 'Members']);
});

it('says what uses a group that cannot be deleted', async () => {
  answerGroups([DELEGATES]);
  const used = 'This group is used by the meeting “General assembly”; change that first';
  server.use(
    http.delete('/client/groups/{groupId}', ({ response }) =>
      response(409).json({ error: used, message: used, code: 'group_in_use' }),
    ),
  );
  const { user } = await renderApp('/client/groups', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: /Delete/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Delete Delegates' }));
  expect(await screen.findByText(/used by the meeting/)).toBeInTheDocument();
});

it('narrows the list of end users to a group, and adds the selected people to another', async () => {
  answerGroups([DELEGATES, UNITS]);
  const asked: (string | null)[] = [];
  const sent: unknown[] = [];
  const vera = sampleEndUser({ groups: [{ id: 'g1', name: 'Delegates' }] });
  server.use(
    http.get('/client/end-users', ({ request, response }) => {
      asked.push(new URL(request.url).searchParams.get('groupId'));
      return response(200).json({
        success: true,
        data: [vera],
        meta: { page: 1, pageSize: 50, total: 1 },
      });
    }),
    http.post('/client/groups/{groupId}/members', async ({ params, request, response }) => {
      sent.push([params.groupId, await request.json()]);
      return response(200).json({ success: true, added: 1, removed: 0, members: 1 });
    }),
  );
  const { user } = await renderApp('/client/end-users?group=g1', { as: clientAdmin });
  await user.click(await screen.findByRole('checkbox', { name: 'Select Vera Lind' }));
  expect(asked).toEqual(['g1']);
  await user.click(screen.getByRole('button', { name: 'Add to group' }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Group' }), 'Units');
  await user.click(screen.getByRole('button', { name: 'Add to group: 1 end user' }));
  expect(await screen.findByText('1 end user added to Units')).toBeInTheDocument();
  await waitFor(() => expect(sent).toEqual([['g2', { add: [vera.id] }]]));
});

it('sends the groups of a person together, so that nobody is in none while they are moved', async () => {
  answerGroups([DELEGATES, UNITS, { id: 'g3', name: 'Board', members: 1 }]);
  const vera = sampleEndUser({
    groups: [
      { id: 'g1', name: 'Delegates' },
      { id: 'g3', name: 'Board' },
    ],
  });
  const sent: unknown[] = [];
  server.use(
    http.get('/client/end-users', ({ response }) => response(200).json({ success: true, data: [vera] })),
    http.get('/client/end-users/{endUserId}', ({ response }) =>
      response(200).json({ success: true, data: vera }),
    ),
    http.put('/client/end-users/{endUserId}', async ({ request, response }) => {
      sent.push(await request.json());
      return response(200).json({ success: true, data: vera });
    }),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Actions for Vera Lind' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit End User' }));
  await user.click(await dialog.findByRole('checkbox', { name: 'Units' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Delegates' }));
  await user.click(dialog.getByRole('button', { name: 'Update End User' }));
  expect(await screen.findByText('End user updated successfully!')).toBeInTheDocument();
  expect(sent).toEqual([{ groupIds: ['g3', 'g2'] }]);
});
