import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Client, ClientArchive } from '../../api/types';
import { catchDownloads } from '../../test/catch-downloads';
import { superAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleClient } from '../../test/samples';
import { http, NO_BRANDING, server } from '../../test/server';

let clients: Client[];
let archives: ClientArchive[];
let queries: string[];

beforeEach(() => {
  clients = [];
  archives = [];
  queries = [];
  server.use(
    http.get('/clients/{clientId}/archives', ({ response }) =>
      response(200).json({
        success: true,
        data: archives,
        meta: { page: 1, pageSize: 50, total: archives.length },
      }),
    ),
    http.get('/clients/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: clients.length, active: 1, inactive: 0 } }),
    ),
    http.get('/clients/code-check', ({ request, response }) => {
      const query = new URL(request.url).searchParams;
      const [code, name] = [query.get('code')?.toLowerCase() ?? null, query.get('name')];
      const isTaken = code === 'taken';
      return response(200).json({
        success: true,
        data: {
          suggestion: name ? 'riverside' : null,
          code,
          isFree: code ? !isTaken : null,
          problem: isTaken ? 'taken' : null,
          message: isTaken ? 'Another client has this code.' : null,
        },
      });
    }),
    http.get('/clients', ({ request, response }) => {
      queries.push(new URL(request.url).search);
      return response(200).json({ success: true, data: clients });
    }),
    http.get('/clients/{clientId}', ({ params, response }) => {
      const client = clients.find(({ id }) => id === params.clientId);
      return client
        ? response(200).json({ success: true, data: client })
        : response(404).json({ error: 'x', message: 'x', code: 'x' });
    }),
  );
});

it('lists clients with plan, people and meetings', async () => {
  clients = [sampleClient()];
  await renderApp('/admin/clients', { as: superAdmin });
  const row = within(await screen.findByRole('row', { name: /Riverside/ }));
  expect(row.getByText(/Pro/)).toBeInTheDocument();
  expect(row.getByText('anna@riverside.test')).toBeInTheDocument();
  expect(row.getByText('Active')).toBeInTheDocument();
  expect(row.getByText('185')).toBeInTheDocument();
  expect(row.getByText('2 Nov 2026')).toBeInTheDocument();
});

it('says what to do when there is no client yet', async () => {
  await renderApp('/admin/clients', { as: superAdmin });
  expect(await screen.findByText('No clients found')).toBeInTheDocument();
  expect(screen.getByText('Create your first client to get started')).toBeInTheDocument();
});

it('offers another try when the list cannot be loaded', async () => {
  server.use(
    http.get('/clients', ({ response }) => response(503).json({ error: 'x', message: 'x', code: 'x' }), {
      once: true,
    }),
  );
  clients = [sampleClient()];
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  expect(await screen.findByText('Failed to load data')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /Riverside/ })).toBeInTheDocument();
});

it('creates a client with its administrator', async () => {
  let sent: unknown;
  server.use(
    http.post('/clients', async ({ request, response }) => {
      sent = await request.json();
      clients = [sampleClient()];
      return response(201).json({ success: true, data: sampleClient() });
    }),
  );
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: '+ Add Client' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Client' }));
  await user.type(dialog.getByLabelText(/Client Name/), 'Riverside Housing Cooperative');
  await user.type(dialog.getByLabelText(/First Name/), 'Anna');
  await user.type(dialog.getByLabelText(/Last Name/), 'Berg');
  await user.type(dialog.getByLabelText(/^Email/), 'anna@riverside.test');
  await user.click(dialog.getByRole('button', { name: 'Generate' }));
  const password = dialog.getByLabelText(/^Password/) as HTMLInputElement;
  expect(password.value).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/);
  expect(password).toHaveAttribute('type', 'text');
  await user.click(dialog.getByRole('button', { name: 'Create Client' }));

  expect(await screen.findByRole('row', { name: /Riverside/ })).toBeInTheDocument();
  expect(sent).toEqual({
    name: 'Riverside Housing Cooperative',
    firstName: 'Anna',
    lastName: 'Berg',
    email: 'anna@riverside.test',
    password: password.value,
    subscriptionPlan: 'BASIC',
  });
});

