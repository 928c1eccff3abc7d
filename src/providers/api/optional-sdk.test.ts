import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { missingSdk } from './optional-sdk.ts';

test('a missing SDK is reported with a command that installs it in a folder that Node searches', async () => {
  const root = scratchFolder();
  const inProject = join(root, 'project/node_modules/codex-collab');
  const asGlobal = join(root, 'lib/node_modules/codex-collab');
  const asClone = join(root, 'clone');
  for (const folder of [inProject, asGlobal, asClone]) writePackage(folder, ownPackage);
  writePackage(join(root, 'project'), {});
  expect(await missingSdk('openai', inProject)).toEqual({
    message: 'openai is not installed',
    hint: `Install it: npm install --prefix ${join(root, 'project')} "openai@^6.49.0"`,
  });
  expect(await hintIn(asGlobal)).toBe('Install it: npm install --global "openai@^6.49.0"');
  expect(await hintIn(asClone)).toBe(
    `Install it: npm install --prefix ${asClone} --no-save "openai@^6.49.0"`,
  );
});

test('an installed SDK is missing only if its version is not supported', async () => {
  const folder = join(scratchFolder(), 'project/node_modules/codex-collab');
  writePackage(folder, ownPackage);
  const sdk = join(dirname(folder), 'openai');
  writePackage(sdk, { version: '6.50.1' });
  expect(await missingSdk('openai', folder)).toBeNull();
  writePackage(sdk, { version: '5.0.0' });
  expect(await missingSdk('openai', folder)).toMatchObject({
    message: 'it needs openai ^6.49.0; installed is 5.0.0',
  });
  expect(await missingSdk(undefined, folder)).toBeNull();
});

async function hintIn(folder: string): Promise<string | undefined> {
  return (await missingSdk('openai', folder))?.hint;
}

const ownPackage = { peerDependencies: { openai: '^6.49.0' } };

function writePackage(folder: string, content: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content));
}
