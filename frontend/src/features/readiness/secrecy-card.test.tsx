import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { sampleQuestion } from '../../test/samples';
import { http, server } from '../../test/server';
import { tokenOf } from '../../test/tokens';
import { SecrecyCard } from './secrecy-card';

it('checks secret questions with the people whom each of them is for', async () => {
  const asked: (string | null)[] = [];
  const secret = { secrecy: 'secret' as const };
  server.use(
    http.get('/client/questions/meeting/{meetingId}', ({ response }) =>
      response(200).json([
        sampleQuestion({ id: 'q1', orderIndex: 1, ...secret }),
        sampleQuestion({ id: 'q2', orderIndex: 2, ...secret, groupIds: ['g1', 'g2'] }),
        sampleQuestion({ id: 'q3', orderIndex: 3, ...secret, groupIds: ['g1', 'g2'] }),
      ]),
    ),
    http.get('/client/meetings/{meetingId}/secrecy-forecast', ({ query, response }) => {
      const groups = query.get('groupIds');
      asked.push(groups);
      return response(200).json({
        people: 184,
        byWeight: groups === null ? null : 'The votes of 3 people could be inferred from the totals',
        byHeads: null,
      });
    }),
  );
  window.localStorage.setItem('accessToken', tokenOf({ sub: 'maria' }));
  renderPart(<SecrecyCard meetingId="m1" report={undefined} />);
  const rows = within(await screen.findByRole('list', { name: 'Secrecy' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Question 1: no vote can be inferred/),
    expect.stringMatching(/^Question 2: the votes of 3 people could be inferred/),
    expect.stringMatching(/^Question 3: the votes of 3 people could be inferred/),
  ]);
  expect(asked).toEqual([null, 'g1,g2']);
});
