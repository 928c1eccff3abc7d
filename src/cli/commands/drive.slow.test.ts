/** Commands that drive a whole run of an agent. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { leads } from '../../../test/contract/workflow/workflow-script.ts';
import { atTerminal, collab } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
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
  const { collab: at, agent, file, repository } = await reviewedPair();
  const pair = ['--lead', agent, '--advisor', agent];
  const { code, err } = await at(['fix', '1', '--yes', '--result', 'fix.json', ...pair]);
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
  const { collab: at, agent, file } = await reviewedPair();
  const pair = ['--lead', agent, '--advisor', agent];
  const { code, err } = await at(['fix', '1', '--result', 'fix.json', ...pair]);
  expect([code, existsSync(file)]).toEqual([10, false]);
  const [newest] = JSON.parse((await at(['runs', '--json'])).out);
  expect(err.split('\n').slice(-2)).toEqual([
    `fix.json is not written: ${newest.run} has not ended; with --yes no gate waits for an answer`,
    '',
  ]);
  const { err: without } = await at(['fix', '1', ...pair]);
  expect(without).not.toContain('is not written');
});

test('a person who walks through the findings starts a fix of the one that is shown', async () => {
  const { collab: at, repository } = await reviewedPair();
  const terminal = createTerminal([['Finding 1 of 1', 'f']], { screen: atTerminal });
  // Without an agent on PATH, the fix is refused for its lead.
  const programs = scratchFolder();
  symlinkSync(
    execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(),
    join(programs, 'git'),
  );
  const env = { ...repository.env, PATH: programs };
  const { code } = await collab({ ...repository, env }, ['show', '-i'], terminal.how);
  expect([code, terminal.shown().split('\n').at(-3)]).toEqual([4, expect.stringContaining('Claude Code')]);
  expect(JSON.parse((await at(['runs', '--json'])).out)).toHaveLength(1);
});

test('clean keeps a branch with a commit of the user, and names it', async () => {
  const { collab: at, agent, repository } = createPair();
  const pair = ['--lead', agent, '--advisor', agent];
  await at(['run', 'one', '--phases', 'implementation', '--yes', ...pair]);
  const [{ run }] = JSON.parse((await at(['runs', '--json'])).out);
  const branch = `collab/${run}`;
  const { git } = repository;
  git('branch', '-f', branch, git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'mine').trim());
  expect(await at(['clean'])).toEqual({
    code: 0,
    out: `removed ${run} (ended)\n  kept the branch ${branch}; to remove it: git branch -D ${branch}\n`,
    err: '',
  });
});
