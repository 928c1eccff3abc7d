import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '../../config/settings-table.ts';
import { withChosenFolders } from './chosen-providers.ts';

function projectWith(...providers: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'collab-chosen-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['.git', ...providers]) mkdirSync(join(folder, path), { recursive: true });
  return folder;
}

const config = { ...defaultSettings, providers: { echo: { model: 'echo-2' } } };

test('a provider that the command line names gets its folder, in addition to its settings', async () => {
  const cwd = projectWith('ai_client/echo');
  expect(await withChosenFolders({ cwd, env: {} }, config, { advisor: 'echo:echo-1', lead: 'echo' })).toEqual(
    {
      echo: { model: 'echo-2', folder: join(cwd, 'ai_client/echo') },
    },
  );
});

test('a provider that only the configuration names does not run', async () => {
  const cwd = projectWith('ai_client/echo');
  for (const named of [{ advisor: 'echo' }, { lead: 'echo:echo-1' }]) {
    await expect(withChosenFolders({ cwd, env: {} }, { ...config, ...named }, {})).rejects.toMatchObject({
      code: 'usage',
      hint: 'Name it yourself to run its code: --advisor echo or --lead echo',
    });
  }
});

test('in CI a provider of the checkout is refused, and one outside of it is accepted', async () => {
  const cwd = projectWith('ai_client/echo');
  const env = { CI: 'true' };
  await expect(withChosenFolders({ cwd, env }, config, { advisor: 'echo' })).rejects.toThrow('CI is set');
  const elsewhere = projectWith('echo');
  const outside = { ...config, provider_paths: [elsewhere] };
  expect(await withChosenFolders({ cwd, env }, outside, { advisor: 'echo' })).toMatchObject({
    echo: { folder: join(elsewhere, 'echo') },
  });
});

test('a misspelled name gets the nearest one, including the user’s own', async () => {
  const cwd = projectWith('ai_client/echo');
  await expect(withChosenFolders({ cwd, env: {} }, config, { advisor: 'ecoh' })).rejects.toThrow(
    'is echo meant?',
  );
});

test('shipped providers, the caller and none need no folder', async () => {
  const flags = { advisor: 'codex:gpt-5.5', lead: 'caller' };
  expect(await withChosenFolders({ cwd: '/nowhere', env: {} }, config, flags)).toBe(config.providers);
});

test.each([
  [{ advisor: 'ehco' }, 'is echo meant?'],
  [{ advisor: 'opnai:gpt-5' }, 'is openai meant?'],
  [{ advisor: 'auot' }, 'is auto meant?'],
  [{ lead: 'caler' }, 'is caller meant?'],
  [{ lead: 'nnone' }, 'is none meant?'],
  [{ lead: 'gemni' }, 'is gemini meant?'],
])('an unknown name is told with the nearest known one: %j', async (flags, says) => {
  const cwd = projectWith('ai_client/echo');
  await expect(withChosenFolders({ cwd, env: {} }, config, flags)).rejects.toThrow(says);
});

test('a word that only a lead may use is not offered for an advisor', async () => {
  const chosen = withChosenFolders({ cwd: projectWith(), env: {} }, config, { advisor: 'caler' });
  await expect(chosen).rejects.toThrow(/"caler"$/);
});
