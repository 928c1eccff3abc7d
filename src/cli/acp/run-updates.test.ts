import { join } from 'node:path';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import {
  advisor,
  answered,
  called,
  eventStream,
  lead,
  said,
  type Occurrence,
} from '../../../test/fixtures/screens/event-streams.ts';
import type { EventBody } from '../../events/collab-event.ts';
import { openRun } from '../../runs/folder/opened-run.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { createRunUpdates, message, textContent } from './run-updates.ts';

const cwd = '/project';

function updatesOf(...occurrences: readonly (EventBody | Occurrence)[]) {
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the updates read of a run
  const input = { kind: 'consult', phase: 'design' } as RunInput;
  const updates = createRunUpdates(openRun({ runId: 'r1', path: '/r1' }, { input }), cwd);
  const shown = eventStream(occurrences).flatMap((event) => updates.push(event));
  // The first event also shows the plan.
  return { first: shown[0], shown: shown.slice(1), rest: updates.end(), again: updates.end() };
}

const thought = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: { type: 'text', text },
});

const by = (agent: Occurrence['agent'], bodies: readonly EventBody[], step?: string): readonly Occurrence[] =>
  bodies.map((body) => ({ body, ...(agent && { agent }), ...(step !== undefined && { step }) }));

test('the first event shows the plan, whose entries all have the same priority', () => {
  expect(updatesOf(...said('x')).first).toEqual({
    sessionUpdate: 'plan',
    entries: [{ content: 'Ask about the design', status: 'pending', priority: 'medium' }],
  });
});

test('whole paragraphs are thoughts; an agent is named when it begins to speak', () => {
  const { shown, rest } = updatesOf(
    ...by(advisor, said('one\n\ntwo\n')),
    ...by(lead, said('three', { block: 'b2' })),
    ...by(lead, said('four', { block: 'b3' })),
  );
  expect(shown).toEqual([
    thought('**Codex**\n\none\n\n'),
    thought('two\n\n'),
    thought('**Claude Code**\n\nthree\n\n'),
    thought('four\n\n'),
  ]);
  expect(rest).toEqual([]);
});

test('a tag is what the agent does, and a section has the name that people read', () => {
  const text = '[RESPONSE:DESIGN]\n## CLARIFICATION_QUESTIONS\nnone\u001b[2J\n### Other NAME\nx  ';
  expect(updatesOf(...by(advisor, said(text))).shown).toEqual([
    thought('**Codex**\n\n_Codex answers on the design_\n\n'),
    thought('## Clarification questions\nnone␛[2J\n### Other NAME\nx\n\n'),
  ]);
});

test('text that came only whole is shown; text that has not ended is shown at the end, once', () => {
  const [, begun = { type: 'turn.started' }] = said('half ', { size: 99 });
  const { shown, rest, again } = updatesOf(
    { type: 'text.end', block_id: 'whole', text: 'all of it' },
    { type: 'text.delta', block_id: 'b', text: '[RESPONSE:DESIGN]' },
    ...by(advisor, [begun, { type: 'text.delta', block_id: 'b1', text: 'a sentence\n' }]),
  );
  expect(shown).toEqual([thought('**Claude Code**\n\nall of it\n\n')]);
  expect(rest).toEqual([thought('[RESPONSE:DESIGN]\n\n'), thought('half a sentence\n\n')]);
  expect(again).toEqual([]);
});

const delta = (text: string): EventBody => ({ type: 'text.delta', block_id: 'b', text });

test('blocks of the same name in two steps, or of two agents, are two texts', () => {
  const { rest } = updatesOf(
    ...by(lead, [delta('one')], 's1'),
    ...by(lead, [delta('two')], 's2'),
    ...by(advisor, [delta('three')], 's1'),
    ...by(lead, [delta(' more')], 's1'),
  );
  expect(rest).toEqual([thought('one more\n\n'), thought('two\n\n'), thought('three\n\n')]);
});

test('a tool call has a title, a kind and the file in the folder; its result completes it', () => {
  const { shown } = updatesOf(
    called('c1', 'Read', { file_path: 'src/a.ts' }),
    answered('c1', 'Read', '1\tone\u001b[2J'),
    called('c2', 'Bash', { command: 'ls\n-la' }),
    answered('c2', 'Bash', '', true),
  );
  expect(shown).toEqual([
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'r1/c1',
      title: 'Read: src/a.ts',
      kind: 'read',
      status: 'in_progress',
      locations: [{ path: join(cwd, 'src/a.ts') }],
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'r1/c1',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: '1\tone␛[2J' } }],
    },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'r1/c2',
      title: 'Bash: ls -la',
      kind: 'execute',
      status: 'in_progress',
      locations: [],
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 'r1/c2', status: 'failed', content: [] },
  ]);
});

const call = (more: Partial<Extract<EventBody, { type: 'tool.call' }>>): EventBody => ({
  type: 'tool.call',
  call_id: 'c',
  name: 'of_a_server',
  display_name: '',
  args: {},
  summary: '',
  trigger: 'agent',
  ...more,
});

test.each<[string, Parameters<typeof call>[0]]>([
  ['of_a_server', {}],
  ['A server', { display_name: 'A server' }],
  ['A server: about it', { display_name: 'A server', summary: 'about it' }],
  ['of_a_server', { summary: 'of_a_server' }],
  [`of_a_server: ${'x'.repeat(179)} … (cut)`, { summary: 'x'.repeat(300) }],
])('a tool call is named "%s"', (title, more) => {
  expect(updatesOf(call(more)).shown).toEqual([expect.objectContaining({ title, kind: 'other' })]);
});

test.each<[object, readonly string[]]>([
  [{ path: 'a' }, ['/project/a']],
  [{ file_path: 'b', path: 'a' }, ['/project/b']],
  [{ file_path: '/copy/b' }, []],
  [{ file_path: '' }, []],
  [{ file_path: 7 }, []],
])('a call with %j has its places at %j', (args, paths) => {
  const { shown } = updatesOf(call({ args: { ...args } }));
  expect(shown).toMatchObject([{ locations: paths.map((path) => ({ path })) }]);
  expect(Object(shown[0]).locations).toHaveLength(paths.length);
});

test('the kind of each known tool', () => {
  const names = 'Read LS NotebookEdit Edit MultiEdit Write Bash Grep Glob Search WebSearch WebFetch Task';
  const { shown } = updatesOf(...names.split(' ').map((name) => call({ name })));
  expect(shown.map((update) => Object(update).kind).join(' ')).toBe(
    'read read edit edit edit edit execute search search search search fetch think',
  );
});

test('a long output is cut', () => {
  const { shown } = updatesOf(answered('c', 'Read', 'x'.repeat(5000)));
  expect(shown).toEqual([
    expect.objectContaining({ content: textContent(`${'x'.repeat(4000 - ' … (cut)'.length)} … (cut)`) }),
  ]);
});

test('progress is a thought after which an agent is named again; the beginning of a phase is only in the plan', () => {
  const { shown } = updatesOf(
    ...said('one\n'),
    { type: 'coverage', path: 'a\u001b[2J.js', status: 'failed', reason: 'too large' },
    ...said('two\n', { block: 'b2' }),
    { type: 'phase.started', phase: 'design', round: 1 },
  );
  expect(shown).toEqual([
    thought('**Claude Code**\n\none\n\n'),
    thought('not reviewed a␛[2J.js: too large\n\n'),
    thought('**Claude Code**\n\ntwo\n\n'),
  ]);
});

test('a message is a text of collab itself, and an empty content is none', () => {
  expect(message('x')).toEqual({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'x' },
  });
  expect(textContent('')).toEqual([]);
});
