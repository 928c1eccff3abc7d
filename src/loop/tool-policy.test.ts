import { describe, expect, test } from 'vitest';
import { owner, repository, type Speaker } from '../access/speaker.ts';
import type { Json, Tool, ToolCall } from '../tools/definition/interfaces.ts';
import { toolOf } from '../tools/tool.test-helper.ts';
import { createToolPolicy, type Approval, type ToolRules } from './tool-policy.ts';

const [look, change] = [toolOf('fs.look'), toolOf('fs.change', { readOnly: false })];
const deep = toolOf('mcp.github.issues');
const signal = new AbortController().signal;

function callOf(tool: Tool, args: Json = {}): ToolCall {
  return { id: 'a', name: tool.name, args };
}

test.each([
  [{}, look, 'allow', 'allow'],
  [{}, change, 'ask', 'allow'],
  [{ 'fs.change': { agent: 'allow' } }, change, 'allow', 'allow'],
  [{ 'fs.change': { user: 'deny' } }, change, 'ask', 'deny'],
  [{ '*': { agent: 'deny' } }, look, 'deny', 'allow'],
  [{ '*': { agent: 'deny' }, 'fs.*': { agent: 'ask' } }, look, 'ask', 'allow'],
  [{ 'fs.*': { agent: 'deny' }, 'fs.look': { agent: 'allow' } }, look, 'allow', 'allow'],
  [{ fs: { agent: 'deny' }, 'f*': { agent: 'deny' } }, look, 'allow', 'allow'],
  [{ 'mcp.*': { agent: 'deny' } }, deep, 'deny', 'allow'],
  [{ 'mcp.*': { agent: 'deny' }, 'mcp.github.*': { agent: 'ask' } }, deep, 'ask', 'allow'],
] satisfies readonly (readonly [ToolRules, Tool, string, string])[])(
  'X004-4.1,2 by the rules %j, the closest one first, each path has its own leave',
  (rules, tool, agent, user) => {
    const policy = createToolPolicy({ rules, approve: null });
    const leaves = (['agent', 'user'] as const).map((trigger) =>
      policy.leaveFor(tool, callOf(tool), trigger),
    );
    expect(leaves).toEqual([agent, user]);
  },
);

test('X004-4.2 where no one is there to ask, what must be asked is denied', async () => {
  const policy = createToolPolicy({ rules: {}, approve: null });
  expect(await policy.ask(change, callOf(change), signal)).toEqual({
    decision: 'deny',
    by: 'policy',
    reason: 'no one is there to ask',
  });
});

test('X004-4.2 once is for one call, always for what the call means, no for nothing', async () => {
  const bash = toolOf('Bash', { readOnly: false, scopeOf: (args) => JSON.stringify(args) });
  const answers: Approval[] = [
    { kind: 'once' },
    { kind: 'no', reason: 'not now' },
    { kind: 'no', reason: null },
    { kind: 'always' },
    { kind: 'always' },
    { kind: 'once' },
  ];
  const asked: string[] = [];
  const policy = createToolPolicy({
    rules: {},
    approve: async (tool, { args }) => {
      asked.push(`${tool.name} ${JSON.stringify(args)}`);
      return answers[asked.length - 1] ?? { kind: 'no', reason: null };
    },
  });
  const ask = (tool: Tool, args: Json = {}) => policy.ask(tool, callOf(tool, args), signal);
  expect(await ask(change)).toEqual({ decision: 'allow', by: 'user' });
  expect(await ask(change)).toEqual({ decision: 'deny', by: 'user', reason: 'not now' });
  expect(await ask(change)).toEqual({ decision: 'deny', by: 'user' });
  await ask(change);
  expect(await ask(change, { other: 1 })).toEqual({ decision: 'allow', by: 'user' });
  await ask(bash, { command: 'ls' });
  await ask(bash, { command: 'ls' });
  await ask(bash, { command: 'rm' });
  expect(asked.slice(3)).toEqual(['fs.change {}', 'Bash {"command":"ls"}', 'Bash {"command":"rm"}']);
});

test('a person is asked one question at a time, and a failed question does not block the next', async () => {
  let [open, most] = [0, 0];
  const policy = createToolPolicy({
    rules: {},
    async approve(_tool, { args }) {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      if (args === 1) throw new Error('the terminal is gone');
      return { kind: 'once' };
    },
  });
  const asked = [1, 2, 3].map((args) => policy.ask(change, callOf(change, args), signal));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(most).toBe(1);
});

describe('on a system that cannot confine commands', () => {
  const bash = toolOf('Bash', { readOnly: false });
  const unheld = { tools: ['Bash'], why: 'commands cannot be confined here' };
  const everything = { '*': { agent: 'allow', user: 'allow' } } as const;
  const guest: Speaker = {
    kind: 'guest',
    tenant: 'acme',
    grants: ['tool:Bash'],
    providers: [],
    isServerOpen: false,
  };
  const host: Speaker = { kind: 'host', behind: owner };

  async function decisionOf(speaker: Speaker, trigger: 'agent' | 'user', isAnswered: boolean) {
    const approve = isAnswered ? async (): Promise<Approval> => ({ kind: 'once' }) : null;
    const policy = createToolPolicy({ rules: everything, approve, speaker, unheld });
    const leave = policy.leaveFor(bash, callOf(bash), trigger);
    return leave === 'ask' ? (await policy.ask(bash, callOf(bash), signal, trigger)).decision : leave;
  }

  test.each([
    ['the owner after a yes', owner, 'user', true, 'allow'],
    ['the owner whom no one can ask', owner, 'user', false, 'deny'],
    ["the owner's agent", owner, 'agent', true, 'deny'],
    ['a guest with the grant, at a server', guest, 'user', false, 'deny'],
    ["a guest's agent", guest, 'agent', false, 'deny'],
    ['a guest without the grant, even after a yes', { ...guest, grants: [] }, 'user', true, 'deny'],
    ['a host after a yes', host, 'user', true, 'allow'],
    ["a host's agent", host, 'agent', true, 'deny'],
    ['the repository, even after a yes', repository, 'user', true, 'deny'],
  ] as const)('Bash for %s', async (_, speaker, trigger, isAnswered, decision) => {
    expect(await decisionOf(speaker, trigger, isAnswered)).toBe(decision);
  });
});
