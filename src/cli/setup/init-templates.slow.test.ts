/** The written files at work: real git, real Node, and a `collab` that plays a script. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { ciWorkflow, prePushHook, stopHook, stopHookSettings } from './init-templates.ts';
import { createProgram } from '../program.ts';
import { version } from '../../version.ts';

/** Creates a folder for PATH with a program that records its arguments, prints a text and ends with a code. */
function fakeProgram(
  name: string,
  code: number,
  prints = '',
): { readonly path: string; readonly calls: () => readonly string[] } {
  const path = scratchFolder();
  const script = `#!/bin/sh\necho "$*" >>'${path}/calls'\nprintf '%s' '${prints}'\n[ "$1" = show ] && exit 0\nexit ${code}\n`;
  writeFileSync(join(path, name), script);
  chmodSync(join(path, name), 0o755);
  const log = join(path, 'calls');
  return { path, calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []) };
}

describe('the pre-push hook', () => {
  test('reviews what is pushed, and accepts a clean change', () => {
    const { status, pushed, calls, range } = pushWith(0, 'HEAD:main');
    expect({ status, pushed, calls }).toEqual({
      status: 0,
      pushed: true,
      calls: [`review ${range} --fail-on critical`],
    });
  });

  test('rejects a push with findings', () => {
    const { status, pushed, stderr } = pushWith(1, 'HEAD:main');
    expect({ status, pushed }).toEqual({ status: 1, pushed: false });
    expect(stderr).toContain('is not pushed: fix the findings above, or use git push --no-verify');
  });

  test.each([2, 3, 4])('accepts a push that could not be reviewed, and says so: exit %i', (code) => {
    const { status, pushed, stderr } = pushWith(code, 'HEAD:main');
    expect({ status, pushed }).toEqual({ status: 0, pushed: true });
    expect(stderr).toContain(`not reviewed (exit ${code}); it is pushed anyway`);
  });

  test('reviews nothing if a branch is deleted', () => {
    expect(pushWith(1, ':old')).toMatchObject({ status: 0, calls: [] });
  });

  test('says that a new branch has nothing to compare with', () => {
    const { status, stderr, calls } = pushWith(1, 'HEAD:refs/heads/new');
    expect({ status, calls }).toEqual({ status: 0, calls: [] });
    expect(stderr).toContain('git remote set-head origin --auto');
  });
});

describe('the Stop hook', () => {
  test('prints nothing about a clean change, and tells the advisor that there is no lead', () => {
    const collab = fakeProgram('collab', 0);
    expect(stopWith(collab)).toBeNull();
    expect(collab.calls()).toEqual(['review --lead none --fail-on critical --format json']);
  });

  test('sends Claude back to work with the findings of this review', () => {
    const collab = fakeProgram('collab', 1, '{"run_id":"run-7"}');
    expect(stopWith(collab)).toEqual({ decision: 'block', reason: '{"run_id":"run-7"}' });
    expect(collab.calls().at(-1)).toBe('show run-7 --as-prompt');
  });

  test.each([2, 3, 4, 10])('lets Claude stop with a message if the review fails: exit %i', (code) => {
    expect(stopWith(fakeProgram('collab', code))).toEqual({
      systemMessage: `collab: not reviewed (exit ${code}): see collab status`,
    });
  });

  test('lets Claude stop if it was sent back already', () => {
    const collab = fakeProgram('collab', 1);
    expect(stopWith(collab, { stop_hook_active: true })).toBeNull();
    expect(collab.calls()).toEqual([]);
  });

  test('reports that collab is missing if npx finds none', () => {
    const npx = fakeProgram('npx', 1);
    expect(stopWith(npx)).toEqual({
      systemMessage: 'collab: not reviewed (exit none): there is no collab outside this project',
    });
    expect(npx.calls()).toEqual([`--yes --workspaces=false codex-collab@${version} --version`]);
  });

  test('is registered in the settings', () => {
    expect(JSON.parse(stopHookSettings)).toMatchObject({
      hooks: {
        Stop: [
          {
            hooks: [{ type: 'command', command: expect.stringContaining('/.claude/hooks/collab-stop.mjs"') }],
          },
        ],
      },
    });
  });
});

test('the CI workflow runs existing commands, and puts no foreign text into a script', () => {
  const steps = z
    .looseObject({
      jobs: z.looseObject({
        review: z.looseObject({ steps: z.array(z.looseObject({ run: z.string().optional() })) }),
      }),
    })
    .parse(parse(ciWorkflow)).jobs.review.steps;
  const scripts = steps.flatMap(({ run }) => run ?? []);
  const commands = scripts.filter((script) => script.startsWith('collab '));
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    const words = command.replaceAll('"', '').split(' ').slice(1);
    expect(() => createProgram(() => {}).parse(words, { from: 'user' })).not.toThrow();
  }
  expect(scripts.join('\n')).not.toContain('${{');
});

function pushWith(code: number, ...args: readonly string[]) {
  const remote = scratchRepository(undefined, '--bare');
  const { root, git, write, commit, env } = scratchRepository();
  write('a.txt', 'one\n');
  const base = commit('base');
  git('remote', 'add', 'origin', remote.root);
  git('push', '--quiet', 'origin', 'HEAD:refs/heads/main', 'HEAD:refs/heads/old');
  write('.git/hooks/pre-push', prePushHook);
  chmodSync(join(root, '.git/hooks/pre-push'), 0o755);
  write('a.txt', 'two\n');
  const head = commit('head');
  const collab = fakeProgram('collab', code);
  const { status, stderr } = spawnSync('git', ['push', 'origin', ...args], {
    cwd: root,
    env: { ...env, PATH: [collab.path, env['PATH']].join(delimiter) },
    encoding: 'utf8',
    timeout: 20_000,
  });
  const pushed = remote.git('rev-parse', 'refs/heads/main').trim() === head;
  return { status, stderr, pushed, range: `${base}...${head}`, calls: collab.calls(), root };
}

function stopWith(program: ReturnType<typeof fakeProgram>, input: unknown = { stop_hook_active: false }) {
  const script = join(scratchFolder(), 'collab-stop.mjs');
  writeFileSync(script, stopHook);
  const { status, stdout } = spawnSync(process.execPath, [script], {
    input: JSON.stringify(input),
    env: { PATH: [program.path, '/usr/bin', '/bin'].join(delimiter), CLAUDECODE: '1' },
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(status).toBe(0);
  return stdout === '' ? null : answerSchema.parse(JSON.parse(stdout));
}

const answerSchema = z.union([
  z.strictObject({ decision: z.literal('block'), reason: z.string() }),
  z.strictObject({ systemMessage: z.string() }),
]);
