import { expect, type Page } from '@playwright/test';
import type { Setting } from './setting';

/** Fills in the sign-in that is on the screen. */
export async function signInAsVoter(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Signs in the voter at this place of the setting, and joins its meeting. */
export async function joinAsVoter(page: Page, setting: Setting, index = 0): Promise<void> {
  const voter = setting.voters[index];
  await page.goto(`/participant/login/${setting.clientCode}`);
  await signInAsVoter(page, voter?.username ?? '', voter?.password ?? '');
  await joinMeeting(page, setting.meetingTitle);
}

export async function joinMeeting(page: Page, title: string): Promise<void> {
  await page
    .getByRole('article')
    .filter({ hasText: title })
    .getByRole('link', { name: 'Join Meeting' })
    .click();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
}

export type Answer =
  | { choice: string }
  | { choices: string[] }
  | { rating: string }
  | { percentage: string }
  | { text: string };

export async function choose(page: Page, answer: Answer): Promise<void> {
  if ('choice' in answer) {
    await page.getByRole('radio', { name: answer.choice, exact: true }).check();
  } else if ('choices' in answer) {
    for (const choice of answer.choices) {
      await page.getByRole('checkbox', { name: choice, exact: true }).check();
    }
  } else if ('rating' in answer) {
    await page.getByRole('radio', { name: answer.rating }).check();
  } else if ('percentage' in answer) {
    await page.getByRole('textbox', { name: 'Percentage' }).fill(answer.percentage);
  } else {
    await page.getByRole('textbox').fill(answer.text);
  }
}

export function submitButton(page: Page) {
  return page.getByRole('button', { name: /^Submit Vote/ });
}

export async function vote(page: Page, answer: Answer): Promise<void> {
  await choose(page, answer);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Your vote is stored' })).toBeVisible();
}

/** Expects this answer on the ballot that is not submitted yet. */
export async function expectChosen(page: Page, answer: Answer): Promise<void> {
  if ('choice' in answer) {
    await expect(page.getByRole('radio', { name: answer.choice, exact: true })).toBeChecked();
  } else if ('choices' in answer) {
    for (const choice of answer.choices) {
      await expect(page.getByRole('checkbox', { name: choice, exact: true })).toBeChecked();
    }
  } else if ('rating' in answer) {
    await expect(page.getByRole('radio', { name: answer.rating })).toBeChecked();
  } else if ('percentage' in answer) {
    const percentage = page.getByRole('textbox', { name: 'Percentage' });
    await expect(percentage).toHaveValue(new RegExp(`^${answer.percentage}( %)?$`));
  } else {
    await expect(page.getByRole('textbox')).toHaveValue(answer.text);
  }
}
