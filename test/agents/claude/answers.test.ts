/** Turns of the lead that succeed, on the real Claude Code. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startScriptedClaude, lead, sessionOf } from './claude-user.ts';

const { upstream, world } = await startScriptedClaude();

const read = { access: 'read', folder: '' } as const;

test('a draft reads a file of the folder and answers; every piece is an event, and none is repeated', async () => {
  const agent = await world.open();
  const total = join(world.folder, 'src/total.ts');
  upstream.play(
    messagesInOrder(
      { thinking: 'I look.', text: 'Reading.', tools: [{ name: 'Read', input: { file_path: total } }] },
      { text: 'It is one.' },
    ),
  );
  const { result, events, bound } = await lead(agent, 'What is the total?', {
    work: { ...read, folder: world.folder },
  });
  expect(result).toMatchObject({
    kind: 'answered',
    text: 'It is one.',
    sessionId: bound[0],
    stopReason: 'end_turn',
    usage: { input: 240, output: 68, cache_read: 4000, cache_write_5m: 2000, cost_basis: 'reported' },
  });
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => !type.endsWith('.delta') && type !== 'tool.input')).toEqual([
    'session.bound',
    'turn.started',
    'thinking.end',
    'text.start',
    'text.end',
    'tool.call',
    'tool.status',
    'tool.status',
    'tool.result',
    'text.start',
    'text.end',
    'usage',
    'context',
    'turn.ended',
  ]);
  const texts = events.flatMap((event) => (event.type === 'text.end' ? [event.text] : []));
  const deltas = events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : []));
  expect([texts, deltas.join('')]).toEqual([['Reading.', 'It is one.'], 'Reading.It is one.']);
  expect(events.find(({ type }) => type === 'tool.call')).toMatchObject({ name: 'Read', summary: total });
  expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({
    content: expect.stringContaining('export const total = 1;'),
    is_error: false,
  });
  expect(events.find(({ type }) => type === 'context')).toMatchObject({ tokens: 3154 });
});

test('the request has our instructions, three tools, and a prompt that starts with the call', async () => {
  const agent = await world.open();
  upstream.play(messagesInOrder({ text: 'Yes.' }));
  const before = upstream.requests.length;
  await lead(agent, '/compact @/etc/passwd', { work: { ...read, folder: world.folder } });
  const [request] = upstream.requests.slice(before);
  const body = JSON.parse(request?.text ?? '{}');
  expect(body.tools.map(({ name }: { readonly name: string }) => name).toSorted()).toEqual([
    'Glob',
    'Grep',
    'Read',
  ]);
  expect(JSON.stringify(body.system)).toContain('You lead. The scripted instructions.');
  expect(request?.lastInput).toContain('[collab call lead_requirements/1/draft/turn-1/1/1]');
  expect(request?.lastInput).toContain('/compact @/etc/passwd');
  expect(request?.text).not.toContain('root:');
});

test('an edit changes a file of the folder, creates a new one, and reports both', async () => {
  const agent = await world.open();
  const changed = world.place('work/src/edited.ts', 'export const rate = 1;\n');
  const made = join(world.folder, 'src/deep/made.ts');
  upstream.play(
    messagesInOrder(
      { tools: [{ name: 'Read', input: { file_path: changed } }] },
      { tools: [{ name: 'Edit', input: { file_path: changed, old_string: '1', new_string: '2' } }] },
      { tools: [{ name: 'Write', input: { file_path: made, content: 'export {};\n' } }] },
      { text: 'Done.' },
    ),
  );
  const { result, events } = await lead(agent, 'Raise the rate.', {
    work: { kind: 'implement', phase: 'implementation', access: 'edit', folder: world.folder },
  });
  expect(result.kind).toBe('answered');
  expect(readFileSync(changed, 'utf8')).toBe('export const rate = 2;\n');
  expect(readFileSync(made, 'utf8')).toBe('export {};\n');
  expect(events.filter(({ type }) => type === 'file.changed')).toEqual([
    { type: 'file.changed', path: 'src/edited.ts', kind: 'update' },
    { type: 'file.changed', path: 'src/deep/made.ts', kind: 'add' },
  ]);
});

test('a turn that may only read has no tool to write with; a turn without a folder has no tools', async () => {
  const agent = await world.open();
  const made = join(world.folder, 'unwanted.ts');
  const write = { tools: [{ name: 'Write', input: { file_path: made, content: 'x' } }] };
  upstream.play(messagesInOrder(write, { text: 'I could not.' }));
  await lead(agent, 'Write.', { work: { ...read, folder: world.folder } });
  expect(existsSync(made)).toBe(false);
  upstream.play(messagesInOrder({ text: 'Nothing to read.' }));
  const before = upstream.requests.length;
  const { result } = await lead(agent, 'Think.');
  expect(result.kind).toBe('answered');
  expect(JSON.parse(upstream.requests[before]?.text ?? '{}').tools ?? []).toEqual([]);
});

test('one session continues over turns with other folders and permissions; each turn has its own price', async () => {
  const agent = await world.open();
  upstream.play(messagesInOrder({ text: 'First.' }));
  const first = await lead(agent, 'Draft it.');
  const session = sessionOf(first);
  const before = upstream.requests.length;
  const second = await lead(agent, 'Go on.', {
    sessionId: session,
    work: { kind: 'implement', access: 'edit', folder: world.folder },
  });
  const request = upstream.requests[before];
  expect(request?.text).toContain('Draft it.');
  expect(request?.text).toContain('You lead. The scripted instructions.');
  const tools = JSON.parse(request?.text ?? '{}').tools.map(({ name }: { readonly name: string }) => name);
  expect(tools).toContain('Write');
  expect(second.bound).toEqual([session]);
  const [one, other] = [first, second].map(({ result }) =>
    result.kind === 'answered' ? result.usage : null,
  );
  expect(one?.cost).toBeGreaterThan(0);
  expect(other?.cost).toBeCloseTo(one?.cost ?? 0, 6);
  expect(other?.input).toBe(one?.input);
});

test('parallel turns have their own sessions', async () => {
  const agent = await world.open();
  upstream.play((request) => ({ text: request.lastInput.includes('left') ? 'L' : 'R' }));
  const turns = await Promise.all([lead(agent, 'left'), lead(agent, 'right')]);
  expect(turns.map(({ result }) => result)).toMatchObject([{ text: 'L' }, { text: 'R' }]);
  expect(new Set(turns.map(sessionOf)).size).toBe(2);
});

test('an answer of a megabyte arrives completely', async () => {
  const agent = await world.open();
  const text = `${'漢字 \u{2028} and words. '.repeat(60_000)}end`;
  upstream.play(messagesInOrder({ text }));
  const { result } = await lead(agent, 'Write a lot.');
  expect(result).toMatchObject({ kind: 'answered', text });
});

test('a prompt of a megabyte is sent completely', async () => {
  const agent = await world.open();
  upstream.play(messagesInOrder({ text: 'Read.' }));
  const before = upstream.requests.length;
  const { result } = await lead(agent, `${'long prompt '.repeat(90_000)}THE_END`);
  expect(result.kind).toBe('answered');
  expect(upstream.requests[before]?.text).toContain('THE_END');
});
