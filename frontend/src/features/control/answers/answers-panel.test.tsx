import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import type { AnswerCuration, CurateAnswersBody } from '../../../api/types';
import { renderPart } from '../../../test/render-part';
import { http, server } from '../../../test/server';
import { tokenOf } from '../../../test/tokens';
import { AnswersPanel } from './answers-panel';

const CURATION = '/client/meetings/{meetingId}/rounds/{roundId}/answer-curation';

it('keeps the answers on the screen if they cannot be loaded again after a refused change', async () => {
  let loads = 0;
  server.use(
    http.get(CURATION, ({ response }) => {
      loads += 1;
      return loads > 1
        ? response.untyped(HttpResponse.error())
        : response(200).json({
            version: 1,
            isShown: false,
            isDeclared: false,
            picked: [],
            hidden: [],
            groups: [],
            wall: { cards: [], hidden: 0, more: 0 },
          });
    }),
    http.put(CURATION, ({ response }) => response.untyped(HttpResponse.error())),
    http.get(`${CURATION}/answers`, ({ response }) =>
      response(200).json({ data: [], meta: { page: 1, pageSize: 50, total: 0 } }),
    ),
  );
  window.localStorage.setItem('accessToken', tokenOf({ sub: 'maria' }));
  renderPart(<AnswersPanel meetingId="m1" roundId="r1" />);
  fireEvent.click(await screen.findByRole('switch', { name: /Show answers on the presentation/ }));
  await waitFor(() => expect(loads).toBe(2));
  expect(await screen.findByText(/may be out of date/)).toBeInTheDocument();
  expect(screen.getByRole('switch', { name: /Show answers on the presentation/ })).toBeInTheDocument();
  expect(screen.queryByText(/^The answers could not be loaded/)).not.toBeInTheDocument();
});

/** The curation and two answers of a fake server. */
function installAnswers() {
  const curation: AnswerCuration = {
    version: 1,
    isShown: false,
    isDeclared: false,
    picked: [],
    hidden: [],
    groups: [],
    wall: { cards: [], hidden: 0, more: 0 },
  };
  const answers = ['Paint', 'Roof'].map((text) => ({
    id: `id-of-${text}`,
    text,
    heads: 1,
    place: 'OTHER' as const,
  }));
  const sent: CurateAnswersBody[] = [];
  const control = { sent, arrive: () => {}, fails: false };
  server.use(
    http.get(CURATION, ({ response }) => response(200).json(curation)),
    http.put(CURATION, async ({ request, response }) => {
      const { groups, ...parts } = await request.json();
      sent.push({ groups, ...parts });
      await new Promise<void>((resolve) => {
        control.arrive = resolve;
      });
      return control.fails
        ? response.untyped(HttpResponse.json({ code: 'unavailable', error: 'Busy.' }, { status: 503 }))
        : response(200).json({
            ...curation,
            ...parts,
            groups: groups.map((group) => ({ ...group, heads: group.answers.length })),
          });
    }),
    http.get(`${CURATION}/answers`, ({ response }) =>
      response(200).json({ data: answers, meta: { page: 1, pageSize: 50, total: 2 } }),
    ),
  );
  window.localStorage.setItem('accessToken', tokenOf({ sub: 'maria' }));
  return control;
}

const HEADING = { name: 'Heading of the group' };

function headingField(): HTMLElement {
  return screen.getByRole('combobox', HEADING);
}

async function selectPaint() {
  const control = installAnswers();
  const { user } = renderPart(<AnswersPanel meetingId="m1" roundId="r1" />);
  await user.click(await screen.findByRole('checkbox', { name: 'Select Paint' }));
  const group = async (heading: string) => {
    await user.clear(headingField());
    await user.type(headingField(), `${heading}{Enter}`);
  };
  return { control, user, group };
}

it('keeps the heading of a group that was not stored', async () => {
  const { control, group } = await selectPaint();
  control.fails = true;
  await group('Repairs');
  await waitFor(() => expect(control.sent).toHaveLength(1));
  control.arrive();
  expect(await screen.findByText(/Busy\./)).toBeInTheDocument();
  expect(headingField()).toHaveValue('Repairs');
  expect(screen.getByRole('checkbox', { name: 'Select Paint' })).toBeChecked();
});

it('ignores a second group while the first is being stored, and keeps its heading and its answers', async () => {
  const { control, user, group } = await selectPaint();
  await group('Repairs');
  await waitFor(() => expect(control.sent).toHaveLength(1));
  await user.click(screen.getByRole('checkbox', { name: 'Select Roof' }));
  await group('Building');
  expect(headingField()).toHaveValue('Building');
  control.arrive();
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Select Paint' })).not.toBeChecked());
  expect(screen.getByRole('checkbox', { name: 'Select Roof' })).toBeChecked();
  expect(headingField()).toHaveValue('Building');
  expect(control.sent.map(({ groups }) => groups)).toEqual([[{ name: 'Repairs', answers: ['id-of-Paint'] }]]);
});

it('clears the heading once the group is stored', async () => {
  const { control, user, group } = await selectPaint();
  await group('Repairs');
  await waitFor(() => expect(control.sent).toHaveLength(1));
  control.arrive();
  await waitFor(() => expect(screen.queryByRole('combobox', HEADING)).not.toBeInTheDocument());
  await user.click(screen.getByRole('checkbox', { name: 'Select Roof' }));
  expect(headingField()).toHaveValue('');
});

it('keeps the selection through a change of something else', async () => {
  const { control, user } = await selectPaint();
  const shown = screen.getByRole('switch', { name: /Show answers on the presentation/ });
  await user.click(shown);
  await waitFor(() => expect(control.sent).toHaveLength(1));
  control.arrive();
  await waitFor(() => expect(shown).toBeChecked());
  expect(screen.getByRole('checkbox', { name: 'Select Paint' })).toBeChecked();
});
