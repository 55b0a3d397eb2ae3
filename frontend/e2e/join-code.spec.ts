import { expectAccessibleInBothSchemes } from './support/accessible';
import { signInThroughApi } from './support/organization';
import { signInAsOrganizer } from './support/organizer';
import { PlenumServer } from './support/plenum-server';
import { expectNothingCutOff } from './support/screens';
import { arrange } from './support/setting';
import { FakeMailServer } from './support/smtp';
import { DESKTOP, expect, test } from './support/test';
import { vote } from './support/voter';

const QUESTION = { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] };

let mail: FakeMailServer;
let server: PlenumServer;

test.beforeAll(async () => {
  mail = await FakeMailServer.start();
  server = await PlenumServer.start({
    PLENUM_SMTP_URL: mail.url,
    PLENUM_MAIL_FROM: 'Plenum <no-reply@plenum.test>',
  });
});

test.afterAll(async () => {
  await server.stop();
  mail.stop();
});

function codeIn(number: number): string {
  return / is (\d{6})/.exec(mail.textTo('vera@voters.test', number))?.[1] ?? '';
}

test('a personal link asks for a code that its owner gets by email', async ({ openAs }) => {
  const { organizer, meetingId, questionIds } = await arrange(server.url, {
    name: 'Code Club',
    voters: 1,
    questions: [QUESTION],
  });
  const caller = await signInThroughApi(server.url, organizer);
  const people = (await caller.get('/api/client/end-users')) as { data: { id: string }[] };
  await caller.put(`/api/client/end-users/${people.data[0]?.id}`, { email: 'vera@voters.test' });
  const made = await caller.post('/api/client/join-links', { people: 'ALL', meetingId, singleUse: false });
  const [{ token }] = made.data as [{ token: string }];
  await caller.put(`/api/client/meetings/${meetingId}/current-question`, { questionId: questionIds[0] });

  await test.step('the organizer lets all links ask for a code', async () => {
    const desk = await openAs(DESKTOP, { baseURL: server.url });
    await signInAsOrganizer(desk, organizer);
    await desk.goto('/client/end-users');
    await desk.getByRole('button', { name: 'Personal links' }).click();
    await desk.getByRole('dialog').getByLabel('All personal links ask for').click();
    await desk.getByRole('option', { name: 'A code by email' }).click();
    await expect(desk.getByRole('dialog').getByLabel('All personal links ask for')).toHaveValue(
      'A code by email',
    );
  });

  const phone = await openAs({ width: 360, height: 740 }, { baseURL: server.url });
  await test.step('the voter confirms the name and types the code', async () => {
    await phone.goto(`/join#${token}`);
    await phone.getByRole('button', { name: "Yes, that's me" }).click();
    await expect(phone.getByText('v…@voters.test', { exact: false })).toBeVisible();
    await expectNothingCutOff(phone);
    await expectAccessibleInBothSchemes(phone, 'a code by email');
    await expect.poll(() => codeIn(0)).toMatch(/^\d{6}$/);
    await phone.getByLabel('Code').fill(codeIn(0) === '000000' ? '000001' : '000000');
    await phone.getByRole('button', { name: 'Sign in' }).click();
    await expect(phone.getByText('This code is wrong or too old', { exact: false })).toBeVisible();
    await phone.getByLabel('Code').fill(codeIn(0));
    await phone.getByRole('button', { name: 'Sign in' }).click();
    await vote(phone, { choice: 'Yes' });
  });
});
