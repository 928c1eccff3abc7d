import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { renderGitConfig } from './render-git-config.ts';

test('git reads back the written values, for any values and branch names', () => {
  const file = join(scratchFolder(), 'config');
  const word = fc.string({
    unit: fc.constantFrom('a', ' ', '"', '\\', '\t', '#', ';', '=', '[', ']', '.', '%', 'é'),
    minLength: 1,
  });
  fc.assert(
    fc.property(
      word,
      word.filter((name) => !name.includes('\t')),
      (value, branch) => {
        const settings = new Map([
          ['core.excludesfile', `${value}\nsecond line`],
          [`branch.${branch}.merge`, value],
        ]);
        writeFileSync(file, renderGitConfig(settings));
        const read = execFileSync('git', ['config', '--file', file, '--list', '-z'], { encoding: 'utf8' });
        expect(read).toBe([...settings].map(([key, text]) => `${key}\n${text}\0`).join(''));
      },
    ),
    { numRuns: 30 },
  );
});
