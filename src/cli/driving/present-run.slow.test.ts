import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { advises } from '../../../test/contract/workflow/workflow-script.ts';
import { atTerminal, sessionIn, type SessionHow } from '../command.test-helper.ts';
import { createPair, writes } from '../rehearsed-pair.test-helper.ts';
import { changedRepository } from '../reviewed.test-helper.ts';
import { presentHere, type PresentFlags } from './present-here.ts';
import { startForHost } from './start-apart.ts';

const asksBack = advises(
  { tag: '[CONSULT:DESIGN]', attempt: 1 },
  '[CONSULT:CLAUDE:CONTEXT]\n\nWhere is it?\n',
);
const consult = ['consult', 'design', '--file', '-', '--advisor'];

test('a run of phases shows its work on standard output and waits at a gate; an answer continues it', async () => {
  const { collab, agent } = createPair();
  const begun = await collab([
    'run',
    'one',
    '--phases',
    'design',
    '--lead',
    agent,
    '--advisor',
    agent,
    '--ascii',
  ]);
  expect(begun.code).toBe(10);
  const [, run = ''] = /\n(\S+) asks:\n/.exec(begun.out) ?? [];
  expect(begun.out).toMatch(/^\n\[init\] Claude Code: model=unknown, id=rehearsal\n[^]*\[RESPONSE:DESIGN\]/);
  expect(begun.out).toMatch(
    new RegExp(
      `\nTo answer, write approve, revise: <what to change>, .*or stop; then\n {2}collab answer ${run} --file -\n$`,
    ),
  );
  expect(begun.err.split('\n').slice(0, 3)).toEqual(['design', '  led by Claude Code', '  advised by Codex']);
  expect(begun.err).toMatch(/\ndesign begins\ndesign: consult 1 … settled in .* s\n$/);

  expect(await collab(['wait'])).toEqual({
    code: 10,
    out: expect.stringMatching(new RegExp(`^${run} asks:\n\n# The lead's design\n`)),
    err: '',
  });
  const asked = await collab(['wait', '--format', 'json']);
  expect([asked.code, JSON.parse(asked.out)]).toEqual([
    10,
    {
      schema: 'collab.question/v1',
      run,
      state: 'waiting',
      name: expect.stringContaining('design'),
      kind: 'gate',
      tag: null,
      text: expect.stringContaining("# The lead's design"),
      answer_schema: expect.anything(),
      next: `collab answer ${run} --file -`,
    },
  ]);
  expect((await collab(['show'])).code).toBe(10);
  expect((await collab(['show', '--json'])).code).toBe(10);
  expect((await collab(['show', '--as-prompt'])).err).toBe(`${run} is waiting: collab status ${run}\n`);
  expect((await collab(['apply'])).err).toBe(
    `collab: ${run} is waiting; only finished runs can be applied\n  See its state: collab status ${run}\n`,
  );
  expect((await collab(['clean'])).out).toBe('nothing to remove\n');
  expect((await collab(['status'])).out).toContain(`collab answer ${run} --file - answers it\n`);

  expect((await collab(['answer', run, '--file', '-'], { input: 'perhaps' })).code).toBe(2);
  const ended = await collab(['answer', run, '--file', '-'], { input: 'approve' });
  expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('exit 0: ')]);
  expect((await collab(['status', '--json'])).out).toContain('"state": "ended"');
});

test('a waiting run can be cancelled', async () => {
  const { collab, agent } = createPair();
  await collab(['run', 'one', '--phases', 'design', '--lead', agent, '--advisor', agent]);
  expect(await collab(['cancel'])).toEqual({
    code: 0,
    out: expect.stringMatching(/^\S+ is cancelled\n$/),
    err: '',
  });
  const { code, out } = await collab(['wait']);
  expect([code, out]).toEqual([3, expect.stringContaining('\n  the run was cancelled\n')]);
});

test('the edits of a run are shown, refused beside a change of the user, and applied', async () => {
  const { collab, agent, repository } = createPair(writes('src/one.js', 'export const one = 1;\n'));
  const flags = ['--phases', 'implementation', '--yes', '--lead', agent, '--advisor', agent];
  const { code } = await collab(['run', 'one', ...flags]);
  expect(code).toBe(0);
  const { out: patch } = await collab(['apply', '--patch']);
  expect(patch).toMatch(/^diff --git a\/src\/one\.js b\/src\/one\.js\n[^]*\n\+export const one = 1;\n/);
  expect((await collab(['apply', '--patch'], { screen: atTerminal })).out).toContain('\u001b[');

  repository.write('src/one.js', 'mine\n');
  const refused = await collab(['apply']);
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.err).toMatch(
    /^collab: \S+ was not applied, and nothing was changed:\n {2}src\/one\.js .*\n {2}Put those files back as they were, or merge the commits yourself: git merge collab\/\S+\n$/,
  );
  expect(readFileSync(join(repository.root, 'src/one.js'), 'utf8')).toBe('mine\n');
  repository.git('clean', '-fq', 'src');
  const applied = await collab(['apply']);
  expect([applied.code, applied.err]).toEqual([0, '']);
  expect(applied.out).toMatch(/^applied \S+ in \S+, nothing is staged:\n {2}added {4}src\/one\.js\n$/);
  expect(readFileSync(join(repository.root, 'src/one.js'), 'utf8')).toBe('export const one = 1;\n');
  expect((await collab(['apply', '--json'])).code).toBe(0);
});

