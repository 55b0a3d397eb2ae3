import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EndUser, UpdateEndUserBody } from '../../api/types';
import { TEST_PERSON } from '../../shared/test-data';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser } from '../../test/samples';
import { http, server } from '../../test/server';

let endUsers: EndUser[];
let queries: string[];
let total: number | null;

const REASON_REQUEST = {
  code: 'password_reason_needed',
  error: '1 person may vote on “Budget?” in “Assembly”, and voting is open. Give a reason',
  message: '1 person may vote on “Budget?” in “Assembly”, and voting is open. Give a reason',
  fields: { passwordReason: ['Must be the reason for the new password, of 1 to 200 characters.'] },
  openVotes: [{ meeting: 'Assembly', question: 'Budget?', people: 1 }],
};

beforeEach(() => {
  endUsers = [sampleEndUser()];
  queries = [];
  total = null;
  server.use(
    http.get('/client/end-users', ({ request, response }) => {
      queries.push(new URL(request.url).search);
      const meta = total === null ? null : { page: 1, pageSize: 50, total };
      return response(200).json({ success: true, data: endUsers, meta });
    }),
    http.get('/client/end-users/{endUserId}', ({ params, response }) => {
      const endUser = endUsers.find(({ id }) => id === params.endUserId);
      return endUser
        ? response(200).json({ success: true, data: endUser })
        : response(404).json({ error: 'x', message: 'x', code: 'end_user_not_found' });
    }),
  );
});

/** Replaces the browser's download. */
function catchDownload() {
  const createObjectURL = vi.fn((_file: Blob) => 'blob:credentials');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: vi.fn() }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  click.mockClear();
  return {
    clicks: () => click.mock.calls.length,
    text: () => createObjectURL.mock.calls[0]?.[0].text(),
  };
}