it('shows the code that the name gives, and checks another one while it is typed', async () => {
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: '+ Add Client' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Client' }));
  await user.type(dialog.getByLabelText(/Client Name/), 'River');
  expect(await dialog.findByText('Left empty, it becomes RIVERSIDE.')).toBeInTheDocument();
  const code = dialog.getByLabelText(/Organization Code/);
  await user.type(code, 'Taken');
  expect(await dialog.findByText('Another client has this code.')).toBeInTheDocument();
  expect(code).toBeInvalid();
  expect(dialog.getByText('RIVERSIDE is free.')).toBeInTheDocument();
  await user.clear(code);
  await user.type(code, 'mitte-26');
  expect(await dialog.findByText('On screens and slips: MITTE-26. It is free.')).toBeInTheDocument();
  expect(code).toBeValid();
});

it("puts the server's objections at the fields", async () => {
  server.use(
    http.post('/clients', ({ response }) =>
      response(409).json({
        error: 'This email is taken',
        message: 'This email is taken',
        code: 'email_taken',
        fields: { email: ['Another account uses this email'] },
      }),
    ),
  );
  const { user } = await renderApp('/admin/clients', { as: superAdmin });
  await user.click(await screen.findByRole('button', { name: '+ Add Client' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Client' }));
  await user.type(dialog.getByLabelText(/Client Name/), 'Riverside');
  await user.type(dialog.getByLabelText(/First Name/), 'Anna');
  await user.type(dialog.getByLabelText(/Last Name/), 'Berg');
  await user.type(dialog.getByLabelText(/^Email/), 'anna@riverside.test');
  await user.type(dialog.getByLabelText(/^Password/), 'long enough');
  await user.click(dialog.getByRole('button', { name: 'Create Client' }));

  expect(await dialog.findByText('Another account uses this email')).toBeInTheDocument();
  expect(dialog.getByLabelText(/^Email/)).toBeInvalid();
  expect(dialog.getByRole('alert')).toHaveTextContent('Please check the marked fields.');
  await waitFor(() => expect(dialog.getByLabelText(/^Email/)).toHaveFocus());
});

it('asks the server for what is searched, filtered and sorted, and keeps it in the address', async () => {
  clients = [sampleClient()];
  const { user, location, goBack } = await renderApp('/admin/clients', { as: superAdmin });
  await screen.findByRole('row', { name: /Riverside/ });
  expect(queries).toEqual(['?page=1&pageSize=50']);
  await user.type(screen.getByRole('searchbox', { name: 'Search clients' }), 'river');
  await waitFor(() => expect(location()).toBe('/admin/clients?search=river'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'Suspended');
  await user.click(screen.getByRole('button', { name: 'Client Name' }));
  await waitFor(() => expect(queries.at(-1)).toContain('page=1&search=river&status=SUSPENDED&sort=name'));
  expect(location()).toBe('/admin/clients?search=river&status=SUSPENDED&sort=name');
  await goBack();
  await goBack();
  expect(location()).toBe('/admin/clients?search=river');
});

it('shows dashes where the counts cannot be had, and the list all the same', async () => {
  server.use(http.get('/clients/stats', ({ response }) => response.untyped(Response.error())));
  clients = [sampleClient()];
  await renderApp('/admin/clients', { as: superAdmin });
  expect(await screen.findByRole('row', { name: /Riverside/ })).toBeInTheDocument();
  await waitFor(() => expect(screen.getAllByText('–')).toHaveLength(3));
});

const anna = {
  id: 'a1',
  role: 'CLIENT' as const,
  firstName: 'Anna',
  lastName: 'Berg',
  email: 'anna.signs.in@riverside.test',
};

describe('editing a client', () => {
  async function openForm() {
    clients = [sampleClient({ status: 'SUSPENDED', users: [anna] })];
    const rendered = await renderApp('/admin/clients', { as: superAdmin });
    await rendered.user.click(await screen.findByRole('button', { name: /^Edit Riverside/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Client' }));
    await dialog.findByLabelText(/Client Name/);
    return { ...rendered, dialog };
  }

  function answerUpdates(update: (body: unknown) => void, delay: Promise<void> = Promise.resolve()) {
    server.use(
      http.put('/clients/{clientId}', async ({ request, params, response }) => {
        expect(params.clientId).toBe(clients[0]?.id);
        update(await request.json());
        await delay;
        clients = [sampleClient({ name: 'Riverside Homes' })];
        return response(200).json({ success: true, data: clients[0] as Client });
      }),
    );
  }

  it('starts from the client and its main contact, and sends what was changed', async () => {
    let sent: unknown;
    answerUpdates((body) => {
      sent = body;
    });
    const { user, dialog } = await openForm();
    expect(dialog.getByLabelText(/Client Name/)).toHaveValue('Riverside Housing Cooperative');
    expect(dialog.getByLabelText(/Contact Email/)).toHaveValue('anna@riverside.test');
    expect(
      dialog.getByText(/The email address for sign-in stays anna\.signs\.in@riverside\.test/),
    ).toBeInTheDocument();
    expect(dialog.getByLabelText(/Status/)).toHaveDisplayValue('Suspended');
    expect(dialog.getByLabelText(/Subscription Plan/)).toHaveDisplayValue('Pro');
    expect(dialog.getByLabelText(/First Name/)).toHaveValue('Anna');
    expect(dialog.getByLabelText(/Last Name/)).toHaveValue('Berg');
    expect(dialog.getByLabelText(/^New Password/)).toHaveValue('');
    expect(dialog.getByText(/a new one signs the contact out everywhere/)).toBeInTheDocument();

    await user.clear(dialog.getByLabelText(/Client Name/));
    await user.type(dialog.getByLabelText(/Client Name/), ' Riverside Homes ');
    await user.selectOptions(dialog.getByLabelText(/Status/), 'Active');
    await user.clear(dialog.getByLabelText(/Last Name/));
    await user.keyboard('{Enter}');

    expect(await screen.findByText('Client updated successfully')).toBeInTheDocument();
    expect(sent).toEqual({
      name: 'Riverside Homes',
      status: 'ACTIVE',
      lastName: '',
    });
    expect(await screen.findByRole('row', { name: /Riverside Homes/ })).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit Riverside Homes' })).toHaveFocus());
  });

  it('starts from what somebody else has stored since the list was loaded', async () => {
    let sent: unknown;
    answerUpdates((body) => {
      sent = body;
    });
    clients = [sampleClient({ status: 'ACTIVE', users: [anna] })];
    const { user } = await renderApp('/admin/clients', { as: superAdmin });
    const edit = await screen.findByRole('button', { name: /^Edit Riverside/ });
    clients = [sampleClient({ status: 'SUSPENDED', subscriptionPlan: 'BASIC', users: [anna] })];
    await user.click(edit);
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Client' }));
    expect(await dialog.findByLabelText(/Status/)).toHaveDisplayValue('Suspended');
    await user.type(dialog.getByLabelText(/Client Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(await screen.findByText('Client updated successfully')).toBeInTheDocument();
    expect(sent).toEqual({ name: 'Riverside Housing Cooperative!' });
  });

  it('sends a new code, and says that the former one keeps working', async () => {
    let sent: unknown;
    answerUpdates((body) => {
      sent = body;
    });
    const { user, dialog } = await openForm();
    const code = dialog.getByLabelText(/Organization Code/);
    const { value: former } = code as HTMLInputElement;
    await user.clear(code);
    await user.type(code, 'Mitte-26');
    expect(
      await dialog.findByText(new RegExp(`MITTE-26\\. ${former.toUpperCase()} still leads here`)),
    ).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(await screen.findByText('Client updated successfully')).toBeInTheDocument();
    expect(sent).toEqual({ clientCode: 'mitte-26' });
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
    await user.click(dialog.getByRole('button', { name: 'Generate' }));
    const { value } = dialog.getByLabelText(/^New Password/) as HTMLInputElement;
    await user.dblClick(dialog.getByRole('button', { name: 'Update Client' }));
    await user.click(await dialog.findByRole('button', { name: 'Saving...' }));
    release();
    expect(await screen.findByText('Client updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([{ password: value }]);
  });

  it('says at the field what is missing or too short, and sends nothing', async () => {
    answerUpdates(() => expect.unreachable());
    const { user, dialog } = await openForm();
    await user.clear(dialog.getByLabelText(/Client Name/));
    await user.clear(dialog.getByLabelText(/Contact Email/));
    await user.type(dialog.getByLabelText(/^New Password/), 'short');
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(dialog.getByText("Enter the client's name")).toBeInTheDocument();
    expect(dialog.getByText('Enter an email address, such as name@example.org')).toBeInTheDocument();
    expect(dialog.getByText('Minimum 8 characters')).toBeInTheDocument();
    await waitFor(() => expect(dialog.getByLabelText(/Client Name/)).toHaveFocus());
  });

  it("puts the server's objections at the fields, with nothing lost", async () => {
    server.use(
      http.put('/clients/{clientId}', ({ response }) =>
        response(422).json({
          error: 'contactEmail is too long',
          message: 'contactEmail is too long',
          code: 'invalid_input',
          fields: { contactEmail: ['At most 254 characters.'] },
        }),
      ),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Client Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(await dialog.findByText('At most 254 characters.')).toBeInTheDocument();
    await waitFor(() => expect(dialog.getByLabelText(/Contact Email/)).toHaveFocus());
    expect(dialog.getByLabelText(/Client Name/)).toHaveValue('Riverside Housing Cooperative!');
  });

  it('says at the name that it can no longer become test data', async () => {
    server.use(
      http.put('/clients/{clientId}', ({ response }) =>
        response(409).json({
          error: 'Voting was opened in this organization',
          message: 'Voting was opened in this organization',
          code: 'test_mark_settled',
          fields: { name: ['Can no longer gain or lose TEST_ at the beginning.'] },
        }),
      ),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Client Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(await dialog.findByText('Can no longer gain or lose TEST_ at the beginning.')).toBeInTheDocument();
    await waitFor(() => expect(dialog.getByLabelText(/Client Name/)).toHaveFocus());
  });

  it.each([
    [
      "the server's words",
      'Somebody else is changing it.',
      () => ({ error: 'Somebody else is changing it.' }),
    ],
    ['its own words where the server has none', 'Failed to update client', () => ({})],
  ])('says in %s what failed', async (_, text, body) => {
    server.use(
      http.put('/clients/{clientId}', ({ response }) =>
        response.untyped(Response.json(body(), { status: 409 })),
      ),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Client Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(text);
    expect(dialog.getByLabelText(/Client Name/)).toHaveValue('Riverside Housing Cooperative!');
  });

  it('says that the server cannot be reached, and sends again', async () => {
    server.use(
      http.put('/clients/{clientId}', ({ response }) => response.untyped(Response.error()), { once: true }),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Client Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Failed to update client: the server could not be reached',
    );
    answerUpdates(() => undefined);
    await user.click(dialog.getByRole('button', { name: 'Update Client' }));
    expect(await screen.findByText('Client updated successfully')).toBeInTheDocument();
  });

  it('shows the logo and the color beside the details, without losing what was typed', async () => {
    server.use(http.get('/clients/{clientId}/branding', ({ response }) => response(200).json(NO_BRANDING)));
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Client Name/), '!');
    await user.click(dialog.getByRole('radio', { name: 'Logo and color' }));
    expect(await dialog.findByLabelText('Color')).toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Update Client' })).not.toBeInTheDocument();
    await user.click(dialog.getByRole('radio', { name: 'Details' }));
    expect(dialog.getByLabelText(/Client Name/)).toHaveValue('Riverside Housing Cooperative!');
  });

  it('asks before changes are lost', async () => {
    answerUpdates(() => expect.unreachable());
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Client Name/), '!');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    const question = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
    await user.click(question.getByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });
});

describe('deleting a client', () => {
  async function openDialog(change: Partial<Client> = {}) {
    clients = [sampleClient(change)];
    const rendered = await renderApp('/admin/clients', { as: superAdmin });
    await rendered.user.click(await screen.findByRole('button', { name: /^Delete Riverside/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this client?' }));
    return { ...rendered, dialog };
  }

  it('says what goes with it, and does it when confirmed', async () => {
    let deleted = 0;
    server.use(
      http.delete('/clients/{clientId}', ({ response }) => {
        deleted += 1;
        clients = [];
        return response(200).json({ success: true });
      }),
    );
    const { user, dialog } = await openDialog();
    expect(
      dialog.getByText('Are you sure you want to delete this client? This action cannot be undone.'),
    ).toBeInTheDocument();
    expect(
      dialog.getByText(
        '“Riverside Housing Cooperative” has 1 administrator, 184 end users and 6 meetings. All of it is deleted, votes included, and a meeting that is running ends at once.',
      ),
    ).toBeInTheDocument();
    const confirm = dialog.getByRole('button', { name: 'Delete Riverside Housing Cooperative' });
    const name = dialog.getByLabelText('Type “Riverside Housing Cooperative” to go on');
    expect(confirm).toBeDisabled();
    await user.type(name, 'riverside{Enter}');
    expect(confirm).toBeDisabled();
    expect(deleted).toBe(0);
    await user.clear(name);
    await user.type(name, ' Riverside Housing  Cooperative');
    await user.dblClick(confirm);
    expect(await screen.findByText('Client deleted successfully')).toBeInTheDocument();
    expect(await screen.findByText('No clients found')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(deleted).toBe(1);
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });

  it('offers the signed archives first, page by page', async () => {
    const files = catchDownloads();
    const pages: string[] = [];
    const asked: string[] = [];
    server.use(
      http.get('/clients/{clientId}/archives', ({ request, response }) => {
        const page = new URL(request.url).searchParams.get('page') ?? '';
        pages.push(page);
        const number = page === '1' ? 1 : 51;
        return response(200).json({
          success: true,
          data: [
            {
              meetingId: `meeting-${number}`,
              title: `Assembly ${number}`,
              status: 'COMPLETED',
              scheduledStartTime: '2026-11-21T18:00:00Z',
            },
          ],
          meta: { page: Number(page), pageSize: 50, total: 51 },
        });
      }),
      http.untyped.get('*/api/clients/:clientId/archives/:meetingId', ({ request, params }) => {
        asked.push(`${String(params.meetingId)}${new URL(request.url).search}`);
        return new Response('content', {
          headers: { 'Content-Disposition': 'attachment; filename="assembly-archive.json"' },
        });
      }),
    );
    const { user, dialog } = await openDialog();
    const section = within(dialog.getByRole('region', { name: 'Download the archives first' }));
    await section.findByText(/^Assembly 1, /);
    await user.click(section.getByRole('button', { name: 'More meetings' }));
    await user.click(await section.findByRole('button', { name: /^Archive of Assembly 51, / }));
    expect(await screen.findByText('Archive downloaded to assembly-archive.json')).toBeInTheDocument();
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
    const origin = encodeURIComponent('http://plenum.test');
    expect(asked).toEqual([`meeting-51?timeZone=${zone}&publicUrl=${origin}`]);
    expect(files.map(({ name }) => name)).toEqual(['assembly-archive.json']);
    expect(pages).toEqual(['1', '2']);
    expect(section.queryByRole('button', { name: 'More meetings' })).not.toBeInTheDocument();
  });

  it('says what went wrong with the archives, and deletes without them if it must', async () => {
    server.use(
      http.get('/clients/{clientId}/archives', ({ response }) => response.untyped(Response.error()), {
        once: true,
      }),
      http.untyped.get('*/api/clients/:clientId/archives/:meetingId', () =>
        Response.json(
          { code: 'meeting_not_over', error: 'The archive is available later.' },
          { status: 409 },
        ),
      ),
    );
    const { user, dialog } = await openDialog();
    expect(await dialog.findByText(/^Failed to load the meetings/)).toBeInTheDocument();
    archives = [
      { meetingId: 'm1', title: 'AGM', status: 'COMPLETED', scheduledStartTime: '2026-11-21T18:00:00Z' },
    ];
    await user.click(dialog.getByRole('button', { name: 'Try again' }));
    await user.click(await dialog.findByRole('button', { name: /^Archive of AGM/ }));
    expect(await screen.findByText('The archive is available later.')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/^Type/), 'Riverside Housing Cooperative');
    expect(dialog.getByRole('button', { name: /^Delete Riverside/ })).toBeEnabled();
  });

  it('warns of no meeting where there is none', async () => {
    const { dialog } = await openDialog({ _count: { users: 1, endUsers: 0, meetings: 0 } });
    expect(
      dialog.getByText(/has 1 administrator, 0 end users and 0 meetings\. All of it is deleted\.$/),
    ).toBeInTheDocument();
  });

  it('deletes nothing on Cancel', async () => {
    server.use(http.delete('/clients/{clientId}', () => expect.unreachable()));
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: /^Delete Riverside/ })).toHaveFocus());
  });

  it('asks for the name anew each time', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText(/^Type/), 'Riverside Housing Cooperative');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(screen.getByRole('button', { name: /^Delete Riverside/ }));
    const again = within(await screen.findByRole('dialog', { name: 'Delete this client?' }));
    expect(again.getByLabelText(/^Type/)).toHaveValue('');
    expect(again.getByRole('button', { name: /^Delete Riverside/ })).toBeDisabled();
  });

  it.each([
    ['The service is busy.', () => Response.json({ error: 'The service is busy.' }, { status: 503 })],
    ['Failed to delete client', () => new Response('<html>', { status: 502 })],
    ['Failed to delete client: the server could not be reached', () => Response.error()],
  ])('stays and says "%s"', async (text, answer) => {
    server.use(http.delete('/clients/{clientId}', ({ response }) => response.untyped(answer())));
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText(/^Type/), 'Riverside Housing Cooperative{Enter}');
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('dialog', { name: 'Delete this client?' })).toBeInTheDocument();
  });
});
