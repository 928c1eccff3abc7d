import { expect, test } from 'vitest';
import {
  advisor,
  ended,
  eventStream,
  started,
  type Occurrence,
} from '../../../test/fixtures/screens/event-streams.ts';
import type { EventBody } from '../../events/collab-event.ts';
import { createPaint } from '../../text/paint.ts';
import { createRunTalk } from './talk.ts';

const say = (text: string, block = 'b'): EventBody => ({ type: 'text.end', block_id: block, text });
const byAdvisor = (body: EventBody): Occurrence => ({ body, agent: advisor, step: 'advice' });

function shown(
  items: readonly (EventBody | Occurrence)[],
  { columns = 80, ascii = false, defersEdits = false } = {},
): readonly string[] {
  const talk = createRunTalk({
    columns: () => columns,
    paint: createPaint(false),
    cwd: '/home/user/project',
    ascii,
    defersEdits,
  });
  talk.introduce({ advisor: 'Codex of the team' });
  return [...eventStream(items).flatMap((event) => talk.push(event)), ...talk.end()];
}

const call = (name: string, args: Record<string, string>, id = 'c'): EventBody => ({
  type: 'tool.call',
  call_id: id,
  name,
  display_name: name,
  args,
  summary: '',
  trigger: 'agent',
});
const result = (name: string, content: string, id = 'c'): EventBody => ({
  type: 'tool.result',
  call_id: id,
  name,
  content,
  is_error: false,
  duration_ms: 1,
});

const exchange = (body: EventBody): Occurrence => ({
  body,
  agent: advisor,
  exchangeId: 'design-1-consult-1',
});
const delta = (text: string): EventBody => ({ type: 'text.delta', block_id: 'x', text });

test('lead and advisor have their names above what they say, and the protocol is told in words', () => {
  const lines = shown([
    started(),
    { type: 'phase.started', phase: 'design', round: 2 },
    say('A *plan*.\n\n[CONSULT:DESIGN]\n\nIs it sound?'),
    byAdvisor(say('[RESPONSE:DESIGN]\n\n## ASSESSMENT\n\nIt is.\n\nEND 0123456789abcdef')),
    say('Thanks.', 'c'),
    ended(),
  ]);
  expect(lines).toEqual([
    expect.stringMatching(/^━━ Design, round 2 ━+$/),
    '',
    'Claude Code · claude-opus-4-20250514 · abc123',
    '  A plan.',
    '',
    '  ↳ Claude Code asks about the design',
    '',
    '  Is it sound?',
    '',
    'Codex of the team · gpt-5-codex',
    '  ↳ Codex of the team answers on the design',
    '',
    '  Assessment',
    '',
    '  It is.',
    '',
    'Claude Code',
    '  Thanks.',
    '',
    expect.stringMatching(/^ {2}took /),
  ]);
});

test('a tool call has one line, its result another, and an edit its diff below', () => {
  const lines = shown([
    started(),
    call('Read', { file_path: '/home/user/project/src/a.ts' }, 'r'),
    result('Read', 'one\ntwo\n', 'r'),
    call('Edit', { file_path: 'src/a.ts', old_string: 'one', new_string: 'uno\ndue' }),
    result('Edit', 'done'),
  ]);
  expect(lines.slice(1)).toEqual([
    '  📖 Reading src/a.ts',
    '  → Read 2 lines',
    '  ✏️ Editing src/a.ts',
    '  -one',
    '  +uno',
    '  +due',
    '  → File updated',
  ]);
});

test('a long edit is folded, and the number of its other lines is told', () => {
  const content = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');
  const lines = shown([started(), call('Write', { file_path: 'b.ts', content })]);
  expect(lines).toContain('  +line 29');
  expect(lines).not.toContain('  +line 30');
  expect(lines).toContain('  … 71 more lines');
});

test('the diff that an agent reports is shown, and escape sequences in it are visible', () => {
  const diff = '@@ -1 +1 @@\n-\u001b[2Jold\n+new\n';
  const lines = shown([started(), { type: 'file.changed', path: 'c.ts', kind: 'update', diff }]);
  expect(lines.join('\n')).not.toContain('\u001b');
  expect(lines.slice(-3)).toEqual(['  @@ -1 +1 @@', expect.stringMatching(/^ {2}-.+old$/), '  +new']);
});

test('a repair is told in a sentence, a question back once', () => {
  const lines = shown([
    started(),
    exchange({
      type: 'exchange.sent',
      tag: '[CONSULT:DESIGN]',
      attempt: 1,
      prompt_bytes: 1,
      prompt_ref: 'p',
    }),
    exchange(say('[CONSULT:CLAUDE:CONTEXT]\n\nWhich cents?')),
    exchange({ type: 'exchange.asked_back', tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'Which cents?' }),
    exchange({
      type: 'exchange.rejected',
      reason: 'incomplete',
      detail: 'missing: RISKS',
      action: 'completing',
    }),
  ]);
  expect(lines.filter((line) => line.includes('Which cents?'))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/asked again: RISKS was missing$/);
});

test('no line is wider than the terminal', () => {
  const long = 'A sentence of many words that does not end before the terminal does. '.repeat(3);
  for (const columns of [40, 61, 200]) {
    const lines = shown([started(), say(`${long}\n\n\`\`\`ts\nconst a = '${long}';\n\`\`\``), ended()], {
      columns,
    });
    for (const line of lines) expect(line.length).toBeLessThan(columns);
  }
});

test('--ascii names tools in brackets', () => {
  expect(shown([started(), call('Read', { path: 'a.ts' })], { ascii: true })).toContain(
    '  [read] Reading a.ts',
  );
});

test('texts of agents that work at the same time are not mixed', () => {
  const lines = shown([
    started(),
    { body: delta('One '), agent: advisor, step: 's1', exchangeId: 'e1' },
    { body: delta('other '), agent: advisor, step: 's2', exchangeId: 'e2' },
    { body: delta('text.'), agent: advisor, step: 's1', exchangeId: 'e1' },
    {
      body: { type: 'text.end', block_id: 'x', text: 'One text.' },
      agent: advisor,
      step: 's1',
      exchangeId: 'e1',
    },
    { body: delta('text.'), agent: advisor, step: 's2', exchangeId: 'e2' },
  ]);
  expect(lines.filter((line) => line.includes('text.'))).toEqual(['  One text.', '  other text.']);
});

const edit = (id: string): EventBody => call('Write', { file_path: 'a.txt', content: `by ${id}\n` }, id);

test('a deferred edit is shown with the result of its call, unless a question has shown it', () => {
  const items = [edit('c1'), edit('c2'), result('Write', 'done', 'c1'), result('Write', 'done', 'c2')];
  const lines = shown(items, { defersEdits: true });
  expect(lines.filter((line) => /by|→/.test(line)).map((line) => line.trim())).toEqual([
    '→ File written',
    '+by c1',
    '→ File written',
    '+by c2',
  ]);
  const talk = createRunTalk({
    columns: () => 80,
    paint: createPaint(false),
    cwd: '/home/user/project',
    ascii: false,
    defersEdits: true,
  });
  const [first, second, ...rest] = eventStream(items);
  const print = (event: Parameters<typeof talk.push>[0] | undefined) =>
    event === undefined ? [] : talk.push(event);
  const before = [first, second].flatMap(print);
  talk.dropEdit('c1');
  const after = [...rest.flatMap(print), ...talk.end()];
  expect(before.join('\n')).not.toContain('by c');
  expect(after.join('\n')).not.toContain('+by c1');
  expect(after.join('\n')).toContain('+by c2');
});
