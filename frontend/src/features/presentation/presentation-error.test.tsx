import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { MEETING_ID } from '../../test/live-samples';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

installFakeEventSource();

async function openAndBreak() {
  await renderApp(`/presentation/meeting/${MEETING_ID}`);
  await waitFor(() => expect(FakeEventSource.all).toHaveLength(1));
  act(() => FakeEventSource.latest.break());
}

describe('the presentation without a meeting', () => {
  it('says when there is no such meeting', async () => {
    server.use(
      http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
        response.untyped(HttpResponse.json({ error: 'x', code: 'meeting_not_found' }, { status: 404 })),
      ),
    );
    await openAndBreak();
    expect(await screen.findByRole('heading', { name: 'Error' }, { timeout: 3_000 })).toBeInTheDocument();
    expect(screen.getByText('Meeting not found')).toBeInTheDocument();
  });

  it('says when the data could not be loaded', async () => {
    server.use(
      http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    await openAndBreak();
    expect(
      await screen.findByText('Failed to load meeting data', {}, { timeout: 3_000 }),
    ).toBeInTheDocument();
  });
});