/** Chooses an action from the menu of Vera's row. */
async function choose(user: UserEvent, action: string) {
  await user.click(await screen.findByRole('button', { name: 'Actions for Vera Lind' }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

it('says of test people that they have no vote in real meetings, in the list and before saving', async () => {
  endUsers = [
    sampleEndUser(),
    sampleEndUser({ id: 'e2', name: 'TEST_Tomas', username: 'tomas', isTest: true }),
  ];
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  const row = within(await screen.findByRole('row', { name: /TEST_Tomas/ }));
  expect(row.getByText('Test')).toBeInTheDocument();
  expect(screen.getByText(/People marked “Test” are test data/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Create End User' }));
  const form = within(await screen.findByRole('dialog', { name: 'Create New End User' }));
  await user.type(form.getByRole('textbox', { name: /^Full Name/ }), 'Anna');
  expect(form.queryByText(TEST_PERSON)).not.toBeInTheDocument();
  await user.type(form.getByRole('textbox', { name: /^Username/ }), 'TEST_anna');
  expect(form.getByText(TEST_PERSON)).toBeInTheDocument();
});

it('lists end users with what is missing in words', async () => {
  endUsers = [
    sampleEndUser(),
    sampleEndUser({ id: 'e2', name: 'Tomas Okafor', username: 'tomas', email: null, isActive: false }),
  ];
  await renderApp('/client/end-users', { as: clientAdmin });
  expect(await screen.findByRole('heading', { name: 'End Users (2)' })).toBeInTheDocument();
  const row = within(screen.getByRole('row', { name: /Tomas/ }));
  expect(row.getByText('N/A')).toBeInTheDocument();
  expect(row.getByText('Inactive')).toBeInTheDocument();
  expect(row.getByText('Never')).toBeInTheDocument();
  expect(within(screen.getByRole('row', { name: /Vera/ })).getByText('2.5')).toBeInTheDocument();
});

it('asks the server for what is searched and filtered', async () => {
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await screen.findByRole('row', { name: /Vera/ });
  endUsers = [];
  await user.type(screen.getByRole('searchbox', { name: 'Search end users' }), 'xyz');
  expect(await screen.findByText('No end users found')).toBeInTheDocument();
  expect(screen.getByText('Try adjusting your search or filters')).toBeInTheDocument();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'Inactive Only');
  await waitFor(() => expect(queries.at(-1)).toBe('?pageSize=50&page=1&search=xyz&status=inactive'));
});

it('shows a page at a time, and starts anew with each search', async () => {
  total = 120;
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  expect(await screen.findByRole('heading', { name: 'End Users (120)' })).toBeInTheDocument();
  const pages = within(screen.getByRole('navigation', { name: 'Pages of End Users' }));
  expect(pages.getByText('1–50 of 120')).toBeInTheDocument();
  await user.click(pages.getByRole('button', { name: 'Page 3' }));
  expect(pages.getByText('101–120 of 120')).toBeInTheDocument();
  await waitFor(() => expect(queries.at(-1)).toBe('?pageSize=50&page=3'));
  await user.type(screen.getByRole('searchbox', { name: 'Search end users' }), 'v');
  await waitFor(() => expect(queries.at(-1)).toBe('?pageSize=50&page=1&search=v'));
});

it('creates an end user and hands over the credentials as a file', async () => {
  const download = catchDownload();
  let sent: unknown;
  server.use(
    http.post('/client/end-users', async ({ request, response }) => {
      sent = await request.json();
      return response(201).json({
        success: true,
        data: sampleEndUser(),
        credentials: {
          organization: 'Riverside Housing Cooperative',
          clientCode: 'riverside',
          name: 'Vera Lind',
          username: 'vera',
          password: 'long enough',
          loginInstructions: 'Sign in with your code.',
        },
      });
    }),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Create End User' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New End User' }));
  await user.type(dialog.getByLabelText(/Full Name/), 'Vera Lind');
  await user.type(dialog.getByLabelText(/Username/), 'vera');
  const weight = dialog.getByLabelText(/Voting Weight/);
  await user.clear(weight);
  await user.type(weight, '2.5');
  await user.type(dialog.getByLabelText(/^Password/), 'long enough');
  await user.click(dialog.getByRole('button', { name: 'Create End User' }));

  expect(
    await screen.findByText('End user created successfully! Login credentials have been downloaded.'),
  ).toBeInTheDocument();
  expect(sent).toEqual({ name: 'Vera Lind', username: 'vera', weight: 2.5, password: 'long enough' });
  expect(await download.text()).toContain('Username: vera');
  expect(download.clicks()).toBe(1);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it.each(['abc', '250', '2.55555', '1e1', '-1'])(
  'keeps a weight of %j as it was typed, and waits',
  async (text) => {
    let calls = 0;
    server.use(
      http.post('/client/end-users', ({ response }) => {
        calls += 1;
        return response(409).json({ error: 'Taken', message: 'Taken', code: 'conflict' });
      }),
    );
    const { user } = await renderApp('/client/end-users', { as: clientAdmin });
    await user.click(await screen.findByRole('button', { name: 'Create End User' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create New End User' }));
    await user.type(dialog.getByLabelText(/Full Name/), 'Vera Lind');
    await user.type(dialog.getByLabelText(/Username/), 'vera');
    await user.type(dialog.getByLabelText(/^Password/), 'long enough');
    const weight = dialog.getByLabelText(/Voting Weight/);
    await user.clear(weight);
    await user.type(weight, text);
    await user.click(dialog.getByRole('button', { name: 'Create End User' }));
    expect(weight).toHaveValue(text);
    expect(weight).toHaveAccessibleDescription(/Must be a number from 0 to 100 with at most 4 decimals/);
    expect(calls).toBe(0);
  },
);

it('says at the field that a username is taken, and what else failed', async () => {
  server.use(
    http.post(
      '/client/end-users',
      ({ response }) =>
        response(409).json({
          error: 'This username is taken.',
          message: 'This username is taken.',
          code: 'username_taken',
          fields: { username: ['Somebody else has this username.'] },
        }),
      { once: true },
    ),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Create End User' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New End User' }));
  await user.type(dialog.getByLabelText(/Full Name/), 'Vera');
  await user.type(dialog.getByLabelText(/Username/), 'vera');
  await user.click(dialog.getByRole('button', { name: 'Generate' }));
  await user.click(dialog.getByRole('button', { name: 'Create End User' }));
  expect(await dialog.findByText('Somebody else has this username.')).toBeInTheDocument();

  server.use(http.post('/client/end-users', ({ response }) => response.untyped(Response.error())));
  await user.click(dialog.getByRole('button', { name: 'Create End User' }));
  expect(
    await dialog.findByText('Failed to create end user: the server could not be reached'),
  ).toBeInTheDocument();
  expect(dialog.getByLabelText(/Username/)).toHaveValue('vera');
});

describe('editing an end user', () => {
  async function openForm(change: Partial<EndUser> = {}) {
    endUsers = [sampleEndUser({ address: 'Quay 1', ...change })];
    const rendered = await renderApp('/client/end-users', { as: clientAdmin });
    await choose(rendered.user, 'Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit End User' }));
    await dialog.findByLabelText(/Full Name/);
    return { ...rendered, dialog };
  }

  function answerUpdates(update: (body: unknown) => void, delay: Promise<void> = Promise.resolve()) {
    server.use(
      http.put('/client/end-users/{endUserId}', async ({ request, params, response }) => {
        expect(params.endUserId).toBe(sampleEndUser().id);
        update(await request.json());
        await delay;
        endUsers = [sampleEndUser({ name: 'Vera Lindqvist', isActive: false })];
        return response(200).json({ success: true, data: endUsers[0] as EndUser });
      }),
    );
  }

  it('asks for the reason of a new password during a vote, and sends it', async () => {
    const sent: UpdateEndUserBody[] = [];
    server.use(
      http.put('/client/end-users/{endUserId}', async ({ request, response }) => {
        const body = await request.json();
        sent.push(body);
        return body.passwordReason
          ? response(200).json({ success: true, data: endUsers[0] as EndUser })
          : response(409).json(REASON_REQUEST);
      }),
    );
    const { user, dialog } = await openForm();
    expect(dialog.queryByLabelText(/Reason for the new password/)).not.toBeInTheDocument();
    await user.type(dialog.getByLabelText(/^New Password/), 'a long password{Enter}');
    expect(await dialog.findByText(/may vote on “Budget\?” in “Assembly”/)).toBeInTheDocument();
    const field = dialog.getByLabelText(/Reason for the new password/);
    await waitFor(() => expect(field).toHaveFocus());
    await user.type(field, ' Lost the letter {Enter}');
    expect(await screen.findByText('End user updated successfully!')).toBeInTheDocument();
    expect(sent.map((body) => body.passwordReason)).toEqual([undefined, 'Lost the letter']);
    expect(sent[1]?.password).toBe('a long password');
  });

  it('starts from what is stored, and sends what was emptied as null', async () => {
    let sent: unknown;
    answerUpdates((body) => {
      sent = body;
    });
    const { user, dialog } = await openForm();
    expect(dialog.getByLabelText(/Full Name/)).toHaveValue('Vera Lind');
    expect(dialog.getByLabelText(/Username/)).toHaveValue('vera');
    expect(dialog.getByLabelText(/Email/)).toHaveValue('vera.lind@riverside.test');
    expect(dialog.getByLabelText(/Voting Weight/)).toHaveValue('2.5');
    expect(dialog.getByText('Voting power (0-100, default 1.0)')).toBeInTheDocument();
    expect(dialog.getByLabelText(/Address/)).toHaveValue('Quay 1');
    expect(dialog.getByLabelText(/^New Password/)).toHaveValue('');
    expect(dialog.getByRole('switch', { name: 'Active' })).toBeChecked();

    await user.clear(dialog.getByLabelText(/Email/));
    await user.clear(dialog.getByLabelText(/Address/));
    await user.click(dialog.getByRole('switch', { name: 'Active' }));
    await user.clear(dialog.getByLabelText(/Full Name/));
    await user.type(dialog.getByLabelText(/Full Name/), 'Vera Lindqvist{Enter}');

    expect(await screen.findByText('End user updated successfully!')).toBeInTheDocument();
    expect(sent).toEqual({ name: 'Vera Lindqvist', email: null, address: null, isActive: false });
    const row = within(await screen.findByRole('row', { name: /Vera Lindqvist/ }));
    expect(row.getByText('Inactive')).toBeInTheDocument();
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Actions for Vera Lindqvist' })).toHaveFocus(),
    );
  });

  it('starts from the person as they are now, and leaves alone what another administrator changes meanwhile', async () => {
    const sent: unknown[] = [];
    answerUpdates((body) => sent.push(body));
    endUsers = [sampleEndUser()];
    const { user } = await renderApp('/client/end-users', { as: clientAdmin });
    await screen.findByRole('row', { name: /Vera Lind/ });
    endUsers = [sampleEndUser({ weight: 4, isActive: false })];
    await choose(user, 'Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit End User' }));
    expect(await dialog.findByLabelText(/Voting Weight/)).toHaveValue('4');
    expect(dialog.getByRole('switch', { name: 'Active' })).not.toBeChecked();
    endUsers = [sampleEndUser({ weight: 7 })];
    await user.type(dialog.getByLabelText(/Address/), 'Quay 1');
    await user.click(dialog.getByRole('button', { name: 'Update End User' }));
    expect(await screen.findByText('End user updated successfully!')).toBeInTheDocument();
    expect(sent).toEqual([{ address: 'Quay 1' }]);
  });

  it('leaves alone what another administrator changes while the first attempt is refused', async () => {
    const sent: unknown[] = [];
    server.use(
      http.put('/client/end-users/{endUserId}', async ({ request, response }) => {
        sent.push(await request.json());
        endUsers = [sampleEndUser({ weight: 7 })];
        return response(409).json({ error: 'Taken', message: 'Taken', code: 'username_taken' });
      }),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Username/), '2{Enter}');
    expect(await dialog.findByText('Taken')).toBeInTheDocument();
    await screen.findByRole('cell', { name: '7', hidden: true });
    await user.type(dialog.getByLabelText(/Username/), '3{Enter}');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ username: 'vera23' });
  });

  it('says that the person could not be loaded, and loads them again', async () => {
    let isDown = true;
    server.use(
      http.get('/client/end-users/{endUserId}', ({ response }) =>
        isDown
          ? response.untyped(new Response('<html>', { status: 502 }))
          : response(200).json({ success: true, data: sampleEndUser() }),
      ),
    );
    const { user } = await renderApp('/client/end-users', { as: clientAdmin });
    await choose(user, 'Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit End User' }));
    expect(await dialog.findByText('Failed to load end user')).toBeInTheDocument();
    isDown = false;
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    const name = await dialog.findByLabelText(/Full Name/);
    expect(name).toHaveValue('Vera Lind');
    expect(name).toHaveFocus();
  });

  it('sends a new password, once', async () => {
    const sent: unknown[] = [];
    let release = () => {};
    answerUpdates(
      (body) => sent.push(body),
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/^New Password/), 'long enough');
    await user.dblClick(dialog.getByRole('button', { name: 'Update End User' }));
    await user.click(await dialog.findByRole('button', { name: 'Saving...' }));
    release();
    expect(await screen.findByText('End user updated successfully!')).toBeInTheDocument();
    expect(sent).toEqual([expect.objectContaining({ password: 'long enough' })]);
  });

  it("puts the server's objections at the fields, with nothing lost", async () => {
    server.use(
      http.put('/client/end-users/{endUserId}', ({ response }) =>
        response(409).json({
          error: 'This username is taken.',
          message: 'This username is taken.',
          code: 'username_taken',
          fields: { username: ['Somebody else has this username.'] },
        }),
      ),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Full Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Update End User' }));
    expect(await dialog.findByText('Somebody else has this username.')).toBeInTheDocument();
    expect(dialog.getByRole('alert')).toHaveTextContent('Please check the marked fields.');
    await waitFor(() => expect(dialog.getByLabelText(/Username/)).toHaveFocus());
    expect(dialog.getByLabelText(/Full Name/)).toHaveValue('Vera Lind!');
  });

  it('says what is wrong before it asks the server', async () => {
    answerUpdates(() => expect.unreachable());
    const { user, dialog } = await openForm();
    await user.clear(dialog.getByLabelText(/Full Name/));
    await user.type(dialog.getByLabelText(/Email/), '@@');
    await user.type(dialog.getByLabelText(/^New Password/), 'short{Enter}');
    expect(dialog.getByText('Enter the full name')).toBeInTheDocument();
    expect(dialog.getByText(/^Enter an email address/)).toBeInTheDocument();
    expect(dialog.getByText('Minimum 8 characters')).toBeInTheDocument();
  });

  it.each([
    ['The end user is gone.', () => Response.json({ error: 'The end user is gone.' }, { status: 404 })],
    ['Failed to update end user', () => new Response('<html>', { status: 502 })],
    ['Failed to update end user: the server could not be reached', () => Response.error()],
  ])('says "%s" and keeps what was typed', async (text, answer) => {
    server.use(http.put('/client/end-users/{endUserId}', ({ response }) => response.untyped(answer())));
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Full Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Update End User' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(text);
    expect(dialog.getByLabelText(/Full Name/)).toHaveValue('Vera Lind!');
  });

  it('asks before changes are lost', async () => {
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Full Name/), '!{Escape}');
    const question = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText(/Full Name/)).toHaveValue('Vera Lind!');
  });
});

