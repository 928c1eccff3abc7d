import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shared } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';
import { changedRepository, reviewed, sampleKey } from '../reviewed.test-helper.ts';

const repository = shared(changedRepository);
const rules = ['review', '--advisor', 'static_review'];

test('the report is on standard output, the progress on standard error, and no secret on either', async () => {
  const { code, out, err } = await reviewed(repository());
  expect(code).toBe(1);
  expect(out).toContain('src/a.js:2: critical: Text is run as code with eval [F2]\n');
  expect(out).toContain('  exit 1: 2 findings at or above critical\n');
  expect(err).toMatch(
    /^reviewing working tree against HEAD \w+: 1 changed file\n {2}by static_review; nothing leaves this machine; [^]*\nchunk 1\/1 src\/a\.js \(1 file, 3 lines\) … settled in .* s, 2 findings\n$/,
  );
  for (const text of [out, err]) {
    expect(text).not.toContain(sampleKey);
    expect(text).not.toContain('\u001b');
  }
});

test('a color terminal gets a colored report', async () => {
  const { out } = await collab(repository(), rules, { screen: { color: { out: true, err: false } } });
  expect(out).toContain('\u001b[');
});

test('--format is the report on standard output, and each --report writes its file', async () => {
  const { root } = repository();
  const reports = ['markdown=../review.md', 'sarif=../review.sarif'].flatMap((file) => ['--report', file]);
  const { code, out } = await collab(repository(), [...rules, '--format', 'json', ...reports]);
  expect([code, JSON.parse(out)]).toEqual([1, expect.objectContaining({ schema: 'collab.review/v1' })]);
  expect(readFileSync(join(root, '../review.md'), 'utf8')).toMatch(/^#+ .*2 findings/m);
  expect(readFileSync(join(root, '../review.sarif'), 'utf8')).toContain('"version": "2.1.0"');
});

test('--verbose shows the work of the advisor instead of the lines of progress', async () => {
  const { err } = await collab(repository(), [...rules, '--verbose', '--ascii']);
  expect(err).not.toContain('chunk 1/1');
  expect(err).toMatch(/^\n\[init\] Static review: [^]*\n## ISSUES\n[^]*\n\[stats\] duration_ms=/);
});

test('--detach and a limit of time inside Claude Code are checked before anything starts', async () => {
  const env = { ...repository().env, CLAUDECODE: '1', COLLAB_FOLLOW: 'soon' };
  expect(await collab({ ...repository(), env }, rules)).toEqual({
    code: 2,
    out: '',
    err: expect.stringMatching(/^collab: COLLAB_FOLLOW needs a duration, not "soon"\n/),
  });
});

test('--plan shows the scope and the prices, and starts no run', async () => {
  const place = changedRepository();
  place.write('package-lock.json', '{}\n');
  const { code, out, err } = await collab(place, ['review', '--plan']);
  expect([code, err]).toEqual([0, '']);
  const lines = out.split('\n');
  expect(lines.slice(0, 4)).toEqual([
    expect.stringMatching(
      /^would review working tree against HEAD \w+: 2 changed files, 1 of them untracked$/,
    ),
    '2 files changed, 4 lines',
    expect.stringMatching(/^skipped package-lock\.json: .*lock/),
    expect.stringMatching(/^chunk-1: 3 lines, about \d+ tokens: src\/a\.js$/),
  ]);
  expect(out).toMatch(
    /\ncontext files; tokens beside the diff: diff 0, functions \d+, files \d+, related 0\n/,
  );
  expect(out).toMatch(
    /\neach request begins with the same [\d,]+ tokens, about \d\d % of its text before the diff\n/,
  );
  expect(out).toMatch(/\n1 exchange, about \d+ tokens of diff, time limit 60 min; no agent was called\n/);
  expect(out).toMatch(
    /\n--effort quick: 1 call, about [\d,]+ to [\d,]+ tokens of requests and answers\n--effort standard: 1 to \d+ calls, .*\n--effort deep: \d+ to \d+ calls, .*\n$/,
  );
  expect((await collab(place, ['runs'])).out).toBe('no runs here\n');
});

test('--plan has the prices of a named model, its own time limit, and the material of the requests', async () => {
  const place = changedRepository();
  place.write('AGENTS.md', 'Use no eval.\n');
  place.commit('conventions');
  place.write('src/a.js', 'eval(process.argv[3]);\n');
  place.write('../pr.md', 'Evaluate the third\n');
  place.write('../junit.xml', '<testsuite name="unit" tests="1"><testcase name="total"/></testsuite>\n');
  const words =
    'review --plan --advisor anthropic:claude-sonnet-5 --time-limit 5m --pr-text ../pr.md --evidence ../junit.xml';
  const { out } = await collab(place, words.split(' '));
  expect(out).toMatch(/\nconventions from AGENTS\.md: about \d+ tokens\n/);
  expect(out).toMatch(/\ntext of the pull request: about \d+ tokens\n/);
  expect(out).toMatch(/\nevidence from .*: .*, about \d+ tokens?\n/);
  expect(out).toContain('time limit 5 min; no agent was called\n');
  expect(out).toMatch(/\n--effort quick: 1 call, .*, \$0\.\d+ to \$0\.\d+\n/);
});

test('--show-prompt adds each prompt, without the secret', async () => {
  const { out } = await collab(repository(), ['review', '--plan', '--show-prompt']);
  const [, prompt = ''] = out.split('\n---- prompt of chunk-1 ----\n');
  expect(prompt).toContain('[REQUEST:REVIEW]');
  expect(prompt).toContain('+eval(process.argv[2]);');
  expect(prompt).toContain('eval-call');
  expect(prompt).not.toContain(sampleKey);
  const rulesAlone = await collab(repository(), [...rules, '--plan', '--show-prompt']);
  expect(rulesAlone.out).not.toContain('eval-call');
});

test('--priority without a database is refused before anything starts', async () => {
  const before = await collab(repository(), ['runs', '--json']);
  expect(await collab(repository(), [...rules, '--priority', 'ci'])).toEqual({
    code: 2,
    out: '',
    err: 'collab: --priority ci is for a run in the queue of workers\n  Add --remote, or leave --priority out.\n',
  });
  expect(await collab(repository(), ['runs', '--json'])).toEqual(before);
});
