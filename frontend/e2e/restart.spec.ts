import { endQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESK, expect, PHONE, test, WALL } from './support/test';
import { choose, joinMeeting, signInAsVoter, submitButton, vote } from './support/voter';

const YES_NO = { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] };

test('a server that is killed in an open round comes back, and so does every screen', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Restart Club', voters: 3, questions: [YES_NO] });
  const [first, second, third] = setting.voters;
  const desk = await openAs(DESK);
  const wall = await openAs(WALL);
  const early = await openAs(PHONE);
  const late = await openAs(PHONE);
  const hasty = await openAs(PHONE);

  await signInAsOrganizer(desk, setting.organizer);
  await desk.goto(`/client/meetings/${setting.meetingId}/control`);
  await wall.goto(`/presentation/meeting/${setting.meetingId}`);
  for (const [page, person] of [
    [early, first],
    [late, second],
    [hasty, third],
  ] as const) {
    await page.goto(`/participant/login/${setting.clientCode}`);
    await signInAsVoter(page, person?.username ?? '', person?.password ?? '');
    await joinMeeting(page, setting.meetingTitle);
  }
  await startQuestion(desk);
  await vote(early, { choice: 'Yes' });
  await expect(wall.getByText('1 of 3')).toBeVisible();
  await choose(hasty, { choice: 'No' });

  await server.kill();

  await test.step('every screen says so, and keeps what it knew', async () => {
    await expect(late.getByRole('heading', { name: 'No connection' })).toBeVisible();
    await expect(late.getByRole('radio', { name: 'Yes' })).toBeEnabled();
    await expect(desk.getByText('No connection', { exact: true })).toBeVisible();
    await expect(wall.getByText(/No connection, last update/)).toBeVisible();
    await expect(wall.getByRole('heading', { name: YES_NO.questionText })).toBeVisible();
  });

  await test.step('a vote that is sent meanwhile is kept, and not said to be stored', async () => {
    await submitButton(hasty).click();
    await expect(hasty.getByRole('heading', { name: 'Not yet delivered' })).toBeVisible();
    await expect(hasty.getByText('Vote submitted successfully!')).toHaveCount(0);
  });

  await server.startAgain();

  await test.step('every screen comes back by itself', async () => {
    for (const page of [desk, early, late]) {
      await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
    }
    await expect(wall.getByText(/No connection/)).toHaveCount(0, { timeout: 30_000 });
  });

  await test.step('the kept vote arrives once, the stored one is still there', async () => {
    await expect(hasty.getByRole('heading', { name: 'Your vote is stored' })).toBeVisible({
      timeout: 30_000,
    });
    await expect(wall.getByText('2 of 3')).toBeVisible();
    await early.reload();
    await expect(early.getByRole('heading', { name: 'You have already voted' })).toBeVisible();
    await vote(late, { choice: 'Yes' });
    await expect(wall.getByText('3 of 3')).toBeVisible();
  });

  await endQuestion(desk);
  await expect(desk.getByText(/^3 of 3 voted \(100 %\)/)).toBeVisible();
});

test('a phone without network keeps the ballot and delivers it later', async ({ openAs, server }) => {
  const setting = await arrange(server.url, {
    name: 'Tunnel Club',
    voters: 1,
    questions: [YES_NO, { ...YES_NO, questionText: 'Is the chair elected?' }],
  });
  const desk = await openAs(DESK);
  const phone = await openAs(PHONE);
  await signInAsOrganizer(desk, setting.organizer);
  await desk.goto(`/client/meetings/${setting.meetingId}/control`);
  await phone.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(phone, setting.voters[0]?.username ?? '', setting.voters[0]?.password ?? '');
  await joinMeeting(phone, setting.meetingTitle);
  await startQuestion(desk);
  await choose(phone, { choice: 'Yes' });

  await phone.context().setOffline(true);
  await submitButton(phone).click();
  await expect(phone.getByRole('heading', { name: 'Not yet delivered' })).toBeVisible();
  await phone.context().setOffline(false);
  await expect(phone.getByRole('heading', { name: 'Your vote is stored' })).toBeVisible({ timeout: 30_000 });
  await expect(desk.getByRole('region', { name: 'Live Statistics' }).getByText('1 of 1')).toBeVisible();
});

test('a vote that comes too late is said not to count', async ({ openAs, server }) => {
  const setting = await arrange(server.url, { name: 'Late Club', voters: 1, questions: [YES_NO] });
  const desk = await openAs(DESK);
  const phone = await openAs(PHONE);
  await signInAsOrganizer(desk, setting.organizer);
  await desk.goto(`/client/meetings/${setting.meetingId}/control`);
  await phone.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(phone, setting.voters[0]?.username ?? '', setting.voters[0]?.password ?? '');
  await joinMeeting(phone, setting.meetingTitle);
  await startQuestion(desk);
  await choose(phone, { choice: 'Yes' });
  await phone.context().setOffline(true);
  await submitButton(phone).click();
  await expect(phone.getByRole('heading', { name: 'Not yet delivered' })).toBeVisible();
  await endQuestion(desk);
  await phone.context().setOffline(false);
  await expect(phone.getByRole('heading', { name: 'Your vote was not counted' })).toBeVisible({
    timeout: 30_000,
  });
  await expect(desk.getByText(/^0 of 1 voted/)).toBeVisible();
});
