import { beforeAll, expect, test } from 'vitest';
import { shared } from '../../../test/fixtures/scratch-repository.ts';
import { atTerminal, collab, type SessionHow } from '../command.test-helper.ts';
import { changedRepository, reviewed, sampleKey } from '../reviewed.test-helper.ts';

const repository = shared(changedRepository);
let run = '';
beforeAll(async () => {
  ({ run } = await reviewed(repository()));
});

const show = (args: readonly string[] = [], how: SessionHow = {}) =>
  collab(repository(), ['show', ...args], how);

test('the report is printed with the changed lines, and the file of the exchanges is named', async () => {
  const { code, out, err } = await show();
  expect([code, err]).toEqual([0, `the exchanges: .collab/runs/${run}/transcript.md\n`]);
  expect(out).toContain('  > 2 + eval(process.argv[2]);\n');
  expect(out).not.toContain('\u001b');
});

test('a terminal gets colors and links to the files; without colors it gets neither', async () => {
  const { out } = await show([], { screen: atTerminal });
  expect(out).toContain('\u001b[');
  expect(out).toContain(`\u001b]8;;file://${repository().root}/src/a.js#2`);
  const plain = await show([], { screen: { ...atTerminal, color: { out: false, err: false } } });
  expect(plain.out).not.toContain('\u001b');
  const dumb = await show([], { screen: { ...atTerminal, movesCursor: false } });
  expect(dumb.out).not.toContain('\u001b]8;');
});

test('the run is found by its id, the end of its id, and "latest"', async () => {
  for (const wanted of [run, run.slice(-4), 'latest']) expect(await show([wanted])).toEqual(await show());
});

test('a run that is not there is a usage error with the next step', async () => {
  const { code, out, err } = await show(['nothing-like-it']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^collab: .*nothing-like-it.*\n {2}.*collab runs.*\n$/);
});

test('--json is the result alone', async () => {
  const { code, out, err } = await show(['--json']);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ schema: 'collab.review/v1', run_id: run, outcome: 'findings' });
});

test('--events prints each event as one line of JSON', async () => {
  const { code, out } = await show(['--events']);
  const events: readonly { readonly type: string }[] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, events[0]?.type, events.at(-1)?.type]).toEqual([0, 'run.started', 'run.ended']);
});

test('--prompt prints a prompt as it was sent, and says how many there are', async () => {
  const { code, out } = await show(['--prompt', '1']);
  expect([code, out]).toEqual([0, expect.stringContaining('[REQUEST:REVIEW]')]);
  expect(out).not.toContain(sampleKey);
  for (const wanted of ['0', '2', 'one', '1x']) {
    expect(await show(['--prompt', wanted])).toEqual({
      code: 2,
      out: '',
      err: `collab: there is no prompt ${wanted} in ${run}\n  prompts are numbered 1 to 1\n`,
    });
  }
});

test('--as-prompt is a work order, for a pipe and a terminal', async () => {
  const { code, out, err } = await show(['--as-prompt']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^A code review left 2 findings for you to fix, worst first\./);
  expect((await show(['--as-prompt'], { screen: atTerminal })).out).toContain('## 2. Critical: `src/a.js:2`');
});

test('-i needs a terminal', async () => {
  expect(await show(['-i'])).toEqual({
    code: 2,
    out: '',
    err: 'collab: show -i needs a terminal\n  collab show prints the findings\n',
  });
});

test('wait prints the report of a run that has ended, and has its exit code', async () => {
  const { code, out, err } = await collab(repository(), ['wait']);
  expect([code, err]).toEqual([1, '']);
  expect(out).toContain('  exit 1: 2 findings at or above critical\n');
  const asJson = await collab(repository(), ['wait', 'latest', '--format', 'json']);
  expect([asJson.code, JSON.parse(asJson.out).run_id]).toEqual([1, run]);
});

test('wait refuses a wrong time', async () => {
  expect((await collab(repository(), ['wait', '--timeout', 'soon'])).err).toMatch(
    /^collab: --timeout needs a duration, not "soon"\n/,
  );
});

test('check counts the events and the broken laws', async () => {
  const { code, out } = await collab(repository(), ['check']);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${run}: \\d+ events, 0 violations\n$`)),
  ]);
  expect(JSON.parse((await collab(repository(), ['check', '--json'])).out)).toMatchObject({
    run,
    violations: [],
  });
});

test('status shows the state and the next step', async () => {
  const { code, out } = await collab(repository(), ['status']);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`\n  next      see its result: collab show ${run}\n`),
  ]);
  expect(JSON.parse((await collab(repository(), ['status', '--json'])).out)).toMatchObject({
    run,
    state: 'ended',
  });
});

test('a run that has ended is not cancelled', async () => {
  expect(await collab(repository(), ['cancel'])).toEqual({
    code: 0,
    out: `${run} has already ended\n`,
    err: '',
  });
});

test('a review is not answered, and has nothing to apply', async () => {
  expect(await collab(repository(), ['answer', 'latest', '--file', '-'], { input: 'yes' })).toEqual({
    code: 2,
    out: '',
    err: `collab: ${run} has no question: it is ended\n  see the next step: collab status ${run}\n`,
  });
  expect(await collab(repository(), ['apply', '--patch'])).toEqual({
    code: 0,
    out: '',
    err: `${run} has no edits\n`,
  });
});

test('trace shows the parts of the run, and --json their spans', async () => {
  const { code, out } = await collab(repository(), ['trace']);
  expect([code, out]).toEqual([0, expect.stringContaining('review')]);
  const { out: json } = await collab(repository(), ['trace', '--json']);
  expect(JSON.parse(json)).toHaveProperty('resourceSpans');
});

test.each([
  ['ftp://x', '--otlp wants an address with http:// or https://, not ftp://x'],
  ['nothing', '--otlp wants an address with http:// or https://, not nothing'],
  ['http://me:key@x', '--otlp takes no user and no password in the address'],
  ['http://:key@x', '--otlp takes no user and no password in the address'],
])('trace sends nothing to %s', async (address, message) => {
  expect(await collab(repository(), ['trace', '--otlp', address])).toEqual({
    code: 2,
    out: '',
    err: `collab: ${message}\n  for example --otlp http://127.0.0.1:4318/v1/traces\n`,
  });
});
