import { expectAccessibleInBothSchemes } from './support/accessible';
import { type Organization, signInThroughApi } from './support/organization';
import { arrange, type Setting } from './support/setting';
import { expect, PHONE, test } from './support/test';
import { joinAsVoter, vote } from './support/voter';

/** The holder, and 24 principals. */
const PEOPLE = 25;

async function hall(
  serverUrl: string,
  name: string,
): Promise<{ setting: Setting; caller: Organization['caller'] }> {
  const setting = await arrange(serverUrl, {
    name,
    voters: PEOPLE,
    questions: [
      {
        questionText: 'Is the roof repaired?',
        questionType: 'YES_NO',
        options: ['Yes', 'No'],
        secrecy: 'named',
      },
    ],
  });
  const caller = await signInThroughApi(serverUrl, setting.organizer);
  const path = `/api/client/meetings/${setting.meetingId}/proxies`;
  await caller.put(`${path}/settings`, {
    isOn: true,
    principalsMayGrant: true,
    maxPrincipals: 24,
    maxWeight: null,
    maxSharePercent: null,
    holders: 'PARTICIPANTS',
    questionsWithout: [],
  });
  const rows = setting.voters.slice(1).map(({ username }) => `${username},voter1,Folder 3`);
  const content = Buffer.from(['Principal,Holder,Reference', ...rows].join('\n')).toString('base64');
  await caller.post(`${path}/import`, { file: { fileName: 'proxies.csv', content }, dryRun: false });
  return { setting, caller };
}

function open(caller: Organization['caller'], setting: Setting) {
  return caller.put(`/api/client/meetings/${setting.meetingId}/current-question`, {
    questionId: setting.questionIds[0],
  });
}

async function tally(caller: Organization['caller'], setting: Setting) {
  const path = `/api/client/meetings/${setting.meetingId}`;
  await caller.put(`${path}/current-question`, { questionId: null });
  const rounds = (await caller.get(`${path}/rounds`)) as unknown as { id: string }[];
  await caller.post(`${path}/rounds/${rounds[0]?.id}/count`, {});
  const result = (await caller.get(`${path}/rounds/${rounds[0]?.id}/result`)) as {
    options: { text: string; heads: number }[];
    represented?: { heads: number };
  };
  const options = Object.fromEntries(result.options.map(({ text, heads }) => [text, heads]));
  return { ...options, represented: result.represented?.heads ?? 0 };
}

test('a holder of 24 proxies votes 9 yes and 16 no on a phone in less than 20 seconds', async ({
  openAs,
  server,
}) => {
  const { setting, caller } = await hall(server.url, 'Holder House');
  const phone = await openAs(PHONE, { reducedMotion: 'reduce' });
  await joinAsVoter(phone, setting);
  await expect(phone.getByRole('heading', { name: 'You hold 24 proxies' })).toBeVisible();
  await open(caller, setting);
  await expect(phone.getByText('You vote for yourself and 24 others: 25 votes')).toBeVisible();

  const begun = Date.now();
  await phone.getByRole('radio', { name: 'No', exact: true }).check();
  await phone.getByRole('button', { name: 'Vote differently for some' }).click();
  const different = phone.getByRole('region', { name: /^Different answer/ });
  await different.getByRole('radio', { name: 'Yes', exact: true }).check();
  for (const name of ['You', ...Array.from({ length: 8 }, (_, index) => `Voter ${index + 2}`)]) {
    await different.getByRole('checkbox', { name, exact: true }).check();
  }
  await expect(phone.getByText('25 votes: 9 Yes, 16 No')).toBeVisible();
  await phone.getByRole('button', { name: 'Submit 25 votes' }).click();
  await expect(phone.getByRole('heading', { name: '25 votes stored' })).toBeVisible();
  expect(Date.now() - begun).toBeLessThan(20_000);

  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await expectAccessibleInBothSchemes(phone, 'ballots of a holder');
  expect(await tally(caller, setting)).toMatchObject({ Yes: 9, No: 16, represented: 24 });
});

test('a principal who arrives late votes, and the holder’s proxy rests', async ({ openAs, server }) => {
  const { setting, caller } = await hall(server.url, 'Late House');
  const holder = await openAs(PHONE, { reducedMotion: 'reduce' });
  await joinAsVoter(holder, setting);
  await open(caller, setting);
  await expect(holder.getByText('You vote for yourself and 24 others: 25 votes')).toBeVisible();

  const late = await openAs(PHONE, { reducedMotion: 'reduce' });
  await joinAsVoter(late, setting, 1);
  await expect(late.getByRole('heading', { name: 'Voter 1 holds your proxy' })).toBeVisible();
  await vote(late, { choice: 'No' });

  await expect(holder.getByText('You vote for yourself and 23 others: 24 votes')).toBeVisible({
    timeout: 15_000,
  });
  await expect(holder.getByText('Voter 2 has voted')).toBeVisible();
  await holder.getByRole('radio', { name: 'Yes', exact: true }).check();
  await holder.getByRole('button', { name: 'Submit 24 votes' }).click();
  await expect(holder.getByRole('heading', { name: '24 votes stored' })).toBeVisible();
  await expect(late.getByRole('heading', { name: 'Your proxy rests' })).toBeVisible({ timeout: 15_000 });
  expect(await tally(caller, setting)).toMatchObject({ Yes: 24, No: 1, represented: 23 });
});

test('ballots that were sent without a network arrive once it is back', async ({ openAs, server }) => {
  const { setting, caller } = await hall(server.url, 'Offline House');
  const phone = await openAs(PHONE, { reducedMotion: 'reduce' });
  await joinAsVoter(phone, setting);
  await open(caller, setting);
  await phone.getByRole('radio', { name: 'Yes', exact: true }).check();
  await phone.context().setOffline(true);
  await phone.getByRole('button', { name: 'Submit 25 votes' }).click();
  await expect(phone.getByRole('heading', { name: 'Your votes are not delivered yet' })).toBeVisible();
  await phone.context().setOffline(false);
  await expect(phone.getByRole('heading', { name: '25 votes stored' })).toBeVisible({ timeout: 20_000 });
  expect(await tally(caller, setting)).toMatchObject({ Yes: 25, No: 0 });
});