test('a consult prints its answer in sections, also later', async () => {
  const { collab, agent } = createPair();
  const { code, out, err } = await collab([...consult, agent], { input: 'Is it good?' });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^\[RESPONSE:DESIGN\]\n[^]*\nsettled — 4 sections from .*\n {2}run \S+\n$/),
  ]);
  expect(err).toMatch(
    /^asking about the design\n {2}by Codex; nothing leaves this machine;[^]*\nconsult … settled in .* s\n$/,
  );
  const [, run = ''] = /\n {2}run (\S+)\n$/.exec(out) ?? [];
  expect((await collab(['show'])).out).toBe(out);
  expect((await collab(['show'], { screen: atTerminal })).out).toContain('\u001b[');
  for (const flag of ['--as-prompt', '-i'])
    expect(await collab(['show', flag])).toEqual({
      code: 2,
      out: '',
      err: `collab: ${run} is a consult: it has no findings\n  collab show ${run} prints its answer\n`,
    });
  for (const args of [
    ['wait', '--format', 'sarif'],
    ['resume', run, '--format', 'sarif'],
  ])
    expect(await collab(args)).toEqual({
      code: 2,
      out: '',
      err: 'collab: a consult has no findings, and sarif shows nothing else\n  use one of terminal, json, markdown\n',
    });
  expect((await collab(['resume', run, '--format', 'markdown'])).out).toContain('## RECOMMENDATION');
  expect((await collab(['dismiss', 'F1', '--reason', 'x'])).err).toBe(
    `collab: ${run} is no review that has ended\n  collab runs lists the reviews\n`,
  );
  expect((await collab(['stats'])).out).toBe('0 findings of 0 reviews\n');
});

test('a question of the advisor ends the command with 10, and its answer continues the consult', async () => {
  const { collab, agent } = createPair(asksBack);
  const { code, out } = await collab([...consult, agent], { input: 'Is it good?' });
  expect([code, out]).toEqual([
    10,
    expect.stringMatching(
      /^\S+ asks:\n\n\[CONSULT:CLAUDE:CONTEXT\]\n\nWhere is it\?\n\nTo answer, write .*; then\n/,
    ),
  ]);
  const long = 'x'.repeat(1024 * 1024 + 1);
  expect((await collab(['answer', 'latest', '--file', '-'], { input: long })).code).toBe(2);
  const missing = await collab(['answer', 'latest', '--file', 'nothing.md']);
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('nothing.md')]);
  const answered = await collab(['answer', 'latest', '--file', '-'], { input: 'In src.' });
  expect([answered.code, answered.out]).toEqual([0, expect.stringContaining('settled — 4 sections')]);
});

test('a terminal gets live lines and the conversation, and --plain what a pipe gets', async () => {
  const { collab, agent } = createPair(writes('src/one.js', 'export const one = 1;\n'));
  const words = ['run', 'one', '--phases', 'implementation', '--yes', '--lead', agent, '--advisor', agent];
  const live = await collab(words, { screen: atTerminal });
  expect(live.code).toBe(0);
  expect(live.err).toContain('\u001b[?2026h');
  expect(live.out).not.toContain('Claude Code: model=');
  const plain = await collab([...words, '--plain'], { screen: atTerminal });
  expect(plain.err).not.toContain('\u001b[?2026h');
  expect(plain.out).toContain('Claude Code: model=unknown');
  const job = await collab([...consult, agent], { screen: atTerminal, input: 'Is it good?' });
  expect(job.err).toContain('\u001b[?2026h');
});

test('the log of a CI job has no live lines', async () => {
  const { collab, agent, repository } = createPair();
  const env = { ...repository.env, CI: 'true' };
  const { err } = await collab([...consult, agent], { screen: atTerminal, env, input: 'Is it good?' });
  expect(err).not.toContain('\u001b[?2026h');
  expect(err).toContain('consult … settled in');
});

const request = { kind: 'review', changes: [], advisor: 'static_review' } as const;

test('a review by rules is interrupted and continued, and one that has ended is only shown', async () => {
  const repository = changedRepository();
  const started = await startForHost(sessionIn(repository).session, request);
  const present = async (how: SessionHow = {}, flags: PresentFlags = {}) => {
    const { session, printed } = sessionIn(repository, how);
    return { code: await presentHere(session, started, flags), ...printed() };
  };
  const interrupted = {
    out: '',
    err: expect.stringMatching(
      new RegExp(`(?:^|\n)interrupted; continue it: collab resume ${started.runId}\n$`),
    ),
  };
  const signal = AbortSignal.abort(new Error('SIGTERM'));
  expect(await present({ signal })).toEqual({ code: 4, ...interrupted });
  expect(await present({ signal, endedBy: () => 'SIGTERM' })).toEqual({ code: 143, ...interrupted });

  const done = await present();
  expect(done.code).toBe(1);
  expect(done.err).toMatch(/^reviewing [^]*settled in .* s, 2 findings\n/);
  expect(done.out).toMatch(
    /^src\/a\.js:1: critical: [^]*\nsrc\/a\.js:2: critical: [^]*\n {2}next: fix the findings above, then run the same review again\n$/,
  );
  expect(await present()).toEqual({ code: 1, out: done.out, err: '' });
  const asJson = await present({}, { format: 'json' });
  expect([asJson.code, JSON.parse(asJson.out).run_id, asJson.err]).toEqual([1, started.runId, '']);
  const atOne = await present({ screen: atTerminal });
  expect(atOne.out).toContain('\u001b[');
  expect(atOne.err).toContain('\u001b[?2026h');
  expect((await present({ screen: atTerminal }, { plain: true })).err).toBe('');
  expect((await present({}, { ascii: true })).out).not.toContain('─');
});
