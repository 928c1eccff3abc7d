/** The program that judges a prompt: it reviews the changes, counts, keeps and compares. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { scratchFolder } from '../fixtures/scratch-repository.ts';

const bench = join(import.meta.dirname, '../../bench/quality');

test('the program reviews, counts, keeps and compares', () => {
  const place = scratchFolder();
  const [rules, played] = ['rules.json', 'played.json'].map((file) => join(place, file));
  const only = ['--only', '03-cache-lock,07-rename-only'];
  const byRules = run('--advisor', 'static_review', ...only, '--out', rules ?? '');
  expect(byRules).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^03-cache-lock +clean +0\/2 found/),
  });
  expect(byRules.stdout).toMatch(/recall .* 0 %\n/);
  const script = join(place, 'script.yaml');
  writeFileSync(
    script,
    stringify({ turns: [{ answer: rehearsed, usage: { input: 900, output: 100, cost: 0.01 } }] }),
  );
  const byScript = run('--advisor', `rehearsal:${script}`, '--only', '03-cache-lock', '--out', played ?? '');
  expect(byScript.stdout).toMatch(
    /1\/2 found, 1 placed, 1 graded, 1 besides\n +missed: read without the lock\n/,
  );
  expect(byScript.stdout).toMatch(
    /recall .* 50 %\nprecision .* 50 %\n[\s\S]*tokens +1,000\ncost +\$0\.01\n$/,
  );
  const compared = run('--compare', rules ?? '', played ?? '');
  expect(compared.stdout).toMatch(
    /^03-cache-lock\n {2}\+ the lock stays held on a miss\n {2}\+1 findings besides\n/,
  );
});

test('a missing change, and a review that did not end, are reported', () => {
  expect(run('--only', 'nothing').stderr).toContain('no such change: nothing');
  const script = join(scratchFolder(), 'script.yaml');
  writeFileSync(script, stringify({ turns: [{ fault: 'auth' }] }));
  expect(run('--advisor', `rehearsal:${script}`, '--only', '01-page-count').status).toBe(3);
});

const rehearsed = `[RESPONSE:REVIEW]

## STRENGTHS
- Small.

## ISSUES
### Critical
1. **The lock is kept on a miss** — \`internal/cache/cache.go:15\`
   \`\`\`
   		return nil, false
   \`\`\`
   Why: every later call waits for ever.
   Fix: defer the unlocking.
2. **The name is unclear** — \`internal/cache/cache.go:8\`
   \`\`\`
   	hits    int
   \`\`\`
   Why: hits of what.
   Fix: call it reads.

## SUGGESTIONS
None
`;

function run(...args: readonly string[]) {
  const options = { env: { PATH: process.env['PATH'], HOME: scratchFolder() }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [join(bench, 'run.mjs'), ...args], options);
}
