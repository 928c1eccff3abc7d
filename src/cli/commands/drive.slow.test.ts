/** Commands that drive a whole run of an agent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leads } from '../../../test/contract/workflow/workflow-script.ts';
import { createPair } from '../rehearsed-pair.test-helper.ts';

/** A pair that fixes the one finding of the review that is there. */
async function reviewedPair() {
  const fixes = leads({ work: 'implement' }, 'I fixed it.\n\nF1: fixed\n', {
    edits: [{ path: 'a.js', content: 'export const a = 1;\n' }],
    repeat: 'forever',
  });
  const pair = createPair(fixes);
  const { write, commit } = pair.repository;
  write('a.js', '');
  commit('second');
  write('a.js', 'debugger;\n');
  await pair.collab(['review', '--advisor', 'static_review']);
  return { ...pair, file: join(pair.repository.root, 'fix.json') };
}

test('fix --result writes the fates and the patch as data', async () => {
  const { collab, agent, file, repository } = await reviewedPair();
  const pair = ['--lead', agent, '--advisor', agent];
  const { code, err } = await collab(['fix', '1', '--yes', '--result', 'fix.json', ...pair]);
  expect([code, err]).toEqual([0, expect.not.stringContaining('is not written')]);
  const saved: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(saved).toMatchObject({
    schema: 'collab.fix/v1',
    findings: [{ id: 'F1', fate: 'fixed', reason: null }],
    patch: expect.stringContaining('\n-debugger;\n+export const a = 1;\n'),
  });
  expect(readFileSync(join(repository.root, 'a.js'), 'utf8')).toBe('debugger;\n');
});

test('fix that waits at a gate writes no result, and names the file and the run', async () => {
  const { collab, agent, file } = await reviewedPair();
  const pair = ['--lead', agent, '--advisor', agent];
  const { code, err } = await collab(['fix', '1', '--result', 'fix.json', ...pair]);
  expect([code, existsSync(file)]).toEqual([10, false]);
  const [newest] = JSON.parse((await collab(['runs', '--json'])).out);
  expect(err.split('\n').slice(-2)).toEqual([
    `fix.json is not written: ${newest.run} has not ended; with --yes no gate waits for an answer`,
    '',
  ]);
  const { err: without } = await collab(['fix', '1', ...pair]);
  expect(without).not.toContain('is not written');
});
