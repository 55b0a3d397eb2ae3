import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Remark } from '../../api/types';
import { catchDownloads } from '../../test/catch-downloads';
import { given, installControl, openControl, refused } from '../../test/control-fixture';
import { sampleRemark } from '../../test/result-samples';
import { http, server } from '../../test/server';

installControl();

let remarks: Remark[];

beforeEach(() => {
  remarks = [sampleRemark()];
  server.use(
    http.get('/client/meetings/{meetingId}/remarks', ({ response }) => response(200).json(remarks)),
    http.post('/client/meetings/{meetingId}/remarks', async ({ request, response }) => {
      const body = await request.json();
      const remark = sampleRemark({ id: 'remark2', at: '2026-11-21T18:20:00Z', ...body });
      remarks = [...remarks, remark];
      return response(201).json(remark);
    }),
    http.delete('/client/meetings/{meetingId}/remarks/{remarkId}', ({ params, response }) => {
      remarks = remarks.filter(({ id }) => id !== params.remarkId);
      return response(204).empty();
    }),
  );
});

async function openMinutes() {
  const { user } = await openControl();
  await screen.findByRole('button', { name: 'Start Question' });
  await user.keyboard('m');
  return { user, panel: within(await screen.findByRole('dialog', { name: 'Minutes' })) };
}

it('a remark and an incident are noted, the latest first', async () => {
  const { user, panel } = await openMinutes();
  await waitFor(() => expect(panel.getByLabelText(/^Note/)).toHaveFocus());
  expect(panel.getByLabelText(/^Note/)).toHaveValue('');
  await user.click(panel.getByRole('button', { name: 'Note Remark' }));
  expect(await panel.findByText('Enter the note')).toBeInTheDocument();
  await user.click(panel.getByRole('radio', { name: 'Incident' }));
  await user.type(panel.getByLabelText(/^Note/), 'The power failed.');
  await user.click(panel.getByRole('button', { name: 'Note Incident' }));
  expect(await screen.findByText('Incident noted')).toBeInTheDocument();
  const entries = await panel.findAllByRole('listitem');
  expect(entries.map((entry) => entry.textContent)).toEqual([
    'Incident21 Nov, 18:20, Maria KellerThe power failed.Delete',
    'Remark21 Nov, 18:12, Maria KellerThe treasurer left the room.Delete',
  ]);
  expect(panel.getByLabelText(/^Note/)).toHaveValue('');
});

it('what is being written outlives a look at the hall', async () => {
  const { user, panel } = await openMinutes();
  await user.type(panel.getByLabelText(/^Note/), 'Half a sen');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Minutes' }));
  expect(await screen.findByLabelText(/^Note/)).toHaveValue('Half a sen');
});

/** The next note is stored, but its response waits. Returns what lets it arrive. */
function delayNoting(): () => void {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  server.use(
    http.post('/client/meetings/{meetingId}/remarks', async ({ request, response }) => {
      const remark = sampleRemark({ id: 'remark2', ...(await request.json()) });
      remarks = [...remarks, remark];
      await arrival;
      return response(201).json(remark);
    }),
  );
  return arrive;
}

