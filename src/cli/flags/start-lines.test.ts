import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { readCommand } from '../program.ts';

/** The run that a command line starts, and how it is shown. */
function started(line: string) {
  const { request, shown } = readCommand(line.split(' '))?.starts ?? {};
  return { request: defined(request), shown: defined(shown) };
}

function defined(value: object = {}): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}

const reports = [
  { format: 'json', file: 'a' },
  { format: 'sarif', file: 'b' },
];

test.each([
  ['review', { changes: [] }, {}],
  ['review fix.diff --plain', { changes: [{ kind: 'argument', words: 'fix.diff' }] }, { plain: true }],
  ['review --base main --ascii', { changes: [{ kind: 'base', ref: 'main' }] }, { ascii: true }],
  ['review --staged --detach', { changes: [{ kind: 'staged' }] }, { detach: true }],
  ['review --commit abc --verbose', { changes: [{ kind: 'commit', sha: 'abc' }] }, { verbose: true }],
  ['review --path a --path b', { changes: [], paths: ['a', 'b'] }, {}],
  [
    'review branch:topic -- src docs',
    { changes: [{ kind: 'argument', words: 'branch:topic' }], paths: ['src', 'docs'] },
    {},
  ],
  ['review -- src', { changes: [], paths: ['src'] }, {}],
  ['review --plan --show-prompt', { changes: [] }, { plan: true, showPrompt: true }],
  ['review --format json', { changes: [] }, { format: 'json' }],
  [
    'review --pr-text t --evidence a --evidence b --import c --baseline d --ask',
    { changes: [], pr_text: 't', evidence: ['a', 'b'], imports: ['c'], baseline: 'd', ask: true },
    {},
  ],
  ['review --config c --config-from main', { changes: [], config: 'c', config_from: 'main' }, {}],
  ['review --remote --priority ci', { changes: [], priority: 'ci' }, { remote: true }],
  ['review --engine postgres://x', { changes: [] }, { engine: 'postgres://x' }],
  [
    'review --fail-on important --lead none --report json=a --report sarif=b --no-cache',
    { changes: [], fail_on: 'important', lead: 'none', reports, cache: false },
    {},
  ],
])('%s', (line, request, shown) => {
  expect(started(line)).toEqual({ request: { kind: 'review', ...request }, shown });
});

test.each([
  ['run', {}, {}],
  ['run task', { task: 'task' }, {}],
  ['run --task-file t --skill s --apply -y', { task_file: 't', skill: 's', apply: true, yes: true }, {}],
  ['run t --phases review,design', { task: 't', phases: ['design', 'review'] }, {}],
  ['run t --max-review-rounds 2', { task: 't', max_review_rounds: 2 }, {}],
  ['run t --remote --priority person', { task: 't', priority: 'person' }, { remote: true }],
])('%s', (line, request, shown) => {
  expect(started(line)).toEqual({ request: { kind: 'run', ...request }, shown });
});

test.each([
  ['fix', {}, {}],
  ['fix 2', { findings: ['2'] }, {}],
  ['fix F2 13 f3', { findings: ['F2', '13', 'f3'] }, {}],
  ['fix 0123456789abcdef', { findings: ['0123456789abcdef'] }, {}],
  ['fix x7k2 1 3', { run: 'x7k2', findings: ['1', '3'] }, {}],
  ['fix 1234', { run: '1234' }, {}],
  ['fix latest', { run: 'latest' }, {}],
  ['fix xF2', { run: 'xF2' }, {}],
  ['fix F2x', { run: 'F2x' }, {}],
  ['fix --all-critical --apply', { all_critical: true, apply: true }, {}],
  ['fix --from a.json --yes --result b.json 2', { from: 'a.json', yes: true, findings: ['2'] }, {}],
])('%s', (line, request, shown) => {
  expect(started(line)).toEqual({ request: { kind: 'fix', ...request }, shown });
});

test.each([
  ['consult design --file b.md', { phase: 'design', file: 'b.md' }, { format: 'terminal' }],
  [
    'consult implementation --file - --run r --ask --format json',
    { phase: 'implementation', file: '-', run: 'r', ask: true },
    { format: 'json' },
  ],
])('%s', (line, request, shown) => {
  expect(started(line)).toEqual({ request: { kind: 'consult', ...request }, shown });
});

test.each([
  ['run t --phases desing', '--phases: there is no phase "desing"', 'did you mean design?'],
  [
    'run t --phases xyz',
    '--phases: there is no phase "xyz"',
    'the phases are requirements, design, implementation, review',
  ],
  ['run t --max-review-rounds 0', '--max-review-rounds needs', null],
  ['review --time-limit soon', '--time-limit needs a duration, not "soon"', expect.any(String)],
])('%s is refused', async (line, message, hint) => {
  expect(await refusalOf((async () => started(line))())).toEqual({
    code: 'usage',
    message: expect.stringContaining(message),
    hint,
  });
});

test('a command that continues a run starts none', () => {
  expect(readCommand(['resume'])?.starts).toBe(null);
});
