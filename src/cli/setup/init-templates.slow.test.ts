/** The written files at work: real git, real Node, and a `collab` that plays a script. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { ciWorkflow, commentsWorkflow } from './ci-workflows.ts';
import { prePushHook, stopHook } from './init-templates.ts';
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

  test.each([129, 130, 143])('stops the push when its review is interrupted: exit %i', (code) => {
    const { status, pushed, stderr } = pushWith(code, 'HEAD:main');
    expect({ status, pushed }).toEqual({ status: 1, pushed: false });
    expect(stderr).not.toContain('it is pushed anyway');
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
    const collab = fakeProgram('collab', 1, reviewWith('a'));
    expect(stopWith(collab)).toEqual({ decision: 'block', reason: reviewWith('a') });
    expect(collab.calls().at(-1)).toBe('show run-7 --as-prompt');
  });

  test('sends Claude back three times for one prompt, then says that there was no review', () => {
    const state = scratchFolder();
    const answers = ['a', 'b', 'c'].map((finding, round) =>
      stopWith(fakeProgram('collab', 1, reviewWith(finding)), sentBack(round > 0), state),
    );
    expect(answers).toEqual(['a', 'b', 'c'].map((f) => ({ decision: 'block', reason: reviewWith(f) })));
    const collab = fakeProgram('collab', 1, reviewWith('d'));
    expect(stopWith(collab, sentBack(true), state)).toEqual({
      systemMessage: 'collab: not reviewed again for this prompt; to see what is left: collab review',
    });
    expect(collab.calls()).toEqual([]);
    expect(stopWith(collab, sentBack(false), state)).toMatchObject({ decision: 'block' });
  });

  test('lets Claude stop with a message if the findings are those of the last round', () => {
    const state = scratchFolder();
    stopWith(fakeProgram('collab', 1, reviewWith('a', 'b')), sentBack(false), state);
    expect(stopWith(fakeProgram('collab', 1, reviewWith('b', 'a')), sentBack(true), state)).toEqual({
      systemMessage: 'collab: Claude stops with the findings of the last round: collab show run-7',
    });
  });

  test('counts the rounds of each session apart', () => {
    const state = scratchFolder();
    const collab = fakeProgram('collab', 1, reviewWith('a'));
    stopWith(collab, { ...sentBack(false), session_id: 'one' }, state);
    stopWith(collab, { ...sentBack(false), session_id: '../two' }, state);
    expect(readdirSync(join(state, 'collab/stop-hook'))).toEqual([
      expect.stringMatching(/^[\da-f]{64}$/),
      expect.stringMatching(/^[\da-f]{64}$/),
    ]);
  });

  test.each(['', 'not JSON', '{"rounds":"many"}'])(
    'ends the rounds if its notes are damaged: %j',
    (notes) => {
      const state = scratchFolder();
      const collab = fakeProgram('collab', 1, reviewWith('a'));
      stopWith(collab, sentBack(false), state);
      const folder = join(state, 'collab/stop-hook');
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), notes);
      expect(stopWith(collab, sentBack(true), state)).toMatchObject({
        systemMessage: expect.stringContaining('not reviewed again'),
      });
    },
  );

  test('a clean round ends the count', () => {
    const state = scratchFolder();
    stopWith(fakeProgram('collab', 1, reviewWith('a')), sentBack(false), state);
    expect(stopWith(fakeProgram('collab', 0), sentBack(true), state)).toBeNull();
    expect(readdirSync(join(state, 'collab/stop-hook'))).toEqual([]);
  });

  test.each([2, 3, 4, 10])('lets Claude stop with a message if the review fails: exit %i', (code) => {
    expect(stopWith(fakeProgram('collab', code))).toEqual({
      systemMessage: `collab: not reviewed (exit ${code}): see collab status`,
    });
  });

  test('reports that collab is missing if npx finds none', () => {
    const npx = fakeProgram('npx', 1);
    expect(stopWith(npx)).toEqual({
      systemMessage: 'collab: not reviewed (exit none): there is no collab outside this project',
    });
    expect(npx.calls()).toEqual([`--yes --workspaces=false codex-collab@${version} --version`]);
  });
});

function sentBack(active: boolean) {
  return { stop_hook_active: active, session_id: 'a-session' };
}

/** The parts of the output of `collab review --format json` that the hook reads. */
function reviewWith(...identities: readonly string[]): string {
  const findings = identities.map((identity) => ({ identity, severity: 'critical' }));
  return JSON.stringify({ run_id: 'run-7', findings });
}

const workflowSchema = z.looseObject({
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(z.looseObject({ run: z.string().optional(), uses: z.string().optional() })),
    }),
  ),
});

describe.each([
  ['the workflow for pull requests', ciWorkflow, 4],
  ['the workflow for comments', commentsWorkflow, 7],
])('%s', (name, text, count) => {
  const { jobs } = workflowSchema.parse(parse(text));

  test('runs existing commands, and puts no foreign text into a script', () => {
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const commands = scripts.filter((script) => script.startsWith('collab '));
    expect(commands).toHaveLength(count);
    for (const command of commands) {
      const words = command.replaceAll('"', '').split(' ').slice(1);
      expect(() => createProgram(() => {}).parse(words, { from: 'user' })).not.toThrow();
    }
    expect(scripts.join('\n')).not.toContain('${{');
  });

  test('installs exact versions, of Codex the one that is tested', () => {
    const { dependencies } = z
      .looseObject({ dependencies: z.record(z.string(), z.string()) })
      .parse(
        JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/agents/package.json'), 'utf8')),
      );
    const codex = `@openai/codex@${dependencies['@openai/codex'] ?? ''}`;
    const claude = `@anthropic-ai/claude-code@${dependencies['@anthropic-ai/claude-code'] ?? ''}`;
    const installs = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run = '' }) => (run.startsWith('npm install') ? run : [])),
    );
    expect(new Set(installs)).toEqual(
      new Set([
        `npm install --global ${codex} codex-collab@${version}`,
        `npm install --global codex-collab@${version}`,
        ...(name.endsWith('comments')
          ? [`npm install --global ${claude} ${codex} codex-collab@${version}`]
          : []),
      ]),
    );
  });

  test('gives a token that writes only to jobs that have neither files of the change nor the key of an agent', () => {
    const writing = Object.entries(jobs).filter(([, { permissions = {} }]) =>
      Object.values(permissions).includes('write'),
    );
    expect(writing.map(([job]) => job)).toEqual(
      name.endsWith('comments') ? ['command', 'publish', 'publish_fix'] : ['publish'],
    );
    for (const [, { steps }] of writing) {
      expect(JSON.stringify(steps)).not.toMatch(/checkout|API_KEY/);
      for (const { uses = 'actions/setup-node@v4' } of steps)
        expect(uses).toMatch(/^actions\/(?:download-artifact|upload-artifact|setup-node)@v4$/);
    }
    for (const { permissions } of Object.values(jobs)) expect(permissions).toBeDefined();
    expect(parse(text)).toMatchObject({ permissions: {} });
  });
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

function stopWith(
  program: ReturnType<typeof fakeProgram>,
  input: unknown = sentBack(false),
  state = scratchFolder(),
) {
  const script = join(scratchFolder(), 'collab-stop.mjs');
  writeFileSync(script, stopHook);
  const { status, stdout } = spawnSync(process.execPath, [script], {
    input: JSON.stringify(input),
    env: {
      PATH: [program.path, '/usr/bin', '/bin'].join(delimiter),
      CLAUDECODE: '1',
      XDG_STATE_HOME: state,
    },
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
