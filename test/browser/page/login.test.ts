/**
 * A server that requires a token: a visitor without one sees nothing, and a visitor who loses it keeps the shown
 * content.
 */
import type { Page } from 'playwright-core';
import { leads, scriptOf } from '../../contract/workflow/workflow-script.ts';
import type { Place } from '../../packed/place.ts';
import type { Served } from '../../packed/serve/served.ts';
import { addressOf, servePair, startRun } from '../served-page.ts';
import { test } from '../served-visitor.ts';

test('the page asks for the token; a wrong one is refused with a message, the right one logs in', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const { served, token } = await guarded(place);
  await page.goto(`${served.url}/#/c/talk`);
  await page.getByText('You are not logged in. This server requires a token.').waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  await logIn(page, 'collab_token_wrong');
  await page.getByRole('alert').getByText('The token is unknown to this server').waitFor();
  await logIn(page, token);
  await page.getByText('This conversation begins with your first message.').waitFor();
  await page.reload();
  await page.getByText('This conversation begins with your first message.').waitFor();
});

test('a revoked token logs out; shown and typed text stays, and a new token continues', async ({
  visitor: { page },
  place,
  expect,
}) => {
  const { served, token } = await guarded(place);
  const task = { kind: 'run', task: 'Write one.', phases: ['design'] };
  // A run that the revoked token started would be canceled with it.
  const run = await startRun(served, 'design', task, await tokenOf(place));
  await page.goto(addressOf(served, ['design', run]));
  await logIn(page, token);
  await page.getByText('Said before.').first().waitFor();
  await page.getByRole('radio', { name: 'Approve and continue' }).check();
  await page.getByRole('textbox', { name: 'Comment' }).fill('With care.');
  await place.collab(['serve', 'token', 'revoke', token]);
  await page.getByText('You are not logged in. This server requires a token.').waitFor();
  expect(await page.getByText('Said before.').first().isVisible()).toBe(true);
  await logIn(page, await tokenOf(place));
  await page.getByText('You are not logged in. This server requires a token.').waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('With care.');
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await page.locator('.run-head').getByText('Ended', { exact: true }).waitFor();
});

async function guarded(place: Place): Promise<{ readonly served: Served; readonly token: string }> {
  const draft = { work: 'draft', phase: 'design' };
  const script = scriptOf(leads(draft, '[CONSULT:DESIGN]\n\nSaid before.\n'));
  const served = await servePair(place, script, ['--require-token']);
  return { served, token: await tokenOf(place) };
}

async function tokenOf(place: Place): Promise<string> {
  const { stdout } = await place.collab(['serve', 'token', 'create', '--tenant', 'local', '--may', 'owner']);
  return stdout.trim();
}

async function logIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
}
