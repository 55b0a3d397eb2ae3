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
import { expectNothingCutOff, expectToast, rowOf, WIDTHS } from './support/screens';
import { DESKTOP, expect, PHONE, test } from './support/test';

const LOOK = { reducedMotion: 'reduce' } as const;
const LIST: Call = { method: 'GET', path: '/api/client/meetings' };
const CREATE: Call = { method: 'POST', path: '/api/client/meetings' };
const UPDATE: Call = { method: 'PUT', path: /^\/api\/client\/meetings\/[^/]+$/ };
const DELETE: Call = { method: 'DELETE', path: UPDATE.path };
const START: Call = { method: 'POST', path: /\/start$/ };
const END: Call = { method: 'POST', path: /\/end$/ };
const INVITE: Call = { method: 'POST', path: /\/participants$/ };

async function addMeeting({ caller }: Organization, title: string, fields: object = {}): Promise<string> {
  const meeting = await caller.post('/api/client/meetings', {
    title,
    scheduledStartTime: '2027-03-01T18:00:00Z',
    scheduledEndTime: '2027-03-01T20:00:00Z',
    status: 'SCHEDULED',
    ...fields,
  });
  return String(meeting.id);
}

async function addEndUser({ caller }: Organization, name: string, isActive = true): Promise<void> {
  const username = name.toLowerCase().replaceAll(' ', '.');
  const { data } = await caller.post('/api/client/end-users', {
    name,
    username,
    password: 'a long password',
  });
  if (!isActive) {
    await caller.put(`/api/client/end-users/${(data as { id: string }).id}`, { isActive });
  }
}

/** The toast stays: closing it would move the focus, which the next step checks. */
async function expectSaid(page: Page, message: string): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
}

const opener = (page: Page, title: string) => page.getByRole('button', { name: `Actions for ${title}` });

