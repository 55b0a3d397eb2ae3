import { expectAccessibleInBothSchemes } from './support/accessible';
import { signInThroughApi } from './support/organization';
import { expectNothingCutOff } from './support/screens';
import { arrange } from './support/setting';
import { expect, test } from './support/test';
import { vote } from './support/voter';

const QUESTION = { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] };

test('a personal link leads to the ballot with one tap, once, and its token stays out of the address', async ({
  openAs,
  server,
}) => {
  const { organizer, meetingId, questionIds } = await arrange(server.url, {
    name: 'Scan Club',
    voters: 1,
    questions: [QUESTION],
  });
  const control = await signInThroughApi(server.url, organizer);
  const order = { people: 'ALL', meetingId, singleUse: true };
  const { data } = await control.post('/api/client/join-links', order);
  const [{ token }] = data as [{ token: string }];
  await control.put(`/api/client/meetings/${meetingId}/current-question`, { questionId: questionIds[0] });

  const phone = await openAs({ width: 360, height: 740 });
  await phone.goto(`/join#${token}`);
  await expect(phone.getByRole('heading', { name: 'You are Voter 1?' })).toBeVisible();
  expect(phone.url()).not.toContain(token);
  await expectNothingCutOff(phone);
  await expectAccessibleInBothSchemes(phone, 'a personal link');
  await phone.getByRole('button', { name: "Yes, that's me" }).click();
  await vote(phone, { choice: 'Yes' });

  const other = await openAs({ width: 360, height: 740 });
  await other.goto(`/join#${token}`);
  await expect(other.getByRole('heading', { name: 'This personal link no longer works' })).toBeVisible();
});
