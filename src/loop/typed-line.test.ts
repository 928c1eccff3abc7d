import { expect, test } from 'vitest';
import { z } from 'zod';
import type { EventBody } from '../events/collab-event.ts';
import { systemClock } from '../system/clock.ts';
import { defineTool } from '../tools/definition/define-tool.ts';
import { createToolPolicy, type ToolRules } from './tool-policy.ts';
import { runTypedLine } from './typed-line.ts';

const ran: unknown[] = [];
const read = defineTool({
  name: 'fs.read',
  aliases: ['cat'],
  description: 'Reads.',
  readOnly: true,
  args: z.strictObject({ path: z.string(), limit: z.int().optional() }),
  async run(args) {
    ran.push(args);
    return { content: `read ${args.path}`, isError: false };
  },
});
const write = { ...read, name: 'fs.write', aliases: [], readOnly: false };

async function typed(line: string, rules: ToolRules = {}) {
  ran.length = 0;
  const events: EventBody[] = [];
  const end = await runTypedLine(line, 'user/1', {
    tools: [read, write],
    policy: createToolPolicy({ rules, approve: async () => Promise.reject(new Error('asked')) }),
    clock: systemClock,
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
  });
  return { end, events, ran: [...ran] };
}

test('R004-1.1 X004-3.1,2 a slash command runs the tool itself, with the arguments of its line', async () => {
  const { end, events } = await typed('/read "a b.txt" --limit 5');
  expect(end).toEqual({ kind: 'ran', tool: 'fs.read', outcome: { content: 'read a b.txt', isError: false } });
  expect(ran).toEqual([{ path: 'a b.txt', limit: 5 }]);
  expect(events.map(({ type }) => type)).toEqual(['tool.call', 'tool.status', 'tool.status', 'tool.result']);
  expect(events[0]).toMatchObject({ call_id: 'user/1', name: 'fs.read', trigger: 'user' });
});

test('X004-4.1,3 what the user writes needs no further leave, and the journal says whose it was', async () => {
  const { end, events } = await typed('/write a');
  expect(end).toMatchObject({ kind: 'ran', outcome: { isError: false } });
  expect(events).toContainEqual({ type: 'permission', call_id: 'user/1', decision: 'allow', by: 'user' });
});

test('X004-4.2 what the rules forbid the user does not run', async () => {
  const { end, events, ran: runs } = await typed('/write a', { 'fs.*': { user: 'deny' } });
  expect(end).toMatchObject({ kind: 'ran', outcome: { isError: true } });
  expect(events).toContainEqual({ type: 'permission', call_id: 'user/1', decision: 'deny', by: 'policy' });
  expect(runs).toEqual([]);
});

test.each([
  ['/raed a', 'There is no command /raed. Did you mean /read?'],
  ['/read', 'The arguments of fs.read do not fit its schema: path: Invalid input'],
  ['/read a five', 'limit: Invalid input: expected number, received string'],
  ['/read a 5 b', '/fs.read takes 2 arguments: "b" is one too many.'],
  ['/read "a', 'A quote is opened and not closed'],
])('X004-3.7 %s runs nothing and is not said to the model', async (line, why) => {
  const { end, events, ran: runs } = await typed(line);
  expect(end).toMatchObject({ kind: 'refused' });
  expect(end.kind === 'refused' ? end.message : '').toContain(why);
  expect([events, runs]).toEqual([[], []]);
});

test.each([
  ['read a', 'read a'],
  ['//read a', '/read a'],
])('X004-3.6 %s is said to the model', async (line, text) => {
  expect(await typed(line)).toEqual({ end: { kind: 'text', text }, events: [], ran: [] });
});
