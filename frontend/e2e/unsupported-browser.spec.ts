import { expect, PHONE, test } from './support/test';

const TOO_OLD = /this browser is too old for it\. Voting needs Safari 15\.4, Chrome 99/;
const LATE_MS = 12_000;

test('a browser that cannot read our scripts says so after a while, and others never', async ({
  browser,
  openAs,
  server,
}) => {
  // No script of the app may replace the message.
  const context = await browser.newContext({ viewport: PHONE, baseURL: server.url });
  await context.route(/\/assets\/.*\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export const a = ?.b;' }),
  );
  const old = await context.newPage();
  await old.goto('/participant');
  await expect(old.getByText('Loading Plenum...')).toBeVisible();
  await expect(old.getByText(TOO_OLD)).toBeHidden();

  const young = await openAs(PHONE);
  await young.goto('/participant');
  await expect(young.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(young.getByText(TOO_OLD)).toHaveCount(0);
  await expect(old.getByText(TOO_OLD)).toBeVisible({ timeout: LATE_MS });
  await context.close();
});

test('without scripts the page asks for them, and not for another browser', async ({ openAs }) => {
  const page = await openAs(PHONE, { javaScriptEnabled: false });
  await page.goto('/participant');
  await expect(page.getByText(/^Plenum needs JavaScript\./)).toBeVisible();
  await expect(page.getByText('Loading Plenum...')).toBeHidden();
  await expect(page.locator('.plenum-start-late')).toBeHidden();
});
