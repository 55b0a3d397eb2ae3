import { expectAccessibleInBothSchemes } from './support/accessible';
import { signInThroughApi } from './support/organization';
import { countVotes, endQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { joinAsVoter, vote } from './support/voter';

const MORE_THAN_HALF = {
  units: 'heads',
  base: 'yes_plus_no',
  comparison: 'more_than',
  numerator: 1,
  denominator: 2,
};

test('a tie is decided by the casting vote, and the count of a group is shown', async ({
  openAs,
  server,
}) => {
  const setting = await arrange(server.url, { name: 'Two Classes', voters: 4, questions: [] });
  const api = await signInThroughApi(server.url, setting.organizer);
  const voters = (await api.get('/api/client/end-users')).data as { id: string; username: string }[];
  const idOf = (index: number) =>
    voters.find(({ username }) => username === setting.voters[index]?.username)?.id;

  const organizer = await openAs(DESKTOP);
  await signInAsOrganizer(organizer, setting.organizer);
  await organizer.goto('/client/groups');
  await organizer.getByRole('button', { name: 'Create Group' }).click();
  const panel = organizer.getByRole('dialog');
  await panel.getByLabel('Name').fill('Owners');
  await panel.getByRole('button', { name: /^Create/ }).click();
  await expect(organizer.getByRole('link', { name: '0 members of Owners' })).toBeVisible();

  const groups = (await api.get('/api/client/groups')).data as { id: string }[];
  const group = groups[0]?.id ?? '';
  await api.post(`/api/client/groups/${group}/members`, { add: [idOf(0), idOf(1)] });
  await api.post('/api/client/questions', {
    meetingId: setting.meetingId,
    questionText: 'Shall the roof be renewed?',
    questionType: 'YES_NO',
    decisionRule: {
      kind: 'majority',
      conditions: [MORE_THAN_HALF],
      onTie: 'casting_vote',
      inEach: [group],
    },
  });
  await organizer.reload();
  await expect(organizer.getByRole('link', { name: '2 members of Owners' })).toBeVisible();
  await expectAccessibleInBothSchemes(organizer, 'the groups');

  await organizer.goto(`/client/meetings/${setting.meetingId}/control`);
  const presentation = await openAs(PRESENTATION);
  await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
  const phones = await Promise.all([openAs(PHONE), openAs(PHONE), openAs(PHONE), openAs(PHONE)]);
  await Promise.all(phones.map((phone, index) => joinAsVoter(phone, setting, index)));
  await startQuestion(organizer);
  // Both owners are in favor, and the other two are not.
  await Promise.all(phones.map((phone, index) => vote(phone, { choice: index < 2 ? 'Yes' : 'No' })));
  await endQuestion(organizer);
  await countVotes(organizer);

  await expect(organizer.getByRole('heading', { name: 'The votes are equal' })).toBeVisible();
  await expect(organizer.getByRole('button', { name: 'Declare result' })).toHaveCount(0);
  await organizer.getByRole('button', { name: 'Note the casting vote' }).click();
  await expect(organizer.getByText('Enter who has the casting vote.')).toBeVisible();
  await expectAccessibleInBothSchemes(organizer, 'an open casting vote');
  await organizer.getByLabel('Cast by').fill('Olga Ritter');
  await organizer.getByRole('radiogroup', { name: 'Casting vote' }).getByLabel('Yes').check();
  await organizer.getByRole('button', { name: 'Note the casting vote' }).click();
  await expect(organizer.getByRole('heading', { name: 'The votes are equal' })).toBeHidden();
  await organizer.getByRole('button', { name: 'Declare result' }).click();
  await organizer
    .getByRole('dialog', { name: /^Declare the result/ })
    .getByRole('button', { name: 'Declare result' })
    .click();
  await expect(organizer.getByText(/Declared at .* by Olga Ritter/)).toBeVisible();
  await expect(presentation.getByText(/casting vote/i).first()).toBeVisible();
  await expect(phones[0].getByText(/casting vote/i).first()).toBeVisible();

  await organizer.goto(`/client/meetings/${setting.meetingId}/results`);
  await expect(organizer.getByRole('table', { name: /^Owners/ }).first()).toBeVisible();
  await expectAccessibleInBothSchemes(organizer, 'a result with groups');
});
