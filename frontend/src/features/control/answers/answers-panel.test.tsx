import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, it } from 'vitest';
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