describe('exporting credentials', () => {
  const credentials = {
    organization: 'Riverside Housing Cooperative',
    clientCode: 'riverside',
    name: 'Vera Lind',
    username: 'vera',
    password: 'n3w-s3cret!!',
    loginInstructions: 'Sign in with your code.',
  };

  async function openDialog() {
    const rendered = await renderApp('/client/end-users', { as: clientAdmin });
    await choose(rendered.user, 'Export');
    const dialog = within(await screen.findByRole('dialog', { name: 'Export credentials?' }));
    return { ...rendered, dialog };
  }

  it('says first that there will be a new password, then downloads it', async () => {
    const file = catchDownload();
    let exports = 0;
    server.use(
      http.post('/client/end-users/{endUserId}/export-credentials', ({ response }) => {
        exports += 1;
        return response(200).json({ success: true, data: credentials });
      }),
    );
    const { user, dialog } = await openDialog();
    expect(dialog.getByText(/A new one is set and written into the file/)).toBeInTheDocument();
    expect(dialog.getByText(/signed out everywhere/)).toBeInTheDocument();
    expect(exports).toBe(0);
    await user.dblClick(dialog.getByRole('button', { name: 'Set new password and export' }));
    expect(await screen.findByText('Credentials exported successfully!')).toBeInTheDocument();
    expect(exports).toBe(1);
    expect(file.clicks()).toBe(1);
    expect(await file.text()).toContain('Password: n3w-s3cret!!');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Vera Lind' })).toHaveFocus());
  });

  it('asks for the reason during a vote, and then exports', async () => {
    const file = catchDownload();
    const reasons: unknown[] = [];
    server.use(
      http.post('/client/end-users/{endUserId}/export-credentials', async ({ request, response }) => {
        const text = await request.text();
        reasons.push(text ? JSON.parse(text) : null);
        return text
          ? response(200).json({ success: true, data: credentials })
          : response(409).json(REASON_REQUEST);
      }),
    );
    const { user, dialog } = await openDialog();
    const confirm = dialog.getByRole('button', { name: 'Set new password and export' });
    await user.click(confirm);
    expect(await dialog.findByRole('alert')).toHaveTextContent(/may vote on “Budget\?” in “Assembly”/);
    await user.type(dialog.getByLabelText(/Reason for the new password/), 'Lost the letter');
    await user.click(confirm);
    expect(await screen.findByText('Credentials exported successfully!')).toBeInTheDocument();
    expect(reasons).toEqual([null, { passwordReason: 'Lost the letter' }]);
    expect(file.clicks()).toBe(1);
  });

  it('changes nothing on Cancel', async () => {
    server.use(http.post('/client/end-users/{endUserId}/export-credentials', () => expect.unreachable()));
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it.each([
    ['The end user is gone.', () => Response.json({ error: 'The end user is gone.' }, { status: 404 })],
    ['Failed to export credentials', () => new Response('<html>', { status: 502 })],
    ['Failed to export credentials: the server could not be reached', () => Response.error()],
  ])('says "%s" and downloads nothing', async (text, answer) => {
    const file = catchDownload();
    server.use(
      http.post('/client/end-users/{endUserId}/export-credentials', ({ response }) =>
        response.untyped(answer()),
      ),
    );
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Set new password and export' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(file.clicks()).toBe(0);
  });
});

describe('deleting an end user', () => {
  async function openDialog() {
    const rendered = await renderApp('/client/end-users', { as: clientAdmin });
    await choose(rendered.user, 'Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this end user?' }));
    expect(
      dialog.getByText('Are you sure you want to delete end user "vera"? This action cannot be undone.'),
    ).toBeInTheDocument();
    return { ...rendered, dialog };
  }

  it('does it when confirmed, once', async () => {
    let deleted = 0;
    server.use(
      http.delete('/client/end-users/{endUserId}', ({ response }) => {
        deleted += 1;
        endUsers = [];
        return response(200).json({ success: true });
      }),
    );
    const { user, dialog } = await openDialog();
    await user.dblClick(dialog.getByRole('button', { name: 'Delete Vera Lind' }));
    expect(await screen.findByText('End user deleted successfully!')).toBeInTheDocument();
    expect(await screen.findByText('No end users found')).toBeInTheDocument();
    expect(deleted).toBe(1);
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });

  it('does nothing on Escape, and the focus is where it was', async () => {
    server.use(http.delete('/client/end-users/{endUserId}', () => expect.unreachable()));
    const { user } = await openDialog();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Vera Lind' })).toHaveFocus());
  });

  it.each([
    ['It is not there.', () => Response.json({ error: 'It is not there.' }, { status: 404 })],
    ['Failed to delete end user', () => new Response('<html>', { status: 502 })],
    ['Failed to delete end user: the server could not be reached', () => Response.error()],
  ])('says "%s"', async (text, answer) => {
    server.use(http.delete('/client/end-users/{endUserId}', ({ response }) => response.untyped(answer())));
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Delete Vera Lind' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('dialog', { name: 'Delete this end user?' })).toBeInTheDocument();
  });
});