async function choose(page: Page, title: string, action: string): Promise<void> {
  await opener(page, title).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function fillIn(dialog: Locator, title: string, start = '2027-03-01T18:00', end = '2027-03-01T20:00') {
  await dialog.getByLabel('Meeting Title').fill(title);
  await dialog.getByLabel('Start Time').fill(start);
  await dialog.getByLabel('End Time').fill(end);
}

for (const { width, viewport } of WIDTHS) {
  test(`the life of a meeting, on ${width}`, async ({ openAs, server }) => {
    const organization = await foundOrganization(server.url, 'Meetings');
    await addEndUser(organization, 'Vera Lind');
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    const form = page.getByRole('dialog', { name: 'Create New Meeting' });
    const editForm = page.getByRole('dialog', { name: 'Edit Meeting' });
    const createButton = page.getByRole('button', { name: 'Create Meeting' });

    await test.step('the list cannot be loaded', async () => {
      const mend = await answerWithError(page, LIST, { status: 500, error: '' });
      await page.goto('/client/meetings');
      await expect(page.getByRole('alert')).toContainText('Failed to fetch meetings');
      await expectAccessibleInBothSchemes(page, 'meetings that cannot be loaded');
      await mend();
      await page.getByRole('button', { name: 'Try again' }).click();
    });

    await test.step('there is none yet', async () => {
      await expect(page.getByRole('heading', { name: 'All Meetings (0)' })).toBeVisible();
      await expect(page.getByText('No meetings found')).toBeVisible();
      await expect(page.getByText('Create your first meeting to get started')).toBeVisible();
      await expectNothingCutOff(page, createButton);
      await expectAccessibleInBothSchemes(page, 'no meetings');
    });

    await test.step('what is missing is said at once, and at the field', async () => {
      const calls = countCalls(page, CREATE);
      await createButton.click();
      await expect(form.getByLabel('Meeting Title')).toBeFocused();
      await expect(form.getByLabel('Max Participants')).toHaveAttribute('placeholder', 'Unlimited');
      await expectAccessibleInBothSchemes(page, 'new meeting');
      await form.getByRole('button', { name: 'Create Meeting' }).click();
      await expect(form.getByRole('alert')).toHaveText('Please fill in all required fields');
      await expect(form.getByLabel('Start Time')).toHaveAccessibleDescription('Required');
      await expect(form.getByLabel('Meeting Title')).toBeFocused();
      await fillIn(form, 'Annual assembly', '2027-03-01T18:00', '2027-03-01T17:00');
      await form.getByRole('button', { name: 'Create Meeting' }).click();
      await expect(form.getByLabel('End Time')).toHaveAccessibleDescription(
        'The end must be after the start',
      );
      await expectAccessibleInBothSchemes(page, 'new meeting with errors');
      expect(calls()).toBe(0);
    });

    await test.step('Escape asks before it throws away what was typed', async () => {
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await expect(question).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'discard');
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await expect(question).toBeHidden();
      await expect(form.getByLabel('Meeting Title')).toHaveValue('Annual assembly');
    });

    await test.step('nothing typed is lost when creating fails', async () => {
      await form.getByLabel('End Time').fill('2027-03-01T20:00');
      await form.getByLabel('Description').fill('Accounts and elections');
      await form.getByLabel('Status').selectOption('Scheduled');
      await form.getByLabel('Recurring', { exact: true }).check();
      await form.getByLabel('Recurring Pattern').fill('Every Tuesday');
      await inEachFailure(page, CREATE, 'Failed to create meeting', async (said) => {
        await form.getByRole('button', { name: 'Create Meeting' }).click();
        await expect(form.getByRole('alert')).toHaveText(said);
        await expect(form.getByLabel('Meeting Title')).toHaveValue('Annual assembly');
        await expect(form.getByLabel('Recurring Pattern')).toHaveValue('Every Tuesday');
        await expect(form.getByRole('button', { name: 'Create Meeting' })).toBeInViewport({ ratio: 1 });
      });
    });

    await test.step('what the server refuses is said at its field', async () => {
      await form.getByLabel('Meeting Title').fill('x'.repeat(201));
      await form.getByRole('button', { name: 'Create Meeting' }).click();
      await expect(form.getByLabel('Meeting Title')).toHaveAccessibleDescription(
        'Must be at most 200 characters long.',
      );
      await expect(form.getByLabel('Meeting Title')).toBeFocused();
      await form.getByLabel('Meeting Title').fill('Annual assembly');
    });

    await test.step('a double click creates one meeting', async () => {
      const calls = countCalls(page, CREATE);
      const release = await holdCall(page, CREATE);
      await form.getByRole('button', { name: 'Create Meeting' }).dblclick();
      await expect(form.getByRole('button', { name: 'Creating...' })).toBeVisible();
      release();
      await expectSaid(page, 'Meeting created successfully');
      await expect(form).toBeHidden();
      await expect(page.getByText('No questions added yet')).toBeVisible();
      await page.getByRole('link', { name: 'Back to Meetings' }).click();
      await expect(page.getByRole('heading', { name: 'All Meetings (1)' })).toBeVisible();
      expect(calls()).toBe(1);
      await expectNothingCutOff(page, opener(page, 'Annual assembly'));
      await expectAccessibleInBothSchemes(page, 'meetings');
    });

    await test.step('a change is kept or said to have failed', async () => {
      await choose(page, 'Annual assembly', 'Edit');
      await expect(editForm.getByLabel('Recurring Pattern')).toHaveValue('Every Tuesday');
      await expect(editForm.getByLabel('Start Time')).toHaveValue('2027-03-01T18:00');
      await expect(editForm.getByLabel('Invite all active end users (1 users)')).toBeChecked();
      await expectAccessibleInBothSchemes(page, 'edit meeting');
      await editForm.getByLabel('Meeting Title').fill('General assembly');
      await inEachFailure(page, UPDATE, 'Failed to update meeting', async (said) => {
        await editForm.getByRole('button', { name: 'Update Meeting' }).click();
        await expect(editForm.getByRole('alert')).toHaveText(said);
        await expect(editForm.getByLabel('Meeting Title')).toHaveValue('General assembly');
      });
      const calls = countCalls(page, UPDATE);
      await editForm.getByRole('button', { name: 'Update Meeting' }).dblclick();
      await expectSaid(page, 'Meeting updated successfully');
      await expect(editForm).toBeHidden();
      await expect(opener(page, 'General assembly')).toBeFocused();
      expect(calls()).toBe(1);
    });

    await test.step('starting it fails, then does once', async () => {
      const start = page.getByRole('button', { name: 'Start', exact: true });
      await inEachFailure(page, START, 'Failed to start meeting', async (said) => {
        await start.click();
        await expectToast(page, said);
      });
      const calls = countCalls(page, START);
      await start.dblclick();
      await expectToast(page, 'Meeting started successfully');
      await expect(rowOf(page, 'General assembly').getByText('Active', { exact: true })).toBeVisible();
      await expect(start).toBeHidden();
      expect(calls()).toBe(1);
    });

    await test.step('while it runs it cannot be deleted', async () => {
      await opener(page, 'General assembly').click();
      const item = page.getByRole('menuitem', { name: 'Delete' });
      await expect(item).toContainText('Not while the meeting is running');
      await expect(item).toHaveAttribute('aria-disabled', 'true');
      await expectAccessibleInBothSchemes(page, 'actions of a meeting');
      await page.keyboard.press('Escape');
      await expect(opener(page, 'General assembly')).toBeFocused();
    });

    await test.step('ending it is asked about, fails, then does once', async () => {
      await choose(page, 'General assembly', 'End');
      const dialog = page.getByRole('dialog', { name: 'End this meeting?' });
      await expectAccessibleInBothSchemes(page, 'end meeting');
      await inEachFailure(page, END, 'Failed to end meeting', async (said) => {
        await dialog.getByRole('button', { name: 'End Meeting' }).click();
        await expectToast(page, said);
        await expect(dialog).toBeVisible();
      });
      const calls = countCalls(page, END);
      await dialog.getByRole('button', { name: 'End Meeting' }).dblclick();
      await expectToast(page, 'Meeting ended successfully');
      await expect(dialog).toBeHidden();
      await expect(rowOf(page, 'General assembly').getByText('Completed', { exact: true })).toBeVisible();
      expect(calls()).toBe(1);
    });

    await test.step('deleting it is asked about, fails, then does once', async () => {
      await choose(page, 'General assembly', 'Delete');
      const dialog = page.getByRole('dialog', { name: 'Delete this meeting?' });
      await expect(
        dialog.getByText('Are you sure you want to delete the meeting? This action cannot be undone.'),
      ).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'delete meeting');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(opener(page, 'General assembly')).toBeFocused();
      await choose(page, 'General assembly', 'Delete');
      await inEachFailure(page, DELETE, 'Failed to delete meeting', async (said) => {
        await dialog.getByRole('button', { name: 'Delete Meeting' }).click();
        await expectToast(page, said);
        await expect(dialog).toBeVisible();
      });
      const calls = countCalls(page, DELETE);
      await dialog.getByRole('button', { name: 'Delete Meeting' }).dblclick();
      await expectSaid(page, 'Meeting deleted successfully');
      await expect(page.getByText('No meetings found')).toBeVisible();
      await expect(page.getByRole('main')).toBeFocused();
      expect(calls()).toBe(1);
    });
  });

  test(`a list of meetings is searched, narrowed, sorted and paged, on ${width}`, async ({
    openAs,
    server,
  }) => {
    const organization = await foundOrganization(server.url, 'Meeting list');
    const numbers = Array.from({ length: 53 }, (_, index) => String(index + 1).padStart(2, '0'));
    await Promise.all(numbers.map((number) => addMeeting(organization, `Series ${number}`)));
    const longTitle = `Assembly of the ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)} 🎉`;
    const meetingId = await addMeeting(organization, longTitle, {
      status: 'DRAFT',
      maxParticipants: 1200,
      description: 'جدول الأعمال والانتخابات',
      scheduledStartTime: '2026-12-30T18:00:00Z',
    });
    const page = await openAs(viewport, { ...LOOK, ...organization.caller.browser });
    const count = (total: number) => page.getByRole('heading', { name: `All Meetings (${total})` });
    const search = page.getByRole('searchbox', { name: 'Search meetings' });
    const status = page.getByRole('combobox', { name: 'Filter by status' });
    await page.goto('/client/meetings');
    await expect(count(54)).toBeVisible();

    await test.step('pages', async () => {
      await page.getByRole('button', { name: 'Page 2' }).click();
      await expect(page.getByText('51–54 of 54')).toBeVisible();
      await expect(page).toHaveURL(/[?&]page=2/);
      await expectAccessibleInBothSchemes(page, 'second page of meetings');
      await page.reload();
      await expect(page.getByText('51–54 of 54')).toBeVisible();
      await page.goBack();
      await expect(page.getByText('1–50 of 54')).toBeVisible();
    });

    await test.step('sorting', async () => {
      if (viewport === DESKTOP) {
        await page.getByRole('button', { name: 'Meeting', exact: true }).click();
        await expect(page.getByRole('columnheader', { name: 'Meeting' })).toHaveAttribute(
          'aria-sort',
          'ascending',
        );
      } else {
        await page.getByRole('combobox', { name: 'Sort' }).selectOption('Name, A to Z');
      }
      await expect(page).toHaveURL(/[?&]sort=name/);
      await expect(rowOf(page, 'Series').first()).toContainText('Series 01');
      await expectNothingCutOff(page, opener(page, longTitle));
    });

    await test.step('searching, from the first page', async () => {
      await page.getByRole('button', { name: 'Page 2' }).click();
      await expect(page).toHaveURL(/[?&]page=2/);
      const calls = countCalls(page, LIST);
      await search.pressSequentially('series 07');
      await expect(count(1)).toBeVisible();
      await expect(page).toHaveURL(/[?&]search=series/);
      await expect(page).not.toHaveURL(/page=2/);
      expect(calls()).toBeLessThan('series 07'.length);
      await page.reload();
      await expect(search).toHaveValue('series 07');
      await expect(rowOf(page, 'Series 07')).toBeVisible();
    });

    await test.step('narrowing to nothing, and back', async () => {
      expect(await status.getByRole('option').allTextContents()).toEqual([
        'All Status',
        'Draft',
        'Scheduled',
        'Active',
        'Completed',
        'Cancelled',
      ]);
      await status.selectOption('Draft');
      await expect(page.getByText('Try adjusting your search or filters')).toBeVisible();
      await expectAccessibleInBothSchemes(page, 'no meeting found');
      await page.goBack();
      await expect(rowOf(page, 'Series 07')).toBeVisible();
      await page.goForward();
      await page.getByRole('button', { name: 'Clear search and filters' }).click();
      await expect(count(54)).toBeVisible();
      await status.selectOption('Draft');
      await expect(count(1)).toBeVisible();
    });

    await test.step('to the questions and the control, and back to the same rows', async () => {
      await page.getByRole('link', { name: 'Questions', exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/client/meetings/${meetingId}/questions$`));
      await page.goBack();
      await expect(count(1)).toBeVisible();
      await expect(status).toHaveValue('DRAFT');
      await choose(page, longTitle, 'Control');
      await expect(page).toHaveURL(new RegExp(`/client/meetings/${meetingId}/control$`));
    });
  });
}

test('who is invited: everybody, a choice, and no more than there is room for', async ({
  openAs,
  server,
}) => {
  const organization = await foundOrganization(server.url, 'Invitations');
  for (const name of ['Ada Ames', 'Ben Bond', 'Clara Cole']) {
    await addEndUser(organization, name);
  }
  await addEndUser(organization, 'Ines Inactive', false);
  const page = await openAs(PHONE, { ...LOOK, ...organization.caller.browser });
  const form = page.getByRole('dialog', { name: 'Create New Meeting' });
  const editForm = page.getByRole('dialog', { name: 'Edit Meeting' });
  await page.goto('/client/meetings');

  await test.step('everybody includes those who are added later', async () => {
    await page.getByRole('button', { name: 'Create Meeting' }).click();
    await fillIn(form, 'For all');
    await expect(form.getByLabel('Invite all active end users (3 users)')).toBeChecked();
    await expect(form.getByText('People who are added later may take part as well.')).toBeVisible();
    await form.getByRole('button', { name: 'Create Meeting' }).click();
    await expectSaid(page, 'Meeting created successfully');
    await addEndUser(organization, 'Dora Late');
    await page.goto('/client/meetings');
    await choose(page, 'For all', 'Edit');
    await expect(editForm.getByLabel('Invite all active end users (4 users)')).toBeChecked();
    await editForm.getByLabel('Invite all active end users (4 users)').uncheck();
    await expect(editForm.getByLabel('Dora Late')).toBeChecked();
    await expect(editForm.getByText('Selected: 4 participants')).toBeVisible();
    await editForm.getByLabel('Invite all active end users (4 users)').check();
    await editForm.getByRole('button', { name: 'Cancel' }).click();
    await expect(editForm).toBeHidden();
  });

  await test.step('a choice, which fails after the meeting was made', async () => {
    await page.getByRole('button', { name: 'Create Meeting' }).click();
    await fillIn(form, 'For some');
    await form.getByLabel(/Invite all active end users/).uncheck();
    await expect(form.getByLabel('Ines Inactive (Inactive)')).toBeDisabled();
    await expect(form.getByText('Selected: 0 participants')).toBeVisible();
    await form.getByLabel('Ada Ames').check();
    await form.getByLabel('Ben Bond').check();
    await expect(form.getByText('Selected: 2 participants')).toBeVisible();
    await expectAccessibleInBothSchemes(page, 'choice of participants');
    const made = countCalls(page, CREATE);
    const mend = await loseCall(page, INVITE);
    await form.getByRole('button', { name: 'Create Meeting' }).click();
    await expectToast(page, 'Meeting created but failed to add participants');
    await expect(editForm.getByText('Selected: 2 participants')).toBeVisible();
    await expect(editForm.getByRole('alert')).toContainText('its participants were not');
    await expectAccessibleInBothSchemes(page, 'participants that failed');
    await mend();
    await editForm.getByRole('button', { name: 'Update Meeting' }).click();
    await expectSaid(page, 'Meeting updated successfully');
    await expect(page.getByRole('heading', { name: 'All Meetings (2)' })).toBeVisible();
    expect(made()).toBe(1);
  });

  await test.step('a limit', async () => {
    await choose(page, 'For some', 'Edit');
    await expect(editForm.getByLabel(/Invite all active end users/)).not.toBeChecked();
    await expect(editForm.getByLabel('Ada Ames')).toBeChecked();
    await editForm.getByLabel('Max Participants').fill('2');
    await editForm.getByLabel('Clara Cole').check();
    await editForm.getByRole('button', { name: 'Update Meeting' }).click();
    await expect(editForm.getByText('The meeting has room for 2 participants')).toBeVisible();
    await expect(editForm.getByText('Selected: 3 participants')).toBeVisible();
    await editForm.getByLabel('Ada Ames').uncheck();
    await editForm.getByRole('button', { name: 'Update Meeting' }).click();
    await expectSaid(page, 'Meeting updated successfully');
    await choose(page, 'For some', 'Edit');
    await expect(editForm.getByLabel('Clara Cole')).toBeChecked();
    await expect(editForm.getByLabel('Ada Ames')).not.toBeChecked();
    await expect(editForm.getByLabel('Max Participants')).toHaveValue('2');
  });
});

test('what somebody else did meanwhile is said and shown', async ({ openAs, server }) => {
  const organization = await foundOrganization(server.url, 'Meanwhile');
  const started = await addMeeting(organization, 'Started elsewhere');
  const cancelled = await addMeeting(organization, 'Cancelled elsewhere');
  const page = await openAs(DESKTOP, { ...LOOK, ...organization.caller.browser });
  await page.goto('/client/meetings');
  await choose(page, 'Started elsewhere', 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete this meeting?' });
  await organization.caller.post(`/api/client/meetings/${started}/start`, {});
  await organization.caller.put(`/api/client/meetings/${cancelled}`, { status: 'CANCELLED' });

  await dialog.getByRole('button', { name: 'Delete Meeting' }).click();
  await expectToast(page, 'An active meeting cannot be deleted; end it first');
  await page.keyboard.press('Escape');
  await expect(rowOf(page, 'Started elsewhere').getByText('Active', { exact: true })).toBeVisible();
  await expect(rowOf(page, 'Cancelled elsewhere').getByText('Cancelled', { exact: true })).toBeVisible();
});

const ZONES = [
  {
    zone: 'America/St_Johns',
    start: ['2027-03-01T18:00', '2027-03-01T21:30:00Z'],
    end: ['2027-03-01T20:15', '2027-03-01T23:45:00Z'],
    note: 'Times are in America/St_Johns (UTC−3:30)',
    listed: '1 Mar 2027, 18:00 – 20:15',
  },
  {
    zone: 'Pacific/Auckland',
    start: ['2027-03-01T18:00', '2027-03-01T05:00:00Z'],
    end: ['2027-03-02T00:30', '2027-03-01T11:30:00Z'],
    note: 'Times are in Pacific/Auckland (UTC+13)',
    listed: '1 Mar 2027, 18:00 – 2 Mar 2027, 00:30',
  },
  {
    // The clocks change between start and end.
    zone: 'Europe/Berlin',
    start: ['2027-03-27T22:00', '2027-03-27T21:00:00Z'],
    end: ['2027-03-28T04:00', '2027-03-28T02:00:00Z'],
    note: 'Times are in Europe/Berlin (UTC+1), the end in UTC+2',
    listed: '27 Mar 2027, 22:00 – 28 Mar 2027, 04:00',
  },
] as const;

test('times are those of one’s own zone, to the minute, and the zone is in sight', async ({
  openAs,
  server,
}) => {
  const organization = await foundOrganization(server.url, 'Zones');
  for (const { zone: timezoneId, start, end, note, listed } of ZONES) {
    await test.step(timezoneId, async () => {
      const page = await openAs(DESKTOP, { ...LOOK, timezoneId, ...organization.caller.browser });
      const form = page.getByRole('dialog', { name: 'Create New Meeting' });
      await page.goto('/client/meetings?create=1');
      await fillIn(form, `Made in ${timezoneId}`, start[0], end[0]);
      await expect(form.getByText(note, { exact: true })).toBeVisible();
      const answered = page.waitForResponse(
        (response) =>
          response.request().method() === CREATE.method && response.url().endsWith(`${CREATE.path}`),
      );
      await form.getByRole('button', { name: 'Create Meeting' }).click();
      const made = await (await answered).json();
      expect([made.scheduledStartTime, made.scheduledEndTime].map((time) => Date.parse(time))).toEqual(
        [start[1], end[1]].map((time) => Date.parse(time)),
      );
      await page.getByRole('link', { name: 'Back to Meetings' }).click();
      await expect(rowOf(page, `Made in ${timezoneId}`)).toContainText(
        listed.replaceAll(' ', '\u00a0').replace('–\u00a0', '– '),
      );

      // Another program has stored times with seconds.
      await addMeeting(organization, `Read in ${timezoneId}`, {
        scheduledStartTime: start[1].replace(':00Z', ':42Z'),
        scheduledEndTime: end[1].replace(':00Z', ':59Z'),
      });
      await page.reload();
      await choose(page, `Read in ${timezoneId}`, 'Edit');
      const editForm = page.getByRole('dialog', { name: 'Edit Meeting' });
      await expect(editForm.getByLabel('Start Time')).toHaveValue(start[0]);
      await expect(editForm.getByLabel('End Time')).toHaveValue(end[0]);
      await expect(editForm.getByText(note, { exact: true })).toBeVisible();
    });
  }

  await test.step('a time that the clocks skip', async () => {
    const page = await openAs(DESKTOP, {
      ...LOOK,
      timezoneId: 'Europe/Berlin',
      ...organization.caller.browser,
    });
    const form = page.getByRole('dialog', { name: 'Create New Meeting' });
    const calls = countCalls(page, CREATE);
    await page.goto('/client/meetings?create=1');
    await fillIn(form, 'Never', '2027-03-28T02:30', '2027-03-28T05:00');
    await form.getByRole('button', { name: 'Create Meeting' }).click();
    await expect(form.getByLabel('Start Time')).toHaveAccessibleDescription(
      'The clocks skip this time: they are put forward on that day',
    );
    expect(calls()).toBe(0);
  });
});

test('a meeting is created, edited and deleted by keyboard alone', async ({ openAs, server }) => {
  const organization = await foundOrganization(server.url, 'Keyboard meetings');
  const page = await openAs(DESKTOP, { ...LOOK, ...organization.caller.browser });
  const { keyboard } = page;
  const form = page.getByRole('dialog', { name: 'Create New Meeting' });
  await page.goto('/client/meetings');
  await expect(page.getByText('No meetings found')).toBeVisible();

  await tabTo(page, page.getByRole('button', { name: 'Create Meeting' }));
  await keyboard.press('Enter');
  await expect(form.getByLabel('Meeting Title')).toBeFocused();
  await keyboard.type('Typed');
  await tabTo(page, form.getByLabel('Start Time'));
  // Day and month are equal, so that the browser's date order does not matter.
  await keyboard.type('111120270630PM');
  await expect(form.getByLabel('Start Time')).toHaveValue(/^2027-11-11T/);
  await tabTo(page, form.getByLabel('End Time'));
  await keyboard.type('121220270630PM');
  await tabTo(page, form.getByLabel('Recurring', { exact: true }));
  await keyboard.press('Space');
  await tabTo(page, form.getByLabel('Recurring Pattern'));
  await keyboard.type('Monthly');
  await keyboard.press('Enter');
  await expectSaid(page, 'Meeting created successfully');
  await expect(form).toBeHidden();
  await tabTo(page, page.getByRole('link', { name: 'Back to Meetings' }));
  await keyboard.press('Enter');

  await tabTo(page, opener(page, 'Typed'));
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Control' })).toBeFocused();
  await keyboard.press('End');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  await keyboard.press('Enter');
  const editForm = page.getByRole('dialog', { name: 'Edit Meeting' });
  await expect(editForm.getByLabel('Meeting Title')).toBeFocused();
  await keyboard.press('End');
  await keyboard.type(' again');
  await keyboard.press('Enter');
  await expectSaid(page, 'Meeting updated successfully');
  await expect(opener(page, 'Typed again')).toBeFocused();

  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Control' })).toBeFocused();
  await keyboard.press('End');
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete this meeting?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expectSaid(page, 'Meeting deleted successfully');
  await expect(page.getByText('No meetings found')).toBeVisible();
});
