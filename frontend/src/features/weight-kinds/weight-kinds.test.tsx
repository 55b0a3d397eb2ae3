import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { WeightKind, WeightKindBody } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleWeightKind } from '../../test/samples';
import { http, server } from '../../test/server';

const AREA = sampleWeightKind();
const SHARES = sampleWeightKind({
  id: 'w2',
  name: 'Shares',
  unit: null,
  decimals: 0,
  total: '123456789012345678',
});

function answerKinds(kinds: WeightKind[]) {
  server.use(
    http.get('/client/weight-kinds', ({ response }) => response(200).json({ success: true, data: kinds })),
  );
}

it('lists kinds with unit, decimals and all digits of their totals', async () => {
  answerKinds([AREA, SHARES]);
  await renderApp('/client/weight-kinds', { as: clientAdmin });
  const area = within(await screen.findByRole('row', { name: /Floor area/ }));
  expect(area.getByText('m²')).toBeInTheDocument();
  expect(area.getByText('12,345.5')).toBeInTheDocument();
  expect(screen.getByText('123,456,789,012,345,678')).toBeInTheDocument();
});

it('creates a kind, and shows a taken name at its field', async () => {
  answerKinds([]);
  const sent: WeightKindBody[] = [];
  server.use(
    http.post('/client/weight-kinds', async ({ request, response }) => {
      sent.push(await request.json());
      const taken = 'Another kind of weight has this name.';
      return sent.length === 1
        ? response(409).json({
            error: taken,
            message: taken,
            code: 'weight_kind_name_taken',
            fields: { name: [taken] },
          })
        : response(201).json({ success: true, data: AREA });
    }),
  );
  const { user } = await renderApp('/client/weight-kinds', { as: clientAdmin });
  expect(await screen.findByText('No kinds of weight yet')).toBeInTheDocument();
  expect(screen.getByText(/shares, thousandths, square meters or inhabitants/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Create Kind of Weight' }));
  const form = within(await screen.findByRole('dialog', { name: 'Create Kind of Weight' }));
  await user.type(form.getByRole('textbox', { name: /Name/ }), ' Area ');
  await user.type(form.getByRole('textbox', { name: /Unit/ }), 'm²');
  const decimals = form.getByRole('textbox', { name: /Decimals/ });
  await user.clear(decimals);
  await user.type(decimals, '7');
  await user.click(form.getByRole('button', { name: 'Create Kind of Weight' }));
  expect(decimals).toHaveValue('7');
  expect(decimals).toHaveAccessibleDescription(/Must be a whole number from 0 to 6/);
  await user.clear(decimals);
  await user.type(decimals, '2');
  await user.click(form.getByRole('button', { name: 'Create Kind of Weight' }));
  const name = form.getByRole('textbox', { name: /Name/ });
  expect(await form.findByText('Another kind of weight has this name.')).toBeInTheDocument();
  await user.type(name, '{Backspace} of floors');
  await user.click(form.getByRole('button', { name: 'Create Kind of Weight' }));
  expect(await screen.findByText('Kind of weight created')).toBeInTheDocument();
  expect(sent).toEqual([
    { name: 'Area', unit: 'm²', decimals: 2 },
    { name: 'Area of floors', unit: 'm²', decimals: 2 },
  ]);
});

it('says at the decimals that they cannot become fewer', async () => {
  answerKinds([AREA]);
  const fewer = 'Values with 2 decimals are stored.';
  server.use(
    http.put('/client/weight-kinds/{kindId}', ({ response }) =>
      response(409).json({
        error: fewer,
        message: fewer,
        code: 'fewer_decimals',
        fields: { decimals: [fewer] },
      }),
    ),
  );
  const { user } = await renderApp('/client/weight-kinds', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: /Edit/ }));
  const form = within(await screen.findByRole('dialog', { name: 'Edit Kind of Weight' }));
  const decimals = form.getByRole('textbox', { name: /Decimals/ });
  await user.clear(decimals);
  await user.type(decimals, '0');
  await user.click(form.getByRole('button', { name: 'Update Kind of Weight' }));
  expect(await form.findByText(fewer)).toBeInTheDocument();
  expect(decimals).toHaveAccessibleDescription(expect.stringContaining(fewer));
});

it('says what counts by a kind that cannot be deleted', async () => {
  answerKinds([AREA]);
  const used = 'This kind of weight is used by the meeting “General assembly”; change that first';
  server.use(
    http.delete('/client/weight-kinds/{kindId}', ({ response }) =>
      response(409).json({ error: used, message: used, code: 'weight_kind_in_use' }),
    ),
  );
  const { user } = await renderApp('/client/weight-kinds', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: /Delete/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Delete Floor area' }));
  expect(await screen.findByText(/used by the meeting “General assembly”/)).toBeInTheDocument();
});
