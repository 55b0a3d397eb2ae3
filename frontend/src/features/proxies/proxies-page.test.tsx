import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Meeting } from '../../api/types';
import { TEST_MEETING } from '../../shared/test-data';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';

let meeting: Meeting;

beforeEach(() => {
  meeting = sampleMeeting();
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json([])),
    http.get('/client/meetings/{meetingId}/proxies', ({ response }) =>
      response(200).json({ data: [], meta: { page: 1, pageSize: 50, total: 0 } }),
    ),
    http.get('/client/meetings/{meetingId}/proxies/holders', ({ response }) =>
      response(200).json({ holders: [], wholeWeight: 0 }),
    ),
    http.get('/client/meetings/{meetingId}/proxies/settings', ({ response }) =>
      response(200).json({
        isOn: true,
        principalsMayGrant: false,
        maxPrincipals: null,
        maxWeight: null,
        maxSharePercent: null,
        holders: 'PARTICIPANTS',
        questionsWithout: [],
      }),
    ),
  );
});

describe('the page of proxies', () => {
  it('marks a meeting that is test data', async () => {
    meeting = sampleMeeting({ title: 'TEST_Assembly', isTest: true });
    await renderApp('/client/meetings/m1/proxies', { as: clientAdmin });
    expect(await screen.findByText(TEST_MEETING)).toBeInTheDocument();
  });

  it('marks the meetings of an organization that is test data', async () => {
    await renderApp('/client/meetings/m1/proxies', {
      as: { ...clientAdmin, clientName: 'TEST_Rowing Club' },
    });
    expect(await screen.findByText(TEST_MEETING)).toBeInTheDocument();
  });

  it('marks no other meeting', async () => {
    await renderApp('/client/meetings/m1/proxies', { as: clientAdmin });
    expect(await screen.findByText('No proxies')).toBeInTheDocument();
    expect(screen.queryByText(TEST_MEETING)).not.toBeInTheDocument();
  });
});