it('a note that is stored after the panel was closed is no longer a draft', async () => {
  const arrive = delayNoting();
  const { user, panel } = await openMinutes();
  await user.type(panel.getByLabelText(/^Note/), 'The power failed. ');
  await user.click(panel.getByRole('button', { name: 'Note Remark' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  arrive();
  expect(await screen.findByText('Remark noted')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Minutes' }));
  expect(await screen.findByLabelText(/^Note/)).toHaveValue('');
});

it('the next note may be typed while the last one is being stored', async () => {
  const arrive = delayNoting();
  const { user, panel } = await openMinutes();
  const field = panel.getByLabelText(/^Note/);
  await user.type(field, 'The power failed.');
  await user.click(panel.getByRole('button', { name: 'Note Remark' }));
  expect(await panel.findByRole('button', { name: 'Noting…' })).toBeInTheDocument();
  await user.clear(field);
  await user.type(field, 'It is back.');
  arrive();
  expect(await screen.findByText('Remark noted')).toBeInTheDocument();
  expect(await panel.findByRole('button', { name: 'Note Remark' })).toBeInTheDocument();
  expect(field).toHaveValue('It is back.');
});

it('a note is deleted only after asking', async () => {
  const { user, panel } = await openMinutes();
  await user.click(await panel.findByRole('button', { name: 'Delete the note of 21 Nov, 18:12' }));
  expect(panel.getByRole('button', { name: 'Keep' })).toHaveFocus();
  await user.keyboard(' ');
  expect(panel.getByRole('button', { name: 'Delete the note of 21 Nov, 18:12' })).toHaveFocus();
  expect(remarks).toHaveLength(1);
  await user.click(panel.getByRole('button', { name: 'Delete the note of 21 Nov, 18:12' }));
  await user.click(panel.getByRole('button', { name: 'Delete Note' }));
  expect(await screen.findByText('Note deleted')).toBeInTheDocument();
  expect(await panel.findByText('There are no notes yet.')).toBeInTheDocument();
});

it('a note that was struck through keeps its text, and is not deleted again', async () => {
  remarks = [sampleRemark({ struck: { at: '2026-11-21T18:40:00Z', by: 'Otto Other' } })];
  const { panel } = await openMinutes();
  const entry = within(await panel.findByRole('listitem'));
  expect(entry.getByText('The treasurer left the room.').closest('s')).not.toBeNull();
  expect(entry.getByText('Struck through 21 Nov, 18:40, Otto Other')).toBeInTheDocument();
  expect(entry.queryByRole('button')).not.toBeInTheDocument();
});

it('an error is shown in its place', async () => {
  server.use(
    http.post('/client/meetings/{meetingId}/remarks', ({ response }) =>
      response.untyped(refused('too_many_remarks', 'A meeting has at most 1,000 remarks.')),
    ),
    http.delete('/client/meetings/{meetingId}/remarks/{remarkId}', ({ response }) =>
      response.untyped(refused('remark_not_found', 'There is no such remark.', 404)),
    ),
  );
  const { user, panel } = await openMinutes();
  await user.type(panel.getByLabelText(/^Note/), 'x');
  await user.click(panel.getByRole('button', { name: 'Note Remark' }));
  expect(await panel.findByText('A meeting has at most 1,000 remarks.')).toBeInTheDocument();
  expect(panel.getByLabelText(/^Note/)).toHaveValue('x');
  await user.click(await panel.findByRole('button', { name: 'Delete the note of 21 Nov, 18:12' }));
  await user.click(panel.getByRole('button', { name: 'Delete Note' }));
  expect(await panel.findByText('There is no such remark.')).toBeInTheDocument();
});

it('notes that cannot be loaded can be asked for again', async () => {
  server.use(
    http.get('/client/meetings/{meetingId}/remarks', ({ response }) =>
      response.untyped(refused('unavailable', 'Busy.', 503)),
    ),
  );
  const { user, panel } = await openMinutes();
  expect(await panel.findByText('Busy.')).toBeInTheDocument();
  server.use(http.get('/client/meetings/{meetingId}/remarks', ({ response }) => response(200).json(remarks)));
  await user.click(panel.getByRole('button', { name: 'Try again' }));
  expect(await panel.findByText('The treasurer left the room.')).toBeInTheDocument();
});

it('the results are one click away, and a named vote is marked', async () => {
  given.questions = given.questions.map((question) => ({ ...question, secrecy: 'named' as const }));
  await openControl();
  expect(await screen.findByText('Named vote')).toBeInTheDocument();
  expect(screen.getByText('No decision rule.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Results' })).toHaveAttribute(
    'href',
    `/client/meetings/${given.meeting.id}/results`,
  );
});

it('the results are exported from here as well', async () => {
  const files = catchDownloads();
  server.use(
    http.get('/client/meetings/{meetingId}/results/export', ({ query, response }) => {
      expect(query.get('format')).toBe('csv');
      return response.untyped(
        new Response('Section', {
          headers: { 'Content-Disposition': 'attachment; filename="annual-general-meeting.csv"' },
        }) as never,
      );
    }),
  );
  const { user } = await openControl();
  await user.click(await screen.findByRole('button', { name: 'Export Results' }));
  await user.click(await screen.findByRole('menuitem', { name: 'CSV' }));
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['annual-general-meeting.csv']));
});
