import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import { filesOnDisk } from './file-source.ts';
import { loadChecklists } from './load-checklists.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const top = scratchFolder();
  mkdirSync(join(top, 'collab.checklists'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(top, 'collab.checklists', name), text);
  return top;
}

const load = (top: string) => loadChecklists({ top, source: filesOnDisk });

test('files are read by language, in a fixed order; others in the folder are not', async () => {
  const top = folderWith({ 'sql.md': '- B', 'go.md': '- A', 'README.md': '# Ours', 'notes.txt': 'x' });
  expect(Object.entries((await load(top)) ?? {})).toEqual([
    ['go', '- A'],
    ['sql', '- B'],
  ]);
});

test('no folder, a file of that name and an empty folder mean no own checklists', async () => {
  const top = scratchFolder();
  expect(await load(top)).toBeNull();
  writeFileSync(join(top, 'collab.checklists'), 'text');
  expect(await load(top)).toBeNull();
  expect(await load(folderWith({}))).toBeNull();
});

test('an unknown language is refused, with the nearest one and all of them', async () => {
  const refusal = await refusalOf(load(folderWith({ 'pyton.md': '- A' })));
  expect(refusal).toMatchObject({
    code: 'config',
    message: 'collab.checklists/pyton.md: collab has no checklist for "pyton"',
  });
  expect(refusal.hint).toMatch(/^Did you mean python\.md\? The languages are typescript, python, .*, ci\.$/);
});

test('a link, of the folder or of a file, and a file that is too large are refused', async () => {
  const elsewhere = folderWith({ 'go.md': 'CANARY' });
  const linked = scratchFolder();
  symlinkSync(join(elsewhere, 'collab.checklists'), join(linked, 'collab.checklists'));
  expect((await refusalOf(load(linked))).message).toBe(
    'collab.checklists is a link; collab does not read it as a checklist',
  );
  const top = folderWith({});
  symlinkSync(join(elsewhere, 'collab.checklists/go.md'), join(top, 'collab.checklists/go.md'));
  expect((await refusalOf(load(top))).message).toBe(
    'collab.checklists/go.md is a link; collab does not read it as a checklist',
  );
  const large = folderWith({ 'go.md': 'x'.repeat(16 * 1024 + 1) });
  expect((await refusalOf(load(large))).message).toBe('collab.checklists/go.md is larger than 16 KiB');
});
