import { asSuperAdmin } from './support/organization';
import { expectToast, startAction } from './support/screens';

import { arrange } from './support/setting';
import { DESKTOP, expect, PHONE, test } from './support/test';
import { signInAsVoter } from './support/voter';

const QUESTION = { questionText: 'Shall we begin?', questionType: 'YES_NO', options: ['Yes', 'No'] };

test('a voter finds the way from the bare address, also with an earlier code', async ({ openAs, server }) => {
  const setting = await arrange(server.url, { name: 'Front Door Club', voters: 1, questions: [QUESTION] });
  const root = await asSuperAdmin(server.url);
  const page = await openAs(DESKTOP, root.browser);
  const phone = await openAs(PHONE);

  await test.step('the super administrator chooses another code', async () => {
    await page.goto(`/admin/clients?search=${setting.clientCode}`);
    await startAction(page, 'Front Door Club', 'Edit');
    const form = page.getByRole('dialog', { name: 'Edit Client' });
    await form.getByLabel(/^Organization Code/).fill('Door-26');
    await expect(
      form.getByText('On screens and slips: DOOR-26. FRONT-DOOR-CLUB still leads here', { exact: false }),
    ).toBeVisible();
    await form.getByRole('button', { name: 'Update Client' }).click();
    await expectToast(page, 'Client updated successfully');
  });

  await test.step('one tap leads to the entry, and the former code to the organization', async () => {
    await phone.goto('/');
    await phone.getByRole('link', { name: 'Enter your code' }).click();
    await expect(phone).toHaveURL(/\/participant$/);
    await phone.getByLabel('Organization Code').fill(setting.clientCode);
    await phone.getByRole('button', { name: 'Continue' }).click();
    await expect(phone.getByText('DOOR-26', { exact: true })).toBeVisible();
    await signInAsVoter(phone, 'voter1', setting.voters[0]?.password ?? '');
    await expect(phone.getByRole('heading', { name: 'Your Meetings' })).toBeVisible();
  });

  await test.step('a pasted link leads to where it points', async () => {
    await phone.goto('/participant');
    await phone
      .getByLabel('Organization Code')
      .fill(`${server.url}/presentation/meeting/${setting.meetingId}`);
    await phone.getByRole('button', { name: 'Continue' }).click();
    await expect(phone).toHaveURL(new RegExp(`/presentation/meeting/${setting.meetingId}$`));
    await expect(phone.getByText('DOOR-26', { exact: true }).first()).toBeVisible();
  });
});
