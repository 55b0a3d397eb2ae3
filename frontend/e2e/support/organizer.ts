import { expect, type Page } from '@playwright/test';

export async function signInAsOrganizer(
  page: Page,
  person: { email: string; password: string },
): Promise<void> {
  await page.goto('/client/login');
  await page.getByLabel('Email Address').fill(person.email);
  await page.getByLabel(/^Password/).fill(person.password);
  await page.getByRole('button', { name: 'Sign In to Dashboard' }).click();
  await expect(page).toHaveURL(/\/client$/);
}

export async function startQuestion(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start Question' }).click();
  await expect(page.getByRole('button', { name: 'End Question' })).toBeVisible();
}

export async function endQuestion(page: Page): Promise<void> {
  await pressEndQuestion(page);
  await expectEnded(page);
}

/** Voting is closed: the big button counts, declares what was counted by the end itself, or starts again without votes. */
export async function expectEnded(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: /^(Start Question|Count Votes|Declare result)$/ });
  await expect(next.first()).toBeVisible();
}

export async function countVotes(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Count Votes' }).click();
  await expect(page.getByRole('button', { name: /^(Declare result|Tie Not Decided)$/ })).toBeVisible();
}

export async function nextQuestion(page: Page, number: number, total: number): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
  await confirmEnding(page);
  await expect(page.getByRole('heading', { name: `Question Control - ${number} of ${total}` })).toBeVisible();
}

/** Presses the button and confirms. The test checks the result. */
export async function pressEndQuestion(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'End Question' }).click();
  await confirmEnding(page);
}

/** Confirms the end of voting. The screen asks if votes arrived a moment ago and some are missing. */
async function confirmEnding(page: Page): Promise<void> {
  const confirm = page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(End Question Now|Close Voting)/ });
  if (await confirm.isVisible()) {
    await confirm.click();
  }
}
