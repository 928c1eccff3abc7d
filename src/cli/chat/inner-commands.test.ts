import { expect, test } from 'vitest';
import { advises } from '../../../test/contract/workflow/workflow-script.ts';
import type { StartDefaults } from '../../runs/start/start-request.ts';
import type { ChatFlags } from '../commands/chat-command.ts';
import { sessionIn, type SessionHow } from '../command.test-helper.ts';
import type { StartLine } from '../driving/present-start.ts';
import { readCommand, type Action, type ParsedLine } from '../program.ts';
import { createPair } from '../rehearsed-pair.test-helper.ts';
import type { Session } from '../session.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { createCollabHands } from './inner-commands.ts';

const { signal } = new AbortController();

/** A program whose commands return 7 and print their defaults. */
function createHands(flags: ChatFlags = {}, starts: StartLine | null = null) {
  const read: (readonly string[])[] = [];
  const defaults: (StartDefaults | undefined)[] = [];
  const { session, printed } = sessionIn({ root: '/nowhere', env: {} });
  const line: ParsedLine = {
    starts,
    async action({ out }, chosen) {
      defaults.push(chosen);
      out('printed\n');
      return 7;
    },
  };
  const hands = createCollabHands({
    session,
    flags,
    advisor: 'codex',
    program: {
      perform: (action, within) => action(within),
      read(words: readonly string[], out: Session['out'] = () => undefined) {
        read.push(words);
        if (words[0] !== '--help') return line;
        out('help\n');
        return null;
      },
    },
  });
  return { hands, read, defaults, printed };
}

const run: StartLine = { request: { kind: 'run', task: 'x' }, shown: {} };
const review: StartLine = { request: { kind: 'review', changes: [] }, shown: {} };

test('a command that the user typed is shown as it runs', async () => {
  const { hands, read, printed } = createHands();
  expect(await hands.run(['review', '--staged'], signal)).toEqual({
    exitCode: 7,
    printed: 'printed\n',
    remarks: '',
  });
  expect(read).toEqual([['review', '--staged']]);
  expect(printed().out).toBe('printed\n');
});

test('a program gets the output of a command as a record only', async () => {
  const { hands, printed } = createHands({ json: true });
  expect(await hands.run(['review'], signal)).toMatchObject({ printed: 'printed\n' });
  expect(printed().out).toBe('');
});

test('help is printed, and is no failure', async () => {
  const { hands, printed } = createHands();
  expect(await hands.run(['--help'], signal)).toEqual({ exitCode: 0, printed: 'help\n', remarks: '' });
  expect(printed().out).toBe('help\n');
});

test.each<[string, StartLine | null, string | undefined]>([
  ['a run has the lead of the conversation', run, 'claude_code'],
  ['a review has its own lead', review, undefined],
  ['a command that starts nothing has none', null, undefined],
])('%s, and the flags of the conversation that are about runs', async (_what, starts, lead) => {
  const flags = { resume: true, json: true, ascii: true, lead: 'claude_code', language: 'fr' } as const;
  const { hands, defaults } = createHands(flags, starts);
  await hands.run(['x'], signal);
  expect(defaults).toEqual([{ language: 'fr', advisor: 'codex', lead }]);
});

test('the advisor can be chosen again; auto leaves it to the configuration', async () => {
  const { hands, defaults } = createHands({ advisor: 'openai' });
  expect(hands.advisor()).toBe('codex');
  hands.chooseAdvisor('gemini');
  expect(hands.advisor()).toBe('gemini');
  await hands.run(['x'], signal);
  hands.chooseAdvisor('auto');
  await hands.run(['x'], signal);
  expect(defaults.map((each) => each?.advisor)).toEqual(['gemini', undefined]);
});

/** Commands that really run, with an advisor that asks back first. */
function createPairHands(flags: ChatFlags = {}, how: SessionHow = {}) {
  const { repository, agent } = createPair(
    advises({ tag: '[CONSULT:DESIGN]' }, '[CONSULT:CLAUDE:CONTEXT]\n\nWhich table?\n'),
  );
  const { session, printed } = sessionIn(repository, how);
  const program = { perform: (action: Action, within: Session) => action(within), read: readCommand };
  return { printed, hands: createCollabHands({ session, program, flags, advisor: agent }) };
}

const question = { phase: 'design', brief: 'Is it sound?' } as const;

test('the lead consults the advisor, answers its question, and gets the Markdown, of which nothing is shown', async () => {
  const { hands, printed } = createPairHands();
  const asked = await hands.consultForLead(question, signal);
  expect(asked.exitCode).toBe(10);
  const [, runId = ''] = /collab answer (\S+)/.exec(asked.printed + asked.remarks) ?? [];
  const answered = await hands.answerForLead(runId, 'The one of the prices.', signal);
  expect(answered.exitCode).toBe(0);
  expect(answered.printed).toMatch(/^# Consult on design: settled[^]*## RECOMMENDATION/);
  const { printed: advice } = await hands.consultForLead({ phase: 'implementation', brief: 'How?' }, signal);
  expect(advice).toMatch(/^# Consult on implementation: settled/);
  expect(printed()).toEqual({ out: '', err: '' });
});

test('the user is asked the question of the advisor, and sees the answer', async () => {
  const terminal = createTerminal([['an empty line ends it\n: ', 'The one of the prices.\n\n']], {
    screen: { movesCursor: false },
  });
  const { hands } = createPairHands({}, terminal.how);
  const { exitCode, printed } = await hands.consult(question, signal);
  expect(exitCode).toBe(0);
  expect(printed).toMatch(/^\[RESPONSE:DESIGN\]\n/);
  expect(terminal.shown()).toContain(printed);
});

test('a program is not asked, and sees nothing', async () => {
  const { hands, printed } = createPairHands({ json: true });
  expect((await hands.consult(question, signal)).exitCode).toBe(10);
  expect(printed()).toEqual({ out: '', err: '' });
});