it('goes to the page before where the last one was emptied', async () => {
  total = 51;
  server.use(
    http.delete('/client/end-users/{endUserId}', ({ response }) => {
      total = 50;
      return response(200).json({ success: true });
    }),
  );
  const { user, location } = await renderApp('/client/end-users?page=2', { as: clientAdmin });
  await choose(user, 'Delete');
  await user.click(await screen.findByRole('button', { name: 'Delete Vera Lind' }));
  await waitFor(() => expect(location()).toBe('/client/end-users'));
});

it('erases personal data after the username was typed, and says what stays', async () => {
  let sent: unknown;
  server.use(
    http.post('/client/end-users/{endUserId}/erase', async ({ request, response }) => {
      sent = await request.json();
      endUsers = [
        sampleEndUser({ name: 'Erased person', username: 'erased-1', isActive: false, isErased: true }),
      ];
      return response(200).json({ success: true });
    }),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await choose(user, 'Erase personal data');
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase personal data?' }));
  expect(dialog.getByText(/The person can never sign in again/)).toBeInTheDocument();
  expect(dialog.getByText(/until they are purged at the end of their retention time/)).toBeInTheDocument();
  await user.type(dialog.getByRole('textbox'), 'tomas');
  expect(dialog.getByRole('button', { name: 'Erase Vera Lind' })).toBeDisabled();
  await user.clear(dialog.getByRole('textbox'));
  await user.type(dialog.getByRole('textbox'), 'vera');
  await user.click(dialog.getByRole('button', { name: 'Erase Vera Lind' }));
  const row = within(await screen.findByRole('row', { name: /Erased person/ }));
  expect(row.getByText('Erased')).toBeInTheDocument();
  expect(sent).toEqual({ username: 'vera' });
  await user.click(screen.getByRole('button', { name: 'Actions for Erased person' }));
  expect(await screen.findByRole('menuitem', { name: /Erase personal data/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
