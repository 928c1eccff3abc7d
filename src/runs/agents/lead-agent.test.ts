import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { LeadAgent, LeadTurnRequest, TurnResult } from '../../providers/contract/contract.ts';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { createLead, leadOf } from './lead-agent.ts';

/** A secret that is recognized by its form alone. */
const sampleToken = sampleSecrets.find(({ rule }) => rule === 'aws_access_key_id')?.secret ?? '';

test('a lead that is never called is never opened, and closing it opens nothing', async () => {
  let opened = 0;
  const lead = leadOf(async () => {
    opened += 1;
    return scripted();
  });
  await lead.close();
  expect(opened).toBe(0);
});

test('it is opened once for all turns, and closed', async () => {
  const log: string[] = [];
  const lead = leadOf(async () => {
    log.push('open');
    return scripted({ close: async () => void log.push('close') });
  });
  await lead.turn(call());
  await lead.turn(call());
  expect(await lead.edits()).toBe(true);
  await lead.close();
  expect(log).toEqual(['open', 'close']);
});

test('secrets are masked in its answer, its events and the recovered answer of a lost call', async () => {
  const said: EventBody[] = [];
  const lead = leadOf(async () =>
    scripted({
      async turn(request) {
        request.emit({ type: 'title', title: `a ${sampleToken}` });
        return answered(`it is ${sampleToken}`);
      },
      harvest: async () => ({ kind: 'answered', text: sampleToken, usage: null }),
    }),
  );
  const result = await lead.turn({ ...call(), emit: (event) => void said.push(event) });
  const harvest = await lead.harvest('s', 'c');
  expect(JSON.stringify([said, result, harvest])).not.toContain(sampleToken);
  expect(harvest).toMatchObject({ covered: ['aws_access_key_id'] });
});

test('a lead that cannot be opened refuses each turn with the reason', async () => {
  const lead = leadOf(() => Promise.reject(new CollabError('auth', 'not logged in', { hint: 'log in' })));
  const refusal = { kind: 'unavailable', code: 'auth', message: 'not logged in', hint: 'log in' };
  expect(await lead.turn(call())).toEqual(refusal);
  expect(await lead.identity()).toEqual(refusal);
  expect(await lead.harvest('s', 'c')).toEqual({ kind: 'not_sent' });
  expect(await lead.edits()).toBe(false);
});

test('a provider without a lead says so', async () => {
  const lead = createLead('static_review', {
    env: {},
    cwd: '/nowhere',
    settings: {},
    signal: new AbortController().signal,
    runId: 'r',
    model: null,
    stateFolder: '/nowhere',
    limits: { firstSignMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    instructions: '',
  });
  expect(await lead.turn(call())).toMatchObject({
    kind: 'unavailable',
    code: 'options',
    message: 'static_review cannot lead',
  });
});

function answered(text: string): TurnResult {
  return { kind: 'answered', text, sessionId: 's', usage: null, stopReason: null };
}

function scripted(own: Partial<LeadAgent> = {}): LeadAgent {
  return {
    identity: {
      provider: 'scripted',
      displayName: 'Lead',
      version: null,
      model: null,
      login: null,
      destination: null,
      remarks: [],
    },
    edits: true,
    turn: async () => answered('yes'),
    harvest: async () => ({ kind: 'not_sent' }),
    close: async () => {},
    ...own,
  };
}

function call(): LeadTurnRequest {
  return {
    prompt: 'go',
    callId: 'lead_1/1/1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: () => {},
    bind: async () => {},
    work: { kind: 'answer_back', phase: 'design', round: 1, access: 'read', folder: null },
  };
}
