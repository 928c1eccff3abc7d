import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../../system/clock.ts';
import { claimReport } from './claimed-reports.ts';

function world() {
  const folder = scratchFolder();
  const options = { env: { HOME: scratchFolder(), XDG_STATE_HOME: scratchFolder() }, clock: systemClock };
  return { folder, file: join(folder, 'report.md'), claim: (file: string) => claimReport(file, options) };
}

test('a name without a file is claimed, and the file that we then write is ours', () => {
  const { file, claim } = world();
  expect(claim(file)).toBe(true);
  writeFileSync(file, 'ours');
  expect(claim(file)).toBe(true);
});

test('a file that was there before is not ours', () => {
  const { file, claim } = world();
  writeFileSync(file, 'theirs');
  expect(claim(file)).toBe(false);
});

test('a claim is on the file, by whichever path it is named, and on no other', () => {
  const { folder, file, claim } = world();
  claim(file);
  for (const name of ['report.md', 'other.md']) writeFileSync(join(folder, name), 'text');
  const link = join(scratchFolder(), 'link');
  symlinkSync(folder, link);
  expect(claim(join(link, 'report.md'))).toBe(true);
  expect(claim(join(folder, 'other.md'))).toBe(false);
});

test('a name in a folder that does not exist yet is claimed, too', () => {
  const { folder, claim } = world();
  const file = join(folder, 'new', 'report.md');
  expect(claim(file)).toBe(true);
  mkdirSync(join(folder, 'new'));
  writeFileSync(file, 'ours');
  expect(claim(file)).toBe(true);
});
