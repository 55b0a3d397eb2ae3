import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './support/accessible';
import {
  answerWithError,
  type Call,
  countCalls,
  holdCall,
  inEachFailure,
  loseCall,
} from './support/failures';
import { tabTo } from './support/keyboard';
import { foundOrganization, type Organization } from './support/organization';
import { expectNothingCutOff, expectToast, WIDTHS } from './support/screens';
import { DESKTOP, expect, PHONE, test } from './support/test';

const LOOK = { reducedMotion: 'reduce' } as const;
const AGENDA: Call = { method: 'GET', path: /^\/api\/client\/questions\/meeting\/[^/]+$/ };
const CREATE: Call = { method: 'POST', path: '/api/client/questions' };
const UPDATE: Call = { method: 'PUT', path: /^\/api\/client\/questions\/[^/]+$/ };
const DELETE: Call = { method: 'DELETE', path: UPDATE.path };
const COPY: Call = { method: 'POST', path: /\/duplicate$/ };
const REORDER: Call = { method: 'PUT', path: /\/reorder$/ };

async function addMeeting({ caller }: Organization, title = 'Annual assembly'): Promise<string> {
  const meeting = await caller.post('/api/client/meetings', {
    title,
    scheduledStartTime: '2027-03-01T18:00:00Z',
    scheduledEndTime: '2027-03-01T20:00:00Z',
    status: 'SCHEDULED',
  });
  return String(meeting.id);
}

async function addQuestion({ caller }: Organization, meetingId: string, question: object): Promise<string> {
  const { id } = await caller.post('/api/client/questions', { meetingId, ...question });
  return String(id);
}

const openText = (questionText: string) => ({ questionText, questionType: 'OPEN_TEXT' });

/** A line of the table, or a card on phones. */
function rowsOf(page: Page): Locator {
  return page
    .locator('tbody')
    .getByRole('row')
    .or(page.getByRole('list', { name: 'All Questions' }).locator('> li'));
}

const rowOf = (page: Page, question: string) => rowsOf(page).filter({ hasText: question });

/** On phones, all actions except moving are in a menu. */
async function choose(page: Page, question: string, action: 'Edit' | 'Copy' | 'Del'): Promise<void> {
  const opener = page.getByRole('button', { name: `Actions for ${question}` });
  if (page.viewportSize()?.width === PHONE.width) {
    await opener.click();
    await page.getByRole('menuitem', { name: action }).click();
  } else {
    await rowOf(page, question).getByRole('button', { name: action, exact: true }).click();
  }
}

/** The button that `choose` pressed, which gets the focus back. */
function openerOf(page: Page, question: string, action: 'Edit' | 'Copy' | 'Del'): Locator {
  return page.viewportSize()?.width === PHONE.width
    ? page.getByRole('button', { name: `Actions for ${question}` })
    : rowOf(page, question).getByRole('button', { name: action, exact: true });
}

async function expectAgenda(page: Page, questions: string[]): Promise<void> {
  await expect(rowsOf(page)).toHaveCount(questions.length);
  for (const [index, question] of questions.entries()) {
    await expect(rowsOf(page).nth(index)).toContainText(question);
  }
}

async function expectSaid(page: Page, message: string): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
}

