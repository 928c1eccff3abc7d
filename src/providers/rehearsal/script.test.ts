import { expect, test } from 'vitest';
import { uncheckedPlaces } from '../../../test/fixtures/unchecked-places.ts';
import { scriptSchema } from './script.ts';

test('what a script leaves out has its default', () => {
  expect(scriptSchema.parse({ turns: [{ answer: 'Done.' }] })).toEqual({
    agent: { name: 'Rehearsal', session_id: 'rehearsal' },
    turns: [
      {
        when: {},
        repeat: 1,
        delay_ms: 0,
        tools: [],
        messages: [],
        edits: [],
        edit_delay_ms: 0,
        answer: 'Done.',
        stream: true,
        closing: true,
        stop_reason: 'end_turn',
        limit: 'idle',
        retry_after_ms: null,
        code: 'options',
      },
    ],
  });
});

const call = { name: 'Write', input: { file_path: 'a.ts' } };
const turn = {
  when: { role: 'lead', phase: 'design', round: 1, work: 'converse', attempt: 1, contains: 'a' },
  repeat: 'forever',
  delay_ms: 1,
  tools: [
    { name: 'Bash', input: { command: 'ls' }, output: 'a.ts' },
    { name: 'Bash', input: { command: 'ls' }, output_lines: 2 },
    { name: 'Bash', input: { command: 'ls' }, error: 'no' },
  ],
  messages: [{ text: 'I look.' }, { tool: { name: 'Read', input: { file_path: 'a.ts' } } }, { call }],
  edits: [{ path: 'a.ts', content: 'a' }],
  edit_delay_ms: 1,
  delta_size: 2,
  answer: 'Done.',
  stream: false,
  closing: false,
  stop_reason: 'end_turn',
  usage: { input: 1, output: 2, cost: 0.5 },
  message: 'm',
  limit: 'total',
  retry_after_ms: 5,
  unreachable: true,
  code: 'auth',
  harvest: 'answered',
};
const script = {
  agent: { name: 'Claude Code', model: 'm', session_id: 's' },
  lead: { name: 'Codex', model: 'm', session_id: 's' },
  project: { task: 'Add a till.', files: { 'a.ts': 'a' } },
  call_log: 'calls.log',
  turns: [turn],
};

test('each field of a script is kept and checked', () => {
  expect(scriptSchema.parse(script)).toEqual(script);
  expect(uncheckedPlaces(scriptSchema, script)).toEqual([]);
});

test.each([
  ['neither an answer nor a fault', { answer: undefined }, 'exactly one of answer, answer_file and fault'],
  ['two of them', { fault: 'never' }, 'exactly one of answer, answer_file and fault'],
  ['an advisor’s edits', { when: {}, messages: [] }, 'only a lead edits'],
  ['a call outside of a conversation', { when: { role: 'lead' } }, 'only the lead of a conversation calls'],
  [
    'a tool with two results',
    { tools: [{ name: 'Bash', output: 'a', error: 'b' }] },
    'a tool has one of output, output_lines and error',
  ],
  ['an advisor’s work', { when: { role: 'advisor', work: 'converse' } }, 'an advisor has no work'],
  ['a lead’s tag', { when: { role: 'lead', tag: '[REQUEST:REVIEW]' } }, 'are the advisor’s'],
  ['a lead’s chunk', { when: { role: 'lead', chunk: 1 } }, 'are the advisor’s'],
  ['a lead’s consult', { when: { role: 'lead', consult: 1 } }, 'are the advisor’s'],
])('a turn with %s is refused', (_what, change, why) => {
  const { error } = scriptSchema.safeParse({ ...script, turns: [{ ...turn, ...change }] });
  expect(error?.issues.map(({ message }) => message).join()).toContain(why);
});

test.each([
  [
    'a check by the advisor',
    { role: 'advisor', work: 'verify', tag: '[REQUEST:REVIEW]', chunk: 1, consult: 1 },
  ],
  ['the advisor, if nothing says otherwise', { tag: '[REQUEST:REVIEW]' }],
])('a turn may be for %s', (_what, when) => {
  const { messages: _messages, edits: _edits, ...others } = turn;
  expect(scriptSchema.safeParse({ turns: [{ ...others, when }] }).success).toBe(true);
});
