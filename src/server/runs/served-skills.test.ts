import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { skillFolder, skillTexts } from './served-skills.ts';

/** A repository beside a folder that is not its own. */
function places() {
  const root = scratchFolder();
  const [cwd, outside] = [join(root, 'repository'), join(root, 'outside')];
  for (const folder of [join(cwd, '.git'), join(cwd, 'skills/greet'), outside])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(outside, 'SKILL.md'), 'CANARY');
  return { cwd, outside, skill: join(cwd, 'skills/greet'), file: join(cwd, 'skills/greet/SKILL.md') };
}

const unknown = { code: 'options', message: 'There is no skill "greet" here' };

test('the text of a skill in the repository is read, also if its folder is linked within the repository', () => {
  const { cwd, skill, file } = places();
  writeFileSync(file, 'Say hello.');
  expect(skillTexts(['greet'], cwd)).toEqual([expect.stringContaining('Say hello.')]);
  mkdirSync(join(cwd, '.claude/skills'), { recursive: true });
  renameSync(skill, join(cwd, 'greet'));
  symlinkSync('../../greet', join(cwd, '.claude/skills/greet'));
  expect(skillTexts(['greet'], cwd)).toEqual([expect.stringContaining('Say hello.')]);
});

test.skipIf(process.platform === 'win32').each([
  [
    'a link out of the repository',
    (file: string, outside: string) => symlinkSync(join(outside, 'SKILL.md'), file),
  ],
  ['a link to another file of the repository', (file: string) => symlinkSync('../../.env', file)],
  ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
  ['a folder', (file: string) => mkdirSync(file)],
])('a SKILL.md that is %s is no skill', (_, make) => {
  const { cwd, outside, file } = places();
  writeFileSync(join(cwd, '.env'), 'CANARY');
  make(file, outside);
  expect(() => skillTexts(['greet'], cwd)).toThrow(expect.objectContaining(unknown));
});

test('nor is a folder that is a link out of the repository', () => {
  const { cwd, outside } = places();
  symlinkSync(outside, join(cwd, 'skills/away'));
  expect(() => skillFolder('away', cwd)).toThrow('There is no skill "away" here');
});
