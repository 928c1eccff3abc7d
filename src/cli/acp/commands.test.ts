import { expect, test } from 'vitest';
import { readCommand } from '../program.ts';
import { availableCommands, helpText, questionToAdvisor, readAsked } from './commands.ts';
import type { Prompt } from './prompt.ts';

const promptOf = (text: string, files: readonly string[] = []): Prompt => ({
  text,
  words: text.trim(),
  files,
});
const read = (text: string, files?: readonly string[]) => readAsked(promptOf(text, files), readCommand);
const request = (text: string, files?: readonly string[]) => Object(read(text, files)).request;

test('a review has the change, the flags and the files that are named', () => {
  expect(read('/review --base main')).toMatchObject({
    kind: 'start',
    request: { kind: 'review', changes: [{ kind: 'base', ref: 'main' }] },
  });
  expect(request('/review main...HEAD', ['src/a b.ts', '-x'])).toMatchObject({
    changes: [{ kind: 'argument', words: 'main...HEAD' }],
    paths: ['src/a b.ts', '-x'],
  });
  expect(request('/review')).toMatchObject({ changes: [] });
  expect(request('/review\n"a b.diff"')).toMatchObject({
    changes: [{ kind: 'argument', words: 'a b.diff' }],
  });
});

test('a consult has its phase, and all other text is the question', () => {
  const asked = { kind: 'consult', phase: 'design', brief: 'why?\nand how?', ask: true };
  expect(read('  /consult  design why?\nand how?')).toEqual({ kind: 'start', request: asked });
  expect(questionToAdvisor('why?')).toEqual({
    kind: 'consult',
    phase: 'implementation',
    brief: 'why?',
    ask: true,
  });
  expect(questionToAdvisor('why?', { run: 'r1' })).toEqual({
    kind: 'consult',
    phase: 'implementation',
    brief: 'why?',
    ask: true,
    run: 'r1',
  });
});

test('a run has its task as it is written, and the flags after it', () => {
  expect(read(" /run  don't stop --phases design")).toMatchObject({
    kind: 'start',
    request: { kind: 'run', task: "don't stop", phases: ['design'] },
  });
});

test('a fix has the findings that are named', () => {
  expect(request('/fix F1 F2')).toMatchObject({ kind: 'fix', findings: ['F1', 'F2'] });
  expect(request('/fix --all-critical')).toMatchObject({ kind: 'fix', all_critical: true });
});

test.each([
  ['/continue', { kind: 'continue', run: undefined }],
  ['/continue r1', { kind: 'continue', run: 'r1' }],
  ['/cancel "r1"', { kind: 'cancel', run: 'r1' }],
  ['/help', { kind: 'help' }],
  ['/help me', { kind: 'help' }],
  ['why?', { kind: 'words', text: 'why?' }],
  [' why?', { kind: 'words', text: ' why?' }],
  ['/etc/hosts?', { kind: 'words', text: '/etc/hosts?' }],
  ['/1', { kind: 'words', text: '/1' }],
  ['see /help', { kind: 'words', text: 'see /help' }],
])('%j is read', (text, asked) => {
  expect(read(text)).toEqual(asked);
});

const asksAtEnd = 'Leave it out: the run asks you at its end.';
const atTerminal = (name: string) => `Use it at a terminal: collab ${name}.`;
const lists = (name: string) => `collab ${name} --help lists the flags.`;
const consultHint = 'Write /consult requirements|design|implementation <what you want to know>.';

test.each([
  ['', 'the prompt is empty', 'Write /help.'],
  [' \n', 'the prompt is empty', 'Write /help.'],
  ['/reviw', 'there is no command /reviw', 'Did you mean /review?'],
  [
    '/nothing x',
    'there is no command /nothing',
    'The commands are /review, /consult, /run, /fix, /continue, /cancel, /help.',
  ],
  ['/run', '/run has no task', 'Write the task after /run.'],
  ['/run --phases design', '/run has no task', 'Write the task after /run.'],
  ['/consult', '/consult needs a phase', consultHint],
  ['/consult desing why?', '/consult needs a phase', consultHint],
  ['/consult design', '/consult has no question', consultHint],
  ['/consult design \n ', '/consult has no question', consultHint],
  ['/review --plan', '--plan is not for an editor', atTerminal('review')],
  ['/review --show-prompt', '--show-prompt is not for an editor', atTerminal('review')],
  ['/review --format json', '--format is not for an editor', atTerminal('review')],
  ['/review --report json=x', '--report is not for an editor', atTerminal('review')],
  ['/run do it --detach', '--detach is not for an editor', atTerminal('run')],
  ['/run do it --apply', '--apply is not for an editor', asksAtEnd],
  ['/fix F1 --result x.json', '--result is not for an editor', atTerminal('fix')],
  ['/fix F1 --result=x.json', '--result is not for an editor', atTerminal('fix')],
  ['/review --help', 'help is not shown in an editor', `At a terminal, ${lists('review')}`],
  ['/review --nope', "unknown option '--nope'", lists('review')],
  ['/review --bse main', "unknown option '--bse' (Did you mean --base?)", lists('review')],
  ['/review "open', 'A quote is opened and not closed: "open', null],
  ['/cancel one two', '"two" is one word too many', 'Name one run, or none.'],
])('%j is refused: %s', (text, message, hint) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'usage', message, hint }));
});

test('an error that is no refusal of a command line is no refusal of a prompt', () => {
  expect(() =>
    readAsked(promptOf('/review'), () => {
      throw new TypeError('broken');
    }),
  ).toThrow(new TypeError('broken'));
});

test.each([null, { action: async () => 0, starts: null }])(
  'a line that starts nothing is refused',
  (line) => {
    expect(() => readAsked(promptOf('/review'), () => line)).toThrow('help is not shown in an editor');
  },
);

test('the commands are announced with the form of their words, and the help has the same ones', () => {
  expect(availableCommands).toEqual([
    {
      name: 'review',
      description: 'Review a change of this repository',
      input: { hint: 'the working tree, or: --staged, --base <ref>, main...HEAD, pr:<number>, a diff file' },
    },
    {
      name: 'consult',
      description: 'Ask the advisor about requirements, a design or an implementation',
      input: { hint: 'requirements, design, implementation … then your question' },
    },
    {
      name: 'run',
      description: 'Let a pair of agents work on a task, in a copy',
      input: { hint: 'the task, then flags such as --phases requirements,design' },
    },
    {
      name: 'fix',
      description: 'Fix findings of a review, in a copy',
      input: { hint: 'numbers of findings such as F1 F2, or --all-critical' },
    },
    {
      name: 'continue',
      description: 'Follow a run, ask its open question again, or continue an interrupted one',
      input: { hint: 'a run (default: the last one here)' },
    },
    {
      name: 'cancel',
      description: 'End a waiting or interrupted run permanently',
      input: { hint: 'a run (default: the last one here)' },
    },
    { name: 'help', description: 'List the commands' },
  ]);
  const lines = helpText.split('\n');
  expect(lines[3]).toBe(
    '- `/fix`: Fix findings of a review, in a copy (numbers of findings such as F1 F2, or --all-critical)',
  );
  expect(lines.slice(6)).toEqual([
    '- `/help`: List the commands',
    '- Any other text asks the advisor, or answers its question.',
  ]);
});
