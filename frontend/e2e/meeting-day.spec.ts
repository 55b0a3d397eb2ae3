import type { Page } from '@playwright/test';
import { endQuestion, nextQuestion, signInAsOrganizer, startQuestion } from './support/organizer';
import { superAdmin } from './support/plenum-server';
import { DESKTOP, expect, PHONE, PRESENTATION, test } from './support/test';
import { type Answer, joinMeeting, signInAsVoter, vote } from './support/voter';

const organizer = { email: 'olga@riverside.test', password: 'olga-has-a-password' };
const MEETING = 'Annual General Meeting';
const people = [
  { name: 'Ada Byron', username: 'ada', weight: '1', password: 'ada-has-a-password' },
  { name: 'Bo Nilsen', username: 'bo', weight: '2.5', password: 'bo-has-a-password' },
  { name: 'Cleo Marsh', username: 'cleo', weight: '1', password: 'cleo-has-a-password' },
] as const;

interface Round {
  question: string;
  type: string;
  prepare?: (page: Page) => Promise<void>;
  /** The hint of the presentation about answering. */
  hint: RegExp;
  answers: [Answer, Answer, Answer];
  /** Checks the tally that the organizer sees after the round. */
  expectTally: (page: Page) => Promise<void>;
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}(?!\\w)`) });

const rounds: Round[] = [
  {
    question: 'Are the accounts approved?',
    type: 'Yes/No Question',
    hint: /^Yes$/,
    answers: [{ choice: 'Yes' }, { choice: 'Yes' }, { choice: 'No' }],
    expectTally: async (page) => {
      await expect(row(page, 'Yes').getByRole('cell')).toHaveText(['2, 67 %', '3.5, 78 %']);
      await expect(row(page, 'No').getByRole('cell')).toHaveText(['1, 33 %', '1, 22 %']);
    },
  },
  {
    question: 'What shall be repaired first?',
    type: 'Multiple Choice',
    prepare: async (page) => {
      for (const [index, option] of ['Roof', 'Lifts', 'Garden'].entries()) {
        await page
          .getByRole('dialog')
          .getByLabel(`Option ${index + 1}`, { exact: true })
          .fill(option);
      }
    },
    hint: /^Lifts$/,
    answers: [{ choices: ['Roof', 'Lifts'] }, { choices: ['Roof'] }, { choices: ['Lifts'] }],
    expectTally: async (page) => {
      await expect(row(page, 'Roof').getByRole('cell')).toHaveText(['2, 67 %', '3.5, 78 %']);
      await expect(row(page, 'Lifts').getByRole('cell')).toHaveText(['2, 67 %', '2, 44 %']);
      await expect(row(page, 'Garden').getByRole('cell')).toHaveText(['0, 0 %', '0, 0 %']);
    },
  },
  {
    question: 'How did the board do?',
    type: 'Rating (1-5 Stars)',
    hint: /^Rate from 1 to 5$/,
    answers: [{ rating: '5 of 5' }, { rating: '4 of 5' }, { rating: '4 of 5' }],
    expectTally: async (page) => {
      await expect(page.getByText('4.3').first()).toBeVisible();
      const values = page.getByRole('table', { name: /^Votes per answer/ });
      await expect(values.getByRole('row', { name: /^4/ }).getByRole('cell')).toHaveText(['2', '3.5']);
    },
  },
  {
    question: 'How much goes into the reserve?',
    type: 'Percentage (0-100%)',
    hint: /^Enter percentage \(0-100%\)$/,
    answers: [{ percentage: '37.5' }, { percentage: '50' }, { percentage: '50' }],
    expectTally: async (page) => {
      await expect(row(page, '37.5 %').getByRole('cell')).toHaveText(['1', '1']);
      await expect(row(page, '50 %').getByRole('cell')).toHaveText(['2', '3.5']);
    },
  },
  {
    question: 'What else should be said?',
    type: 'Open Text',
    hint: /^Provide your text response$/,
    answers: [{ text: 'More bicycle stands' }, { text: 'Thank you' }, { text: 'More bicycle stands' }],
    expectTally: async (page) => {
      await expect(page.getByText('2 voters, weight 2')).toBeVisible();
      await expect(page.getByText('1 voter, weight 2.5')).toBeVisible();
    },
  },
];

test('a meeting day, from the first client to the last tally', async ({ openAs }) => {
  const root = await openAs(DESKTOP);
  const control = await openAs(DESKTOP);
  const presentation = await openAs(PRESENTATION);
  const ada = await openAs(PHONE);
  const bo = await openAs(PHONE);
  const cleo = await openAs(PHONE);
  let meetingId = '';
  let invitation = '';

  await test.step('the super admin creates the client with its administrator', async () => {
    await root.goto('/');
    await expect(root).toHaveURL(/\/admin\/login$/);
    await root.getByLabel('Email Address').fill(superAdmin.email);
    await root.getByLabel(/^Password/).fill(superAdmin.password);
    await root.getByRole('button', { name: 'Sign in' }).click();
    await expect(root).toHaveURL(/\/admin$/);
    await root.goto('/clients');
    await root.getByRole('button', { name: '+ Add Client' }).click();
    const form = root.getByRole('dialog');
    await form.getByLabel('Client Name').fill('Riverside Housing');
    await form.getByLabel('Organization Code').fill('riverside');
    await form.getByLabel('First Name').fill('Olga');
    await form.getByLabel('Last Name').fill('Ritter');
    await form.getByLabel('Email').fill(organizer.email);
    await form.getByLabel(/^Password/).fill(organizer.password);
    await form.getByRole('button', { name: 'Create Client' }).click();
    await expect(root.getByRole('row', { name: /Riverside Housing/ })).toBeVisible();
  });

  await test.step('the organizer adds the voters with their weights', async () => {
    await signInAsOrganizer(control, organizer);
    await control.goto('/client/end-users');
    for (const { name, username, weight, password } of people) {
      await control.getByRole('button', { name: 'Create End User' }).click();
      const form = control.getByRole('dialog');
      await form.getByLabel('Full Name').fill(name);
      await form.getByLabel('Username').fill(username);
      await form.getByLabel('Voting Weight').fill(weight);
      await form.getByLabel(/^Password/).fill(password);
      const credentials = control.waitForEvent('download');
      await form.getByRole('button', { name: 'Create End User' }).click();
      expect((await credentials).suggestedFilename()).toContain(username);
      await expect(form).toBeHidden();
      await expect(control.getByRole('row', { name: new RegExp(name) })).toBeVisible();
    }
  });

  await test.step('the organizer makes the meeting and its questions', async () => {
    await control.goto('/client/meetings');
    await control.getByRole('button', { name: 'Create Meeting' }).click();
    const form = control.getByRole('dialog');
    await form.getByLabel('Meeting Title').fill(MEETING);
    await form.getByLabel('Start Time').fill('2031-05-20T18:00');
    await form.getByLabel('End Time').fill('2031-05-20T21:00');
    await form.getByLabel('Status').selectOption('SCHEDULED');
    await expect(form.getByLabel('Invite all active end users (3 users)')).toBeVisible();
    await form.getByLabel('Invite all active end users (3 users)').check();
    await form.getByRole('button', { name: 'Create Meeting' }).click();
    await expect(control.getByText('No questions added yet')).toBeVisible();

    for (const { question, type, prepare } of rounds) {
      await control.getByRole('button', { name: 'Add Question' }).first().click();
      const editor = control.getByRole('dialog');
      await editor.getByLabel('Question Type').selectOption(type);
      await editor.getByLabel('Question Text').fill(question);
      await prepare?.(control);
      await editor.getByRole('button', { name: 'Create Question' }).click();
      await expect(editor).toBeHidden();
      await expect(
        control.getByRole('row', { name: new RegExp(question.replace('?', '\\?')) }),
      ).toBeVisible();
    }
  });

  await test.step('the organizer opens the control panel and starts the meeting', async () => {
    await control.goto('/client/meetings');
    await control.getByRole('button', { name: `Actions for ${MEETING}` }).click();
    await control.getByRole('menuitem', { name: 'Control' }).click();
    await expect(control.getByText('Connected', { exact: true })).toBeVisible();
    meetingId = /meetings\/([^/]+)\/control/.exec(control.url())?.[1] ?? '';
    await control.getByRole('button', { name: 'Copy Invitation Link' }).click();
    await expect(control.getByText('Meeting invitation link copied to clipboard')).toBeVisible();
    invitation = await control.evaluate(() => navigator.clipboard.readText());
    expect(new URL(invitation).pathname).toMatch(/^\/vote\//);

    await control.getByRole('button', { name: 'Copy Presentation Link' }).click();
    await expect(control.getByText('Presentation link copied to clipboard')).toBeVisible();
    await presentation.goto(await control.evaluate(() => navigator.clipboard.readText()));
    await expect(presentation.getByRole('heading', { name: 'Meeting Not Active' })).toBeVisible();

    await control.getByRole('button', { name: 'Start Meeting' }).click();
    await expect(control.getByRole('heading', { name: 'Question Control - 1 of 5' })).toBeVisible();
    await expect(presentation.getByRole('heading', { name: 'Waiting for Question' })).toBeVisible();
  });

  await test.step('the voters come in: by code, by invitation and by address', async () => {
    await ada.goto('/participant');
    await ada.getByLabel('Organization Code').fill('RIVERSIDE');
    await ada.getByRole('button', { name: 'Continue' }).click();
    await expect(ada.getByRole('heading', { name: 'Riverside Housing' })).toBeVisible();
    await signInAsVoter(ada, people[0].username, people[0].password);
    await joinMeeting(ada, MEETING);

    await bo.goto(invitation);
    await expect(bo.getByText(`You're joining: ${MEETING}`)).toBeVisible();
    await signInAsVoter(bo, people[1].username, people[1].password);
    await expect(bo).toHaveURL(new RegExp(`/voting/meeting/${meetingId}$`));

    await cleo.goto('/participant/login/riverside');
    await signInAsVoter(cleo, people[2].username, people[2].password);
    await joinMeeting(cleo, MEETING);

    for (const voter of [ada, bo, cleo]) {
      await expect(voter.getByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
    }
    await expect(control.getByText('3 Active Participants')).toBeVisible();
    await expect(presentation.getByText('3 participants')).toBeVisible();
  });

  for (const [index, round] of rounds.entries()) {
    await test.step(`round ${index + 1}: ${round.question}`, async () => {
      if (index > 0) {
        await nextQuestion(control, index + 1, rounds.length);
        await expect(presentation.getByText('Voting is not open')).toBeVisible();
      }
      await startQuestion(control);
      await expect(presentation.getByRole('heading', { name: round.question })).toBeVisible();
      await expect(presentation.getByText(round.hint)).toBeVisible();

      for (const [position, voter] of [ada, bo, cleo].entries()) {
        await expect(voter.getByRole('heading', { name: round.question })).toBeVisible();
        await vote(voter, round.answers[position] as Answer);
        await expect(presentation.getByText(`${position + 1} of 3`)).toBeVisible();
      }
      const figures = control.getByRole('region', { name: 'Live Statistics' });
      await expect(figures.getByText('3 of 3')).toBeVisible();
      await expect(control.getByText('The tally is shown when the question has ended.')).toBeVisible();

      if (index === 0) {
        await expectNoSecondVote(ada, meetingId);
      }

      await endQuestion(control);
      await expect(control.getByText(/^3 of 3 voted, weight 4\.5 of 4\.5/)).toBeVisible();
      await round.expectTally(control);
      await expect(presentation.getByRole('heading', { name: 'Waiting for Question' })).toBeVisible();
      for (const voter of [ada, bo, cleo]) {
        await expect(voter.getByRole('heading', { name: 'Waiting for Next Question' })).toBeVisible();
      }
    });
  }

  await test.step('an earlier tally is read again from the agenda', async () => {
    await control
      .getByRole('navigation', { name: 'Agenda' })
      .getByText(rounds[0]?.question ?? '')
      .click();
    await expect(control.getByRole('heading', { name: 'Result of question 1' })).toBeVisible();
    await rounds[0]?.expectTally(control);
    await expect(control.getByText('5 / 5')).toBeVisible();
    await expect(control.getByText('100 %')).toBeVisible();
  });

  await test.step('the meeting ends for everybody', async () => {
    await control.getByRole('button', { name: 'End Meeting' }).click();
    await control.getByRole('dialog').getByRole('button', { name: 'End Meeting' }).click();
    await expect(control.getByRole('heading', { name: 'The meeting has ended' })).toBeVisible();
    await expect(presentation.getByRole('heading', { name: 'Meeting Completed' })).toBeVisible();
    for (const voter of [ada, bo, cleo]) {
      await expect(voter.getByRole('heading', { name: 'Meeting Completed' })).toBeVisible();
      await expect(
        voter.getByRole('region', { name: 'Your Answers' }).getByRole('listitem').first(),
      ).toBeVisible();
    }
    await ada.getByRole('link', { name: 'Back' }).click();
    await expect(ada.getByRole('button', { name: 'Completed' })).toBeDisabled();
  });
});

/** Neither after a reload nor through the API. */
async function expectNoSecondVote(page: Page, meetingId: string): Promise<void> {
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You have already voted' })).toBeVisible();
  await expect(page.getByText('Your answer:')).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(0);

  const refused = await page.evaluate(async (id) => {
    const headers = {
      Authorization: `Bearer ${localStorage.getItem('accessToken')}`,
      Accept: 'application/json',
      'Content-Type': 'application/json',
    };
    const { meeting } = await (await fetch(`/api/voting/meetings/${id}`, { headers })).json();
    const { id: questionId } = meeting.questions[0];
    const answer = await fetch(`/api/voting/meetings/${id}/questions/${questionId}/vote`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ answers: ['No'] }),
    });
    return { status: answer.status, code: (await answer.json()).code };
  }, meetingId);
  expect(refused).toEqual({ status: 409, code: 'already_voted' });
}
