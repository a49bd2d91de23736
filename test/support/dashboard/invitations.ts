/** How somebody comes to an account of their own: a link that an owner makes on the page. */
import type { Page } from 'playwright-core';

/** @returns the link that the page shows */
export async function invite(owner: Page, name: string, role: string): Promise<string> {
  await owner.getByRole('button', { name: 'Invite somebody' }).click();
  await owner.getByRole('textbox', { name: 'Name' }).fill(name);
  await owner.getByLabel('Role').selectOption(role);
  await owner.getByRole('button', { name: 'Make a link' }).click();
  const link = (await owner.locator('.secret code').textContent()) ?? '';
  await owner.getByRole('button', { name: 'Done' }).click();
  return link;
}

export async function accept(page: Page, link: string, password: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}
