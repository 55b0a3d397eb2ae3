import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Meeting, UpdateMeetingBody, WeightKind } from '../../api/types';
import { arrangeMeetings, given, openMenu, TITLE } from '../../test/meetings-fixture';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleMeeting, sampleWeightKind } from '../../test/samples';
import { http, server } from '../../test/server';

const AREA = sampleWeightKind();

let meeting: Meeting;
let kinds: WeightKind[];
let sent: UpdateMeetingBody[];

beforeEach(() => {
  arrangeMeetings();
  kinds = [AREA];
  meeting = sampleMeeting({ id: 'm1' });
  given.meetings = [meeting];
  sent = [];
  server.use(
    http.get('/client/weight-kinds', ({ response }) => response(200).json({ success: true, data: kinds })),
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
    http.get('/client/meetings/{meetingId}/participants', ({ response }) => response(200).json([])),
    http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
      sent.push(await request.json());
      return response(200).json(meeting);
    }),
  );
});

async function openForm() {
  const { user } = await renderApp('/client/meetings', { as: clientAdmin });
  await user.click((await openMenu(user, TITLE)).getByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Meeting' }));
  await waitFor(() => expect(dialog.getByLabelText(/Meeting Title/)).toHaveFocus());
  const save = () => user.click(dialog.getByRole('button', { name: 'Update Meeting' }));
  return { user, dialog, save };
}

it('counts by a kind, whose name stands in the quorum', async () => {
  const { user, dialog, save } = await openForm();
  const weight = await dialog.findByLabelText('Weight');
  expect(weight).toHaveDisplayValue('Ordinary voting weight');
  await user.selectOptions(weight, 'Floor area');
  await user.click(dialog.getByRole('switch', { name: 'Quorum' }));
  await user.selectOptions(dialog.getByLabelText('Quorum counted by'), 'Floor area');
  expect(dialog.getByText(/must be present, by Floor area\./)).toBeInTheDocument();
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ weightKindId: AREA.id, quorum: { unit: 'weight' } });
});

it('counts by the ordinary weight again', async () => {
  meeting = sampleMeeting({ id: 'm1', weightKindId: AREA.id });
  const { user, dialog, save } = await openForm();
  const weight = await dialog.findByLabelText('Weight');
  await waitFor(() => expect(weight).toHaveDisplayValue('Floor area'));
  await user.selectOptions(weight, 'Ordinary voting weight');
  await save();
  await waitFor(() => expect(sent).toEqual([{ weightKindId: null }]));
});

it('offers no choice without kinds', async () => {
  kinds = [];
  const { dialog } = await openForm();
  expect(dialog.queryByLabelText('Weight')).not.toBeInTheDocument();
});
