import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { CreateEndUserBody, EndUser, UpdateEndUserBody, WeightKind } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser, sampleWeightKind } from '../../test/samples';
import { http, server } from '../../test/server';

const AREA = sampleWeightKind();
const SHARES = sampleWeightKind({ id: 'w2', name: 'Shares', unit: null, decimals: 0 });

let vera: EndUser;
let kinds: WeightKind[];

beforeEach(() => {
  vera = sampleEndUser();
  kinds = [AREA, SHARES];
  server.use(
    http.get('/client/weight-kinds', ({ response }) => response(200).json({ success: true, data: kinds })),
    http.get('/client/end-users', ({ response }) => response(200).json({ success: true, data: [vera] })),
    http.get('/client/end-users/{endUserId}', ({ response }) =>
      response(200).json({ success: true, data: vera }),
    ),
  );
});

function catchUpdates(refusal?: { field: string; message: string }) {
  const sent: UpdateEndUserBody[] = [];
  server.use(
    http.put('/client/end-users/{endUserId}', async ({ request, response }) => {
      sent.push(await request.json());
      return refusal
        ? response(422).json({
            error: `${refusal.field}: ${refusal.message}`,
            message: `${refusal.field}: ${refusal.message}`,
            code: 'invalid_input',
            fields: { [refusal.field]: [refusal.message] },
          })
        : response(200).json({ success: true, data: vera });
    }),
  );
  return sent;
}

async function openEdit() {
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Actions for Vera Lind' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit End User' }));
  await dialog.findByLabelText(/Full Name/);
  return { user, dialog, submit: () => user.click(dialog.getByRole('button', { name: 'Update End User' })) };
}

it('creates a person with a value of each filled kind, as texts', async () => {
  let sent: CreateEndUserBody | null = null;
  server.use(
    http.post('/client/end-users', async ({ request, response }) => {
      sent = await request.json();
      return response(409).json({ error: 'Taken', message: 'Taken', code: 'conflict' });
    }),
  );
  const { user } = await renderApp('/client/end-users', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Create End User' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New End User' }));
  await user.type(dialog.getByLabelText(/Full Name/), 'Vera Lind');
  await user.type(dialog.getByLabelText(/Username/), 'vera');
  await user.type(dialog.getByLabelText(/^Password/), 'long enough');
  const area = await dialog.findByLabelText('Floor area (m²)');
  expect(area).toHaveAttribute('inputmode', 'decimal');
  await user.type(area, '123456789012345678,50');
  expect(area).toHaveAccessibleDescription('Read as 123456789012345678.5');
  await user.click(dialog.getByRole('button', { name: 'Create End User' }));
  await waitFor(() => expect(sent).not.toBeNull());
  expect(sent).toMatchObject({ weights: [{ kindId: AREA.id, value: '123456789012345678.5' }] });
});

it('keeps a wrong value as it was typed, and waits', async () => {
  const sent = catchUpdates();
  const { user, dialog, submit } = await openEdit();
  const shares = await dialog.findByLabelText('Shares');
  await user.type(shares, '2.5');
  expect(shares).toHaveAccessibleDescription(/Must be a whole number from 0 with at most 18 digits/);
  await submit();
  expect(shares).toHaveValue('2.5');
  expect(sent).toEqual([]);
});

it('sends the values that changed', async () => {
  vera = sampleEndUser({ weights: [{ kindId: AREA.id, value: '250.5' }] });
  const sent = catchUpdates();
  const { user, dialog, submit } = await openEdit();
  expect(await dialog.findByLabelText('Floor area (m²)')).toHaveValue('250.5');
  await user.type(dialog.getByLabelText('Shares'), '1000');
  await user.clear(dialog.getByLabelText('Floor area (m²)'));
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    weightChanges: [
      { kindId: AREA.id, value: '0' },
      { kindId: SHARES.id, value: '1000' },
    ],
  });
});

it('leaves alone the other values, which another administrator may have changed meanwhile', async () => {
  vera = sampleEndUser({
    weights: [
      { kindId: SHARES.id, value: '100' },
      { kindId: AREA.id, value: '50' },
    ],
  });
  const sent = catchUpdates();
  const { user, dialog, submit } = await openEdit();
  const area = await dialog.findByLabelText('Floor area (m²)');
  await user.clear(area);
  await user.type(area, '60');
  await submit();
  await waitFor(() => expect(sent).toEqual([{ weightChanges: [{ kindId: AREA.id, value: '60' }] }]));
});

it('leaves the values out if they stay as they are', async () => {
  vera = sampleEndUser({ weights: [{ kindId: AREA.id, value: '250.5' }] });
  const sent = catchUpdates();
  const { user, dialog, submit } = await openEdit();
  await user.type(await dialog.findByLabelText('Floor area (m²)'), '0');
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({});
});

it.each(['weightChanges.0.value', 'weightChanges[0].value'])(
  'shows the server’s objection to %s at the field of its kind',
  async (field) => {
    vera = sampleEndUser({
      weights: [
        { kindId: SHARES.id, value: '3' },
        { kindId: AREA.id, value: '250.5' },
      ],
    });
    catchUpdates({ field, message: 'Must be smaller.' });
    const { user, dialog, submit } = await openEdit();
    const area = await dialog.findByLabelText('Floor area (m²)');
    await user.type(area, '1');
    await submit();
    await waitFor(() => expect(area).toHaveAccessibleDescription(/Must be smaller\./));
    expect(dialog.getByLabelText('Shares')).not.toHaveAccessibleDescription(/Must be smaller\./);
    expect(dialog.getByText('Please check the marked fields.')).toBeInTheDocument();
  },
);

it('leaves the value of an unknown kind alone, and says what the server says of a kind', async () => {
  kinds = [SHARES];
  vera = sampleEndUser({ weights: [{ kindId: 'gone', value: '7' }] });
  const sent = catchUpdates({
    field: 'weightChanges.0.kindId',
    message: 'The kind of weight does not exist.',
  });
  const { user, dialog, submit } = await openEdit();
  await user.type(await dialog.findByLabelText('Shares'), '3');
  await submit();
  expect(await dialog.findByText(/The kind of weight does not exist/)).toBeInTheDocument();
  expect(sent).toEqual([{ weightChanges: [{ kindId: SHARES.id, value: '3' }] }]);
});

it('shows no fields without kinds', async () => {
  kinds = [];
  const { dialog } = await openEdit();
  expect(dialog.getAllByRole('textbox').map(({ id }) => id)).toHaveLength(5);
  expect(dialog.queryByLabelText('Floor area (m²)')).not.toBeInTheDocument();
});

it('lists the values of the kinds below the ordinary weight, in their order, with all digits', async () => {
  kinds = [AREA, SHARES, ...['A', 'B'].map((name) => sampleWeightKind({ id: name, name, unit: null }))];
  vera = sampleEndUser({
    weight: 1.5,
    weights: [
      { kindId: SHARES.id, value: '123456789012345678' },
      { kindId: AREA.id, value: '1250.50' },
      { kindId: 'A', value: '1' },
      { kindId: 'B', value: '2' },
    ],
  });
  await renderApp('/client/end-users', { as: clientAdmin });
  const cell = await screen.findByText(
    'Floor area 1,250.5 m² · Shares 123,456,789,012,345,678 · A 1 · 1 more',
  );
  expect(within(cell.closest('td') as HTMLElement).getByText('1.5')).toBeInTheDocument();
  // Below the head of the column, which stands at the right.
  expect(within(cell.closest('td') as HTMLElement).getByText('1.5')).toHaveAttribute('data-figure', 'true');
});
