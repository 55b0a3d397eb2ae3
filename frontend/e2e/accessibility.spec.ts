import { expectAccessibleInBothSchemes } from './support/accessible';
import { pressEndQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { superAdmin } from './support/plenum-server';
import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { choose, joinMeeting, signInAsVoter, submitButton } from './support/voter';

const QUESTIONS = [
  { questionText: 'Is the agenda adopted?', questionType: 'YES_NO', options: ['Yes', 'No'] },
  { questionText: 'What first?', questionType: 'MULTIPLE_CHOICE', options: ['Roof', 'Lifts', 'Garden'] },
  { questionText: 'How did the board do?', questionType: 'RATING', ratingMax: 10 },
  { questionText: 'How much goes into the reserve?', questionType: 'PERCENTAGE' },
  { questionText: 'What else?', questionType: 'OPEN_TEXT' },
];

test('no screen has a violation that axe finds, light and dark', async ({ openAs, server }) => {
  // Thirty screens one after another, and axe takes seconds for each on a busy machine.
  test.setTimeout(400_000);
  const setting = await arrange(server.url, {
    name: 'Axe',
    voters: 2,
    questions: QUESTIONS,
  });
  // Axe measures colors, which differ from the final ones during a transition.
  const look = { colorScheme: 'light', reducedMotion: 'reduce' } as const;
  const root = await openAs(DESKTOP, look);
  const control = await openAs(DESKTOP, look);
  const presentation = await openAs(PRESENTATION, look);
  const phone = await openAs(PHONE, look);

  await test.step('admin portal', async () => {
    await root.goto('/admin/login');
    await expect(root.getByLabel('Email Address')).toBeVisible();
    await expectAccessibleInBothSchemes(root, 'admin sign-in');
    await root.getByLabel('Email Address').fill(superAdmin.email);
    await root.getByLabel(/^Password/).fill(superAdmin.password);
    await root.getByRole('button', { name: 'Sign in' }).click();
    await expect(root.getByText('Total Clients')).toBeVisible();
    await expectAccessibleInBothSchemes(root, 'admin dashboard');
    await root.goto('/admin/clients');
    await expect(root.getByRole('row', { name: new RegExp(setting.organizer.email) })).toBeVisible();
    await expectAccessibleInBothSchemes(root, 'clients');
    await root.getByRole('button', { name: '+ Add Client' }).click();
    await expect(root.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothSchemes(root, 'new client');
  });

  await test.step('client portal', async () => {
    await control.goto('/client/login');
    await expect(control.getByLabel('Email Address')).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'client sign-in');
    await signInAsOrganizer(control, setting.organizer);
    await expect(control.getByText('Total Voting Weight')).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'client dashboard');
    await control.goto('/client/end-users');
    await expect(control.getByRole('row', { name: /Voter 1/ })).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'end users');
    await control.getByRole('button', { name: 'Create End User' }).click();
    await expect(control.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'new end user');
    await control.goto('/client/meetings');
    await expect(control.getByRole('row', { name: new RegExp(setting.meetingTitle) })).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'meetings');
    await control.getByRole('button', { name: 'Create Meeting' }).click();
    await expect(control.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'new meeting');
    await control.goto(`/client/meetings/${setting.meetingId}/questions`);
    await expect(control.getByRole('row', { name: /What first\?/ })).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'questions');
    await control.getByRole('button', { name: 'Add Question' }).click();
    await expect(control.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'new question');
  });

  await test.step('the way in', async () => {
    await phone.goto('/participant');
    await expect(phone.getByLabel('Organization Code')).toBeVisible();
    await expectAccessibleInBothSchemes(phone, 'portal');
    await phone.goto('/vote/no-such-link');
    await expect(phone.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible();
    await expectAccessibleInBothSchemes(phone, 'invalid invitation');
    await phone.goto(`/participant/login/${setting.clientCode}`);
    await expect(phone.getByRole('heading', { name: 'Axe' })).toBeVisible();
    await expectAccessibleInBothSchemes(phone, 'participant sign-in');
    await signInAsVoter(phone, setting.voters[0]?.username ?? '', setting.voters[0]?.password ?? '');
    await expect(phone.getByRole('link', { name: 'Join Meeting' })).toBeVisible();
    await expectAccessibleInBothSchemes(phone, 'your meetings');
    await joinMeeting(phone, setting.meetingTitle);
    await expect(phone.getByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
    await expectAccessibleInBothSchemes(phone, 'waiting');
  });

  await test.step('control view, presentation and ballot in every type of question', async () => {
    await presentation.goto(`/presentation/meeting/${setting.meetingId}`);
    await expect(presentation.getByRole('heading', { name: 'Waiting for Question' })).toBeVisible();
    await expectAccessibleInBothSchemes(presentation, 'presentation, waiting');
    await control.goto(`/client/meetings/${setting.meetingId}/control`);
    await expect(control.getByText('Connected', { exact: true })).toBeVisible();
    await expectAccessibleInBothSchemes(control, 'control');
    const answers = [
      { choice: 'Yes' },
      { choices: ['Roof'] },
      { rating: '7 of 10' },
      { percentage: '40' },
      { text: 'Thank you' },
    ];
    for (const [index, { questionText }] of QUESTIONS.entries()) {
      if (index > 0) {
        await control.getByRole('button', { name: 'Next' }).click();
        await expect(
          control.getByRole('heading', { name: `Question Control - ${index + 1} of 5` }),
        ).toBeVisible();
      }
      await startQuestion(control);
      await expect(phone.getByRole('heading', { name: questionText })).toBeVisible();
      await expect(presentation.getByText('Voting is open')).toBeVisible();
      await expectAccessibleInBothSchemes(presentation, `presentation, ${questionText}`);
      await expectAccessibleInBothSchemes(control, `control, ${questionText}`);
      await expectAccessibleInBothSchemes(phone, `ballot, ${questionText}`);
      await choose(phone, answers[index] ?? { text: '' });
      await expect(submitButton(phone)).toBeVisible();
      await expectAccessibleInBothSchemes(phone, `ballot with an answer, ${questionText}`);
      await submitButton(phone).click();
      await expect(phone.getByRole('heading', { name: 'Your vote is stored' })).toBeVisible();
      await expectAccessibleInBothSchemes(phone, `stored, ${questionText}`);
      await pressEndQuestion(control);
      await expect(control.getByText(/^1 of 2 voted/)).toBeVisible();
      await expectAccessibleInBothSchemes(control, `tally, ${questionText}`);
    }
  });
});
