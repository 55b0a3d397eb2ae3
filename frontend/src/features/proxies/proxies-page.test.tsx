import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HolderTotal, Meeting, ProxySettings } from '../../api/types';
import { TEST_MEETING } from '../../shared/test-data';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';

let meeting: Meeting;
let settings: ProxySettings;
let holders: HolderTotal[];

beforeEach(() => {
  meeting = sampleMeeting();
  settings = {
    isOn: true,
    principalsMayGrant: false,
    maxPrincipals: null,
    maxWeight: null,
    maxSharePercent: null,
    holders: 'PARTICIPANTS',
    questionsWithout: [],
  };
  holders = [];
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json([])),
    http.get('/client/meetings/{meetingId}/proxies', ({ response }) =>
      response(200).json({ data: [], meta: { page: 1, pageSize: 50, total: 0 } }),
    ),
    http.get('/client/meetings/{meetingId}/proxies/holders', ({ response }) =>
      response(200).json({ holders, wholeWeight: 0 }),
    ),
    http.get('/client/meetings/{meetingId}/proxies/settings', ({ response }) => response(200).json(settings)),
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

  it('changes the settings that the server has now, not those of its own opening', async () => {
    const saved: ProxySettings[] = [];
    server.use(
      http.put('/client/meetings/{meetingId}/proxies/settings', async ({ request, response }) => {
        settings = await request.json();
        saved.push(settings);
        return response(200).json(settings);
      }),
    );
    const { user } = await renderApp('/client/meetings/m1/proxies', { as: clientAdmin });
    expect(await screen.findByText('No proxies')).toBeInTheDocument();
    // Another organizer limits the principals meanwhile.
    settings = { ...settings, maxPrincipals: 3 };
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Proxy settings' }));
    await user.click(
      await panel.findByRole('checkbox', { name: 'Principals can grant proxies on their own device' }),
    );
    await user.click(panel.getByRole('button', { name: 'Save settings' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatchObject({ principalsMayGrant: true, maxPrincipals: 3 });
  });

  it.each([
    [1, 'Each holder has at most 1 principal, on one question.'],
    [12_000, 'Each holder has at most 12,000 principals, on one question.'],
  ])('names a limit of %d', async (maxPrincipals, words) => {
    settings = { ...settings, maxPrincipals };
    holders = [
      {
        holder: { id: 'u1', name: 'Ada Ash', username: 'ada' },
        principals: 1,
        weight: 1,
        isBeyondLimits: false,
        mayHold: true,
      },
    ];
    await renderApp('/client/meetings/m1/proxies', { as: clientAdmin });
    expect(await screen.findByText(words)).toBeInTheDocument();
  });
});
