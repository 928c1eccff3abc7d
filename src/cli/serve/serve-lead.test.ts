import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { Guest, Speaker } from '../../access/speaker.ts';
import { journalRecord } from '../../events/journal-record.test-helper.ts';
import type { HistoryMessage } from '../../providers/history/history.ts';
import type { ConversationAnswerer } from '../../runs/conversation/answerer.ts';
import { createConversationFolder } from '../../runs/conversation/store.ts';
import type { LeadCall } from '../../server/runs/run-ports.ts';
import { systemClock } from '../../system/clock.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import { sessionIn } from '../command.test-helper.ts';
import { openServedLead } from './serve-lead.ts';

interface Served {
  readonly speaker?: Speaker;
  readonly flags?: Partial<ServeFlags>;
  readonly call?: Partial<LeadCall>;
  /** The configuration file of the served folder. */
  readonly config?: string;
}

const owner = { kind: 'owner' } as const;

function guest(...grants: readonly string[]): Guest {
  return { kind: 'guest', tenant: 'acme', grants, providers: [], isServerOpen: false };
}

function names(tools: readonly { readonly name: string }[] = []): readonly string[] {
  return tools.map(({ name }) => name);
}

/** The lead of a server whose script answers once. */
async function lead({ speaker = owner, flags = {}, call = {}, config = '' }: Served = {}) {
  const root = scratchFolder();
  writeFileSync(
    join(root, 'script.yaml'),
    stringify({ turns: [{ when: { work: 'converse' }, answer: 'Hello.' }] }),
  );
  writeFileSync(join(root, 'collab.config.yaml'), config);
  const home = join(root, '.collab');
  const env = { HOME: root, XDG_STATE_HOME: join(root, 'state'), CLAUDECODE: '1', PATH: '/usr/bin:/bin' };
  const { session } = sessionIn({ root, env });
  const opened = await openServedLead(
    {
      speaker,
      home,
      skills: [],
      tokens: {},
      past: [],
      signal: new AbortController().signal,
      folder: createConversationFolder(home, systemClock),
      ...call,
    },
    { session, flags: { port: 0, host: '127.0.0.1', lead: 'rehearsal:script.yaml', ...flags } },
  );
  return { root, ...opened, used: names(opened.tools.tools), withheld: names(opened.withheld) };
}

const all = ['Read', 'Write', 'Edit', 'LS', 'Bash'];

test('the owner of the server has all tools, and its own choice of the lead', async () => {
  const { answerer, used, withheld } = await lead();
  expect(answerer.lead).toEqual({ provider: 'rehearsal', model: 'script.yaml' });
  expect(used).toEqual(expect.arrayContaining(all));
  expect(withheld).toEqual([]);
  expect(await ask(answerer)).toEqual({ kind: 'answered' });
  await answerer.close();
});

/** Asks the lead one question. */
function ask(answerer: ConversationAnswerer) {
  const message: HistoryMessage = {
    id: 'm',
    role: 'user',
    content: 'Hi',
    parent_id: null,
    children_ids: [],
    created_at: '2026-11-21T09:30:00.000Z',
  };
  const signal = new AbortController().signal;
  return answerer.answer({
    thread: [message],
    callId: 'c',
    signal,
    emit: () => undefined,
    keep: () => undefined,
  });
}

test('a guest has the tools of its grants, and the others are withheld', async () => {
  const { used, withheld } = await lead({ speaker: guest('tool:LS') });
  expect(used).toEqual(['LS']);
  expect(withheld).toEqual(expect.arrayContaining(['Read', 'Write', 'Bash']));
  expect(withheld).not.toContain('LS');
});

test('a guest without a grant gets no agent with tools of its own', async () => {
  expect(await refusalOf(lead({ speaker: guest(), flags: { lead: 'claude_code' } }))).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('a conversation with claude_code'),
  });
});

test('a skill that is not there is refused; one of the package is found', async () => {
  expect(await refusalOf(lead({ call: { skills: ['nothing'] } }))).toMatchObject({
    code: 'options',
    message: 'There is no skill "nothing" here',
  });
  expect((await lead({ call: { skills: ['codex-collab'] } })).used).toEqual(expect.arrayContaining(all));
});

test('the budget is that of the configuration, and earlier answers count', async () => {
  const usage = {
    model: 'm',
    input: 900,
    output: 100,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cost: null,
    cost_basis: 'unknown',
  } as const;
  const past = [journalRecord({ type: 'usage', ...usage })];
  const config = 'budget_tokens: 1000000\n';
  const within = await lead({ config, call: { past } });
  expect(await ask(within.answerer)).toEqual({ kind: 'answered' });
  const spent = await lead({ config: 'budget_tokens: 1000\n', call: { past } });
  expect(await ask(spent.answerer)).toEqual({
    kind: 'failed',
    message: expect.stringMatching(
      /^the budget of 1,000 tokens is spent: 1,000 are used or reserved .*; the configuration of the server has budget_tokens$/,
    ),
    hint: null,
  });
});

test('tools that a rule denies are refused; none asks, since there is no person', async () => {
  const { tools } = await lead({ config: 'tools: { policy: { LS: deny } }\n' });
  const found = (name: string) => {
    const tool = tools.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no ${name}`);
    return tool;
  };
  const call = { id: 'c1', name: '', args: {} };
  const leaves = ['LS', 'Read', 'Write'].map((name) => tools.policy.leaveFor(found(name), call, 'agent'));
  expect(leaves).toEqual(['deny', 'allow', 'ask']);
  const { signal } = new AbortController();
  expect(await tools.policy.ask(found('Write'), call, signal, 'agent')).toMatchObject({
    decision: 'deny',
    by: 'policy',
  });
});

test('the flag names a configuration from the folder of the server', async () => {
  expect(await refusalOf(lead({ flags: { config: 'nothing.yaml' } }))).toMatchObject({
    message: expect.stringContaining('nothing.yaml'),
  });
  expect(await refusalOf(lead({ speaker: guest(), flags: { config: 'nothing.yaml' } }))).toMatchObject({
    message: expect.stringContaining('nothing.yaml'),
  });
});