for (const { width, viewport } of WIDTHS) {
  test(`a question is written, on ${width}`, async ({ openAs, server }) => {
    const organization = await foundOrganization(server.url, 'Agenda');
    const meetingId = await addMeeting(organization);
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    const addButton = page.getByRole('button', { name: 'Add Question' });
    const form = page.getByRole('dialog', { name: 'Add Question' });
    const create = form.getByRole('button', { name: 'Create Question' });

    await test.step('the agenda cannot be loaded', async () => {
      const mend = await answerWithError(page, AGENDA, { status: 500, error: '' });
      await page.goto(`/client/meetings/${meetingId}/questions`);
      await expect(page.getByRole('alert')).toContainText('Failed to load data');
      await mend();
      await page.getByRole('button', { name: 'Try again' }).click();
    });

    await test.step('it is empty', async () => {
      await expect(page.getByRole('heading', { name: 'All Questions (0)' })).toBeVisible();
      await expect(page.getByText('No questions added yet')).toBeVisible();
      await expect(page.getByText('Add your first question to get started')).toBeVisible();
      await expect(page.getByText('Annual assembly')).toBeVisible();
      await expectNothingCutOff(page, addButton);
      await expectAccessibleInBothSchemes(page, 'no questions');
    });

    await test.step('each type starts with its own options', async () => {
      await addButton.click();
      const type = form.getByLabel('Question Type');
      const options = form.getByRole('textbox', { name: /^Option \d+$/ });
      const values = () =>
        options.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
      await expect(type).toBeFocused();
      expect(await type.getByRole('option').allTextContents()).toEqual([
        'Yes/No Question',
        'Multiple Choice',
        'Open Text',
        'Rating (1-5 Stars)',
        'Percentage (0-100%)',
        'Election',
      ]);
      expect(await values()).toEqual(['Yes', 'No']);
      await expect(form.getByRole('button', { name: 'Add Option' })).toBeHidden();
      await expect(form.getByRole('button', { name: /^Remove option/ })).toHaveCount(0);
      await expect(form.getByPlaceholder('Enter your question...')).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'new yes/no question');
      await type.selectOption('Rating (1-5 Stars)');
      await expect(options).toHaveCount(0);
      await form.getByText('1 to 10').click();
      await expectAccessibleInBothSchemes(page, 'new rating');
      await type.selectOption('Percentage (0-100%)');
      await expect(options).toHaveCount(0);
      await type.selectOption('Multiple Choice');
      expect(await values()).toEqual(['Option 1', 'Option 2', 'Option 3']);
    });

    await test.step('two options at the least, each different', async () => {
      const calls = countCalls(page, CREATE);
      await form.getByLabel('Question Text').fill('What first?');
      await form.getByRole('button', { name: 'Remove option 3' }).click();
      await expect(form.getByLabel('Option 2', { exact: true })).toBeFocused();
      await form.getByRole('button', { name: 'Remove option 2' }).click();
      await expect(form.getByText('Minimum 2 options required')).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'too few options');
      await form.getByLabel('Option 2', { exact: true }).fill(' ');
      await create.click();
      await expect(form.getByText('Please provide at least 2 options')).toBeVisible();
      await form.getByLabel('Option 1', { exact: true }).fill('Roof');
      await form.getByLabel('Option 2', { exact: true }).fill('roof');
      await create.click();
      await expect(form.getByText('Each option needs a text of its own')).toBeVisible();
      expect(calls()).toBe(0);
      await form.getByLabel('Option 2', { exact: true }).fill('Lifts');
      for (const [number, text] of [
        [3, 'Garden'],
        [4, 'جدول'],
        [5, 'Party 🎉'],
      ] as const) {
        await form.getByRole('button', { name: 'Add Option' }).click();
        await expect(form.getByLabel(`Option ${number}`, { exact: true })).toBeFocused();
        await page.keyboard.type(text);
      }
    });

    await test.step('Escape asks before it throws away what was typed', async () => {
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await expect(question).toBeHidden();
      await expect(form.getByLabel('Option 5', { exact: true })).toHaveValue('Party 🎉');
    });

    await test.step('what the server refuses is said at its field', async () => {
      await form.getByLabel('Question Text').fill('');
      await form.getByLabel('Maximum choices per voter').fill('9');
      await create.click();
      await expect(form.getByLabel('Question Text')).toHaveAccessibleDescription('Must not be empty.');
      await expect(form.getByLabel('Maximum choices per voter')).toHaveAccessibleDescription(
        /Must be a whole number from 1 to 5\./,
      );
      await expect(form.getByLabel('Question Text')).toBeFocused();
      await expectAccessibleInBothSchemes(page, 'new question with errors');
      await form.getByLabel('Question Text').fill('What first?');
      await form.getByLabel('Maximum choices per voter').fill('2');
    });

    await test.step('nothing typed is lost when creating fails, and a double click creates one', async () => {
      await inEachFailure(page, CREATE, 'Failed to create question', async (said) => {
        await create.click();
        await expect(form.getByRole('alert')).toHaveText(said);
        await expect(form.getByLabel('Option 5', { exact: true })).toHaveValue('Party 🎉');
        await expect(create).toBeInViewport({ ratio: 1 });
      });
      const calls = countCalls(page, CREATE);
      const release = await holdCall(page, CREATE);
      await create.dblclick();
      await expect(form.getByRole('button', { name: 'Creating...' })).toBeVisible();
      release();
      await expectSaid(page, 'Question created successfully');
      await expect(form).toBeHidden();
      await expect(addButton).toBeFocused();
      expect(calls()).toBe(1);
    });
  });

  test(`an agenda is kept in order, on ${width}`, async ({ openAs, server }) => {
    const organization = await foundOrganization(server.url, 'Order');
    const meetingId = await addMeeting(organization);
    await addQuestion(organization, meetingId, {
      questionText: 'What first?',
      questionType: 'MULTIPLE_CHOICE',
      options: ['Roof', 'Lifts', 'Garden', 'جدول', 'Party 🎉'],
      maxChoices: 2,
    });
    await addQuestion(organization, meetingId, {
      questionText: 'Is the agenda adopted?',
      questionType: 'YES_NO',
      options: ['Yes', 'No'],
    });
    await addQuestion(organization, meetingId, {
      questionText: 'How was it?',
      questionType: 'RATING',
      ratingMax: 10,
    });
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    const editForm = page.getByRole('dialog', { name: 'Edit Question' });
    await page.goto(`/client/meetings/${meetingId}/questions`);

    await test.step('the table shows the first options', async () => {
      await expectAgenda(page, ['What first?', 'Is the agenda adopted?', 'How was it?']);
      await expect(rowOf(page, 'What first?')).toContainText('A. Roof');
      await expect(rowOf(page, 'What first?')).toContainText('C. Garden');
      await expect(rowOf(page, 'What first?')).toContainText('+2 more');
      await expect(rowOf(page, 'What first?')).not.toContainText('جدول');
      await expect(rowOf(page, 'agenda adopted')).toContainText('2. No');
      await expect(rowOf(page, 'How was it?')).toContainText('No options');
      await expectNothingCutOff(page, openerOf(page, 'What first?', 'Del'));
      await expectAccessibleInBothSchemes(page, 'questions');
      if (viewport === PHONE) {
        await openerOf(page, 'What first?', 'Del').click();
        await expect(page.getByRole('menuitem', { name: 'Copy' })).toBeVisible();
        await expectAccessibleInBothSchemes(page, 'actions of a question');
        await page.keyboard.press('Escape');
      }
    });

    await test.step('a change is kept or said to have failed', async () => {
      await choose(page, 'What first?', 'Edit');
      await expect(editForm.getByLabel('Option 5', { exact: true })).toHaveValue('Party 🎉');
      await expect(editForm.getByLabel('Maximum choices per voter')).toHaveValue('2');
      await expectAccessibleInBothSchemes(page, 'edit question');
      await editForm.getByLabel('Question Text').fill('What comes first?');
      const update = editForm.getByRole('button', { name: 'Update Question' });
      await inEachFailure(page, UPDATE, 'Failed to update question', async (said) => {
        await update.click();
        await expect(editForm.getByRole('alert')).toHaveText(said);
        await expect(editForm.getByLabel('Question Text')).toHaveValue('What comes first?');
      });
      const calls = countCalls(page, UPDATE);
      await update.dblclick();
      await expectSaid(page, 'Question updated successfully');
      await expect(editForm).toBeHidden();
      await expect(openerOf(page, 'What comes first?', 'Edit')).toBeFocused();
      expect(calls()).toBe(1);
    });

    await test.step('moving', async () => {
      const move = (question: string, name: string) => rowOf(page, question).getByRole('button', { name });
      await expect(move('What comes first?', 'Move up')).toHaveAttribute('aria-disabled', 'true');
      await expect(move('How was it?', 'Move down')).toHaveAttribute('aria-disabled', 'true');
      const calls = countCalls(page, REORDER);
      await move('What comes first?', 'Move up').click({ force: true });
      await inEachFailure(page, REORDER, 'Failed to reorder question', async (said) => {
        await move('How was it?', 'Move up').click();
        await expectToast(page, said);
        await expectAgenda(page, ['What comes first?', 'Is the agenda adopted?', 'How was it?']);
      });
      expect(calls()).toBe(3);
      await move('How was it?', 'Move up').click();
      await expectToast(page, 'Question moved up');
      await expectAgenda(page, ['What comes first?', 'How was it?', 'Is the agenda adopted?']);
      await move('What comes first?', 'Move down').click();
      await expectToast(page, 'Question moved down');
      await page.reload();
      await expectAgenda(page, ['How was it?', 'What comes first?', 'Is the agenda adopted?']);
    });

    await test.step('copying', async () => {
      await inEachFailure(page, COPY, 'Failed to duplicate question', async (said) => {
        await choose(page, 'How was it?', 'Copy');
        await expectToast(page, said);
      });
      await choose(page, 'How was it?', 'Copy');
      await expectToast(page, 'Question duplicated successfully');
      await expect(page.getByRole('heading', { name: 'All Questions (4)' })).toBeVisible();
    });

    await test.step('deleting', async () => {
      const dialog = page.getByRole('dialog', { name: 'Delete this question?' });
      await choose(page, 'What comes first?', 'Del');
      await expect(
        dialog.getByText('Are you sure you want to delete this question? This action cannot be undone.'),
      ).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'delete question');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(openerOf(page, 'What comes first?', 'Del')).toBeFocused();
      await choose(page, 'What comes first?', 'Del');
      const mend = await loseCall(page, DELETE);
      await dialog.getByRole('button', { name: 'Delete Question' }).click();
      await expectToast(page, 'Failed to delete question: the server could not be reached');
      await expect(dialog).toBeVisible();
      await mend();
      const calls = countCalls(page, DELETE);
      await dialog.getByRole('button', { name: 'Delete Question' }).dblclick();
      await expectSaid(page, 'Question deleted successfully');
      await expect(page.getByRole('heading', { name: 'All Questions (3)' })).toBeVisible();
      await expect(page.getByRole('main')).toBeFocused();
      expect(calls()).toBe(1);
    });

    await test.step('to the control and back to the meetings', async () => {
      await expect(page.getByRole('link', { name: 'Control' })).toHaveAttribute(
        'href',
        `/client/meetings/${meetingId}/control`,
      );
      await page.getByRole('link', { name: 'Back to Meetings' }).click();
      await expect(page.getByRole('heading', { name: 'All Meetings (1)' })).toBeVisible();
    });
  });
}

