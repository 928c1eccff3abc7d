import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { brokenVariants, copyExample } from '../../test/fixtures/providers/broken-variants.ts';
import { checkFolder } from './check-folder.ts';
import { inspectFolder } from './inspect-folder.ts';
import { classNameOf } from './load-class.ts';
import { inspectFolders, loadProviderFolder } from './loader.ts';

const options = { taken: ['codex'], patienceMs: 3000 };

function newRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-providers-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test('R003-1 R003-3 R003-5 the example keeps the whole contract', async () => {
  expect(await checkFolder(copyExample(newRoot()), options)).toMatchObject({
    name: 'echo',
    faults: [],
    warnings: [],
    notes: [],
  });
});

test.each(Object.entries(brokenVariants))('%s is told', async (_, { name, damage, codes, says }) => {
  const folder = copyExample(newRoot(), name);
  damage(folder);
  const { faults } = await checkFolder(folder, { ...options, patienceMs: 300 });
  expect(faults.map(({ code }) => code)).toEqual(codes);
  expect(faults[0]?.expected).toContain(says);
  for (const { path, fix } of faults) expect([path.startsWith(folder), fix === '']).toEqual([true, false]);
});

test('X003-20 R003-7 all faults of all folders are told, and the sound ones can be used', async () => {
  const root = newRoot();
  const variants = Object.values(brokenVariants);
  variants.forEach(({ damage, name }, index) => {
    const folder = copyExample(join(root, String(index)), name);
    damage(folder);
  });
  const sound = copyExample(join(root, 'sound'));
  const roots = [...variants.map((_, index) => join(root, String(index))), join(root, 'sound')];
  const inspected = await inspectFolders(roots, options);
  expect(inspected).toHaveLength(variants.length + 1);
  expect(inspected.at(-1)).toMatchObject({ name: 'echo', faults: [] });
  expect(await loadProviderFolder(sound, options)).toMatchObject({
    name: 'echo',
    roles: ['lead', 'advisor'],
  });
});

test('X003-20 a folder with several faults tells them together', async () => {
  const folder = copyExample(newRoot());
  for (const file of ['package.json', 'ai_profile']) rmSync(join(folder, file), { recursive: true });
  writeFileSync(join(folder, 'echo_client.js'), 'export class Other {}');
  const { faults } = await checkFolder(folder, options);
  expect(faults.map(({ code }) => code)).toEqual(['package_missing', 'profile_missing', 'class_missing']);
  await expect(loadProviderFolder(folder, options)).rejects.toThrow(
    /package_missing.*profile_missing.*class_missing/,
  );
});

test('X003-17 what begins with a dot or an underscore, and node_modules, is no provider', async () => {
  const root = newRoot();
  for (const name of ['.hidden', '_draft', 'node_modules', 'Wrong Name']) mkdirSync(join(root, name));
  const inspected = await inspectFolders([root, join(root, 'not-there')], options);
  expect(inspected.map(({ name }) => name)).toEqual(['Wrong Name']);
});

test('looking at a folder runs nothing of it', async () => {
  const folder = copyExample(newRoot());
  writeFileSync(join(folder, 'echo_client.js'), 'globalThis.codeOfTheFolderRan = true;');
  await inspectFolder(folder, options);
  expect(Reflect.has(globalThis, 'codeOfTheFolderRan')).toBe(false);
});

test('a TypeScript entry needs a Node that strips types', async () => {
  const folder = copyExample(newRoot());
  writeFileSync(join(folder, 'echo_client.ts'), '');
  rmSync(join(folder, 'echo_client.js'));
  const codes = async (stripsTypes: boolean) =>
    (await inspectFolder(folder, { ...options, stripsTypes })).faults.map(({ code }) => code);
  expect([await codes(false), await codes(true)]).toEqual([['entry_unsupported'], []]);
});

test('R003-2 R003-4 X003-15 a class is named by its folder', () => {
  expect(['gemini', 'azure_openai'].map(classNameOf)).toEqual(['GeminiClient', 'AzureOpenaiClient']);
});
