/** `collab init` at a real terminal asks the person for the permission, and for nothing else. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../packed/place.ts';
import { openTerminal } from '../packed/terminal.ts';

const question = 'May Claude Code run every collab command in this project without asking?';

test('the rule is added if the person says yes, and is not asked for again', async ({ place, expect }) => {
  const asked = await openTerminal(place, ['init']);
  await asked.sees(question);
  await asked.types('Down', 'Enter');
  await asked.sees('left with 0');
  expect(settingsIn(place.folder)).toEqual({ permissions: { allow: ['Bash(collab *)'] } });
  const again = await openTerminal(place, ['init']);
  await again.sees('left with 0');
  expect(await again.screen()).not.toContain(question);
});

test('the first choice adds nothing, and --no-allow does not ask', async ({ place, expect }) => {
  const asked = await openTerminal(place, ['init']);
  await asked.sees(question);
  await asked.types('Enter');
  await asked.sees('left with 0');
  const silent = await openTerminal(place, ['init', '--no-allow']);
  await silent.sees('left with 0');
  expect(await silent.screen()).not.toContain(question);
  expect(existsSync(join(place.folder, '.claude/settings.json'))).toBe(false);
});

test('Ctrl-C at the question ends before anything is written', async ({ place, expect }) => {
  const asked = await openTerminal(place, ['init']);
  await asked.sees(question);
  await asked.types('C-c');
  await asked.sees('left with 130');
  expect(existsSync(join(place.folder, 'collab.config.yaml'))).toBe(false);
});

function settingsIn(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, '.claude/settings.json'), 'utf8'));
}