test('questions that are open or deleted cannot be changed', async ({ openAs, server }) => {
  const organization = await foundOrganization(server.url, 'Voted on');
  const { caller, code } = organization;
  const credentials = { username: 'vera', password: 'a long password' };
  await caller.post('/api/client/end-users', { name: 'Vera Lind', ...credentials });
  const meetingId = await addMeeting(organization);
  const questionId = await addQuestion(organization, meetingId, {
    questionText: 'Is the agenda adopted?',
    questionType: 'YES_NO',
    options: ['Yes', 'No'],
  });
  const goneId = await addQuestion(organization, meetingId, openText('Any other business?'));
  await caller.post(`/api/client/meetings/${meetingId}/start`, {});
  await caller.put(`/api/client/meetings/${meetingId}/current-question`, { questionId });
  const page = await openAs(DESKTOP, { ...LOOK, ...caller.browser });
  const editForm = page.getByRole('dialog', { name: 'Edit Question' });
  const update = editForm.getByRole('button', { name: 'Update Question' });
  await page.goto(`/client/meetings/${meetingId}/questions`);

  await test.step('while voting is open', async () => {
    await choose(page, 'Is the agenda adopted?', 'Edit');
    await editForm.getByLabel('Question Text').fill('Is this agenda adopted?');
    await update.click();
    await expect(editForm.getByRole('alert')).toHaveText(
      'Voting on this question is open; end it before you change the question',
    );
  });

  await test.step('once there are votes', async () => {
    const api = page.request;
    const signIn = await api.post('/api/auth/end-user/login', { data: { clientCode: code, ...credentials } });
    const { token } = await signIn.json();
    const vote = await api.post(`/api/voting/meetings/${meetingId}/questions/${questionId}/vote`, {
      data: { answers: ['Yes'] },
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(vote.ok()).toBe(true);
    await caller.put(`/api/client/meetings/${meetingId}/current-question`, { questionId: null });
    await update.click();
    await expect(editForm.getByRole('alert')).toHaveText(
      'This question has votes, so it can be neither changed nor deleted; copy it instead',
    );
    await expect(editForm.getByLabel('Question Text')).toHaveValue('Is this agenda adopted?');
    await expectAccessibleInBothSchemes(page, 'question with votes');
    await editForm.getByRole('button', { name: 'Save as Copy' }).click();
    await expectSaid(page, 'Question duplicated successfully');
    await expectAgenda(page, ['Is the agenda adopted?', 'Any other business?', 'Is this agenda adopted?']);
    await choose(page, 'Is the agenda adopted?', 'Del');
    await page.getByRole('button', { name: 'Delete Question' }).click();
    await expectSaid(
      page,
      'This question has votes, so it can be neither changed nor deleted; copy it instead',
    );
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('once somebody else has deleted it', async () => {
    await choose(page, 'Any other business?', 'Edit');
    await editForm.getByLabel('Question Text').fill('Any business?');
    const gone = await page.request.delete(`/api/client/questions/${goneId}`, {
      headers: { Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('accessToken'))}` },
    });
    expect(gone.ok()).toBe(true);
    await update.click();
    await expect(editForm.getByRole('alert')).toHaveText('The question does not exist');
    await expect(editForm.getByLabel('Question Text')).toHaveValue('Any business?');
  });

  await test.step('a meeting that does not exist', async () => {
    const other = await openAs(PHONE, { ...LOOK, ...caller.browser });
    await other.goto('/client/meetings/00000000-0000-7000-8000-000000000000/questions');
    await expect(other.getByText('Meeting not found')).toBeVisible();
    await expectAccessibleInBothSchemes(other, 'questions of no meeting');
  });
});

test('a question is added, moved and deleted by keyboard alone', async ({ openAs, server }) => {
  const organization = await foundOrganization(server.url, 'Keyboard agenda');
  const meetingId = await addMeeting(organization);
  for (const question of ['One', 'Two']) {
    await addQuestion(organization, meetingId, openText(question));
  }
  const page = await openAs(DESKTOP, { ...LOOK, ...organization.caller.browser });
  const { keyboard } = page;
  const form = page.getByRole('dialog', { name: 'Add Question' });
  await page.goto(`/client/meetings/${meetingId}/questions`);
  await expectAgenda(page, ['One', 'Two']);

  await tabTo(page, page.getByRole('button', { name: 'Add Question' }));
  await keyboard.press('Enter');
  await expect(form.getByLabel('Question Type')).toBeFocused();
  await keyboard.type('Mult');
  await tabTo(page, form.getByLabel('Question Text'));
  await keyboard.type('Three');
  await tabTo(page, form.getByRole('button', { name: 'Remove option 3' }));
  await keyboard.press('Enter');
  await expect(form.getByLabel('Option 2', { exact: true })).toBeFocused();
  await keyboard.type('Second');
  await keyboard.press('Enter');
  await expectSaid(page, 'Question created successfully');
  await expect(page.getByRole('button', { name: 'Add Question' })).toBeFocused();
  await expectAgenda(page, ['One', 'Two', 'Three']);
  await expect(rowOf(page, 'Three')).toContainText('B. Second');

  const up = rowOf(page, 'Three').getByRole('button', { name: 'Move up' });
  await tabTo(page, up);
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await expectAgenda(page, ['Three', 'One', 'Two']);
  await expect(up).toBeFocused();

  await tabTo(page, rowOf(page, 'Three').getByRole('button', { name: 'Del', exact: true }));
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expectSaid(page, 'Question deleted successfully');
  await page.reload();
  await expectAgenda(page, ['One', 'Two']);
});

for (const { width, viewport } of WIDTHS) {
  test(`a question is dragged by its handle, on ${width}`, async ({ openAs, server }) => {
    const organization = await foundOrganization(server.url, 'Dragging');
    const meetingId = await addMeeting(organization);
    for (const text of ['One', 'Two', 'Three']) {
      await addQuestion(organization, meetingId, openText(text));
    }
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    await page.goto(`/client/meetings/${meetingId}/questions`);
    await expectAgenda(page, ['One', 'Two', 'Three']);
    const handle = await rowOf(page, 'One').getByTitle('Drag to another place').boundingBox();
    const target = await rowOf(page, 'Two').boundingBox();
    const from = { x: (handle?.x ?? 0) + 12, y: (handle?.y ?? 0) + 12 };
    const to = { x: from.x, y: (target?.y ?? 0) + 24 };
    if (viewport === PHONE) {
      const browser = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: typeof from) =>
        browser.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
      await touch('touchStart', from);
      await touch('touchMove', { x: from.x, y: from.y + 30 });
      await touch('touchMove', to);
      await expect(rowOf(page, 'Two')).toHaveAttribute('data-drop', 'after');
      await touch('touchEnd');
    } else {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await expect(rowOf(page, 'Two')).toHaveAttribute('data-drop', 'after');
      await page.mouse.up();
    }
    await expectToast(page, 'Question moved down');
    await page.reload();
    await expectAgenda(page, ['Two', 'One', 'Three']);
  });
}
