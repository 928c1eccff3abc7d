import { expect, test } from 'vitest';
import { readHarvest } from './harvest.ts';
import type { StoredTurn, ThreadResult } from './threads.ts';

const prompt = { type: 'userMessage', clientId: 'ex_1/2/1' };
const said = (text: string, phase?: string) => ({
  type: 'agentMessage',
  text,
  ...(phase !== undefined && { phase }),
});

function thread(...turns: readonly Partial<StoredTurn>[]): ThreadResult {
  const whole = turns.map((turn) => ({ id: 'u', status: 'completed', items: [prompt], ...turn }));
  return { ok: true, thread: { id: 't', model: null, turns: whole } };
}

const answered = (text: string) => ({ kind: 'answered', text, usage: null });
const interrupted = { kind: 'interrupted' };
const notSent = { kind: 'not_sent' };
const limit = { message: 'Incomplete response returned, reason: max_output_tokens' };

test.each([
  [
    'a finished turn',
    thread({ items: [prompt, said('on the way', 'commentary'), said('whole')] }),
    answered('whole'),
  ],
  ['a finished turn without a word', thread({}), answered('')],
  ['a turn that was cut', thread({ status: 'interrupted', items: [prompt, said('half')] }), interrupted],
  ['a turn that still runs', thread({ status: 'inProgress' }), interrupted],
  [
    'a turn that failed',
    thread({ status: 'failed', error: { message: 'unexpected status 503' } }),
    interrupted,
  ],
  [
    'a turn at its limit of tokens',
    thread({ status: 'failed', error: limit, items: [prompt, said('so far')] }),
    { ...answered('so far'), stopReason: 'max_output_tokens' },
  ],
  [
    'only the last turn',
    thread({ items: [prompt, said('one')] }, { items: [prompt, said('two')] }),
    answered('two'),
  ],
  [
    'a turn of an earlier call',
    thread({ items: [{ ...prompt, clientId: 'ex_1/1/1' }, said('old')] }),
    notSent,
  ],
  [
    'a call whose id only begins alike',
    thread({ items: [{ ...prompt, clientId: 'ex_1/22/1' }, said('old')] }),
    notSent,
  ],
  [
    'a turn of a Codex that keeps no ids',
    thread({ items: [{ type: 'userMessage' }, said('whole')] }),
    answered('whole'),
  ],
  ['a conversation without a turn', thread(), notSent],
  [
    'a turn that was stopped before its message was stored',
    thread({ status: 'interrupted', items: [] }),
    notSent,
  ],
  ['a finished turn without a message', thread({ items: [said('whole')] }), answered('whole')],
  ['a conversation that was never written', { ok: false, why: 'no_rollout', message: '' }, notSent],
  ['a conversation that cannot be opened', { ok: false, why: 'refused', message: '' }, interrupted],
] as const)('%s', (_name, result, harvest) => {
  expect(readHarvest(result, 'ex_1/2')).toEqual(harvest);
});
